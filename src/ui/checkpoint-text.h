/* The texts of checkpoint actions.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CHECKPOINT_TEXT_H
#define CHECKPOINT_TEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "ui/totals.h"

/* What is told of a checkpoint.  */
struct checkpoint_facts
{
  uintmax_t number;
  bool writing;
  bool utc;
  struct totals const *totals;
  int start; /* the column where the text begins, from 0 */
  int width; /* of the terminal */
};

/* FORMAT with its %-sequences replaced by what FACTS tells; allocated.
   Sequences that are unknown stay as they are.  */
char *checkpoint_text (char const *format,
                       struct checkpoint_facts const *facts);

/* TEXT, without quotes if it is in quotes, and with backslash sequences
   replaced by what they stand for; allocated.  */
char *checkpoint_text_unquote (char const *text);

#endif
