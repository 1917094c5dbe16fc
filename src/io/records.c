/* The archive as blocks, read through a window.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "io/records.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/records-private.h"
#include "intprops.h"
#include "minmax.h"
#include "xalloc.h"

enum
{
  /* The window.  Larger ones were no faster, from 64 KiB on.  */
  WINDOW_SIZE = 128 * 1024,
  /* Read after a jump: what was jumped over was cloned, and so will be most of
     what follows, so that reading much would be a waste.  */
  AHEAD_MIN = 16 * 1024,
  /* A writer with more to say than this after the archive's end may never
     stop.  */
  DRAIN_MAX = 256 * 1024 * 1024
};

struct records *
records_new_reader (struct stream *s, size_t record_size)
{
  struct records *r = xzalloc (sizeof *r);
  r->stream = s;
  r->record_size = record_size;
  r->capacity = WINDOW_SIZE;
  if (s->by_record)
    r->capacity = MAX (r->capacity, RECORDS_PEEK_MAX + record_size);
  r->buffer = xmalloc (r->capacity);
  r->read_ahead = AHEAD_MIN;
  r->watch_at = TYPE_MAXIMUM (off_t);
  return r;
}

void
records_watch (struct records *r, struct records_watcher const *watcher)
{
  off_t part = r->position % r->record_size;
  r->watcher = *watcher;
  r->watcher.jumps &= r->stream->can_pread;
  r->watch_at = r->position - part;
  if (part || r->is_writer)
    r->watch_at += r->record_size;
}

void
records_tell (struct records *r, off_t end)
{
  off_t first = r->watch_at;
  off_t count = (end - 1 - first) / (off_t)r->record_size + 1;
  if (INT_ADD_WRAPV (first, count * r->record_size, &r->watch_at))
    r->watch_at = TYPE_MAXIMUM (off_t);
  off_t before = r->is_writer ? first - (off_t)r->record_size : first;
  r->watcher.records (r->watcher.arg, before, count, r->is_writer);
}

struct stream *
records_stream (struct records *r)
{
  return r->stream;
}

void
records_unread (struct records const *r, char const **ret, size_t *ret_length)
{
  *ret = r->buffer;
  *ret_length = r->length;
}

void
records_free (struct records *r)
{
  records_restore (r);
  free (r->buffer);
  free (r);
}

/* The number of bytes in the window from OFFSET on.  */
static inline size_t
window_rest (struct records const *r, off_t offset)
{
  off_t into = offset - r->window_start;
  return 0 <= into && into < r->length ? r->length - into : 0;
}

/* Read once at the window's end.  Set *RET to the number of bytes.  */
static int
read_more (struct records *r, size_t want, size_t *ret)
{
  struct stream *s = r->stream;
  size_t size = MIN (MAX (want, r->read_ahead), r->capacity - r->length);
  char *to = r->buffer + r->length;
  *ret = 0;

  if (s->can_pread)
    return stream_pread (s, to, size, r->window_start + r->length, ret);
  if (r->at_end)
    return 0;
  if (s->by_record)
    size = r->record_size;
  if (r->watcher.waiting && 0 <= s->fd)
    r->watcher.waiting (r->watcher.arg, s->fd);
  int err = stream_read (s, to, size, ret);
  if (err == STREAM_FAILED)
    {
      r->filter_failed = true;
      err = 0;
    }
  if (!err && *ret == 0)
    r->at_end = true;
  return err;
}

/* Make the window start at OFFSET, and have WANT bytes unless the archive ends
   before; HINT bytes are likely to be used.  Without pread, OFFSET is in the
   window or at its end.  */
static int
window_move (struct records *r, off_t offset, size_t want, size_t hint)
{
  size_t rest = window_rest (r, offset);
  if (rest || offset == r->window_start + r->length)
    {
      /* Reading goes on where it was.  */
      memmove (r->buffer, r->buffer + r->length - rest, rest);
      if (r->length)
        r->read_ahead = MIN (2 * r->read_ahead, WINDOW_SIZE);
    }
  else
    r->read_ahead = AHEAD_MIN;
  r->window_start = offset;
  r->length = rest;

  while (r->length < want)
    {
      size_t n;
      int err = read_more (r, MAX (want - r->length, hint), &n);
      if (err)
        return err;
      if (n == 0)
        break;
      r->length += n;
    }
  return 0;
}

int
records_peek (struct records *r, size_t want, char const **ret,
              size_t *ret_length)
{
  size_t rest = window_rest (r, r->position);
  records_reach (r, r->position + want);
  if (rest < want)
    {
      int err = window_move (r, r->position, want, 0);
      if (err)
        return err;
      rest = r->length;
    }
  *ret = r->buffer + (r->position - r->window_start);
  *ret_length = rest;
  return 0;
}

void
records_consume (struct records *r, size_t length)
{
  if (r->tap)
    r->tap (r->tap_arg, r->buffer + (r->position - r->window_start), length);
  r->position += length;
  records_reach (r, r->position);
}

