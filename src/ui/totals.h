/* What --totals prints.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef TOTALS_H
#define TOTALS_H

#include <stdint.h>
#include <time.h>

/* What was done with the bytes.  */
enum totals_kind
{
  TOTALS_WRITTEN,
  TOTALS_READ,
  TOTALS_DELETED /* no rate */
};

enum
{
  TOTALS_KINDS = TOTALS_DELETED + 1
};

/* When the volume was started, for the rate, and what was done since.  */
struct totals
{
  struct timespec start;
  unsigned kinds; /* those that are told of: a mask of 1 << enum totals_kind */
  uintmax_t bytes[TOTALS_KINDS];
};

/* Take the time.  Nothing was done yet, and no kind is told of.  */
void totals_start (struct totals *t);

/* The seconds since the start.  */
double totals_seconds (struct totals const *t);

/* Print "Total bytes written: N (SIZE, RATE/s)" on stderr, with what KIND
   says, after flushing stdout.  */
void totals_print (struct totals const *t, enum totals_kind kind,
                   uintmax_t bytes);

/* Likewise for each of T's kinds.  */
void totals_print_all (struct totals const *t);

/* "N (SIZE, RATE/s)", or "N" for TOTALS_DELETED; allocated.  */
char *totals_text (struct totals const *t, enum totals_kind kind,
                   uintmax_t bytes);

#endif
