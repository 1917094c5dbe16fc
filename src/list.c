/* The operation -t: members to lines.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include <stdio.h>

#include "fs/workdirs.h"
#include "fs/xattrs.h"
#include "input.h"
#include "list.h"
#include "selection.h"
#include "ui/listing.h"
#include "ui/totals.h"

static bool
xattr_selected (void const *arg, char const *name)
{
  return xattrs_selected (arg, name);
}

static struct listing *
open_listing (struct tar_options const *o, struct xattrs_settings const *xattrs,
              struct report *r)
{
  /* -t is -v already: each -v tells one thing more.  */
  int level = LISTING_NAMES + o->verbose;
  struct listing_settings const settings = {
    .level = level < LISTING_DETAILS ? level : LISTING_DETAILS,
    .full_time = o->full_time,
    .utc = o->utc,
    .numeric_owner = o->numeric_owner,
    .transformed = o->show_transformed_names,
    .block_number = o->block_number,
    .acls = o->acls,
    .selinux = o->selinux,
    .xattrs = o->xattrs,
    .xattr_selected = xattr_selected,
    .xattr_arg = xattrs,
    .stream = stdout,
    .index_file = o->index_file,
  };

  return listing_new (&settings, r);
}

/* A directory that -C names has to exist, though nothing is done there: the
   last one, when there are no operands that would choose.  */
static bool
check_directory (struct tar_options const *o, struct selection *s,
                 struct report *r)
{
  size_t count = selection_directory_count (s);
  struct workdirs *w = workdirs_new ();
  int fd;

  for (size_t i = 1; i < count; i++)
    workdirs_add (w, selection_directory (s, i));
  bool ok
      = (count == 1 || o->names_given || workdirs_open (w, count - 1, r, &fd));
  workdirs_free (w);
  return ok;
}

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
  struct xattrs_settings const xattrs = {
    .xattrs = o->xattrs,
    .include = o->xattrs_include,
    .include_count = o->xattrs_include_count,
    .exclude = o->xattrs_exclude,
    .exclude_count = o->xattrs_exclude_count,
  };
  struct selection *s = selection_new (o, r);
  struct listing *l = s ? open_listing (o, &xattrs, r) : NULL;
  bool ok = l && check_directory (o, s, r) && list_archive (o, s, l, r);

  listing_free (l, r);
  selection_free (s);
  return ok;
}
