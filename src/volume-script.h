/* The command that is run between volumes (-F).

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef VOLUME_SCRIPT_H
#define VOLUME_SCRIPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "options.h"
#include "report.h"

struct volume_script
{
  char const *command; /* for the shell */
  char const *archive; /* the volume that the script is to see to */
  intmax_t number;     /* of that volume */
  size_t blocking_factor;
  enum options_operation operation;
  enum member_format format;
};

/* Run S.  Return true, and in *RET_NAME the archive's name that it told,
   allocated, or NULL; or false, reported, if it failed.  */
bool volume_script_run (struct volume_script const *s, struct report *r,
                        char **ret_name);

#endif
