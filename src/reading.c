/* What the operations that read an archive have in common.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "reading.h"

#include <stdio.h>

#include "policies.h"
#include "pump.h"

/* What the loop works with.  */
struct taker
{
  struct member_sink sink; /* first: its address is ours */
  struct reading *reading;
  struct reading_steps const *steps;
  void *arg;
  size_t directory; /* the last one known to exist */
};

bool
reading_begin (struct reading *r, struct tar_options const *o,
               struct report *report, int level)
{
  r->options = o;
  r->report = report;
  r->xattrs = policies_xattrs (o);
  r->selection = selection_new (o, report);
  if (!r->selection)
    return false;
  r->workdirs = policies_workdirs (r->selection);
  r->listing = policies_listing (o, &r->xattrs, level + o->verbose,
                                 o->to_stdout ? stderr : stdout, report);
  return r->listing;
}

/* Take one member, if it is wanted.  */
static enum flow_wish
put (struct member_sink *sink, struct member *m, struct payload *p)
{
  struct taker *t = (struct taker *)sink;
  struct selection *selection = t->reading->selection;
  size_t directory = t->directory;
  bool taken = selection_match (selection, m, &directory);
  int fd;

  /* Directories that -C names have to exist once members belong to them, though
     nothing may be done there.  */
  if (directory != t->directory
      && !workdirs_open (t->reading->workdirs, directory, t->reading->report,
                         &fd))
    return FLOW_STOP;
  t->directory = directory;
  if (taken)
    {
      selection_edit (selection, m);
      if (!t->steps->take (t->arg, m, p, directory))
        return FLOW_STOP;
    }
  return selection_exhausted (selection) ? FLOW_ENOUGH : FLOW_MORE;
}

bool
reading_run (struct reading *r, struct reading_steps const *steps, void *arg)
{
  struct taker t
      = { .sink = { put }, .reading = r, .steps = steps, .arg = arg };

  r->input = input_open (r->options, r->report, listing_stream (r->listing));
  if (!r->input)
    return false;
  if (steps->opened)
    steps->opened (arg);

  bool ok = pump_run (input_source (r->input), &t.sink);
  if (ok)
    selection_report_unmatched (r->selection);
  monitor_finish (input_monitor (r->input));
  /* After a fatal error, too: what was done is to be completed.  */
  if (steps->finished)
    ok &= steps->finished (arg);
  monitor_totals (input_monitor (r->input), TOTALS_READ,
                  input_total (r->input));
  return input_close (r->input) && ok;
}

void
reading_end (struct reading *r)
{
  listing_free (r->listing, r->report);
  workdirs_free (r->workdirs);
  selection_free (r->selection);
}
