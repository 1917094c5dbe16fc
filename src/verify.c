/* Verification of an archive that was just written (-W).

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "verify.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fs/differ.h"
#include "fs/tags.h"
#include "gettext.h"
#include "input.h"
#include "naming.h"
#include "policies.h"
#include "pump.h"
#include "restoring.h"

#define _(msgid) gettext (msgid)

/* What the loop works with.  */
struct verification
{
  struct member_sink sink; /* first: its address is ours */
  struct workdirs *workdirs;
  struct listing *listing;
  struct differ *differ;
  struct report *report;
  bool compares_lists;    /* those of incremental dumps */
  struct dumpdir dumpdir; /* of the member at hand */
};

bool
verify_possible (struct tar_options const *o, struct report *r)
{
  if (!o->verify || strcmp (o->archives[0], "-") != 0)
    return true;
  report_error (r, 0, _ ("Cannot verify stdin/stdout archive"));
  return false;
}

/* Compare one member.  Names are what they are in the archive now.  */
static enum flow_wish
put (struct member_sink *sink, struct member *m, struct payload *p)
{
  struct verification *v = (struct verification *)sink;

  naming_plain (&m->name, member_text (&m->stored_name));
  listing_member (v->listing, m, m->header_block);
  bool has_list = (m->type == MEMBER_DUMPDIR && v->compares_lists
                   && restoring_read (&v->dumpdir, m, p, true, v->report));
  size_t number = workdirs_count (v->workdirs) - 1;
  return (
      differ_put (v->differ, m, p, number)
              && (!has_list || differ_list (v->differ, m, &v->dumpdir, number))
          ? FLOW_MORE
          : FLOW_STOP);
}

/* Say why files may not be found.  */
static void
warn_of_names (struct selection const *s, struct report *r)
{
  if (!selection_has_dropped (s) && !selection_has_transformed (s))
    return;
  if (selection_has_dropped (s))
    report_warning (r, REPORT_ALWAYS, 0,
                    _ ("Archive contains file names with leading prefixes"
                       " removed."));
  if (selection_has_transformed (s))
    report_warning (r, REPORT_ALWAYS, 0,
                    _ ("Archive contains transformed file names."));
  report_warning (r, REPORT_ALWAYS, 0,
                  _ ("Verification may fail to locate original files."));
}

/* Whether the archive can be read from its start.  */
static bool
can_read_back (struct tar_options const *o, struct report *r)
{
  struct stat st;

  if (policies_is_remote (o))
    return true;
  if (!o->compress_program
      && (stat (o->archives[0], &st) != 0 || S_ISREG (st.st_mode)
          || S_ISBLK (st.st_mode)))
    return true;
  /* Nobody expects to find anything in /dev/null.  */
  if (o->compress_program || !S_ISCHR (st.st_mode))
    report_cannot_warning (r, REPORT_ALWAYS, ESPIPE, "seek", o->archives[0]);
  return false;
}

/* What is in memory need not have got to the disk: read it from there.  */
static void
forget_cached (struct records *records)
{
  int fd;
  off_t offset;

  if (records_extent (records, &fd, &offset) && fsync (fd) == 0)
    posix_fadvise (fd, 0, 0, POSIX_FADV_DONTNEED);
}

bool
verify_archive (struct tar_options const *o, struct selection const *s,
                struct workdirs *w, struct listing *l, struct report *r)
{
  if (!o->verify || !can_read_back (o, r))
    return true;

  struct tar_options reading = *o;
  /* The label that was written is no pattern now.  */
  reading.label = NULL;
  struct input *in = input_open (&reading, r, NULL);
  if (!in)
    return false;

  struct verification v
      = { .sink = { put }, .workdirs = w, .listing = l, .report = r };
  /* Then lists are not of all that is there.  */
  v.compares_lists = !o->one_file_system && !tags_any (selection_tags (s));
  forget_cached (input_records (in));
  warn_of_names (s, r);
  listing_set_prefix (l, _ ("Verify "));
  v.differ = differ_new (
      &(struct differ_settings){ .workdirs = w,
                                 .stream = listing_stream (l),
                                 .dereference = o->dereference,
                                 .numeric_owner = o->numeric_owner,
                                 .reflink = REFLINK_NEVER },
      r);

  bool ok = pump_run (input_source (in), &v.sink);

  differ_free (v.differ);
  dumpdir_free (&v.dumpdir);
  listing_set_prefix (l, NULL);
  return input_close (in) && ok;
}
