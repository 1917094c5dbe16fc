/* The operation -d: members against files.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "compare.h"

#include <fcntl.h>

#include "fs/differ.h"
#include "reading.h"
#include "restoring.h"
#include "sharing-report.h"

#ifndef O_NOATIME
#define O_NOATIME 0
#endif

struct comparison
{
  struct reading reading;
  struct differ *differ;
  struct dumpdir dumpdir; /* of the member at hand */
};

static void
open_differ (void *arg)
{
  struct comparison *c = arg;
  struct tar_options const *o = c->reading.options;

  c->differ = differ_new (
      &(struct differ_settings){
          .workdirs = c->reading.workdirs,
          .stream = listing_stream (c->reading.listing),
          .dereference = o->dereference,
          .numeric_owner = o->numeric_owner,
          .reflink = o->reflink,
          .open_flags
          = o->atime_preserve == OPTIONS_ATIME_SYSTEM ? O_NOATIME : 0 },
      c->reading.report);
}

/* Compare one member.  */
static bool
take (void *arg, struct member *m, struct payload *p, size_t directory)
{
  struct comparison *c = arg;

  if (*member_text (&m->name) == '\0'
      && selection_has_transformed (c->reading.selection))
    return true;
  /* As with -x, the block after the header.  */
  listing_member (c->reading.listing, m, m->header_block + 1);
  bool has_list
      = (m->type == MEMBER_DUMPDIR
         && restoring_read (&c->dumpdir, m, p, true, c->reading.report));
  return (differ_put (c->differ, m, p, directory)
          && (!has_list || differ_list (c->differ, m, &c->dumpdir, directory)));
}

static bool
finish (void *arg)
{
  struct comparison *c = arg;

  if (c->reading.options->reflink_report)
    sharing_report_compared (differ_get_counts (c->differ));
  differ_free (c->differ);
  return true;
}

bool
compare_run (struct tar_options const *o, struct report *r)
{
  static struct reading_steps const steps = { open_differ, take, finish };
  struct comparison c = { .differ = NULL };
  bool ok = (reading_begin (&c.reading, o, r, LISTING_NOTHING)
             && reading_run (&c.reading, &steps, &c));

  dumpdir_free (&c.dumpdir);
  reading_end (&c.reading);
  return ok;
}
