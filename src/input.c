/* An archive being read, as operations see it.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include <errno.h>
#include <stdlib.h>

#include "xalloc.h"

#include "archive-notes.h"
#include "format/reader.h"
#include "input.h"
#include "io/archive.h"
#include "io/stream-volume.h"
#include "label.h"
#include "monitor.h"
#include "policies.h"
#include "reader-notes.h"

/* An archive of several volumes (-M).  */
struct input_volumes
{
  struct volumes *volumes; /* NULL: there is no such thing */
  struct records *records; /* of the volume at hand */
  off_t total;             /* bytes of those before */
  off_t start;             /* of what is read from it, in the archive */
  off_t lead;              /* bytes of it that are not */
};

struct input
{
  struct member_source source; /* first: its address is ours */
  struct tar_options const *options;
  struct report *report;
  char const *name;
  bool begun; /* the first member was asked for */
  struct records *records;
  struct input_volumes several;
  struct reader *reader;
  enum member_format format; /* of what was read */
  struct reader_notes notes;
  struct monitor *monitor;
  void (*note) (void *arg, struct reader_note const *note);
  void *note_arg;
};

/* Let IN's volumes know what they should of M.  */
static void
tell_volumes (struct input *in, struct member const *m, bool is_first)
{
  struct volumes *v = in->several.volumes;
  if (!v)
    return;
  volumes_set_format (v, m->format);
  if (is_first && m->type == MEMBER_VOLUME_LABEL)
    volumes_set_label (v, member_text (&m->name));
}

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
  tell_volumes (in, *member, is_first);
  return FLOW_MEMBER;
}

/* Let whoever opened us know, and report.  */
static void
take_note (void *arg, struct reader_note const *note)
{
  struct input *in = arg;
  if (in->note)
    in->note (in->note_arg, note);
  reader_notes_note (&in->notes, note);
}

/* Let IN be an input on RECORDS, the archive NAME, which it takes over.  */
static void
input_init (struct input *in, struct tar_options const *o, struct report *r,
            char const *name, struct records *records, FILE *listing,
            struct input_source const *source)
{
  int fd;
  off_t offset;
  *in = (struct input){
    .source = { next },
    .options = o,
    .report = r,
    .name = name,
    .records = records,
    .notes = { .report = r,
               .archive = name,
               .is_file = records_extent (records, &fd, &offset),
               .listing = listing },
  };
  struct reader_settings const settings = {
    .ignore_zeros = o->ignore_zeros,
    .pax_edits = o->pax_edits,
    .cut_is_end = o->operation == OPTIONS_COMPARE,
    .note = take_note,
    .note_arg = in,
    .global = source ? source->global : NULL,
    .global_arg = source ? source->arg : NULL,
  };
  in->reader = reader_new (records, &settings);
}

static struct input *
input_new (struct tar_options const *o, struct report *r, char const *name,
           struct records *records, FILE *listing,
           struct input_source const *source)
{
  struct input *in = xmalloc (sizeof *in);
  input_init (in, o, r, name, records, listing, source);
  return in;
}

/* The volume at hand is at its end: go on to the next.  */
static int
next_volume (void *arg, off_t delivered, struct records **records)
{
  struct input *in = arg;
  struct reader_pending pending;

  in->several.total += records_total (*records);
  monitor_leave (in->monitor, records_total (*records));
  enum reader_place place = reader_place (in->reader, delivered, &pending);
  int err = volumes_read (in->several.volumes, place, &pending, records);
  in->several.records = *records;
  in->several.start = delivered;
  in->several.lead = *records ? records_position (*records) : 0;
  in->name = in->notes.archive = volumes_name (in->several.volumes);
  if (!err)
    monitor_watch (in->monitor, *records);
  return err;
}

/* Let IN be an input on FIRST, the first of VOLUMES, all of which it takes
 * over.
 */
static void
init_volumes (struct input *in, struct tar_options const *o, struct report *r,
              struct records *first, struct volumes *volumes, FILE *listing)
{
  /* IN is needed for no sooner than the first volume is at its end.  What is
     compressed cannot be several volumes.  */
  struct stream_volume_source const source
      = { next_volume, in, o->record_size };
  bool is_several = o->multi_volume && !records_filtered (first);
  struct records *all
      = (is_several ? records_new_reader (
             stream_volume_new_reader (first, &source), o->record_size)
                    : first);
  input_init (in, o, r, o->archives[0], all, o->block_number ? listing : NULL,
              NULL);
  in->several.volumes = volumes;
  in->several.records = is_several ? first : NULL;
}

struct input *
input_open (struct tar_options const *o, struct report *r, FILE *listing)
{
  struct archive_settings const archive = {
    .name = o->archives[0],
    .program = o->compress_program,
    .record_size = o->record_size,
    .remote = policies_remote (o),
  };
  struct archive_failure failure;
  struct records *records;
  struct volumes *volumes = volumes_new (o, r, listing);

  if (!volumes)
    return NULL;
  if (!archive_open_reader (&archive, &records, &failure))
    {
      archive_notes_open (r, &failure);
      volumes_free (volumes);
      return NULL;
    }
  struct input *in = xmalloc (sizeof *in);
  init_volumes (in, o, r, records, volumes, listing);
  in->monitor = monitor_new (o, r, listing);
  if (volumes)
    volumes_set_monitor (volumes, in->monitor);
  monitor_watch (in->monitor, records);
  return in;
}

