/* Members of archives stored anew in another, aligned: -A with --align.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "realign.h"

#include <stdlib.h>

#include "format/block.h"
#include "format/writer.h"
#include "policies.h"
#include "sharing-report.h"
#include "writer-notes.h"
#include "xalloc.h"

struct realign
{
  struct tar_options const *options;
  struct report *report;
  struct records *records;
  struct writer *writer;
  struct writer_notes notes;
  int err; /* of writing */
};

/* Data that is not to be had is told by the reader, too, as what it is: there
   is no file here that could have shrunk.  */
static void
take_note (void *arg, struct writer_note const *note)
{
  if (note->kind != WRITER_NOTE_SHRANK && note->kind != WRITER_NOTE_READ_ERROR)
    writer_notes_note (arg, note);
}

struct realign *
realign_new (struct tar_options const *o, struct report *r,
             struct records *records)
{
  struct realign *a = xzalloc (sizeof *a);
  a->options = o;
  a->report = r;
  a->records = records;
  a->notes.report = r;
  struct writer_settings const settings = {
    .format = MEMBER_FORMAT_PAX,
    .align = policies_align (o, records),
    .reflink = o->reflink,
    .reflink_strategy = o->reflink_strategy,
    .sparse_major = 1,
    /* It is part of sparse members' names.  The same input is to give the same
       bytes.  */
    .pid = 0,
    .note = take_note,
    .note_arg = &a->notes,
  };
  a->writer = writer_new (records, &settings);
  return a;
}

void
realign_free (struct realign *a)
{
  if (!a)
    return;
  writer_free (a->writer);
  free (a);
}

void
realign_global (void *arg, char const *header, char const *bytes, size_t length)
{
  struct realign *a = arg;
  if (!a->err)
    a->err = records_write (a->records, header, RECORDS_BLOCK);
  if (!a->err && length)
    a->err = records_write (a->records, bytes, length);
  if (!a->err)
    a->err = records_pad_block (a->records);
}

/* Store M of IN, whose data is P.  */
static void
put (struct realign *a, struct input *in, struct member *m, struct payload *p)
{
  char const *records;
  size_t length;
  bool stored;
  /* A pax archive's label is in a global header, which was passed on.  */
  if (m->type == MEMBER_VOLUME_LABEL && m->typeflag == BLOCK_PAX_GLOBAL)
    return;
  /* Nobody knows what such a file was.  */
  if (reader_is_bad (input_reader (in)))
    return;
  reader_pax_records (input_reader (in), &records, &length);
  /* The list of what was in a directory is one of the records.  */
  if (m->type == MEMBER_DUMPDIR && m->format == MEMBER_FORMAT_PAX
      && m->typeflag == '5')
    m->type = MEMBER_DIRECTORY;
  a->notes.file = member_text (&m->name);
  writer_carry (a->writer, records, length);
  a->err = writer_put (a->writer, m, p, &stored);
}

bool
realign_members (struct realign *a, struct input *in, int *ret_errno)
{
  struct member *m;
  struct payload *p;
  enum reader_step step;

  do
    {
      step = reader_next (input_reader (in), &m, &p);
      if (step == READER_MEMBER && !a->err)
        put (a, in, m, p);
    }
  while (step == READER_MEMBER && !a->err);
  *ret_errno = a->err;
  return step == READER_END && !a->err;
}

void
realign_report (struct realign *a)
{
  if (a->options->reflink_report)
    sharing_report_print (writer_get_counts (a->writer));
}