void
records_tap (struct records *r,
             void (*tap) (void *arg, char const *bytes, size_t length),
             void *arg)
{
  r->tap = tap;
  r->tap_arg = arg;
}

/* Skip to offset TO, which is beyond the window, without reading.  */
static int
skip_by_offset (struct records *r, off_t to)
{
  if (r->size < to)
    {
      int err = stream_size (r->stream, &r->size);
      if (err)
        return err;
    }
  if (r->size < to)
    {
      r->position = MAX (r->size, r->position);
      return RECORDS_SHORT;
    }
  r->position = to;
  return 0;
}

/* Of *LENGTH bytes to skip, let the stream skip what is beyond the window, and
   take their number from *LENGTH.  */
static int
skip_by_stream (struct records *r, off_t *length)
{
  struct stream *s = r->stream;
  size_t rest = window_rest (r, r->position);
  off_t n;
  if (!s->ops->skip || r->tap || r->at_end || *length <= rest)
    return 0;
  int err = s->ops->skip (s, *length - rest, &n);
  if (err || n == 0)
    return err;
  r->position += rest + n;
  r->window_start = r->position;
  r->length = 0;
  *length -= rest + n;
  records_reach (r, r->position);
  return 0;
}

int
records_pass (struct records *r, off_t length)
{
  size_t rest = window_rest (r, r->position);
  if (length <= rest)
    {
      records_consume (r, length);
      return 0;
    }
  if (r->stream->can_pread && !r->tap)
    {
      off_t to;
      if (INT_ADD_WRAPV (r->position, length, &to))
        to = TYPE_MAXIMUM (off_t);
      int err = skip_by_offset (r, to);
      records_reach (r, r->position);
      return err;
    }
  while (length)
    {
      char const *bytes;
      size_t n;
      int err = skip_by_stream (r, &length);
      if (!err && length)
        err = records_peek (r, 1, &bytes, &n);
      if (err || !length)
        return err;
      if (n == 0)
        return RECORDS_SHORT;
      n = MIN (n, length);
      records_consume (r, n);
      length -= n;
    }
  return 0;
}

int
records_skip (struct records *r, off_t length)
{
  off_t next = r->watch_at - r->position;
  /* GNU tar jumps over the whole records between this one and LENGTH bytes
     from here, and does not count them.  */
  if (r->watcher.jumps && 0 <= next && next < length)
    {
      off_t whole = (length - next) / (off_t)r->record_size;
      if (INT_ADD_WRAPV (r->watch_at, whole * (off_t)r->record_size,
                         &r->watch_at))
        r->watch_at = TYPE_MAXIMUM (off_t);
    }
  return records_pass (r, length);
}

int
records_peek_at (struct records *r, off_t offset, size_t want, char const **ret,
                 size_t *ret_length)
{
  size_t rest = window_rest (r, offset);
  if (rest == 0)
    {
      int err = window_move (r, offset, 1, want);
      if (err)
        return err;
      rest = r->length;
    }
  *ret = r->buffer + (offset - r->window_start);
  *ret_length = MIN (rest, want);
  return 0;
}

bool
records_extent (struct records const *r, int *ret_fd, off_t *ret_offset)
{
  if (!r->stream->has_extents)
    return false;
  *ret_fd = r->stream->fd;
  *ret_offset = r->stream->start + r->position;
  return true;
}

off_t
records_position (struct records const *r)
{
  return r->position;
}

off_t
records_block (struct records const *r)
{
  return (r->position + r->stream->omitted) / RECORDS_BLOCK;
}

off_t
records_origin (struct records const *r)
{
  return r->stream->start;
}

off_t
records_total (struct records const *r)
{
  off_t part = (r->position - r->origin) % r->record_size;
  return r->position + (part ? r->record_size - part : 0);
}

bool
records_failed (struct records const *r)
{
  return r->filter_failed;
}

bool
records_beyond_end (struct records *r)
{
  off_t size;
  return (r->stream->can_pread && stream_size (r->stream, &size) == 0
          && size < r->position);
}

bool
records_filtered (struct records const *r)
{
  return r->stream->is_filter;
}

bool
records_is_writer (struct records const *r)
{
  return r->is_writer;
}

void
records_drain (struct records *r)
{
  if (!r->stream->is_pipe)
    return;
  off_t drained = 0;
  size_t n = 1;
  while (!r->at_end && drained < DRAIN_MAX && n)
    {
      r->length = 0;
      if (read_more (r, r->capacity, &n) != 0)
        break;
      drained += n;
    }
  r->window_start = r->position;
  r->length = 0;
}

int
records_close (struct records *r, int *ret_status)
{
  struct stream *s = r->stream;
  /* Whoever reads standard input next finds it after the last record.  */
  if (s->shares_offset && s->can_pread)
    {
      off_t end = records_total (r);
      off_t size;
      if (stream_size (s, &size) == 0)
        end = MIN (end, size);
      /* If it fails nothing is lost that was promised.  */
      (void)lseek (s->fd, s->start + end, SEEK_SET);
    }
  records_free (r);
  return stream_close (s, ret_status);
}