struct input *
input_open_source (struct tar_options const *o, struct report *r,
                   struct input_source const *source)
{
  struct archive_settings const archive = {
    .name = source->name,
    .record_size = o->record_size,
    .is_relative = true,
    .base_fd = source->base_fd,
  };
  struct archive_failure failure;
  struct records *records;

  if (archive_open_reader (&archive, &records, &failure))
    {
      struct input *in = input_new (o, r, source->name, records, NULL, source);
      in->notes.is_file = false;
      in->note = source->note;
      in->note_arg = source->arg;
      return in;
    }
  if (failure.fault == ARCHIVE_CANNOT_OPEN)
    report_cannot (r, failure.errnum, "open", failure.name);
  else
    archive_notes_open (r, &failure);
  return NULL;
}

struct input *
input_open_update (struct tar_options const *o, struct report *r, bool create,
                   FILE *listing)
{
  struct archive_settings const archive = {
    .name = o->archives[0],
    .record_size = o->record_size,
    .remote = policies_remote (o),
  };
  struct archive_failure failure;
  struct records *records;

  struct volumes *volumes = NULL;

  if (o->multi_volume && !(volumes = volumes_new (o, r, listing)))
    return NULL;
  if (!archive_open_update (&archive, create, &records, &failure))
    {
      archive_notes_open (r, &failure);
      volumes_free (volumes);
      return NULL;
    }
  struct input *in = xmalloc (sizeof *in);
  init_volumes (in, o, r, records, volumes, NULL);
  /* It is about to get its end.  */
  in->notes.is_file = false;
  in->monitor = monitor_new (o, r, listing);
  if (volumes)
    volumes_set_monitor (volumes, in->monitor);
  monitor_watch (in->monitor, records);
  return in;
}

bool
input_is_empty (struct input *in)
{
  /* An empty volume does not mean that there is another.  */
  struct records *r = in->several.records ? in->several.records : in->records;
  char const *bytes;
  size_t n;
  return (records_position (r) == 0 && records_peek (r, 1, &bytes, &n) == 0
          && n == 0);
}

/* There is a member in FORMAT.  In a pax archive members that need no pax
   header are like those of ustar.  */
static void
note_format (struct input *in, enum member_format format)
{
  if (format == MEMBER_FORMAT_STAR
      || (format == MEMBER_FORMAT_USTAR && in->format == MEMBER_FORMAT_PAX))
    format = MEMBER_FORMAT_PAX;
  in->format = format;
}

bool
input_check_label (struct input *in, struct member const *m)
{
  bool is_first = !in->begun;

  in->begun = true;
  if (!is_first || label_check (in->options, m, in->report))
    return true;
  report_unrecoverable (in->report);
  return false;
}

/* Make IN's records a writer that goes on at byte END of the archive, where
   there are end-of-archive blocks if HAS_ZEROS; store it in *RET.  */
static int
turn (struct input *in, off_t end, bool has_zeros, struct records **ret)
{
  *ret = in->records;
  if (in->several.records)
    {
      /* The first of these blocks may be in a volume that is not at hand any
         more.  */
      if (end < in->several.start)
        return ESPIPE;
      *ret = in->several.records;
      end += in->several.lead - in->several.start;
    }
  /* Like GNU tar, start a record where there was no end.  */
  return records_turn (*ret, end, has_zeros ? 0 : end);
}

struct records *
input_turn (struct input *in, void (*meet) (void *arg, struct member const *m),
            void *arg)
{
  enum reader_step step = READER_END;
  struct member *m;
  struct payload *p;
  struct records *ret;
  off_t end = 0;
  bool has_zeros = false;

  if (input_is_empty (in))
    {
      if (!input_check_label (in, NULL))
        return NULL;
    }
  else
    {
      while ((step = reader_next (in->reader, &m, &p)) == READER_MEMBER)
        {
          bool is_first = !in->begun;
          if (!input_check_label (in, m))
            return NULL;
          tell_volumes (in, m, is_first);
          /* That a file goes on here is said in a way of its own.  */
          if (m->type != MEMBER_CONTINUATION)
            note_format (in, m->format);
          if (meet)
            meet (arg, m);
        }
      if (step != READER_END)
        return NULL;
      if (!reader_end (in->reader, &end, &has_zeros))
        {
          report_unrecoverable (in->report);
          return NULL;
        }
    }
  int err = turn (in, end, has_zeros, &ret);
  if (!err)
    {
      monitor_watch (in->monitor, ret);
      return ret;
    }
  report_cannot (in->report, err, "seek", in->name);
  report_unrecoverable (in->report);
  return NULL;
}

struct volumes *
input_volumes (struct input const *in)
{
  return in->several.records ? in->several.volumes : NULL;
}

enum member_format
input_format (struct input const *in)
{
  return in->format;
}

struct reader *
input_reader (struct input *in)
{
  return in->reader;
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

off_t
input_total (struct input const *in)
{
  struct input_volumes const *s = &in->several;
  if (!s->records && !s->total)
    return records_total (in->records);
  return s->total + (s->records ? records_total (s->records) : 0);
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
  bool ok = archive_notes_close (
      in->report, in->records,
      in->several.volumes ? volumes_name (in->several.volumes) : in->name);
  monitor_free (in->monitor);
  volumes_free (in->several.volumes);
  free (in);
  return ok;
}
