/* What the operations that read an archive have in common: which members,
   where they are told of, where they come from.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef READING_H
#define READING_H

#include <stdbool.h>
#include <stddef.h>

#include "flow.h"
#include "fs/workdirs.h"
#include "fs/xattrs.h"
#include "input.h"
#include "options.h"
#include "report.h"
#include "selection.h"
#include "ui/listing.h"

/* For -t, -x and -d; each has it within a struct of its own.  */
struct reading
{
  struct tar_options const *options;
  struct report *report;
  struct xattrs_settings xattrs;
  struct selection *selection;
  struct workdirs *workdirs;
  struct listing *listing;
  struct input *input; /* set by reading_run */
};

/* Set up R from O: all but its input.  The listing tells as much as LEVEL and
   one thing more per -v; with -O it goes to standard error, as standard output
   is for the data.  R must not move after it.  False: reported; reading_end is
   due all the same.  */
bool reading_begin (struct reading *r, struct tar_options const *o,
                    struct report *report, int level);

/* What is particular to an operation; ARG is from reading_run.  */
struct reading_steps
{
  /* The archive is open.  May be NULL.  */
  void (*opened) (void *arg);
  /* Take a selected member, whose names have been edited, and which belongs to
     DIRECTORY.  False: stop, reported.  */
  bool (*take) (void *arg, struct member *m, struct payload *p,
                size_t directory);
  /* All members are through, or a fatal error was reported.  False: something
     was wrong, reported.  May be NULL.  */
  bool (*finished) (void *arg);
};

/* Open the archive, and give each selected member to STEPS.  Directories that
   -C names must exist when members belong to them.  Operands that matched
   nothing are reported, and --totals printed.  Return false if something was
   wrong, reported.  */
bool reading_run (struct reading *r, struct reading_steps const *steps,
                  void *arg);

/* Free all that R has.  */
void reading_end (struct reading *r);

#endif
