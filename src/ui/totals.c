/* What --totals prints.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "gettext.h"
#include "human.h"
#include "xvasprintf.h"

#include "ui/totals.h"

#define _(msgid) gettext (msgid)
#define N_(msgid) gettext_noop (msgid)

void
totals_start (struct totals *t)
{
  *t = (struct totals){ .kinds = 0 };
  clock_gettime (CLOCK_MONOTONIC, &t->start);
}

double
totals_seconds (struct totals const *t)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  return ((now.tv_sec - t->start.tv_sec)
          + (now.tv_nsec - t->start.tv_nsec) / 1e9);
}

char *
totals_text (struct totals const *t, enum totals_kind kind, uintmax_t bytes)
{
  char size[LONGEST_HUMAN_READABLE + 1];
  char rate[LONGEST_HUMAN_READABLE + 1];
  int options = human_autoscale | human_base_1024 | human_SI | human_B;

  if (kind == TOTALS_DELETED)
    return xasprintf ("%" PRIuMAX, bytes);
  double seconds = totals_seconds (t);
  double per_second = 0 < seconds ? bytes / seconds : 0;
  return xasprintf ("%" PRIuMAX " (%s, %s/s)", bytes,
                    human_readable (bytes, size, options, 1, 1),
                    0 <= per_second && per_second < (double)UINTMAX_MAX
                        ? human_readable (per_second, rate, options, 1, 1)
                        : "?");
}

void
totals_print (struct totals const *t, enum totals_kind kind, uintmax_t bytes)
{
  static char const *const what[] = {
    [TOTALS_WRITTEN] = N_ ("Total bytes written"),
    [TOTALS_READ] = N_ ("Total bytes read"),
    [TOTALS_DELETED] = N_ ("Total bytes deleted"),
  };
  char *text = totals_text (t, kind, bytes);

  fflush (stdout);
  fprintf (stderr, "%s: %s\n", _ (what[kind]), text);
  free (text);
}

void
totals_print_all (struct totals const *t)
{
  static enum totals_kind const order[]
      = { TOTALS_READ, TOTALS_WRITTEN, TOTALS_DELETED };

  for (int i = 0; i < TOTALS_KINDS; i++)
    if (t->kinds & (1u << order[i]))
      totals_print (t, order[i], t->bytes[order[i]]);
}
