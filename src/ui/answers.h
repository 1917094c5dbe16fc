/* Where answers to questions come from.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef ANSWERS_H
#define ANSWERS_H

#include <stdbool.h>
#include <stdio.h>

#include "report.h"

/* Standard input, or the terminal if that is taken by something else.  NULL:
   there is none, which was reported.  */
FILE *answers_open (bool stdin_is_taken, struct report *r);

void answers_close (FILE *answers);

#endif
