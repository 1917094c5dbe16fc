/* The lines that -t prints, and -v with other operations.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef LISTING_H
#define LISTING_H

#include <stdbool.h>
#include <stdio.h>

#include "member.h"
#include "report.h"

/* How much a line tells.  */
enum listing_level
{
  LISTING_NOTHING,
  LISTING_NAMES,
  LISTING_LONG,   /* mode, owner, size, date as well */
  LISTING_DETAILS /* extended attributes on lines of their own */
};

struct listing_settings
{
  enum listing_level level;
  bool full_time; /* seconds and fractions */
  bool utc;
  bool numeric_owner;
  bool transformed;  /* the name member.name, not stored_name */
  bool block_number; /* lines begin with "block N: " */
  bool flush;        /* each line is to be seen at once */

  /* Which kinds of attributes there is a mark for, in a column of its own
     after the mode.  */
  bool acls;
  bool selinux;
  bool xattrs;
  /* Which extended attributes count; NULL: all.  */
  bool (*xattr_selected) (void const *arg, char const *name);
  void const *xattr_arg;

  FILE *stream;           /* where lines go (borrowed), unless: */
  char const *index_file; /* a file to write them to; NULL: none */
};

struct listing;

/* A listing under SETTINGS, which are copied.  Return NULL if the index file
   cannot be opened, which was reported.  R must outlive it.  Names are quoted
   by gnulib's default quoting options, as they are now.  */
struct listing *listing_new (struct listing_settings const *settings,
                             struct report *r);

/* Print M's line, unless the level is LISTING_NOTHING.  BLOCK is the number
   shown by -R.  */
void listing_member (struct listing *l, struct member const *m, off_t block);

/* At LISTING_LONG and above, tell that the directory NAME was made with
   MODE.  */
void listing_made_directory (struct listing *l, mode_t mode, char const *name);

/* Begin the lines of members with PREFIX, which is borrowed; NULL: no longer
   with anything.  */
void listing_set_prefix (struct listing *l, char const *prefix);

/* Where lines go.  Belongs to L.  */
FILE *listing_stream (struct listing *l);

/* Write out what is buffered, close the index file, and free L.  What cannot
   be written is reported; for stdout, that is left to gnulib's close_stdout. */
void listing_free (struct listing *l, struct report *r);

#endif
