/* The modification time that a command tells (--set-mtime-command).

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef MTIME_COMMAND_H
#define MTIME_COMMAND_H

#include "member.h"
#include "options.h"
#include "report.h"

/* Run O's command with M's file as its last argument, in the directory BASE_FD
   that the name is relative to, and set M's modification time to the first
   line of its output, as --set-mtime-format or, without it, --mtime would read
   it.  What fails is reported, and M keeps its own time.  */
void mtime_command_apply (struct tar_options const *o, int base_fd,
                          struct member *m, struct report *r);

#endif
