/* What watches a run while it goes on.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "monitor.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "policies.h"
#include "signals.h"
#include "ui/checkpoint.h"
#include "ui/progress.h"
#include "xalloc.h"

enum
{
  /* How long the bar stays the same when nothing comes, in milliseconds.  */
  PATIENCE = 500
};

struct monitor
{
  struct tar_options const *options;
  struct report *report;
  struct totals totals;
  struct checkpoint *checkpoint; /* NULL: none */
  struct progress *progress;     /* NULL: none */
  struct shell_facts facts;      /* what commands are told */
  uintmax_t count;               /* records so far */

  /* The archive watched last.  */
  struct records *records;
  off_t start; /* where it was when watching began */
  off_t through;
  off_t before; /* bytes read of the volumes before it */
};

/* --- The bar --- */

static void
draw (struct monitor *m)
{
  struct stream *s = records_stream (m->records);
  uintmax_t at = 0;
  off_t total = 0;

  if (m->totals.kinds & (1u << TOTALS_READ))
    {
      off_t here;
      if (s->can_pread && stream_size (s, &total) == 0)
        at = m->through;
      else if (stream_source (s, &here, &total))
        at = here;
    }
  progress_draw (m->progress, m->through, at, total);
}

/* Something else is about to be written.  */
static void
make_room (void *arg)
{
  struct monitor *m = arg;
  progress_erase (m->progress);
}

/* --- What the archive tells --- */

static void
look_at_signals (struct monitor *m)
{
  if (m->options->totals_signal && signals_taken ())
    {
      report_make_room (m->report);
      totals_print_all (&m->totals);
    }
}

/* BYTES were written, or read, so far.  */
static void
note_bytes (struct monitor *m, off_t bytes, bool writing)
{
  uintmax_t *counts = m->totals.bytes;
  counts[writing ? TOTALS_WRITTEN : TOTALS_READ] = bytes;
  counts[TOTALS_DELETED] = (counts[TOTALS_WRITTEN] < counts[TOTALS_READ]
                                ? counts[TOTALS_READ] - counts[TOTALS_WRITTEN]
                                : 0);
}

/* Do what is due in the next COUNT records.  */
static void
pass_checkpoints (struct monitor *m, off_t before, off_t count, bool writing)
{
  uintmax_t interval = m->options->checkpoint;
  uintmax_t number = m->count - m->count % interval + interval;

  for (; number <= m->count + count; number += interval)
    {
      off_t records = number - m->count - 1;
      note_bytes (m, before + records * m->options->record_size, writing);
      report_make_room (m->report);
      checkpoint_run (m->checkpoint, number, writing, &m->totals);
      look_at_signals (m);
    }
}

static void
note_records (void *arg, off_t before, off_t count, bool writing)
{
  struct monitor *m = arg;
  off_t size = m->options->record_size;

  if (writing)
    before -= m->start;
  off_t all = before + m->before;
  if (m->checkpoint)
    pass_checkpoints (m, all, count, writing);
  m->count += count;
  note_bytes (m, all + (count - 1) * size, writing);
  look_at_signals (m);
  m->through = before + count * size;
  if (m->progress && progress_due (m->progress))
    draw (m);
}

/* Wait until there is something to read at FD, and do not sleep meanwhile.  */
static void
wait_for (void *arg, int fd)
{
  struct monitor *m = arg;
  struct pollfd p = { .fd = fd, .events = POLLIN };
  int n;

  while ((n = poll (&p, 1, m->progress ? PATIENCE : -1)) == 0
         || (n < 0 && errno == EINTR))
    {
      look_at_signals (m);
      if (m->progress && progress_due (m->progress))
        draw (m);
    }
}

/* --- Beginning and end --- */

char const *
monitor_operation_name (enum options_operation operation)
{
  static char const *const names[] = {
    [OPTIONS_CATENATE] = "-A", [OPTIONS_CREATE] = "-c",
    [OPTIONS_DELETE] = "-D",   [OPTIONS_COMPARE] = "-d",
    [OPTIONS_APPEND] = "-r",   [OPTIONS_TEST_LABEL] = "--test-label",
    [OPTIONS_LIST] = "-t",     [OPTIONS_UPDATE] = "-u",
    [OPTIONS_EXTRACT] = "-x",
  };
  return names[operation];
}

