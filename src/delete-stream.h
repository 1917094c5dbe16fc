/* --delete from standard input to standard output.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef DELETE_STREAM_H
#define DELETE_STREAM_H

#include <stdbool.h>

#include "options.h"
#include "report.h"
#include "selection.h"

/* Copy the archive on standard input to standard output without the members
   that S selects.  Return false after a fatal error, which was reported.  */
bool delete_stream_run (struct tar_options const *o, struct selection *s,
                        struct report *r);

#endif
