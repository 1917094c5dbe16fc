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

/* When the volume was started, for the rate.  */
struct totals
{
  struct timespec start;
};

/* Take the time.  */
void totals_start (struct totals *t);

/* Print "Total bytes written: N (SIZE, RATE/s)" on stderr, with what KIND
   says, after flushing stdout.  */
void totals_print (struct totals const *t, enum totals_kind kind,
                   uintmax_t bytes);

#endif
