/* The operands one by one, with those that -T files stand for in their place.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef OPERANDS_H
#define OPERANDS_H

#include <stdbool.h>

#include "options.h"
#include "report.h"

struct operands;

/* The operands of OPTIONS, which must outlive it, as must R.  -T files are
   opened when they are reached, and read as they are needed.  Never NULL.  */
struct operands *operands_new (struct tar_options const *options,
                               struct report *r);
void operands_free (struct operands *o);

/* Return false, reported, if an exclude file of the command line cannot be
   read: better told now than when half an archive is written.  */
bool operands_check (struct operands *o);

/* An operand: a name (decoded), a directory, a pattern, a file of patterns,
   or a file to look for in each directory.  */
struct operand
{
  enum option_operand_kind kind;
  char const *text; /* valid until the next call */
  unsigned match;   /* mask of enum options_match */
  unsigned detail;  /* as in struct option_operand */
};

enum operands_step
{
  OPERANDS_ONE,
  OPERANDS_END,
  OPERANDS_FATAL /* reported */
};

/* Give the next operand.  When files are created or updated, of what follows
   the last name only directories are given.  */
enum operands_step operands_next (struct operands *o, struct operand *ret);

/* After the end: report that what follows the last name has no effect, if
   that is so.  */
void operands_report_late (struct operands *o);

/* True if neither --wildcards nor --no-wildcards was given, after all.  */
bool operands_default_wildcards (struct operands const *o);

#endif
