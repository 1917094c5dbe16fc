/* Comparison of a member's data with a file's.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "fs/differ-private.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "gettext.h"
#include "minmax.h"

#define _(msgid) gettext (msgid)

/* Read SIZE bytes of C's file at OFFSET, at most DIFFER_BUFFER, into the
   buffer.  False, reported, if that failed or the file ends before.  */
static bool
read_file (struct differ_comparison *c, off_t offset, size_t size)
{
  struct differ_item *i = c->i;
  size_t done = 0;

  while (done < size)
    {
      ssize_t n
          = pread (c->fd, i->d->buffer + done, size - done, offset + done);

      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        {
          report_error (i->d->report, errno,
                        _ ("%s: Read error at byte %jd, while reading %zu"
                           " bytes"),
                        report_name (i->name), (intmax_t)(offset + done),
                        size - done);
          return false;
        }
      if (n == 0)
        {
          differ_say (i, _ ("Size differs"));
          return false;
        }
      done += n;
    }
  return true;
}

bool
differ_bytes (struct differ_comparison *c, char const *bytes, off_t length)
{
  while (length)
    {
      size_t n = MIN (length, DIFFER_BUFFER);

      if (!read_file (c, c->position, n))
        return false;
      if (memcmp (bytes, c->i->d->buffer, n) != 0)
        {
          differ_say (c->i, _ ("Contents differ"));
          return false;
        }
      bytes += n;
      length -= n;
      c->position += n;
    }
  return true;
}

/* The number of zeros at the start of SIZE bytes, not 0, at P.  */
static size_t
count_zeros (char const *p, size_t size)
{
  size_t n = 0;

  if (*p == '\0' && memcmp (p, p + 1, size - 1) == 0)
    return size;
  while (p[n] == '\0')
    n++;
  return n;
}

/* Where the next data of the file lies, from AT on.  */
static off_t
next_data (struct differ_comparison const *c, off_t at)
{
  off_t data = lseek (c->fd, at, SEEK_DATA);

  /* ENXIO: there is none.  Other errors: it cannot be asked.  */
  if (0 <= data)
    return data;
  return errno == ENXIO ? c->i->st.st_size : at;
}

/* Whether C's file has nothing but zeros from its position to END.  */
static bool
compare_hole (struct differ_comparison *c, off_t end)
{
  enum
  {
    UNIT = 512 /* GNU tar tells the start of the block of this size */
  };
  off_t start = c->position;
  off_t file_end = MIN (end, c->i->st.st_size);
  off_t at = start;

  while (at < file_end && (at = next_data (c, at)) < file_end)
    {
      size_t n = MIN (file_end - at, DIFFER_BUFFER);

      if (!read_file (c, at, n))
        return false;

      size_t zeros = count_zeros (c->i->d->buffer, n);

      at += zeros;
      if (zeros != n)
        {
          off_t where = at - (at - start) % UNIT;

          differ_say (c->i, _ ("File fragment at %jd is not a hole"),
                      (intmax_t)where);
          return false;
        }
    }
  if (file_end < end)
    {
      differ_say (c->i, _ ("Size differs"));
      return false;
    }
  c->position = end;
  return true;
}

/* Compare the next piece of data.  False: there was a difference, or an
   error.  */
static bool
compare_next (struct differ_comparison *c)
{
  struct payload *p = c->i->payload;
  struct payload_segment s;

  if (!c->apart && payload_extent (p, &s))
    {
      if (c->position < s.offset && !compare_hole (c, s.offset))
        return false;
      if (!differ_extent (c, &s))
        return false;
      if (!c->apart)
        return true;
    }
  /* When the archive fails, its source will say so.  */
  if (payload_next (p, &s) != 0 || s.length == 0)
    return false;
  if (c->position < s.offset && !compare_hole (c, s.offset))
    return false;
  if (c->i->m->is_sparse)
    differ_note_owned (c, s.offset, s.length);
  else
    differ_note_owned (c, 0, c->i->m->size);
  return differ_bytes (c, s.bytes, s.length);
}

/* Count what was found equal.  */
static void
count (struct differ_comparison const *c, off_t size)
{
  struct differ_counts *n = &c->i->d->counts;

  if (c->shared)
    n->members_shared++;
  else
    n->members_read++;
  n->bytes_shared += c->shared;
  n->bytes_read += size - c->shared;
}

void
differ_data (struct differ_item *i, int fd)
{
  struct differ_comparison c = {
    .i = i,
    .fd = fd,
    .apart = i->d->settings.reflink == REFLINK_NEVER,
  };
  off_t data = i->payload ? i->payload->remaining : 0;

  while (i->payload && 0 < i->payload->remaining)
    if (!compare_next (&c))
      return;
  if (c.position < i->m->size && !compare_hole (&c, i->m->size))
    return;
  if (i->m->size < i->st.st_size)
    {
      differ_say (i, _ ("Size differs"));
      return;
    }
  count (&c, data);
  if (c.owned)
    differ_say (i, _ ("Blocks not shared"));
}
