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
  /* Write about this much at once where records need not be kept apart.  */
  WRITE_SIZE = 128 * 1024
};

struct records *
records_new_writer (struct stream *s, size_t record_size)
{
  struct records *r = xzalloc (sizeof *r);
  r->stream = s;
  r->record_size = record_size;
  r->capacity = record_size;
  r->is_writer = true;
  r->watch_at = TYPE_MAXIMUM (off_t);
  if (!s->by_record && record_size < WRITE_SIZE)
    r->capacity = WRITE_SIZE / record_size * record_size;
  r->buffer = xmalloc (r->capacity);
  return r;
}

/* Write out what is buffered.  */
static int
flush (struct records *r)
{
  if (!r->write_error && r->length)
    r->write_error = stream_write (r->stream, r->buffer, r->length);
  r->length = 0;
  return r->write_error;
}

/* Append LENGTH bytes to the buffer: a copy of BYTES, or zeros if NULL.  */
static int
append (struct records *r, char const *bytes, off_t length)
{
  r->position += length;
  records_reach (r, r->position);
  while (length)
    {
      size_t n = MIN (length, r->capacity - r->length);
      if (bytes)
        {
          memcpy (r->buffer + r->length, bytes, n);
          bytes += n;
        }
      else
        memset (r->buffer + r->length, 0, n);
      r->length += n;
      length -= n;
      if (r->length == r->capacity)
        {
          int err = flush (r);
          if (err)
            return err;
        }
    }
  return r->write_error;
}

int
records_write (struct records *r, void const *bytes, size_t length)
{
  /* Large pieces go past the buffer.  */
  if (r->capacity <= length && r->length == 0 && !r->stream->by_record)
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
  *ret = r->buffer + r->length;
  *ret_length = r->capacity - r->length;
}

int
records_filled (struct records *r, size_t length)
{
  r->position += length;
  records_reach (r, r->position);
  r->length += length;
  return r->length == r->capacity ? flush (r) : r->write_error;
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
  if (!r->stream->has_extents)
    return false;
  *ret_errno = flush (r);
  *ret_fd = r->stream->fd;
  *ret_offset = r->stream->start + r->position;
  return *ret_errno == 0;
}

void
records_written (struct records *r, off_t length)
{
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
  r->length = 0;
  r->position = position;
  /* Cut off nothing that was in the file before.  */
  if (!r->write_error
      && (fstat (fd, &st) < 0
          || (st.st_size <= end && ftruncate (fd, start + position) < 0)
          || lseek (fd, start + position, SEEK_SET) < 0))
    r->write_error = errno;
  return r->write_error;
}

int
records_finish (struct records *r)
{
  int err = append (r, NULL, records_total (r) - r->position);
  records_begin (r);
  return err ? err : flush (r);
}
