/* What --reflink-report prints.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "sharing-report.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "gettext.h"
#include "progname.h"
#include "report.h"

#define _(msgid) gettext (msgid)

/* "1 member" or "N members".  */
static void
print_amount (unsigned long long members, unsigned long long bytes)
{
  fprintf (stderr, ngettext ("%llu member", "%llu members", members), members);
  fprintf (stderr, ngettext (", %llu byte", ", %llu bytes", bytes), bytes);
}

static void
print_counts (struct sharing_counts const *counts, enum sharing_outcome outcome)
{
  int errnum = counts->by[outcome].errnum;

  print_amount (counts->by[outcome].members, counts->by[outcome].bytes);
  if (errnum)
    fprintf (stderr, ": %s", strerror (errnum));
  putc ('\n', stderr);
}

static bool
is_any (struct sharing_counts const *counts, enum sharing_outcome outcome)
{
  return counts->by[outcome].members || counts->by[outcome].bytes;
}

void
sharing_report_print (struct sharing_counts const *counts)
{
  fflush (stdout);
  fprintf (stderr, _ ("%s: shared: "), program_name);
  print_counts (counts, SHARING_SHARED);
  for (enum sharing_outcome o = SHARING_SHARED + 1; o < SHARING_OUTCOMES; o++)
    if (is_any (counts, o))
      {
        fprintf (stderr, _ ("%s: copied (%s): "), program_name,
                 sharing_outcome_name (o));
        print_counts (counts, o);
      }
}

void
sharing_report_forecast (struct sharing_counts const *counts, off_t unit,
                         char const *archive)
{
  fflush (stdout);
  fprintf (stderr, _ ("%s: could be shared (blocks of %jd bytes): "),
           program_name, (intmax_t)unit);
  print_counts (counts, SHARING_SHARED);
  for (enum sharing_outcome o = SHARING_SHARED + 1; o < SHARING_OUTCOMES; o++)
    if (is_any (counts, o))
      {
        fprintf (stderr, _ ("%s: would be copied (%s): "), program_name,
                 sharing_outcome_name (o));
        print_counts (counts, o);
      }
  if (counts->by[SHARING_SHARED].bytes < counts->by[SHARING_UNALIGNED].bytes)
    fprintf (stderr,
             _ ("%s: most of it is not aligned; '%s --align=%jd -A -f"
                " ALIGNED.tar %s' makes an archive that is\n"),
             program_name, program_name, (intmax_t)unit, report_name (archive));
}

void
sharing_report_compared (struct differ_counts const *counts)
{
  fflush (stdout);
  fprintf (stderr, _ ("%s: shared: "), program_name);
  print_amount (counts->members_shared, counts->bytes_shared);
  fprintf (stderr, _ ("\n%s: read: "), program_name);
  print_amount (counts->members_read, counts->bytes_read);
  putc ('\n', stderr);
}
