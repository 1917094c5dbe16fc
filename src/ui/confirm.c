/* Asking before each action.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "ui/confirm.h"

#include <stdlib.h>

#include "ui/answers.h"
#include "xalloc.h"

struct confirm
{
  struct report *report;
  FILE *prompt;
  FILE *answers;
};

struct confirm *
confirm_new (FILE *prompt, bool stdin_is_taken, struct report *r)
{
  FILE *answers = answers_open (stdin_is_taken, r);

  if (!answers)
    return NULL;
  struct confirm *c = xmalloc (sizeof *c);
  *c = (struct confirm){ r, prompt, answers };
  return c;
}

bool
confirm_ask (struct confirm *c, char const *action, char const *name)
{
  report_make_room (c->report);
  fprintf (c->prompt, "%s %s?", action, report_quoted (name));
  fflush (c->prompt);

  int first = getc (c->answers);
  for (int next = first; next != '\n' && next != EOF;)
    next = getc (c->answers);
  if (first == EOF)
    {
      /* Nobody typed the end of this line.  */
      fputc ('\n', c->prompt);
      fflush (c->prompt);
    }
  return first == 'y' || first == 'Y';
}

void
confirm_free (struct confirm *c)
{
  if (c)
    answers_close (c->answers);
  free (c);
}
