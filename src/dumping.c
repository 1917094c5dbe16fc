/* Incremental dumps (-g, -G) as -c makes them.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "dumping.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "fs/snapshot.h"
#include "fs/survey.h"
#include "format/reader-payload.h"
#include "timespec.h"
#include "xalloc.h"

struct dumping
{
  struct tar_options const *options;
  struct report *report;
  struct timespec start;
  struct snapshot_file file;
  bool creates; /* there is no file yet */
  struct snapshot before;
  struct survey *survey;
  struct reader_payload list; /* the data of the directory at hand */
};

/* --- The data of a directory --- */

struct payload *
dumping_list (struct dumping *d, struct writer *w, enum member_format format,
              struct member *m, struct payload *p)
{
  size_t length;
  char const *list = survey_list (d->survey, &length);
  if (!list || m->type != MEMBER_DIRECTORY)
    return p;
  if (format == MEMBER_FORMAT_PAX)
    {
      writer_list (w, list, length);
      return p;
    }
  m->type = MEMBER_DUMPDIR;
  reader_payload_start_memory (&d->list, list, length);
  return &d->list.base;
}

/* --- The state --- */

/* When the run began.  A file that is changed from now on has a time that is
   not before that: the kernel takes it from this clock, which lags behind the
   other.  */
static struct timespec
present (void)
{
  struct timespec now;
#ifdef CLOCK_REALTIME_COARSE
  if (clock_gettime (CLOCK_REALTIME_COARSE, &now) == 0)
    return now;
#endif
  clock_gettime (CLOCK_REALTIME, &now);
  return now;
}

bool
dumping_new (struct tar_options const *o, struct report *r,
             struct dumping **ret)
{
  *ret = NULL;
  if (!o->incremental || o->operation != OPTIONS_CREATE)
    return true;
  struct dumping *d = xzalloc (sizeof *d);
  d->options = o;
  d->report = r;
  d->start = present ();
  d->file.fd = -1;
  *ret = d;
  if (o->listed_incremental)
    snapshot_open (&d->file, o->listed_incremental, &d->creates, r);
  struct snapshot_file none = { .fd = -1 };
  return snapshot_read (o->level == 0 ? &none : &d->file, r, &d->before);
}

void
dumping_free (struct dumping *d)
{
  if (!d)
    return;
  survey_free (d->survey);
  snapshot_free (&d->before);
  snapshot_close (&d->file);
  free (d);
}

void
dumping_save (struct dumping *d)
{
  struct snapshot_text text = { .bytes = NULL };
  if (d->file.fd < 0)
    return;
  snapshot_begin (&text, d->start);
  survey_text (d->survey, &text);
  snapshot_write (&d->file, text.bytes, text.length, d->report);
  free (text.bytes);
}

/* --- What is to be stored --- */

/* The absolute name of directory NUMBER of W, allocated.  */
static char *
root_of (struct workdirs *w, int number)
{
  char *root = getcwd (NULL, 0);
  if (!root)
    root = xstrdup ("/");
  for (int i = 1; i <= number; i++)
    {
      char *next = survey_absolute (root, workdirs_name (w, i));
      free (root);
      root = next;
    }
  return root;
}

enum flow_step
dumping_look (struct dumping *d, struct walk_settings const *walk,
              struct workdirs *workdirs,
              char *(*stored) (void *arg, char const *name))
{
  struct survey_settings const settings = {
    .report = d->report,
    .before = &d->before,
    .dereference = walk->dereference,
    .one_file_system = walk->one_file_system,
    .ignore_failed_read = walk->ignore_failed_read,
    .verbose = walk->verbose,
    .ignores_devices = !d->options->check_device,
    .open_flags = walk->open_flags,
    .tags = walk->tags,
    .excluded = walk->excluded,
    .begin_directory = walk->begin_directory,
    .end_directory = walk->end_directory,
    .stored = stored,
    .arg = walk->arg,
  };
  struct walk_operand operand = { .name = NULL };
  char *root = NULL; /* of directory NUMBER */
  int number = 0;
  enum flow_step step;

  /* The file is there for the dump to store, as with GNU tar.  */
  if (d->creates)
    snapshot_create (&d->file, d->options->listed_incremental, d->report);
  d->survey = survey_new (&settings);
  while ((step = walk->operand (walk->arg, &operand)) == FLOW_MEMBER)
    {
      if (!root || operand.number != number)
        {
          free (root);
          root = root_of (workdirs, operand.number);
          number = operand.number;
        }
      survey_add (d->survey, &operand, root);
    }
  free (root);
  if (step == FLOW_END)
    survey_conclude (d->survey);
  return step;
}

enum flow_step
dumping_next (struct dumping *d, struct walk_operand *ret)
{
  return survey_next (d->survey, ret) ? FLOW_MEMBER : FLOW_END;
}

void
dumping_stored (struct dumping *d)
{
  survey_stored (d->survey);
}
