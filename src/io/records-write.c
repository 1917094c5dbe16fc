/* The archive as blocks, written in records.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "io/records.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/records-private.h"
#include "intprops.h"
#include "minmax.h"
#include "xalloc.h"

enum
{
  /* What is held back: as much as ends an archive.  */
  HELD_SIZE = 2 * RECORDS_BLOCK,
  /* Write about this much at once where records need not be kept apart.  */
  WRITE_SIZE = 128 * 1024
};

/* How much to write at once.  */
static size_t
write_capacity (struct stream const *s, size_t record_size)
{
  return (!s->by_record && record_size < WRITE_SIZE
              ? WRITE_SIZE / record_size * record_size
              : record_size);
}

struct records *
records_new_writer (struct stream *s, size_t record_size)
{
  struct records *r = xzalloc (sizeof *r);
  r->stream = s;
  r->record_size = record_size;
  r->is_writer = true;
  r->watch_at = TYPE_MAXIMUM (off_t);
  r->capacity = write_capacity (s, record_size);
  r->buffer = xmalloc (r->capacity);
  return r;
}

/* What is held back is complete: go on behind it.  */
static int
stop_holding (struct records *r)
{
  r->update.filling = false;
  r->update.length = r->length;
  r->volume_written += r->length;
  r->buffer = r->update.buffer;
  r->capacity = r->update.capacity;
  r->length = 0;
  if (!r->write_error)
    r->write_error
        = stream_seek (r->stream, r->update.start + r->update.length);
  return r->write_error;
}

/* Write out what is buffered.  */
static int
flush (struct records *r)
{
  if (r->update.filling)
    return stop_holding (r);
  if (r->volumes.change)
    return records_flush_volume (r);
  if (!r->write_error && r->length)
    r->write_error = stream_write (r->stream, r->buffer, r->length);
  r->length = 0;
  return r->write_error;
}

/* Volumes change when there is more, not as soon as one is full: make room for
   that.  */
static int
make_room (struct records *r)
{
  while (r->length == r->capacity)
    {
      int err = flush (r);
      if (err)
        return err;
    }
  return 0;
}

/* Append LENGTH bytes to the buffer: a copy of BYTES, or zeros if NULL.  */
static int
append (struct records *r, char const *bytes, off_t length)
{
  records_reach (r, r->position + length);
  while (length)
    {
      int err = make_room (r);
      if (err)
        return err;
      size_t n = MIN (length, r->capacity - r->length);
      if (bytes)
        {
          memcpy (r->buffer + r->length, bytes, n);
          bytes += n;
        }
      else
        memset (r->buffer + r->length, 0, n);
      r->length += n;
      r->position += n;
      length -= n;
      if (r->length == r->capacity && !r->volumes.change)
        err = flush (r);
      if (err)
        return err;
    }
  return r->write_error;
}

int
records_write (struct records *r, void const *bytes, size_t length)
{
  /* Large pieces go past the buffer.  */
  if (r->capacity <= length && r->length == 0 && !r->stream->by_record
      && !r->update.filling && !r->volumes.change)
    {
      size_t whole = length / r->capacity * r->capacity;
      if (!r->write_error)
        r->write_error = stream_write (r->stream, bytes, whole);
      r->position += whole;
      records_reach (r, r->position);
      bytes = (char const *)bytes + whole;
      length -= whole;
    }
  return append (r, bytes, length);
}

void
records_space (struct records *r, char **ret, size_t *ret_length)
{
  if (make_room (r) != 0)
    r->length = 0; /* what comes is lost: records_filled tells it */
  *ret = r->buffer + r->length;
  *ret_length = r->capacity - r->length;
}

int
records_filled (struct records *r, size_t length)
{
  r->position += length;
  records_reach (r, r->position);
  r->length += length;
  return (r->length == r->capacity && !r->volumes.change ? flush (r)
                                                         : r->write_error);
}

void
records_omit (struct records *r, off_t length)
{
  r->position += length;
  records_reach (r, r->position);
}

void
records_begin (struct records *r)
{
  if (r->volumes.change)
    (void)make_room (r); /* the next function that can tells an error */
  records_reach (r, r->position + 1);
}

int
records_pad_block (struct records *r)
{
  off_t part = r->position % RECORDS_BLOCK;
  return append (r, NULL, part ? RECORDS_BLOCK - part : 0);
}

int
records_write_zeros (struct records *r, off_t length)
{
  return append (r, NULL, length);
}

bool
records_write_extent (struct records *r, int *ret_fd, off_t *ret_offset,
                      int *ret_errno)
{
  *ret_errno = 0;
  if (!r->stream->has_extents || r->volumes.change)
    return false;
  /* Before anything is written nothing ends what is held back.  */
  *ret_errno
      = (r->update.filling && r->length == 0 ? r->write_error : flush (r));
  *ret_fd = r->stream->fd;
  *ret_offset = r->stream->start + r->position;
  return *ret_errno == 0;
}

