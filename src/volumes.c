/* Going from one volume of an archive to the next.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "volumes.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "archive-notes.h"
#include "edits.h"
#include "format/volume-start.h"
#include "gettext.h"
#include "io/archive.h"
#include "label.h"
#include "policies.h"
#include "ui/volume-prompt.h"
#include "volume-script.h"
#include "xalloc.h"

#define _(msgid) gettext (msgid)

enum
{
  /* A script may take several attempts, as when a drive is not ready; one that
     will never succeed must come to an end.  */
  ATTEMPTS_MAX = 10
};

struct volumes
{
  struct tar_options const *options;
  struct report *report;
  struct monitor *monitor; /* NULL: none */
  FILE *listing;
  char **names; /* as many as the options have; users can change them */
  size_t index; /* of the volume at hand, or wanted */
  bool used_up; /* each name was in use: from now on, ask */
  intmax_t number;
  intmax_t told_number; /* as --volno-file counts */
  enum member_format format;
  struct volume_prompt *prompt; /* NULL: not needed so far */
  int attempts;
  struct listing *labels; /* where new ones are listed */
  char *text;             /* the one of the volume at hand, but the first */
  char *label; /* of the first volume, without its number; NULL: unknown */
};

/* --- The volume number's file --- */

/* Read the number that the last run left; a file that is missing or not wanted
   is as good as 1.  */
static bool
read_number (struct volumes *v)
{
  char const *name = v->options->volno_file;
  FILE *f = name ? fopen (name, "re") : NULL;
  intmax_t number;

  v->told_number = 1;
  if (!f && name && errno != ENOENT)
    report_cannot (v->report, errno, "open", name);
  if (!f)
    return !name || errno == ENOENT;
  bool ok = fscanf (f, "%jd", &number) == 1 && 0 <= number && number <= INT_MAX;
  if (ok)
    v->told_number = number;
  else
    report_error (v->report, 0, _ ("%s: contains invalid volume number"),
                  report_name (name));
  fclose (f);
  return ok;
}

static void
write_number (struct volumes const *v)
{
  char const *name = v->options->volno_file;
  if (!name || v->report->ended)
    return;
  FILE *f = fopen (name, "we");
  if (!f)
    {
      report_cannot (v->report, errno, "open", name);
      return;
    }
  bool ok = 0 <= fprintf (f, "%jd\n", v->told_number);
  if (fclose (f) != 0 || !ok)
    report_cannot (v->report, errno, "write", name);
}

/* --- The interface, without volumes --- */

struct volumes *
volumes_new (struct tar_options const *o, struct report *r, FILE *listing)
{
  struct volumes *v = xzalloc (sizeof *v);

  v->options = o;
  v->report = r;
  v->listing = listing ? listing : stdout;
  v->format = o->format;
  v->number = 1;
  v->names = xnmalloc (o->archive_count, sizeof *v->names);
  for (size_t i = 0; i < o->archive_count; i++)
    v->names[i] = xstrdup (o->archives[i]);
  if (read_number (v))
    return v;
  report_unrecoverable (r);
  volumes_free (v);
  return NULL;
}

void
volumes_free (struct volumes *v)
{
  if (!v)
    return;
  write_number (v);
  volume_prompt_free (v->prompt);
  for (size_t i = 0; i < v->options->archive_count; i++)
    free (v->names[i]);
  free (v->names);
  free (v->label);
  free (v->text);
  free (v);
}

char const *
volumes_name (struct volumes const *v)
{
  return v->names[v->index];
}

void
volumes_set_label (struct volumes *v, char const *label)
{
  free (v->label);
  v->label = ximemdup0 (label, label_stem (label));
}

void
volumes_set_format (struct volumes *v, enum member_format format)
{
  v->format = format;
}

void
volumes_set_monitor (struct volumes *v, struct monitor *monitor)
{
  v->monitor = monitor;
}

/* --- Which volume comes next --- */

static bool
writes (struct tar_options const *o)
{
  return (o->operation == OPTIONS_CREATE || o->operation == OPTIONS_APPEND
          || o->operation == OPTIONS_UPDATE);
}

/* No more volumes are to be had, which was reported.  */
static bool
stop (struct volumes *v, bool tell)
{
  if (tell && writes (v->options))
    report_warning (v->report, REPORT_ALWAYS, 0,
                    _ ("WARNING: Archive is incomplete"));
  report_unrecoverable (v->report);
  return false;
}

