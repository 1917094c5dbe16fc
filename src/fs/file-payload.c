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

static int
file_fill (struct payload *p, char *buffer, size_t size, size_t *ret)
{
  struct file_payload *f = (struct file_payload *)p;
  *ret = 0;
  int err = read_at (f, buffer, MIN (size, p->remaining), f->position, ret);
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
  *ret = (struct payload_segment){ .offset = f->position,
                                   .length = p->remaining,
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
  f->position += length;
  p->remaining -= length;
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
}

void
file_payload_free (struct file_payload *f)
{
  free (f->buffer);
  f->buffer = NULL;
}
