/* Where a file has data, and where holes.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "fs/holes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "minmax.h"
#include "xalloc.h"

enum
{
  BLOCK = 512, /* bytes, the unit of st_blocks and of holes that are read */
  BUFFER_SIZE = 128 * 1024
};

bool
holes_expected (struct stat const *st)
{
  /* What is less than a block may lie in the inode itself.  */
  return BLOCK <= st->st_size
         && st->st_blocks < st->st_size / BLOCK + (st->st_size % BLOCK != 0);
}

/* Ask the file system for the chunks of the first SIZE bytes of FD.  Return
   0, or an errno if it cannot tell.  */
static int
seek_chunks (int fd, off_t size, struct member *m)
{
  off_t end = 0;
  while (end < size)
    {
      off_t start = lseek (fd, end, SEEK_DATA);
      if (start < 0 && errno == ENXIO)
        break;
      if (start < 0)
        return errno;
      if (size <= start)
        break;
      end = lseek (fd, start, SEEK_HOLE);
      /* ENXIO: the file became shorter.  */
      if (end < 0 && errno != ENXIO)
        return errno;
      if (end < 0 || size < end)
        end = size;
      /* It can have become a hole meanwhile.  */
      if (start < end)
        member_add_chunk (m, start, end - start);
    }
  member_add_chunk (m, size, 0);
  return 0;
}

static bool
is_zero (char const *bytes, size_t length)
{
  return bytes[0] == 0 && memcmp (bytes, bytes + 1, length - 1) == 0;
}

/* Chunks that are being put together from blocks.  */
struct scan
{
  struct member *member;
  off_t start; /* of the chunk that OFFSET may go on, or -1 */
  off_t offset;
};

/* The next LENGTH bytes, at most a block, are at BYTES.  */
static void
scan_block (struct scan *s, char const *bytes, size_t length)
{
  bool is_hole = is_zero (bytes, length);
  if (is_hole && 0 <= s->start)
    {
      member_add_chunk (s->member, s->start, s->offset - s->start);
      s->start = -1;
    }
  else if (!is_hole && s->start < 0)
    s->start = s->offset;
  s->offset += length;
}

/* Fill BUFFER with SIZE bytes at OFFSET of FD, fewer at its end.  Return their
   number, or -1 and set errno.  */
static ssize_t
read_fully (int fd, char *buffer, size_t size, off_t offset)
{
  size_t done = 0;
  while (done < size)
    {
      ssize_t n = pread (fd, buffer + done, size - done, offset + done);
      if (n == 0)
        break;
      if (0 < n)
        done += n;
      else if (errno != EINTR)
        return -1;
    }
  return done;
}

/* Find the chunks of the first SIZE bytes of FD by reading them.  */
static int
read_chunks (int fd, off_t size, struct member *m)
{
  struct scan s = { .member = m, .start = -1 };
  char *buffer = xmalloc (BUFFER_SIZE);
  int err = 0;
  while (s.offset < size)
    {
      ssize_t n = read_fully (fd, buffer, MIN (BUFFER_SIZE, size - s.offset),
                              s.offset);
      if (n < 0)
        err = errno;
      if (n <= 0)
        break;
      for (ssize_t i = 0; i < n; i += BLOCK)
        scan_block (&s, buffer + i, MIN (BLOCK, n - i));
    }
  free (buffer);
  if (0 <= s.start)
    member_add_chunk (m, s.start, s.offset - s.start);
  if (s.start < 0 || s.offset < size)
    member_add_chunk (m, size, 0);
  return err;
}

int
holes_find (int fd, struct stat const *st, enum holes_method method,
            struct member *m)
{
  int err = method == HOLES_SEEK ? seek_chunks (fd, st->st_size, m) : EINVAL;
  if (err)
    {
      m->chunk_count = 0;
      err = read_chunks (fd, st->st_size, m);
    }
  if (err)
    {
      m->chunk_count = 0;
      return err;
    }
  m->is_sparse = true;
  m->stored_size = 0;
  for (size_t i = 0; i < m->chunk_count; i++)
    m->stored_size += m->chunks[i].length;
  return 0;
}
