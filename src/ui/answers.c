/* Where answers to questions come from.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "ui/answers.h"

#include <errno.h>

FILE *
answers_open (bool stdin_is_taken, struct report *r)
{
  static char const tty[] = "/dev/tty";
  FILE *answers = stdin_is_taken ? fopen (tty, "re") : stdin;

  if (!answers)
    report_cannot (r, errno, "open", tty);
  return answers;
}

void
answers_close (FILE *answers)
{
  if (answers != stdin)
    fclose (answers);
}
