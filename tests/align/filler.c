/* What it takes to align data, for every place that there is.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "format/align.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/pax-build.h"

enum
{
  BLOCK = 512
};

static int status = EXIT_SUCCESS;

static void
complain (char const *what, off_t start, idx_t records, idx_t unit)
{
  printf ("%s: start %jd, %td bytes of records, unit %td\n", what,
          (intmax_t)start, records, unit);
  status = EXIT_FAILURE;
}

/* Where data is after RECORDS bytes of pax records.  */
static off_t
data_offset (off_t start, idx_t records)
{
  off_t blocks = records ? 1 + (records + BLOCK - 1) / BLOCK : 0;
  return start + (blocks + 1) * BLOCK;
}

static void
test (off_t start, idx_t records, idx_t unit)
{
  idx_t filler = align_filler (start, records, unit);
  off_t bare = data_offset (start, records);
  if ((filler == 0) != (bare % unit == 0))
    complain ("a comment where none is needed, or none", start, records, unit);
  if (filler == 0)
    return;
  idx_t comment = pax_build_length (strlen (ALIGN_KEYWORD), filler);
  off_t data = data_offset (start, records + comment);
  if (data % unit != 0)
    complain ("not aligned", start, records, unit);
  /* The shortest comment might do, a unit before.  */
  idx_t shortest = pax_build_length (strlen (ALIGN_KEYWORD), 1);
  if (data_offset (start, records + shortest) <= data - unit)
    complain ("too long", start, records, unit);
}

int
main (void)
{
  for (idx_t unit = ALIGN_MIN; unit <= ALIGN_MAX; unit *= 2)
    {
      off_t step = unit / 16 < BLOCK ? BLOCK : unit / 16;
      for (off_t start = 0; start <= unit; start += step)
        for (idx_t records = 0; records < 2100; records++)
          {
            test (start, records, unit);
            test (unit - start + BLOCK, records, unit);
          }
      test (((off_t)1 << 60) + BLOCK, 30, unit);
    }
  if (!align_is_filler ("~~", 2) || align_is_filler ("~~ ", 3)
      || align_is_filler ("", 0))
    complain ("filler", 0, 0, 0);
  return status;
}