static void
set_name (struct volumes *v, char *name)
{
  if (!name)
    return;
  free (v->names[v->index]);
  v->names[v->index] = name;
}

/* Ask a script, which may tell another name.  */
static bool
ask_script (struct volumes *v)
{
  struct tar_options const *o = v->options;
  struct volume_script const script = {
    .command = o->info_script,
    .number = v->told_number + 1,
    .facts = { .archive = volumes_name (v),
               .subcommand = monitor_operation_name (o->operation),
               .format = v->format,
               .blocking_factor = o->blocking_factor,
               .umask = o->umask },
  };
  char *name;

  if (v->attempts++ == ATTEMPTS_MAX)
    {
      report_error (v->report, 0, _ ("%s gave no volume in %d attempts"),
                    report_quoted (o->info_script), ATTEMPTS_MAX);
      return stop (v, false);
    }
  fflush (v->listing);
  if (!volume_script_run (&script, v->report, &name))
    return stop (v, false);
  set_name (v, name);
  return true;
}

/* Ask the user, who may tell another name.  */
static bool
ask_user (struct volumes *v)
{
  struct tar_options const *o = v->options;
  bool is_taken = !writes (o) && strcmp (o->archives[0], "-") == 0;
  char *name;

  fflush (v->listing);
  if (!v->prompt)
    v->prompt = volume_prompt_new (is_taken, o->restrict_, v->report);
  if (!v->prompt)
    return stop (v, false);
  if (!volume_prompt_ask (v->prompt, v->told_number + 1, volumes_name (v),
                          &name))
    return stop (v, true);
  set_name (v, name);
  return true;
}

/* Make the next name the one at hand.  */
static void
take_next_name (struct volumes *v)
{
  v->index++;
  if (v->index == v->options->archive_count)
    {
      v->index = 0;
      v->used_up = true;
    }
}

/* Wait until the volume is there, as far as names do not tell that.  */
static bool
ask (struct volumes *v)
{
  if (v->told_number == INT_MAX)
    {
      report_error (v->report, 0, _ ("Volume number overflow"));
      return stop (v, false);
    }
  if (!v->used_up)
    return true;
  return v->options->info_script ? ask_script (v) : ask_user (v);
}

/* The volume cannot be opened: tell, and ask from now on.  False: there is no
   point in that.  */
static bool
note_failure (struct volumes *v, struct archive_failure const *failure)
{
  v->used_up = true;
  if (failure->fault != ARCHIVE_CANNOT_OPEN)
    {
      archive_notes_open (v->report, failure);
      return false;
    }
  report_cannot_warning (v->report, REPORT_ALWAYS, failure->errnum, "open",
                         failure->name);
  return true;
}

static void
count_volume (struct volumes *v)
{
  v->number++;
  v->told_number++;
  v->attempts = 0;
  if (v->monitor)
    monitor_volume (v->monitor, volumes_name (v), v->number);
}

/* --- Writing --- */

static int
change_output (void *arg, struct stream **s)
{
  struct volumes *v = arg;
  struct archive_settings archive = {
    .record_size = v->options->record_size,
    .remote = policies_remote (v->options),
  };
  struct archive_failure failure;
  int status;

  if (v->monitor)
    monitor_full (v->monitor);
  int err = stream_close (*s, &status);
  if (err)
    report_cannot (v->report, err, "close", volumes_name (v));
  *s = stream_new_closed ();
  take_next_name (v);
  for (;;)
    {
      struct stream *next;
      if (!ask (v))
        return STREAM_STOPPED;
      archive.name = volumes_name (v);
      if (archive_open_volume (&archive, &next, &failure))
        {
          stream_close (*s, &status);
          *s = next;
          break;
        }
      if (!note_failure (v, &failure))
        return STREAM_STOPPED;
    }
  count_volume (v);
  return 0;
}

void
volumes_begin (void *arg, struct writer_volume *ret)
{
  struct volumes *v = arg;

  ret->now = time (NULL);
  ret->number = v->number;
  free (v->text);
  v->text = label_text (v->options, v->number);
  ret->label = v->text;
  if (v->text)
    label_list (v->options, v->text, ret->now, v->labels);
}

