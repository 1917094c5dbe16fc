/* The operation -t: members to lines.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include <stdio.h>

#include "forecast.h"
#include "input.h"
#include "list.h"
#include "policies.h"
#include "pump.h"
#include "selection.h"
#include "sharing-report.h"
#include "ui/listing.h"

/* What the loop works with.  */
struct lister
{
  struct member_sink sink; /* first: its address is ours */
  struct selection *selection;
  struct listing *listing;
  struct workdirs *workdirs;
  struct report *report;
  size_t directory; /* the last one known to exist */
  off_t unit;       /* of sharing, for --reflink-report; 0: none is wanted */
  struct sharing_counts counts;
};

/* Directories that -C names have to exist once members belong to them, though
   nothing is done there.  */
static bool
check_directory (struct lister *l, size_t directory)
{
  int fd;

  if (directory != l->directory
      && !workdirs_open (l->workdirs, directory, l->report, &fd))
    return false;
  l->directory = directory;
  return true;
}

/* List one member.  */
static enum flow_wish
put (struct member_sink *sink, struct member *m, struct payload *p)
{
  struct lister *l = (struct lister *)sink;

  size_t directory = 0;

  if (selection_match (l->selection, m, &directory))
    {
      if (!check_directory (l, directory))
        return FLOW_STOP;
      selection_edit (l->selection, m);
      listing_member (l->listing, m, m->header_block);
      if (l->unit)
        forecast_member (&l->counts, m, p, l->unit);
    }
  return selection_exhausted (l->selection) ? FLOW_ENOUGH : FLOW_MORE;
}

static bool
list_archive (struct tar_options const *o, struct lister *l, struct report *r)
{
  struct input *in = input_open (o, r, listing_stream (l->listing));

  if (!in)
    return false;
  if (o->reflink_report)
    l->unit = policies_unit (o, input_records (in));
  bool ok = pump_run (input_source (in), &l->sink);
  if (ok)
    selection_report_unmatched (l->selection);
  monitor_finish (input_monitor (in));
  if (l->unit)
    sharing_report_forecast (&l->counts, l->unit, o->archives[0]);
  monitor_totals (input_monitor (in), TOTALS_READ,
                  records_total (input_records (in)));
  return input_close (in) && ok;
}

bool
list_run (struct tar_options const *o, struct report *r)
{
  struct xattrs_settings const xattrs = policies_xattrs (o);
  struct lister l
      = { .sink = { put }, .selection = selection_new (o, r), .report = r };
  if (!l.selection)
    return false;

  l.workdirs = policies_workdirs (l.selection);
  /* -t is -v already: each -v tells one thing more.  */
  l.listing = policies_listing (o, &xattrs, LISTING_NAMES + o->verbose,
                                o->to_stdout ? stderr : stdout, r);
  bool ok = (l.listing && policies_check_workdir (o, l.workdirs, r)
             && list_archive (o, &l, r));

  listing_free (l.listing, r);
  workdirs_free (l.workdirs);
  selection_free (l.selection);
  return ok;
}
