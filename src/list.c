/* The operation -t: members to lines.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include <stdio.h>

#include "input.h"
#include "list.h"
#include "policies.h"
#include "selection.h"
#include "ui/listing.h"
#include "ui/totals.h"

/* List until the end.  Return false after a fatal error.  */
static bool
list_all (struct input *in, struct selection *s, struct listing *l)
{
  struct member_source *source = input_source (in);
  struct member *m;
  struct payload *p;
  enum flow_step step = FLOW_END;

  while (!selection_exhausted (s)
         && (step = source->next (source, &m, &p)) == FLOW_MEMBER)
    if (selection_match (s, m, NULL))
      {
        selection_edit (s, m);
        listing_member (l, m, m->header_block);
      }
  return step != FLOW_FATAL;
}

static bool
list_archive (struct tar_options const *o, struct selection *s,
              struct listing *l, struct report *r)
{
  FILE *blocks = o->block_number ? listing_stream (l) : NULL;
  struct input *in = input_open (o, r, blocks);
  struct totals totals;

  if (!in)
    return false;
  totals_start (&totals);
  bool ok = list_all (in, s, l);
  if (ok)
    selection_report_unmatched (s);
  if (o->totals)
    totals_print (&totals, TOTALS_READ, records_total (input_records (in)));
  return input_close (in) && ok;
}

bool
list_run (struct tar_options const *o, struct report *r)
{
  struct xattrs_settings const xattrs = policies_xattrs (o);
  struct selection *s = selection_new (o, r);
  if (!s)
    return false;

  struct workdirs *w = policies_workdirs (s);
  /* -t is -v already: each -v tells one thing more.  */
  struct listing *l = policies_listing (o, &xattrs, LISTING_NAMES + o->verbose,
                                        o->to_stdout ? stderr : stdout, r);
  bool ok
      = (l && policies_check_workdir (o, w, r) && list_archive (o, s, l, r));

  listing_free (l, r);
  workdirs_free (w);
  selection_free (s);
  return ok;
}
