/* The state of incremental dumps: the file of --listed-incremental.

   The file is written in place, as GNU tar does: users copy it before a dump,
   link it, or bind it into a container, and all that goes on working.  Room is
   reserved before the first byte is changed.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef SNAPSHOT_H
#define SNAPSHOT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <time.h>

#include "idx.h"
#include "report.h"

/* A directory as the last dump found it.  */
struct snapshot_dir
{
  char const *name;
  dev_t dev;
  ino_t ino;
  bool nfs; /* DEV may differ each time it is mounted */
  struct timespec mtime;

  /* What was in it: a letter, a name and a NUL each (Y and N: files, D:
     directories); then one more NUL.  NULL: not known.  */
  char const *contents;
};

struct snapshot
{
  struct timespec start; /* of the last dump */
  struct snapshot_dir *dirs;
  idx_t count;
  idx_t alloc;
  char *buffer; /* what the strings lie in */
};

/* The file NAME, open for reading and writing.  */
struct snapshot_file
{
  char const *name;
  int fd; /* -1: it could not be opened */
};

/* Open the file NAME.  If there is none, set *RET_IS_MISSING.  Other failure is
   reported.  */
void snapshot_open (struct snapshot_file *f, char const *name,
                    bool *ret_is_missing, struct report *r);

/* Make the file NAME, and open it.  Failure is reported.  */
void snapshot_create (struct snapshot_file *f, char const *name,
                      struct report *r);

/* Read it to *RET; an empty one has no directories and the earliest start.
   Return false after a fatal error, which was reported.  */
bool snapshot_read (struct snapshot_file const *f, struct report *r,
                    struct snapshot *ret);
void snapshot_free (struct snapshot *s);

/* Make BYTES the contents of the file.  False: reported.  */
bool snapshot_write (struct snapshot_file const *f, char const *bytes,
                     idx_t length, struct report *r);
void snapshot_close (struct snapshot_file *f);

/* A file being put together.  All zeros is an empty one.  */
struct snapshot_text
{
  char *bytes;
  idx_t length;
  idx_t alloc;
};

/* Begin the text of a dump that began at START.  */
void snapshot_begin (struct snapshot_text *t, struct timespec start);

/* Add D, whose contents are known.  */
void snapshot_add (struct snapshot_text *t, struct snapshot_dir const *d);

#endif
