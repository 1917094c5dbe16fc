/* The operation -A: members of archives behind those of another.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "concatenate.h"

#include "gettext.h"

#include "input.h"
#include "monitor.h"
#include "policies.h"
#include "realign.h"
#include "selection.h"
#include "ui/confirm.h"
#include "ui/listing.h"
#include "verify.h"

#define _(msgid) gettext (msgid)

/* What the loop works with.  */
struct concatenation
{
  struct tar_options const *options;
  struct report *report;
  struct selection *selection;
  struct workdirs *workdirs;
  struct confirm *confirm; /* NULL: do not ask */
  struct records *records; /* to be written */
  struct realign *realign; /* NULL: blocks are copied as they are */
  int err;                 /* of writing */
  bool at_end;             /* the source's end blocks were met */
  size_t unwanted;         /* bytes of zero blocks to come */
};

static bool
write_failed (struct concatenation *c)
{
  report_cannot (c->report, c->err, "write", c->options->archives[0]);
  report_unrecoverable (c->report);
  return false;
}

/* --- One source --- */

/* The source's bytes, as they are read.  Its end is not copied: with it, what
   follows would not be found.  */
static void
copy (void *arg, char const *bytes, size_t length)
{
  struct concatenation *c = arg;
  size_t drop = c->unwanted < length ? c->unwanted : length;
  c->unwanted -= drop;
  if (!c->at_end && !c->err && drop < length)
    c->err = records_write (c->records, bytes + drop, length - drop);
}

static void
take_note (void *arg, struct reader_note const *note)
{
  struct concatenation *c = arg;
  if (note->kind == READER_NOTE_END_BLOCKS)
    c->at_end = true;
  else if (note->kind == READER_NOTE_ZERO_BLOCK)
    c->unwanted = RECORDS_BLOCK;
}

/* Copy IN's blocks.  */
static bool
copy_blocks (struct concatenation *c, struct input *in)
{
  struct member *m;
  struct payload *p;
  enum reader_step step;

  c->at_end = false;
  c->unwanted = 0;
  records_tap (input_records (in), copy, c);
  do
    step = reader_next (input_reader (in), &m, &p);
  while (step == READER_MEMBER && !c->err);
  records_tap (input_records (in), NULL, NULL);
  return step == READER_END;
}

/* Copy all members of IN.  */
static bool
copy_members (struct concatenation *c, struct input *in)
{
  off_t end;
  bool has_zeros;
  bool ok;

  if (c->realign)
    ok = realign_members (c->realign, in, &c->err);
  else
    ok = copy_blocks (c, in);
  if (c->err)
    return write_failed (c);
  if (ok && !reader_end (input_reader (in), &end, &has_zeros))
    {
      report_unrecoverable (c->report);
      return false;
    }
  return ok;
}

/* Append the archive NAME in the -C directory BASE_FD.  */
static bool
append_source (struct concatenation *c, char const *name, int base_fd)
{
  struct input_source const source = {
    .name = name,
    .base_fd = base_fd,
    .note = c->realign ? NULL : take_note,
    .global = c->realign ? realign_global : NULL,
    .arg = c->realign ? (void *)c->realign : (void *)c,
  };
  struct input *in = input_open_source (c->options, c->report, &source);
  if (!in)
    return !c->report->ended;
  bool ok = input_is_empty (in) || copy_members (c, in);
  return input_close (in) && ok;
}

/* --- All of them --- */

static bool
append_all (struct concatenation *c)
{
  struct selection_name name;
  enum selection_step step;
  int base_fd;

  while ((step = selection_next_name (c->selection, &name)) == SELECTION_NAME)
    {
      policies_more_workdirs (c->workdirs, c->selection);
      if (c->confirm && !confirm_ask (c->confirm, _ ("add"), name.name))
        continue;
      if (!workdirs_open (c->workdirs, name.directory, c->report, &base_fd)
          || !append_source (c, name.name, base_fd))
        return false;
    }
  if (step != SELECTION_END)
    return false;
  c->err = records_write_zeros (c->records, 2 * RECORDS_BLOCK);
  if (!c->err)
    c->err = records_finish (c->records);
  return !c->err || write_failed (c);
}

static bool
append_to (struct concatenation *c, struct input *in)
{
  struct tar_options const *o = c->options;
  struct monitor *monitor = input_monitor (in);

  c->records = input_turn (in, NULL, NULL);
  if (!c->records)
    return false;
  off_t start = records_position (c->records) / o->record_size;
  if (o->align_given)
    c->realign = realign_new (o, c->report, c->records);
  bool ok = append_all (c);
  if (c->realign)
    realign_report (c->realign);
  realign_free (c->realign);
  monitor_finish (monitor);
  if (ok)
    monitor_totals (monitor, TOTALS_WRITTEN,
                    records_total (c->records) - start * o->record_size);
  return ok;
}

static bool
concatenate (struct concatenation *c, struct listing *l)
{
  struct tar_options const *o = c->options;
  struct input *in = NULL;

  if (verify_possible (o, c->report)
      && policies_confirm (o, listing_stream (l), c->report, &c->confirm))
    in = input_open_update (o, c->report, true, listing_stream (l));
  bool ok = in && append_to (c, in);
  ok = input_close (in) && ok;
  return (ok && verify_archive (o, c->selection, c->workdirs, l, c->report));
}

bool
concatenate_run (struct tar_options const *o, struct report *r)
{
  struct xattrs_settings const xattrs = policies_xattrs (o);
  struct concatenation c = { .options = o, .report = r };

  c.selection = selection_new (o, r);
  if (!c.selection)
    return false;
  c.workdirs = policies_workdirs (c.selection);
  struct listing *l
      = policies_listing (o, &xattrs, LISTING_NOTHING + o->verbose, stdout, r);
  bool ok = l && concatenate (&c, l);
  listing_free (l, r);
  confirm_free (c.confirm);
  workdirs_free (c.workdirs);
  selection_free (c.selection);
  return ok;
}
