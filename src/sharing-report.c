/* What --reflink-report prints.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "sharing-report.h"

#include <stdio.h>
#include <string.h>

#include "gettext.h"
#include "progname.h"

#define _(msgid) gettext (msgid)

/* "1 member" or "N members".  */
static void
print_amount (unsigned long long members, unsigned long long bytes)
{
  fprintf (stderr, ngettext ("%llu member", "%llu members", members), members);
  fprintf (stderr, ngettext (", %llu byte", ", %llu bytes", bytes), bytes);
}

static void
print_line (struct place_counts const *counts, enum place_outcome outcome)
{
  char const *name = place_outcome_name (outcome);
  int errnum = counts->by[outcome].errnum;

  if (outcome == PLACE_SHARED)
    fprintf (stderr, _ ("%s: shared: "), program_name);
  else
    fprintf (stderr, _ ("%s: copied (%s): "), program_name, name);
  print_amount (counts->by[outcome].members, counts->by[outcome].bytes);
  if (errnum)
    fprintf (stderr, ": %s", strerror (errnum));
  putc ('\n', stderr);
}

void
sharing_report_print (struct place const *p)
{
  struct place_counts const *counts = place_get_counts (p);

  fflush (stdout);
  print_line (counts, PLACE_SHARED);
  for (enum place_outcome o = PLACE_SHARED + 1; o < PLACE_OUTCOMES; o++)
    if (counts->by[o].members || counts->by[o].bytes)
      print_line (counts, o);
}
