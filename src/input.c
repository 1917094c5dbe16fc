/* An archive being read, as operations see it.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include <stdlib.h>

#include "xalloc.h"

#include "archive-notes.h"
#include "format/reader.h"
#include "input.h"
#include "io/archive.h"
#include "label.h"
#include "monitor.h"
#include "reader-notes.h"

struct input
{
  struct member_source source; /* first: its address is ours */
  struct tar_options const *options;
  struct report *report;
  char const *name;
  bool begun; /* the first member was asked for */
  struct records *records;
  struct reader *reader;
  struct reader_notes notes;
  struct monitor *monitor;
};

static enum flow_step
next (struct member_source *s, struct member **member, struct payload **payload)
{
  struct input *in = (struct input *)s;

  enum reader_step step = reader_next (in->reader, member, payload);
  bool is_first = !in->begun;

  in->begun = true;
  if (step == READER_FATAL
      || (is_first
          && !label_check (in->options, step == READER_MEMBER ? *member : NULL,
                           in->report)))
    return FLOW_FATAL;
  if (step != READER_MEMBER)
    return FLOW_END;
  monitor_format (in->monitor, (*member)->format);
  return FLOW_MEMBER;
}

struct input *
input_open (struct tar_options const *o, struct report *r, FILE *listing)
{
  struct archive_settings const archive = {
    .name = o->archives[0],
    .program = o->compress_program,
    .record_size = o->record_size,
  };
  struct archive_failure failure;
  struct records *records;

  if (!archive_open_reader (&archive, &records, &failure))
    {
      archive_notes_open (r, &failure);
      return NULL;
    }

  struct input *in = xmalloc (sizeof *in);
  int fd;
  off_t offset;
  *in = (struct input){
    .source = { next },
    .options = o,
    .report = r,
    .name = o->archives[0],
    .records = records,
    .notes = { .report = r,
               .archive = o->archives[0],
               .is_file = records_extent (records, &fd, &offset),
               .listing = o->block_number ? listing : NULL },
    .monitor = monitor_new (o, r, listing),
  };
  struct reader_settings const settings = {
    .ignore_zeros = o->ignore_zeros,
    .note = reader_notes_note,
    .note_arg = &in->notes,
  };
  in->reader = reader_new (records, &settings);
  monitor_watch (in->monitor, records);
  return in;
}

struct member_source *
input_source (struct input *in)
{
  return &in->source;
}

struct records *
input_records (struct input *in)
{
  return in->records;
}

struct monitor *
input_monitor (struct input *in)
{
  return in->monitor;
}

bool
input_close (struct input *in)
{
  if (!in)
    return true;
  reader_free (in->reader);
  if (!in->report->ended)
    records_drain (in->records);
  bool ok = archive_notes_close (in->report, in->records, in->name);
  monitor_free (in->monitor);
  free (in);
  return ok;
}
