/* The operation -d: members against files.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "compare.h"

#include <fcntl.h>
#include <stdio.h>

#include "fs/differ.h"
#include "input.h"
#include "policies.h"
#include "pump.h"
#include "selection.h"
#include "sharing-report.h"
#include "ui/listing.h"

#ifndef O_NOATIME
#define O_NOATIME 0
#endif

/* What the loop works with.  */
struct comparison
{
  struct member_sink sink; /* first: its address is ours */
  struct tar_options const *options;
  struct report *report;
  struct selection *selection;
  struct workdirs *workdirs;
  struct listing *listing;
  struct input *input;
  struct differ *differ;
};

/* Compare one member.  */
static enum flow_wish
put (struct member_sink *sink, struct member *m, struct payload *p)
{
  struct comparison *c = (struct comparison *)sink;
  size_t directory;

  if (!selection_match (c->selection, m, &directory))
    return FLOW_MORE;
  selection_edit (c->selection, m);
  /* As with -x, the block after the header.  */
  listing_member (c->listing, m,
                  records_position (input_records (c->input)) / RECORDS_BLOCK);
  if (!differ_put (c->differ, m, p, directory))
    return FLOW_STOP;
  return selection_exhausted (c->selection) ? FLOW_ENOUGH : FLOW_MORE;
}

static bool
compare_archive (struct comparison *c)
{
  struct tar_options const *o = c->options;

  c->input = input_open (o, c->report, listing_stream (c->listing));
  if (!c->input)
    return false;
  c->differ = differ_new (
      &(struct differ_settings){
          .workdirs = c->workdirs,
          .stream = listing_stream (c->listing),
          .dereference = o->dereference,
          .numeric_owner = o->numeric_owner,
          .reflink = o->reflink,
          .open_flags
          = o->atime_preserve == OPTIONS_ATIME_SYSTEM ? O_NOATIME : 0 },
      c->report);

  bool ok = pump_run (input_source (c->input), &c->sink);
  if (ok)
    selection_report_unmatched (c->selection);
  if (o->reflink_report)
    sharing_report_compared (differ_get_counts (c->differ));
  differ_free (c->differ);
  monitor_totals (input_monitor (c->input), TOTALS_READ,
                  records_total (input_records (c->input)));
  return input_close (c->input) && ok;
}

bool
compare_run (struct tar_options const *o, struct report *r)
{
  struct xattrs_settings const xattrs = policies_xattrs (o);
  struct comparison c = { .sink = { put }, .options = o, .report = r };
  bool ok = false;

  c.selection = selection_new (o, r);
  if (!c.selection)
    return false;
  c.workdirs = policies_workdirs (c.selection);
  c.listing = policies_listing (o, &xattrs, LISTING_NOTHING + o->verbose,
                                o->to_stdout ? stderr : stdout, r);
  if (c.listing && policies_check_workdir (o, c.workdirs, r))
    ok = compare_archive (&c);
  listing_free (c.listing, r);
  workdirs_free (c.workdirs);
  selection_free (c.selection);
  return ok;
}
