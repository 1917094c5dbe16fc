/* The operation --delete: members removed from an archive.

   In a file, what is kept is moved down over what is not.  Between them there
   always is a hole, and the hole always is a member that covers it (a filler):
   at any moment the archive is one.  A part that fits in the hole is written
   behind the filler's header first, with the next filler; then its own first
   block takes that header's place.  A part that does not fit is covered by the
   filler as long as it is moved.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "delete.h"

#include <stdlib.h>
#include <string.h>

#include "archive-notes.h"
#include "delete-stream.h"
#include "format/filler.h"
#include "input.h"
#include "minmax.h"
#include "monitor.h"
#include "selection.h"
#include "xalloc.h"

/* Consecutive bytes of the archive, headers and data: one member, or what lies
   between two.  */
struct part
{
  off_t start;
  off_t end;
  bool keep;
};

struct deletion
{
  struct tar_options const *options;
  struct report *report;
  struct selection *selection;
  struct records *records;
  struct monitor *monitor;
  /* What there is from the first member to be deleted on.  */
  struct part *parts;
  size_t count;
  size_t allocated;
  off_t end; /* of the members */
};

/* --- What is to be done --- */

static void
add_part (struct deletion *d, off_t start, off_t end, bool keep)
{
  if (start == end || (keep && d->count == 0))
    return;
  if (d->count == d->allocated)
    d->parts = x2nrealloc (d->parts, &d->allocated, sizeof *d->parts);
  d->parts[d->count++]
      = (struct part){ .start = start, .end = end, .keep = keep };
}

/* Read IN and find its parts.  */
static bool
find_parts (struct deletion *d, struct input *in)
{
  struct reader *reader = input_reader (in);
  struct member *m;
  struct payload *p;
  enum reader_step step;
  off_t last = 0;
  bool has_zeros;

  while ((step = reader_next (reader, &m, &p)) == READER_MEMBER)
    {
      off_t start;
      off_t end;
      if (!input_check_label (in, m))
        return false;
      reader_extent (reader, &start, &end);
      add_part (d, last, start, true);
      add_part (d, start, end, !selection_match (d->selection, m, NULL));
      last = end;
    }
  if (step == READER_END && !reader_end (reader, &d->end, &has_zeros))
    {
      report_unrecoverable (d->report);
      return false;
    }
  add_part (d, last, d->end, true);
  return step == READER_END;
}

/* --- Moving --- */

static int
put_filler (struct deletion *d, off_t at, off_t length)
{
  union block b;
  filler_make (&b, length);
  return records_put_at (d->records, at, b.bytes, sizeof b);
}

/* Move LENGTH bytes from FROM down to TO.  */
static int
move_bytes (struct deletion *d, off_t from, off_t to, off_t length)
{
  while (length)
    {
      char const *bytes;
      size_t n;
      int err = records_peek_at (d->records, from,
                                 MIN (length, RECORDS_PEEK_MAX), &bytes, &n);
      if (!err && n == 0)
        /* Somebody cut it short meanwhile.  */
        err = RECORDS_SHORT;
      if (!err)
        err = records_put_at (d->records, to, bytes, n);
      if (err)
        return err;
      from += n;
      to += n;
      length -= n;
      monitor_written (d->monitor, to);
    }
  return 0;
}

/* Read the block at FROM into TO.  */
static int
read_block (struct deletion *d, off_t from, char *to)
{
  size_t have = 0;
  while (have < BLOCK_SIZE)
    {
      char const *bytes;
      size_t n;
      int err = records_peek_at (d->records, from + have, BLOCK_SIZE - have,
                                 &bytes, &n);
      if (err || n == 0)
        return err ? err : RECORDS_SHORT;
      memcpy (to + have, bytes, n);
      have += n;
    }
  return 0;
}

