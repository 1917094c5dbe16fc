/* The command that is run between volumes (-F).

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef VOLUME_SCRIPT_H
#define VOLUME_SCRIPT_H

#include <stdbool.h>
#include <stdint.h>

#include "report.h"
#include "shell.h"

struct volume_script
{
  char const *command;      /* for the shell */
  intmax_t number;          /* of the volume that it is to see to */
  struct shell_facts facts; /* where the archive is that volume */
};

/* Run S.  Return true, and in *RET_NAME the archive's name that it told,
   allocated, or NULL; or false, reported, if it failed.  */
bool volume_script_run (struct volume_script const *s, struct report *r,
                        char **ret_name);

#endif