static struct checkpoint *
open_checkpoint (struct tar_options const *o, struct report *r, FILE *listing,
                 struct shell_facts const *facts)
{
  struct checkpoint_settings const settings = {
    .actions = o->checkpoint_actions,
    .action_count = o->checkpoint_action_count,
    .listing = listing,
    .utc = o->utc,
    .facts = facts,
    .report = r,
  };
  return o->checkpoint ? checkpoint_new (&settings) : NULL;
}

static unsigned
kinds_of (enum options_operation operation)
{
  unsigned const read = 1u << TOTALS_READ;
  unsigned const written = 1u << TOTALS_WRITTEN;

  switch (operation)
    {
    case OPTIONS_CATENATE:
    case OPTIONS_CREATE:
    case OPTIONS_APPEND:
    case OPTIONS_UPDATE:
      return written;
    case OPTIONS_DELETE:
      return read | written | (1u << TOTALS_DELETED);
    default:
      return read;
    }
}

struct monitor *
monitor_new (struct tar_options const *o, struct report *r, FILE *listing)
{
  struct monitor *m = xzalloc (sizeof *m);

  m->options = o;
  m->report = r;
  totals_start (&m->totals);
  m->totals.kinds = kinds_of (o->operation);
  m->facts = (struct shell_facts){
    .archive = o->archives[0],
    .volume = 1,
    .subcommand = monitor_operation_name (o->operation),
    .format = o->format,
    .blocking_factor = o->blocking_factor,
    .umask = o->umask,
  };
  m->checkpoint = open_checkpoint (o, r, listing ? listing : stdout, &m->facts);
  if (o->progress)
    m->progress = progress_new ();
  if (m->progress)
    {
      r->make_room = make_room;
      r->make_room_arg = m;
    }
  return m;
}

/* True if GNU tar would not read what it does not need.  */
static bool
jumps (struct tar_options const *o)
{
  if (kinds_of (o->operation) & (1u << TOTALS_WRITTEN) || o->multi_volume)
    return false;
  return (o->seek == OPTIONS_UNSET
              ? strcmp (o->archives[0], "-") != 0 && !policies_is_remote (o)
              : o->seek == OPTIONS_YES);
}

void
monitor_format (struct monitor *m, enum member_format format)
{
  m->facts.format = format;
}

void
monitor_full (struct monitor *m)
{
  if (m->checkpoint)
    pass_checkpoints (m, m->through, 1, true);
  m->count++;
}

void
monitor_leave (struct monitor *m, off_t bytes)
{
  m->before += bytes;
}

void
monitor_volume (struct monitor *m, char const *name, intmax_t number)
{
  m->facts.archive = name;
  m->facts.volume = number;
}

struct shell_facts const *
monitor_facts (struct monitor const *m)
{
  return &m->facts;
}

void
monitor_watch (struct monitor *m, struct records *records)
{
  bool waits = m->progress || m->options->totals_signal;
  struct records_watcher const watcher = {
    .records = note_records,
    .waiting = waits ? wait_for : NULL,
    .arg = m,
    .jumps = jumps (m->options),
  };

  /* GNU tar has read a record of an archive already when it finds out that it
     is compressed.  */
  if (records_filtered (records) && !m->options->compress_program)
    note_records (m, 0, 1, false);
  m->records = records;
  m->start = records_position (records);
  m->start -= m->start % (off_t)m->options->record_size;
  if (waits || m->checkpoint)
    records_watch (records, &watcher);
}

void
monitor_begin_writing (struct monitor *m, off_t position)
{
  m->start = position - position % (off_t)m->options->record_size;
  m->through = 0;
}

void
monitor_written (struct monitor *m, off_t position)
{
  off_t size = m->options->record_size;
  off_t count = (position - m->start - m->through) / size;

  if (0 < count)
    note_records (m, m->start + m->through, count, true);
}

void
monitor_finish (struct monitor *m)
{
  if (m->progress)
    {
      m->report->make_room = NULL;
      progress_free (m->progress);
      m->progress = NULL;
    }
}

void
monitor_totals (struct monitor *m, enum totals_kind kind, uintmax_t bytes)
{
  if (m->options->totals)
    {
      report_make_room (m->report);
      totals_print (&m->totals, kind, bytes);
    }
}

void
monitor_free (struct monitor *m)
{
  if (!m)
    return;
  monitor_finish (m);
  checkpoint_free (m->checkpoint);
  free (m);
}
