/* What all kinds of streams have in common.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "io/stream.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "write-all.h"
#include "xalloc.h"

int
stream_read (struct stream *s, void *buffer, size_t size, size_t *ret)
{
  return s->ops->read (s, buffer, size, ret);
}

int
stream_write (struct stream *s, void const *buffer, size_t size)
{
  return s->ops->write (s, buffer, size);
}

int
stream_write_part (struct stream *s, void const *buffer, size_t size,
                   size_t *ret)
{
  if (s->ops->write_part)
    return s->ops->write_part (s, buffer, size, ret);
  int err = s->ops->write (s, buffer, size);
  *ret = err ? 0 : size;
  return err;
}

int
stream_close (struct stream *s, int *ret_status)
{
  return s->ops->close (s, ret_status);
}

static int
closed_read (struct stream *s, void *buffer, size_t size, size_t *ret)
{
  (void)s;
  (void)buffer;
  (void)size;
  *ret = 0;
  return 0;
}

static int
closed_write (struct stream *s, void const *buffer, size_t size)
{
  (void)s;
  (void)buffer;
  (void)size;
  return EBADF;
}

static int
closed_close (struct stream *s, int *ret_status)
{
  *ret_status = 0;
  free (s);
  return 0;
}

static struct stream_ops const closed_ops = {
  .read = closed_read,
  .write = closed_write,
  .close = closed_close,
};

struct stream *
stream_new_closed (void)
{
  struct stream *s = xzalloc (sizeof *s);
  s->ops = &closed_ops;
  s->fd = -1;
  s->source_fd = -1;
  return s;
}

int
stream_pread (struct stream *s, void *buffer, size_t size, off_t offset,
              size_t *ret)
{
  if (s->ops->pread)
    return s->ops->pread (s, buffer, size, offset, ret);
  for (;;)
    {
      ssize_t n = pread (s->fd, buffer, size, s->start + offset);
      if (0 <= n)
        {
          *ret = n;
          return 0;
        }
      if (errno != EINTR)
        return errno;
    }
}

int
stream_pwrite (struct stream *s, void const *buffer, size_t size, off_t offset)
{
  if (s->ops->pwrite)
    return s->ops->pwrite (s, buffer, size, offset);
  return write_all (s->fd, buffer, size, s->start + offset);
}

int
stream_truncate (struct stream *s, off_t size)
{
  if (!s->has_extents)
    return 0;
  return ftruncate (s->fd, s->start + size) == 0 ? 0 : errno;
}

int
stream_seek (struct stream *s, off_t offset)
{
  if (s->ops->seek)
    return s->ops->seek (s, offset);
  return lseek (s->fd, s->start + offset, SEEK_SET) < 0 ? errno : 0;
}

int
stream_size (struct stream *s, off_t *ret)
{
  struct stat st;
  if (s->ops->size)
    return s->ops->size (s, ret);
  if (fstat (s->fd, &st) < 0)
    return errno;
  off_t end = st.st_size;
  /* A block device has st_size 0; its offset serves nobody meanwhile.  */
  if (S_ISBLK (st.st_mode)
      && ((end = lseek (s->fd, 0, SEEK_END)) < 0
          || lseek (s->fd, s->start, SEEK_SET) < 0))
    return errno;
  *ret = end < s->start ? 0 : end - s->start;
  return 0;
}

bool
stream_source (struct stream *s, off_t *ret_at, off_t *ret_size)
{
  struct stat st;
  if (s->source_fd < 0 || fstat (s->source_fd, &st) < 0)
    return false;
  *ret_at = lseek (s->source_fd, 0, SEEK_CUR);
  *ret_size = st.st_size;
  return 0 <= *ret_at;
}
