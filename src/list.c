/* The operation -t: members to lines.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include <stdio.h>

#include "input.h"
#include "list.h"
#include "policies.h"
#include "pump.h"
#include "selection.h"
#include "ui/listing.h"
#include "ui/totals.h"

/* What the loop works with.  */
struct lister
{
  struct member_sink sink; /* first: its address is ours */
  struct selection *selection;
  struct listing *listing;
};

/* List one member.  */
static enum flow_wish
put (struct member_sink *sink, struct member *m, struct payload *p)
{
  struct lister *l = (struct lister *)sink;

  (void)p;
  if (selection_exhausted (l->selection))
    return FLOW_ENOUGH;
  if (selection_match (l->selection, m, NULL))
    {
      selection_edit (l->selection, m);
      listing_member (l->listing, m, m->header_block);
    }
  return FLOW_MORE;
}

static bool
list_archive (struct tar_options const *o, struct lister *l, struct report *r)
{
  FILE *blocks = o->block_number ? listing_stream (l->listing) : NULL;
  struct input *in = input_open (o, r, blocks);
  struct totals totals;

  if (!in)
    return false;
  totals_start (&totals);
  bool ok = pump_run (input_source (in), &l->sink);
  if (ok)
    selection_report_unmatched (l->selection);
  if (o->totals)
    totals_print (&totals, TOTALS_READ, records_total (input_records (in)));
  return input_close (in) && ok;
}

bool
list_run (struct tar_options const *o, struct report *r)
{
  struct xattrs_settings const xattrs = policies_xattrs (o);
  struct lister l = { .sink = { put }, .selection = selection_new (o, r) };
  if (!l.selection)
    return false;

  struct workdirs *w = policies_workdirs (l.selection);
  /* -t is -v already: each -v tells one thing more.  */
  l.listing
      = policies_listing (o, &xattrs, LISTING_NAMES + o->verbose, stdout, r);
  bool ok = (l.listing && policies_check_workdir (o, w, r)
             && list_archive (o, &l, r));

  listing_free (l.listing, r);
  workdirs_free (w);
  selection_free (l.selection);
  return ok;
}
