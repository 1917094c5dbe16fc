/* Asking before each action (--interactive).

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CONFIRM_H
#define CONFIRM_H

#include <stdbool.h>
#include <stdio.h>

#include "report.h"

struct confirm;

/* Ask on PROMPT, and take the answers from standard input; or, if
   STDIN_IS_TAKEN by something else, from the terminal.  Return NULL if that
   cannot be opened, which was reported.  R must outlive it.  */
struct confirm *confirm_new (FILE *prompt, bool stdin_is_taken,
                             struct report *r);

/* Ask if ACTION ("add") is to be done with NAME.  Return true if the answer
   begins with a y.  At the end of the answers it does not.  */
bool confirm_ask (struct confirm *c, char const *action, char const *name);

/* C may be NULL.  */
void confirm_free (struct confirm *c);

#endif
