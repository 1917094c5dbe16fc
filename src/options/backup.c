/* The options --backup and --suffix, and the environment's say in them.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "argmatch.h"

#include "parse.h"

static char const *const controls[]
    = { "none", "off",      "simple", "never", "existing",
        "nil",  "numbered", "t",      NULL };
static enum backup_type const types[] = { no_backups,
                                          no_backups,
                                          simple_backups,
                                          simple_backups,
                                          numbered_existing_backups,
                                          numbered_existing_backups,
                                          numbered_backups,
                                          numbered_backups };

/* Not ARGMATCH_VERIFY: without a text, that is C23 to clang.  */
_Static_assert(sizeof controls / sizeof *controls
                   == sizeof types / sizeof *types + 1,
               "a value for each keyword");

bool
options_backup_control (struct options_parse *p, struct option_row const *row,
                        char const *argument)
{
  (void)row;
  p->backup_given = true;
  p->backup_control = argument;
  return true;
}

bool
options_backup_suffix (struct options_parse *p, struct option_row const *row,
                       char const *argument)
{
  (void)row;
  p->backup_given = true;
  p->o->backup_suffix = argument;
  return true;
}

bool
options_backup_check (struct options_parse *p)
{
  struct tar_options *o = p->o;
  char const *control = p->backup_control;
  char const *from = "--backup";

  if (!p->backup_given)
    return true;
  if (!control)
    {
      control = getenv ("VERSION_CONTROL");
      from = "$VERSION_CONTROL";
    }
  o->backup = numbered_existing_backups;
  if (control && *control)
    {
      ptrdiff_t i
          = argmatch (control, controls, (char const *)types, sizeof *types);
      if (i < 0)
        {
          argmatch_invalid (from, control, i);
          argmatch_valid (controls, (char const *)types, sizeof *types);
          report_raise (p->r, REPORT_FAILURE);
          p->failed = true;
          return false;
        }
      o->backup = types[i];
    }
  if (!o->backup_suffix)
    o->backup_suffix = getenv ("SIMPLE_BACKUP_SUFFIX");
  /* A backup stays in the directory of its file.  */
  if (!o->backup_suffix || !*o->backup_suffix || strchr (o->backup_suffix, '/'))
    o->backup_suffix = "~";
  return true;
}
