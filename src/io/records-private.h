/* What records.c and records-write.c share.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef RECORDS_PRIVATE_H
#define RECORDS_PRIVATE_H

#include "io/records.h"

struct records
{
  struct stream *stream;
  size_t record_size;
  off_t position; /* of the next byte, from the archive's start */

  /* Reading: buffer[0..length) is the archive's bytes from window_start on.
     Writing: buffer[0..length) is still to be written.  */
  char *buffer;
  size_t capacity;
  size_t length;
  off_t window_start;

  void (*tap) (void *arg, char const *bytes, size_t length);
  void *tap_arg;

  size_t read_ahead; /* bytes to read at once: grows while reading goes on */
  off_t size;        /* of the archive, when last looked at */
  bool at_end;       /* of a stream without pread */
  bool filter_failed;

  /* The watcher is told of a record when the position gets beyond this: the
     record's start when reading, its end when writing.  Without a watcher, the
     largest offset.  */
  off_t watch_at;
  struct records_watcher watcher;
  bool is_writer;

  off_t origin; /* records are counted from here; 0 unless updating */

  /* Updating.  The first bytes written over the old end are held back.  */
  struct
  {
    bool active;  /* between records_turn and records_finish */
    bool filling; /* BUFFER is HELD, not full yet */
    char *held;
    size_t length;  /* of what was held back */
    off_t start;    /* where the old end was */
    off_t old_size; /* of the archive */
    char *buffer;   /* BUFFER later */
    size_t capacity;
  } update;

  /* Writing volumes, if CHANGE is not NULL.  */
  struct records_volumes volumes;
  void (*lead) (void *arg, off_t position, char const **ret,
                size_t *ret_length);
  void *lead_arg;
  off_t volume_written; /* bytes in this one, and what is held back */
  off_t volume_lead;    /* of them, those that it begins with */
  bool volume_changed;  /* this is not the first */
  int volumes_empty;    /* so many before it had no room for anything */
  size_t volume_filler; /* bytes at the buffer's end that only fill it up */

  int write_error; /* to be returned by the next function that can */
};

/* Tell the watcher of all records up to END.  */
void records_tell (struct records *r, off_t end);

/* The position is about to get to END, or there already.  */
static inline void
records_reach (struct records *r, off_t end)
{
  if (r->watch_at < end)
    records_tell (r, end);
}

/* Write what R, which is being updated, held back: now the archive has what was
   appended.  Return 0 or an errno.  */
int records_commit (struct records *r);

/* Write out what is buffered, at most a record.  If this volume has no room for
   all of it, begin the next: then what is left is buffered again, up to a whole
   record.  */
int records_flush_volume (struct records *r);

/* If R is being updated and that was not finished, restore what it was; free
   what updating needed, but R's buffer.  */
void records_restore (struct records *r);

#endif
