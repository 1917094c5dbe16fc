/* The file of --listed-incremental: opening and writing.

   Source: the GNU tar manual, "Format of the Incremental Snapshot Files".

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "fs/snapshot.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gettext.h"
#include "intprops.h"
#include "write-all.h"
#include "xalloc.h"

#define _(text) gettext (text)

/* Other programs look at the beginning, as GNU tar itself does.  */
static char const header[] = "GNU tar-1.34-2\n";

void
snapshot_open (struct snapshot_file *f, char const *name, bool *ret_is_missing,
               struct report *r)
{
  f->name = name;
  f->fd = open (name, O_RDWR | O_CLOEXEC);
  *ret_is_missing = f->fd < 0 && errno == ENOENT;
  if (f->fd < 0 && !*ret_is_missing)
    report_cannot (r, errno, "open", name);
}

void
snapshot_create (struct snapshot_file *f, char const *name, struct report *r)
{
  f->name = name;
  f->fd = open (name, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (f->fd < 0)
    report_cannot (r, errno, "open", name);
}

void
snapshot_close (struct snapshot_file *f)
{
  if (0 <= f->fd)
    close (f->fd);
  f->fd = -1;
}

void
snapshot_free (struct snapshot *s)
{
  free (s->dirs);
  free (s->buffer);
  *s = (struct snapshot){ .dirs = NULL };
}

/* Reserve LENGTH bytes of FD, so that writing them does not fail half-way.  It
   is no failure where that cannot be done.  */
static int
reserve (int fd, idx_t length)
{
  struct stat st;
  if (fstat (fd, &st) < 0)
    return errno;
  if (!S_ISREG (st.st_mode) || length <= st.st_size)
    return 0;
  int err = posix_fallocate (fd, 0, length);
  return err == ENOSPC || err == EDQUOT || err == EFBIG ? err : 0;
}

bool
snapshot_write (struct snapshot_file const *f, char const *bytes, idx_t length,
                struct report *r)
{
  struct stat st;
  if (f->fd < 0)
    return false;
  int err = reserve (f->fd, length);
  char const *call = "write";
  /* What is not a file has no end to set; GNU tar finds out first.  */
  if (!err && fstat (f->fd, &st) == 0 && !S_ISREG (st.st_mode)
      && ftruncate (f->fd, 0) < 0)
    {
      err = errno;
      call = "truncate";
    }
  if (!err)
    err = write_all (f->fd, bytes, length, 0);
  if (!err && ftruncate (f->fd, length) < 0)
    {
      err = errno;
      call = "truncate";
    }
  if (err)
    report_cannot (r, err, call, f->name);
  return !err;
}

/* --- The text --- */

static void
append (struct snapshot_text *t, char const *bytes, idx_t length)
{
  idx_t room = t->alloc - t->length;
  if (room < length)
    t->bytes = xpalloc (t->bytes, &t->alloc, length - room, -1, 1);
  memcpy (t->bytes + t->length, bytes, length);
  t->length += length;
}

/* Add NUMBER and a NUL.  */
static void
append_signed (struct snapshot_text *t, intmax_t number)
{
  char buffer[INT_BUFSIZE_BOUND (intmax_t)];
  int length = sprintf (buffer, "%" PRIdMAX, number);
  append (t, buffer, length + 1);
}

static void
append_unsigned (struct snapshot_text *t, uintmax_t number)
{
  char buffer[INT_BUFSIZE_BOUND (uintmax_t)];
  int length = sprintf (buffer, "%" PRIuMAX, number);
  append (t, buffer, length + 1);
}

static void
append_time (struct snapshot_text *t, struct timespec time)
{
  append_signed (t, time.tv_sec);
  append_signed (t, time.tv_nsec);
}

void
snapshot_begin (struct snapshot_text *t, struct timespec start)
{
  t->length = 0;
  append (t, header, sizeof header - 1);
  append_time (t, start);
}

void
snapshot_add (struct snapshot_text *t, struct snapshot_dir const *d)
{
  append_unsigned (t, d->nfs);
  append_time (t, d->mtime);
  append_unsigned (t, d->dev);
  append_unsigned (t, d->ino);
  append (t, d->name, strlen (d->name) + 1);
  for (char const *p = d->contents; *p; p += strlen (p) + 1)
    append (t, p, strlen (p) + 1);
  append (t, "\0", 2);
}
