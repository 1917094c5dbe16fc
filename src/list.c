/* The operation -t: members to lines.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "list.h"

#include "forecast.h"
#include "policies.h"
#include "reading.h"
#include "restoring.h"
#include "sharing-report.h"

struct lister
{
  struct reading reading;
  off_t unit; /* of sharing, for --reflink-report; 0: none is wanted */
  struct sharing_counts counts;
  struct dumpdir dumpdir; /* of the member at hand */
};

static void
choose_unit (void *arg)
{
  struct lister *l = arg;
  struct reading const *r = &l->reading;

  if (r->options->reflink_report)
    l->unit = policies_unit (r->options, input_records (r->input));
}

/* List one member.  */
static bool
take (void *arg, struct member *m, struct payload *p, size_t directory)
{
  struct lister *l = arg;
  struct tar_options const *o = l->reading.options;

  (void)directory;
  listing_member (l->reading.listing, m, m->header_block);
  if (o->incremental && 1 < o->verbose && m->type == MEMBER_DUMPDIR
      && restoring_read (&l->dumpdir, m, p, true, l->reading.report))
    restoring_print (&l->dumpdir, l->reading.listing, l->reading.report);
  if (l->unit)
    forecast_member (&l->counts, m, p, l->unit);
  return true;
}

static bool
finish (void *arg)
{
  struct lister *l = arg;

  if (l->unit)
    sharing_report_forecast (&l->counts, l->unit,
                             l->reading.options->archives[0]);
  return true;
}

bool
list_run (struct tar_options const *o, struct report *r)
{
  static struct reading_steps const steps = { choose_unit, take, finish };
  struct lister l = { .unit = 0 };
  /* -t is -v already: each -v tells one thing more.  */
  bool ok = (reading_begin (&l.reading, o, r, LISTING_NAMES)
             && reading_run (&l.reading, &steps, &l));

  dumpdir_free (&l.dumpdir);
  reading_end (&l.reading);
  return ok;
}
