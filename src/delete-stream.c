/* --delete from standard input to standard output.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "delete-stream.h"

#include <stdlib.h>
#include <string.h>

#include "archive-notes.h"
#include "format/block.h"
#include "input.h"
#include "io/archive.h"
#include "monitor.h"
#include "gettext.h"
#include "minmax.h"
#include "xalloc.h"

#define _(msgid) gettext (msgid)

/* What the loop works with.  Headers are kept in memory until the member is
   known.  */
struct filter
{
  struct records *out;
  struct report *report;
  int err;
  off_t position; /* of the next byte read */
  off_t data_end; /* of the member decided on last */
  bool keep;      /* it */
  bool at_end;
  char *headers; /* from where the member decided on last ended */
  size_t length;
  size_t allocated;
};

static void
put (struct filter *f, char const *bytes, size_t length)
{
  if (!f->err && length)
    f->err = records_write (f->out, bytes, length);
}

/* The archive's bytes, as they are read.  */
static void
take_bytes (void *arg, char const *bytes, size_t length)
{
  struct filter *f = arg;
  size_t data = 0;
  if (f->position < f->data_end)
    data = MIN (f->data_end - f->position, (off_t)length);
  f->position += length;
  if (f->keep)
    put (f, bytes, data);
  length -= data;
  if (length == 0 || f->at_end)
    return;
  while (f->allocated - f->length < length)
    f->headers = x2nrealloc (f->headers, &f->allocated, 1);
  memcpy (f->headers + f->length, bytes + data, length);
  f->length += length;
  /* What belongs to no member cannot be kept in memory for ever.  */
  if (1024 * RECORDS_PEEK_MAX < f->length)
    {
      put (f, f->headers, f->length);
      f->length = 0;
    }
}

static void
take_note (void *arg, struct reader_note const *note)
{
  struct filter *f = arg;
  if (note->kind == READER_NOTE_END_BLOCKS)
    f->at_end = true;
}

/* The member whose header was read last is to be kept if KEEP.  */
static void
decide (struct filter *f, struct reader const *reader, bool keep)
{
  off_t start;
  reader_extent (reader, &start, &f->data_end);
  off_t own = f->position - start;
  off_t before = (off_t)f->length < own ? 0 : (off_t)f->length - own;
  put (f, f->headers, keep ? f->length : (size_t)before);
  f->keep = keep;
  f->length = 0;
}

static bool
copy_members (struct filter *f, struct input *in, struct selection *s)
{
  struct member *m;
  struct payload *p;
  enum reader_step step;
  off_t end;
  bool has_zeros;
  bool is_right = true;

  records_tap (input_records (in), take_bytes, f);
  while ((step = reader_next (input_reader (in), &m, &p)) == READER_MEMBER
         && !f->err && (is_right = input_check_label (in, m)))
    decide (f, input_reader (in), !selection_match (s, m, NULL));
  records_tap (input_records (in), NULL, NULL);
  if (!is_right)
    return false;
  put (f, f->headers, f->length);
  if (step == READER_END && !reader_end (input_reader (in), &end, &has_zeros))
    {
      report_unrecoverable (f->report);
      return false;
    }
  return step != READER_FATAL;
}

static bool
filter_input (struct filter *f, struct input *in, struct selection *s)
{
  if (records_filtered (input_records (in)))
    {
      report_error (f->report, 0, _ ("Cannot update compressed archives"));
      report_unrecoverable (f->report);
      return false;
    }
  if (!input_is_empty (in) && !copy_members (f, in, s))
    return false;
  if (!f->err)
    f->err = records_write_zeros (f->out, 2 * BLOCK_SIZE);
  if (!f->err)
    f->err = records_finish (f->out);
  if (!f->err)
    return true;
  report_cannot (f->report, f->err, "write", "-");
  report_unrecoverable (f->report);
  return false;
}

static void
print_totals (struct monitor *m, off_t read, off_t written)
{
  monitor_totals (m, TOTALS_READ, read);
  monitor_totals (m, TOTALS_WRITTEN, written);
  monitor_totals (m, TOTALS_DELETED, written < read ? read - written : 0);
}

bool
delete_stream_run (struct tar_options const *o, struct selection *s,
                   struct report *r)
{
  struct archive_settings const archive
      = { .name = "-", .record_size = o->record_size };
  struct filter f = { .report = r };
  struct input_source const source
      = { .name = "-", .note = take_note, .arg = &f };
  struct archive_failure failure;

  if (!archive_open_writer (&archive, &f.out, &failure))
    {
      archive_notes_open (r, &failure);
      return false;
    }
  struct input *in = input_open_source (o, r, &source);
  bool ok = in != NULL;
  if (ok)
    {
      struct monitor *monitor = monitor_new (o, r, stderr);
      monitor_watch (monitor, f.out);
      monitor_watch (monitor, input_records (in));
      ok = filter_input (&f, in, s);
      monitor_finish (monitor);
      if (ok)
        print_totals (monitor, records_total (input_records (in)),
                      records_total (f.out));
      monitor_free (monitor);
    }
  ok = input_close (in) && ok;
  free (f.headers);
  return archive_notes_close (r, f.out, "-") && ok;
}
