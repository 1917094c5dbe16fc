/* What of an archive could be shared, if it were extracted.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "forecast.h"

/* Add SEG, a stretch of data.  */
static void
forecast_segment (struct sharing_tally *t, struct sharing_counts *counts,
                  struct payload_segment const *seg, bool is_sparse, off_t unit)
{
  bool is_aligned = (seg->fd_offset - seg->offset) % unit == 0;
  off_t head = is_aligned ? (unit - seg->offset % unit) % unit : 0;
  off_t whole = head < seg->length ? (seg->length - head) / unit * unit : 0;
  enum sharing_outcome reason
      = 0 < whole && !is_aligned ? SHARING_UNALIGNED : SHARING_TOO_SMALL;

  if (is_aligned)
    sharing_tally_shared (t, counts, whole);
  sharing_tally_copied (t, counts, is_sparse ? SHARING_SPARSE : reason,
                        seg->length - (is_aligned ? whole : 0), 0);
}

void
forecast_member (struct sharing_counts *counts, struct member const *m,
                 struct payload *p, off_t unit)
{
  struct sharing_tally t = { 0 };
  struct payload_segment seg;

  if (!p || !member_has_data (m))
    return;
  while (0 < p->remaining && payload_extent (p, &seg))
    {
      forecast_segment (&t, counts, &seg, m->is_sparse, unit);
      if (payload_skip (p, seg.length) != 0)
        break;
    }
  if (!t.any_shared && !t.any_copied)
    sharing_tally_copied (&t, counts, SHARING_NO_EXTENTS, p->remaining, 0);
  sharing_tally_finish (&t, counts);
}
