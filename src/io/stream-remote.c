/* A stream on a file or tape of another host, by rmt(8).

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "io/stream-remote.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <stdlib.h>
#include <string.h>

#include "io/rmt.h"
#include "minmax.h"
#include "xalloc.h"

enum
{
  /* Ask for no more at once: rmt has to hold it in memory.  */
  REQUEST_MAX = 256 * 1024
};

struct stream_remote
{
  struct stream base; /* fd is -1 */
  struct rmt *rmt;
  off_t at;   /* of the next byte read or written, if SIZE is known */
  off_t size; /* of the file */
};

static int
remote_read (struct stream *s, void *buffer, size_t size, size_t *ret)
{
  struct stream_remote *r = (struct stream_remote *)s;
  int err = rmt_read (r->rmt, buffer,
                      s->by_record ? size : MIN (size, REQUEST_MAX), ret);
  if (!err)
    r->at += *ret;
  return err;
}

static int
remote_write (struct stream *s, void const *buffer, size_t size)
{
  struct stream_remote *r = (struct stream_remote *)s;
  char const *p = buffer;

  while (size)
    {
      size_t n;
      size_t most = s->by_record ? size : MIN (size, REQUEST_MAX);
      int err = rmt_write (r->rmt, p, most, &n);
      if (err)
        return err;
      /* What is left of a record would be another one.  */
      if (n == 0 || (s->by_record && n < size))
        return ENOSPC;
      p += n;
      size -= n;
      r->at += n;
      r->size = MAX (r->size, r->at);
    }
  return 0;
}

static int
remote_seek (struct stream *s, off_t offset)
{
  struct stream_remote *r = (struct stream_remote *)s;
  int err = offset == r->at ? 0 : rmt_seek (r->rmt, offset);
  /* After an error nobody knows.  */
  r->at = err ? -1 : offset;
  return err;
}

static int
remote_pread (struct stream *s, void *buffer, size_t size, off_t offset,
              size_t *ret)
{
  int err = remote_seek (s, offset);
  return err ? err : remote_read (s, buffer, size, ret);
}

static int
remote_pwrite (struct stream *s, void const *buffer, size_t size, off_t offset)
{
  int err = remote_seek (s, offset);
  return err ? err : remote_write (s, buffer, size);
}

static int
remote_size (struct stream *s, off_t *ret)
{
  struct stream_remote *r = (struct stream_remote *)s;
  *ret = r->size;
  return 0;
}

static int
remote_close (struct stream *s, int *ret_status)
{
  struct stream_remote *r = (struct stream_remote *)s;
  int err = rmt_close (r->rmt);
  *ret_status = 0;
  free (r);
  return err;
}

static struct stream_ops const remote_ops = {
  .read = remote_read,
  .write = remote_write,
  .close = remote_close,
  .pread = remote_pread,
  .pwrite = remote_pwrite,
  .seek = remote_seek,
  .size = remote_size,
};

void
stream_remote_abandon (struct stream *s)
{
  struct stream_remote *r = (struct stream_remote *)s;
  rmt_abandon (r->rmt);
  free (r);
}

/* --- Names --- */

bool
stream_remote_name (char const *name)
{
  size_t length = strcspn (name, ":/");
  /* A request is a line.  */
  return length && name[length] == ':' && !strchr (name, '\n');
}

char *
stream_remote_host (char const *name)
{
  char const *end = strchr (name, ':');
  char const *at = memchr (name, '@', end - name);
  char const *host = at ? at + 1 : name;
  return ximemdup0 (host, end - host);
}

/* The user in NAME, allocated; NULL if there is none.  */
static char *
user_of (char const *name)
{
  size_t length = strcspn (name, "@:");
  return length && name[length] == '@' ? ximemdup0 (name, length) : NULL;
}

static bool
has_address (char const *host)
{
  struct addrinfo *list;

  if (getaddrinfo (host, NULL, NULL, &list) != 0)
    return false;
  freeaddrinfo (list);
  return true;
}

/* --- Opening --- */

/* What there is at the other end.  */
static void
look (struct stream_remote *r, int flags, bool no_seek)
{
  bool reads = (flags & O_ACCMODE) != O_WRONLY;

  if (reads && rmt_size (r->rmt, &r->size) == 0 && 0 < r->size)
    {
      r->base.can_pread = !no_seek;
      if (rmt_seek (r->rmt, 0) == 0)
        return;
    }
  r->base.can_pread = false;
  r->base.by_record = rmt_is_tape (r->rmt);
}

int
stream_remote_open (struct remote_settings const *settings, char const *name,
                    int flags, struct stream **ret, enum remote_fault *fault)
{
  char *host = stream_remote_host (name);
  char *user = user_of (name);
  struct rmt_host const where = {
    .rsh = settings->rsh, .command = settings->rmt, .user = user, .name = host
  };
  struct rmt *rmt = NULL;
  int err = 0;

  *fault = REMOTE_NO_HOST;
  /* The remote shell would take it for an option.  */
  if (*host == '-' || !*host || (settings->looks_up && !has_address (host)))
    err = ENOENT;
  if (!err)
    {
      *fault = REMOTE_NO_SHELL;
      err = rmt_connect (&where, &rmt);
    }
  if (!err)
    {
      *fault = REMOTE_CANNOT_OPEN;
      err = rmt_open (rmt, strchr (name, ':') + 1, flags);
      if (err)
        rmt_abandon (rmt);
    }
  if (!err)
    {
      struct stream_remote *r = xzalloc (sizeof *r);
      r->base.ops = &remote_ops;
      r->base.fd = -1;
      r->base.source_fd = -1;
      r->rmt = rmt;
      look (r, flags, settings->no_seek);
      *ret = &r->base;
    }
  free (host);
  free (user);
  return err;
}
