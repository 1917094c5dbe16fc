/* Several volumes read as one archive.

   Each volume has records of its own, since what it begins with is read in
   place and is no part of the archive.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "io/stream-volume.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "minmax.h"
#include "xalloc.h"

struct volume_stream
{
  struct stream stream; /* first: its address is ours */
  struct stream_volume_source source;
  struct records *records; /* of the volume at hand; NULL: no more */
  off_t delivered;
};

/* The volume at hand has nothing left: go on to the next.  */
static int
change (struct volume_stream *v)
{
  int err = v->source.next (v->source.arg, v->delivered, &v->records);
  if (!err)
    v->stream.omitted += records_position (v->records);
  return err;
}

static int
volume_read (struct stream *s, void *buffer, size_t size, size_t *ret)
{
  struct volume_stream *v = (struct volume_stream *)s;
  char const *bytes;
  off_t position = 0;
  size_t n = 0;

  *ret = 0;
  while (v->records && n == 0)
    {
      position = records_position (v->records);
      off_t at = position % RECORDS_BLOCK;
      int err = records_peek (v->records, RECORDS_BLOCK - at, &bytes, &n);
      /* A block that is cut off is no part of the archive.  */
      n -= MIN (n, (at + n) % RECORDS_BLOCK);
      if (!err && n == 0)
        err = change (v);
      if (err)
        return err;
    }
  if (!v->records)
    return 0;
  size_t rest = v->source.record_size - position % v->source.record_size;
  *ret = MIN (MIN (n, size), rest);
  memcpy (buffer, bytes, *ret);
  records_consume (v->records, *ret);
  v->delivered += *ret;
  return 0;
}

static int
volume_skip (struct stream *s, off_t length, off_t *ret)
{
  struct volume_stream *v = (struct volume_stream *)s;

  *ret = 0;
  if (!v->records)
    return 0;
  off_t before = records_position (v->records);
  int err = records_skip (v->records, length);
  off_t after = records_position (v->records);
  /* As above, if the volume ended.  */
  if (err == RECORDS_SHORT)
    {
      err = 0;
      after = MAX (before, after - after % RECORDS_BLOCK);
    }
  *ret = after - before;
  v->delivered += *ret;
  return err;
}

static int
volume_write (struct stream *s, void const *buffer, size_t size)
{
  (void)s;
  (void)buffer;
  (void)size;
  return EBADF;
}

static int
volume_close (struct stream *s, int *ret_status)
{
  struct volume_stream *v = (struct volume_stream *)s;
  int err = 0;

  *ret_status = 0;
  if (v->records)
    err = records_close (v->records, ret_status);
  free (v);
  return err;
}

static struct stream_ops const volume_ops = {
  .read = volume_read,
  .skip = volume_skip,
  .write = volume_write,
  .close = volume_close,
};

struct stream *
stream_volume_new_reader (struct records *first,
                          struct stream_volume_source const *source)
{
  struct volume_stream *v = xzalloc (sizeof *v);

  v->stream.ops = &volume_ops;
  v->stream.fd = -1;
  v->stream.source_fd = -1;
  v->source = *source;
  v->records = first;
  return &v->stream;
}