/* Move part P down over the hole that begins at TO and ends at P.  */
static int
move_part (struct deletion *d, struct part const *p, off_t to)
{
  char first[BLOCK_SIZE];
  off_t hole = p->start - to;
  off_t length = p->end - p->start;

  int err = read_block (d, p->start, first);
  if (!err && hole - BLOCK_SIZE < length)
    err = put_filler (d, to, hole + length);
  if (!err)
    err = move_bytes (d, p->start + BLOCK_SIZE, to + BLOCK_SIZE,
                      length - BLOCK_SIZE);
  if (!err)
    err = put_filler (d, to + length, hole);
  return err ? err : records_put_at (d->records, to, first, BLOCK_SIZE);
}

/* Write the archive's end at AT, and cut off what follows it.  */
static int
put_end (struct deletion *d, off_t at)
{
  static char const zeros[BLOCK_SIZE];
  size_t record = d->options->record_size;
  off_t size = at + 2 * BLOCK_SIZE;
  size += (record - size % record) % record;

  int err = 0;
  for (off_t i = at + BLOCK_SIZE; i < size && !err; i += BLOCK_SIZE)
    err = records_put_at (d->records, i, zeros, BLOCK_SIZE);
  if (!err)
    err = records_put_at (d->records, at, zeros, BLOCK_SIZE);
  monitor_written (d->monitor, size);
  return err ? err : records_truncate (d->records, size);
}

static bool
delete_parts (struct deletion *d, off_t *ret_size)
{
  off_t to = d->count ? d->parts[0].start : d->end;
  int err = 0;

  for (size_t i = 0; i < d->count && !err; i++)
    if (d->parts[i].keep)
      {
        err = move_part (d, &d->parts[i], to);
        to += d->parts[i].end - d->parts[i].start;
      }
    else
      err = put_filler (d, to, d->parts[i].end - to);
  if (!err)
    err = put_end (d, to);
  *ret_size = to + 2 * BLOCK_SIZE;
  if (!err)
    return true;
  report_cannot (d->report, err == RECORDS_SHORT ? 0 : err, "write",
                 d->options->archives[0]);
  report_unrecoverable (d->report);
  return false;
}

/* --- The interface --- */

static void
print_totals (struct deletion *d, off_t new_size)
{
  off_t record = d->options->record_size;
  off_t old_size = d->end + 2 * BLOCK_SIZE;
  off_t from = (d->parts[0].start / record) * record;
  off_t old_total = (old_size + record - 1) / record * record;
  off_t new_total = (new_size + record - 1) / record * record;

  monitor_totals (d->monitor, TOTALS_READ, old_total);
  monitor_totals (d->monitor, TOTALS_WRITTEN, new_total - from);
  monitor_totals (d->monitor, TOTALS_DELETED, old_total - new_total);
}

static bool
delete_from_file (struct deletion *d)
{
  off_t new_size;
  struct input *in = input_open_update (d->options, d->report, false, stdout);

  if (!in)
    return false;
  d->monitor = input_monitor (in);
  d->records = input_records (in);
  bool ok = input_is_empty (in) || find_parts (d, in);
  if (ok && d->count)
    {
      monitor_begin_writing (d->monitor, d->parts[0].start);
      ok = delete_parts (d, &new_size);
      monitor_finish (d->monitor);
      if (ok)
        print_totals (d, new_size);
    }
  free (d->parts);
  return input_close (in) && ok;
}

bool
delete_run (struct tar_options const *o, struct report *r)
{
  struct deletion d = { .options = o, .report = r };
  bool ok = true;

  d.selection = selection_new (o, r);
  if (!d.selection)
    return false;
  /* Without names there is nothing to delete.  */
  if (strcmp (o->archives[0], "-") == 0)
    ok = delete_stream_run (o, d.selection, r);
  else if (o->names_given)
    ok = delete_from_file (&d);
  if (ok)
    selection_report_unmatched (d.selection);
  selection_free (d.selection);
  return ok;
}
