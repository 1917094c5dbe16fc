/* A stream on a file descriptor: a file, device, pipe or socket.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "io/stream-file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "xalloc.h"

static int
file_read (struct stream *s, void *buffer, size_t size, size_t *ret)
{
  for (;;)
    {
      ssize_t n = read (s->fd, buffer, size);
      if (0 <= n)
        {
          *ret = n;
          return 0;
        }
      if (errno != EINTR)
        return errno;
    }
}

static int
file_write_part (struct stream *s, void const *buffer, size_t size, size_t *ret)
{
  char const *p = buffer;
  *ret = 0;
  while (*ret < size)
    {
      ssize_t n = write (s->fd, p + *ret, size - *ret);
      if (0 < n)
        *ret += n;
      else if (n == 0)
        return ENOSPC;
      else if (errno != EINTR)
        return errno;
    }
  return 0;
}

static int
file_write (struct stream *s, void const *buffer, size_t size)
{
  size_t n;
  return file_write_part (s, buffer, size, &n);
}

static int
file_close (struct stream *s, int *ret_status)
{
  int err = s->shares_offset || close (s->fd) == 0 ? 0 : errno;
  *ret_status = 0;
  free (s);
  return err;
}

static struct stream_ops const file_ops = {
  .read = file_read,
  .write = file_write,
  .write_part = file_write_part,
  .close = file_close,
};

/* Set *RET to a stream on FD, as far as it is the same for both directions,
   and *ST to FD's status.  */
static int
file_new (int fd, bool is_inherited, struct stream **ret, struct stat *st)
{
  if (fstat (fd, st) < 0)
    return errno;
  struct stream *s = xzalloc (sizeof *s);
  s->ops = &file_ops;
  s->fd = fd;
  s->source_fd = -1;
  s->shares_offset = is_inherited;
  s->is_pipe = S_ISFIFO (st->st_mode) || S_ISSOCK (st->st_mode);
  s->by_record = S_ISCHR (st->st_mode);
  *ret = s;
  return 0;
}

int
stream_file_new_reader (int fd, bool is_inherited, struct stream **ret)
{
  struct stat st;
  int err = file_new (fd, is_inherited, ret, &st);
  if (err || !(S_ISREG (st.st_mode) || S_ISBLK (st.st_mode)))
    return err;
  off_t start = lseek (fd, 0, SEEK_CUR);
  if (0 <= start)
    {
      (*ret)->can_pread = true;
      (*ret)->has_extents = S_ISREG (st.st_mode);
      (*ret)->start = start;
    }
  return 0;
}

int
stream_file_new_writer (int fd, bool is_inherited, struct stream **ret)
{
  struct stat st;
  int err = file_new (fd, is_inherited, ret, &st);
  if (err || !S_ISREG (st.st_mode))
    return err;
  /* A descriptor that appends cannot be cloned to: FICLONERANGE gives EBADF
     (ioctl_ficlonerange(2)).  */
  int flags = fcntl (fd, F_GETFL);
  bool appends = 0 <= flags && flags & O_APPEND;
  off_t start = appends ? st.st_size : lseek (fd, 0, SEEK_CUR);
  if (0 <= start)
    {
      (*ret)->has_extents = 0 <= flags && !appends;
      (*ret)->start = start;
    }
  return 0;
}

int
stream_file_release (struct stream *s)
{
  int fd = s->fd;
  free (s);
  return fd;
}