void
volumes_edit_part (void *arg, struct member *m)
{
  struct volumes *v = arg;
  edits_apply (v->options, m);
}

void
volumes_write (struct volumes *v, struct records *records,
               struct listing *listing)
{
  v->labels = listing;
  if (!v->options->multi_volume)
    return;
  struct records_volumes const volumes = {
    .length = v->options->tape_length,
    .change = change_output,
    .arg = v,
  };
  records_set_volumes (records, &volumes);
}

/* --- Reading --- */

/* Whether START is that of a volume that continues P, as it says itself.  */
static bool
continues (struct volumes *v, struct volume_start *start,
           struct reader_pending const *p)
{
  struct report *r = v->report;
  off_t whole;

  if (!volume_start_is_name (start, p->name))
    {
      report_warning (r, REPORT_ALWAYS, 0,
                      _ ("%s is not continued on this volume"),
                      report_quoted (p->name));
      return false;
    }
  if (start->name_is_cut)
    report_warning (r, REPORT_ALWAYS, 0,
                    _ ("%s is possibly continued on this volume: header"
                       " contains truncated name"),
                    report_quoted (p->name));
  if (__builtin_add_overflow (start->left, start->offset, &whole)
      || whole != p->whole)
    {
      report_warning (r, REPORT_ALWAYS, 0,
                      _ ("%s is the wrong size (%jd != %jd + %jd)"),
                      report_quoted (p->name), (intmax_t)p->whole,
                      (intmax_t)start->left, (intmax_t)start->offset);
      return false;
    }
  if (start->left != p->left && !(p->before_data && start->left < p->left))
    {
      report_warning (r, REPORT_ALWAYS, 0,
                      _ ("This volume is out of sequence (%jd - %jd != %jd)"),
                      (intmax_t)p->whole, (intmax_t)p->left,
                      (intmax_t)start->offset);
      return false;
    }
  return true;
}

/* Whether LABEL may be that of another volume of the archive.  */
static bool
is_wanted_label (struct volumes const *v, char const *label)
{
  size_t length = label_stem (label);
  return (label_matches (v->options, label)
          || (v->label && strlen (v->label) == length
              && memcmp (v->label, label, length) == 0));
}

/* Whether RECORDS is the volume wanted; consume what it begins with.  */
static bool
check_input (struct volumes *v, enum reader_place place,
             struct reader_pending const *pending, struct records *records)
{
  struct volume_start start;
  int err = volume_start_read (records, place == READER_BETWEEN, &start);
  bool ok = false;

  if (err)
    report_cannot_warning (v->report, REPORT_ALWAYS, err, "read",
                           volumes_name (v));
  else if (!start.has_block)
    report_warning (v->report, REPORT_ALWAYS, 0,
                    _ ("This does not look like a tar archive"));
  else if (start.label && !is_wanted_label (v, start.label))
    report_warning (v->report, REPORT_ALWAYS, 0,
                    _ ("Volume %s does not match %s"),
                    report_quoted (start.label),
                    report_quoted_n (1, v->options->label));
  else
    ok = place != READER_IN_DATA || continues (v, &start, pending);
  volume_start_free (&start);
  return ok;
}

static void
close_input (struct volumes *v, struct records **records)
{
  int status;
  int err = *records ? records_close (*records, &status) : 0;
  if (err)
    report_cannot_warning (v->report, REPORT_ALWAYS, err, "close",
                           volumes_name (v));
  *records = NULL;
}

int
volumes_read (struct volumes *v, enum reader_place place,
              struct reader_pending const *pending, struct records **records)
{
  struct archive_settings archive = {
    .record_size = v->options->record_size,
    .remote = policies_remote (v->options),
  };
  struct archive_failure failure;

  close_input (v, records);
  take_next_name (v);
  for (;;)
    {
      if (!ask (v))
        return STREAM_STOPPED;
      archive.name = volumes_name (v);
      /* Any may be the last, which will be written to.  */
      if (!(writes (v->options)
                ? archive_open_update (&archive, false, records, &failure)
                : archive_open_reader (&archive, records, &failure)))
        {
          *records = NULL;
          if (!note_failure (v, &failure))
            return STREAM_STOPPED;
          continue;
        }
      if (check_input (v, place, pending, *records))
        break;
      close_input (v, records);
      take_next_name (v);
    }
  count_volume (v);
  return 0;
}
