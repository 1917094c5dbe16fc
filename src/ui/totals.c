/* What --totals prints.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include <inttypes.h>
#include <stdio.h>

#include "gettext.h"
#include "human.h"

#include "ui/totals.h"

#define _(msgid) gettext (msgid)
#define N_(msgid) gettext_noop (msgid)

void
totals_start (struct totals *t)
{
  clock_gettime (CLOCK_MONOTONIC, &t->start);
}

static double
seconds_since (struct timespec start)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  return (now.tv_sec - start.tv_sec) + (now.tv_nsec - start.tv_nsec) / 1e9;
}

void
totals_print (struct totals const *t, enum totals_kind kind, uintmax_t bytes)
{
  static char const *const what[] = {
    [TOTALS_WRITTEN] = N_ ("Total bytes written"),
    [TOTALS_READ] = N_ ("Total bytes read"),
    [TOTALS_DELETED] = N_ ("Total bytes deleted"),
  };
  char size[LONGEST_HUMAN_READABLE + 1];
  char rate[LONGEST_HUMAN_READABLE + 1];
  int options = human_autoscale | human_base_1024 | human_SI | human_B;

  fflush (stdout);
  if (kind == TOTALS_DELETED)
    {
      fprintf (stderr, "%s: %" PRIuMAX "\n", _ (what[kind]), bytes);
      return;
    }
  double seconds = seconds_since (t->start);
  double per_second = 0 < seconds ? bytes / seconds : 0;
  fprintf (stderr, "%s: %" PRIuMAX " (%s, %s/s)\n", _ (what[kind]), bytes,
           human_readable (bytes, size, options, 1, 1),
           0 < per_second && per_second < UINTMAX_MAX
               ? human_readable (per_second, rate, options, 1, 1)
               : "?");
}
