/* An archive being read, as operations see it: opened from the options, its
   members one by one, what is wrong reported.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef INPUT_H
#define INPUT_H

#include <stdbool.h>
#include <stdio.h>

#include "flow.h"
#include "format/reader.h"
#include "io/records.h"
#include "monitor.h"
#include "options.h"
#include "report.h"
#include "volumes.h"

struct input;

/* Open the first archive of O, and watch it.  LISTING is where the names of
   members go (NULL: standard output), and where -R tells about blocks.  Return
   NULL, reported, if it cannot be opened.  O, R and LISTING must outlive
   it.  */
struct input *input_open (struct tar_options const *o, struct report *r,
                          FILE *listing);

/* Open it to be changed in place: read first, then handed on by input_turn.
   If CREATE, it is created if there is none.  LISTING is where the names of
   members go.  It is watched, until it is closed.  */
struct input *input_open_update (struct tar_options const *o, struct report *r,
                                 bool create, FILE *listing);

/* Open another archive than O's: NAME, relative to BASE_FD.  Return NULL if it
   cannot be opened, which was reported; unless R->ended, the run may go on.  */
struct input_source
{
  char const *name;
  int base_fd;
  /* Called before the notes are reported; may be NULL.  */
  void (*note) (void *arg, struct reader_note const *note);
  /* See struct reader_settings; may be NULL.  */
  void (*global) (void *arg, char const *header, char const *bytes,
                  size_t length);
  void *arg;
};
struct input *input_open_source (struct tar_options const *o, struct report *r,
                                 struct input_source const *source);

/* True if IN has no byte at all.  Only before it is read.  */
bool input_is_empty (struct input *in);

/* When M is the first member of an archive to be changed (NULL: there is none),
   check it against the label that was asked for.  False: reported; it is
   another archive.  */
bool input_check_label (struct input *in, struct member const *m);

/* Read to the end of IN, as far as that was not done; each member goes to
   MEET, unless that is NULL.  Then make its records a writer that goes on where
   its members end (see records_turn), and return them; they belong to IN.
   Return NULL, reported, if that cannot be, and IN's archive is as it was.  */
struct records *input_turn (struct input *in,
                            void (*meet) (void *arg, struct member const *m),
                            void *arg);

/* The volumes of an archive to be changed; NULL: there is only one.  They
   belong to IN.  */
struct volumes *input_volumes (struct input const *in);

/* The format of IN's members after input_turn, for those that are to be
   appended; MEMBER_FORMAT_DEFAULT if there are none.  */
enum member_format input_format (struct input const *in);

/* What reads it; belongs to IN.  */
struct reader *input_reader (struct input *in);

/* The members; belongs to IN.  */
struct member_source *input_source (struct input *in);

/* The archive's blocks; belong to IN.  */
struct records *input_records (struct input *in);

/* Bytes read so far, in whole records, of all volumes.  */
off_t input_total (struct input const *in);

/* What watches it; belongs to IN.  */
struct monitor *input_monitor (struct input *in);

/* Close the archive and free IN (which may be NULL).  After a fatal error
   nothing more is read; else a pipe is read to its end, and a compression
   program that failed is an error.  Return false if something was wrong,
   reported.  */
bool input_close (struct input *in);

#endif