void
records_written (struct records *r, off_t length)
{
  if (r->update.filling)
    stop_holding (r);
  r->position += length;
  records_reach (r, r->position);
  if (lseek (r->stream->fd, r->stream->start + r->position, SEEK_SET) < 0)
    r->write_error = errno;
}

int
records_rewind (struct records *r, off_t position, off_t more)
{
  off_t flushed = r->position - r->length;
  if (flushed <= position)
    {
      r->length = position - flushed;
      r->position = position;
      return r->write_error;
    }
  struct stat st;
  off_t start = r->stream->start;
  int fd = r->stream->fd;
  off_t end = start + r->position + more;
  off_t size = MAX (position, r->update.active ? r->update.old_size : 0);
  r->length = 0;
  r->position = position;
  /* Cut off nothing that was in the file before.  */
  if (!r->write_error
      && (fstat (fd, &st) < 0
          || (st.st_size <= end && ftruncate (fd, start + size) < 0)
          || lseek (fd, start + position, SEEK_SET) < 0))
    r->write_error = errno;
  if (r->update.active && position < r->update.start + r->update.length)
    {
      r->update.filling = true;
      r->buffer = r->update.held;
      r->capacity = HELD_SIZE;
      r->length = position - r->update.start;
    }
  return r->write_error;
}

int
records_turn (struct records *r, off_t position, off_t origin)
{
  free (r->buffer);
  r->buffer = NULL;
  r->length = 0;
  r->position = position;
  r->origin = origin;
  r->is_writer = true;
  r->watch_at = TYPE_MAXIMUM (off_t);
  r->capacity = write_capacity (r->stream, r->record_size);
  if (!r->stream->can_pread)
    {
      /* A device that had nothing to read.  */
      r->buffer = xmalloc (r->capacity);
      return position == 0 ? 0 : ESPIPE;
    }

  off_t size = 0;
  int err = stream_size (r->stream, &size);
  r->update.active = !err;
  r->update.filling = true;
  r->update.start = position;
  r->update.old_size = size;
  r->update.held = xmalloc (HELD_SIZE);
  r->update.buffer = xmalloc (r->capacity);
  r->update.capacity = r->capacity;
  r->buffer = r->update.held;
  r->capacity = HELD_SIZE;
  return err;
}

int
records_put_at (struct records *r, off_t offset, void const *bytes,
                size_t length)
{
  return stream_pwrite (r->stream, bytes, length, offset);
}

int
records_truncate (struct records *r, off_t size)
{
  return stream_truncate (r->stream, size);
}

int
records_commit (struct records *r)
{
  if (!r->write_error)
    r->write_error = stream_pwrite (r->stream, r->update.held, r->update.length,
                                    r->update.start);
  r->update.active = r->write_error != 0;
  /* A part may be there, as where only the first of two blocks got space: it
     would be the header of a member that is not.  */
  off_t old = MIN (r->update.length, r->update.old_size - r->update.start);
  if (r->write_error && 0 < old)
    {
      memset (r->update.held, 0, r->update.length);
      /* What cannot be written now could not be before.  */
      (void)stream_pwrite (r->stream, r->update.held, old, r->update.start);
    }
  return r->write_error;
}

/* Fill up the last record and write it, which may take several if a new volume
   begins with it.  */
static int
finish_volumes (struct records *r)
{
  int err = r->write_error;
  while (r->length && !err)
    {
      r->volume_filler = r->capacity - r->length;
      err = append (r, NULL, r->volume_filler);
      if (!err)
        err = flush (r);
    }
  return err;
}

int
records_finish (struct records *r)
{
  int err;
  if (r->volumes.change)
    err = finish_volumes (r);
  else
    {
      err = append (r, NULL, records_total (r) - r->position);
      records_begin (r);
      if (!err)
        err = flush (r);
    }
  return !err && r->update.active ? records_commit (r) : err;
}

void
records_restore (struct records *r)
{
  if (r->update.active && !r->update.filling)
    {
      off_t at = r->update.start + r->update.length;
      off_t end = MIN (r->position, r->update.old_size);
      /* If this fails, nothing but the space is lost.  */
      (void)stream_truncate (r->stream, r->update.old_size);
      memset (r->buffer, 0, r->capacity);
      while (at < end)
        {
          size_t n = MIN (r->capacity, end - at);
          if (stream_pwrite (r->stream, r->buffer, n, at) != 0)
            break;
          at += n;
        }
    }
  if (r->buffer != r->update.held)
    free (r->update.held);
  if (r->buffer != r->update.buffer)
    free (r->update.buffer);
}
