/* The data of a file on disk.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "fs/file-payload.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "minmax.h"
#include "xalloc.h"

enum
{
  BUFFER_SIZE = 128 * 1024
};

/* Read at most SIZE bytes at OFFSET.  A file that ends there gives
   PAYLOAD_SHORT.  */
static int
read_at (struct file_payload *f, char *buffer, size_t size, off_t offset,
         size_t *ret)
{
  ssize_t n;
  do
    n = pread (f->fd, buffer, size, offset);
  while (n < 0 && errno == EINTR);
  if (n < 0)
    return errno;
  *ret = n;
  return n == 0 && size ? PAYLOAD_SHORT : 0;
}

/* Go to the next chunk that has data if the current one is finished.  */
static void
go_on (struct file_payload *f)
{
  while (f->position == f->end && f->count)
    {
      f->position = f->chunk->offset;
      f->end = f->position + f->chunk->length;
      f->chunk++;
      f->count--;
    }
}

static int
file_fill (struct payload *p, char *buffer, size_t size, size_t *ret)
{
  struct file_payload *f = (struct file_payload *)p;
  *ret = 0;
  go_on (f);
  int err
      = read_at (f, buffer, MIN (size, f->end - f->position), f->position, ret);
  f->position += *ret;
  p->remaining -= *ret;
  return err;
}

static char *
own_buffer (struct file_payload *f)
{
  if (!f->buffer)
    f->buffer = xmalloc (BUFFER_SIZE);
  return f->buffer;
}

static int
file_next (struct payload *p, struct payload_segment *ret)
{
  struct file_payload *f = (struct file_payload *)p;
  size_t n;
  go_on (f);
  *ret = (struct payload_segment){ .offset = f->position, .fd = -1 };
  ret->bytes = own_buffer (f);
  int err = file_fill (p, f->buffer, BUFFER_SIZE, &n);
  ret->length = n;
  return err;
}

static bool
file_extent (struct payload *p, struct payload_segment *ret)
{
  struct file_payload *f = (struct file_payload *)p;
  if (p->remaining == 0 || f->fd < 0)
    return false;
  go_on (f);
  *ret = (struct payload_segment){ .offset = f->position,
                                   .length = f->end - f->position,
                                   .fd = f->fd,
                                   .fd_offset = f->position };
  return true;
}

static int
file_window (void *payload, off_t fd_offset, size_t want, char const **ret,
             size_t *ret_length)
{
  struct file_payload *f = payload;
  *ret = own_buffer (f);
  return read_at (f, f->buffer, MIN (want, BUFFER_SIZE), fd_offset, ret_length);
}

static int
file_skip (struct payload *p, off_t length)
{
  struct file_payload *f = (struct file_payload *)p;
  p->remaining -= length;
  while (length)
    {
      go_on (f);
      off_t n = MIN (length, f->end - f->position);
      f->position += n;
      length -= n;
    }
  return 0;
}

static struct payload_ops const file_ops = {
  .next = file_next,
  .extent = file_extent,
  .window = file_window,
  .skip = file_skip,
  .fill = file_fill,
};

void
file_payload_start (struct file_payload *f, int fd, off_t size)
{
  f->payload.ops = &file_ops;
  f->payload.remaining = size;
  f->fd = fd;
  f->position = 0;
  f->end = size;
  f->chunk = NULL;
  f->count = 0;
}

void
file_payload_start_sparse (struct file_payload *f, int fd,
                           struct member const *m)
{
  file_payload_start (f, fd, 0);
  f->payload.remaining = m->stored_size;
  f->chunk = m->chunks;
  f->count = m->chunk_count;
}

void
file_payload_free (struct file_payload *f)
{
  free (f->buffer);
  f->buffer = NULL;
}
