/* The directories that -C names, opened when they are first needed.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "fs/workdirs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "xalloc.h"

#ifndef O_PATH
#define O_PATH O_RDONLY
#endif

struct workdir
{
  char *name;
  int fd; /* -1: not opened yet */
};

struct workdirs
{
  struct workdir *dirs;
  size_t count;
  size_t alloc;
};

static int
add (struct workdirs *w, char const *name)
{
  if (w->count == w->alloc)
    w->dirs = x2nrealloc (w->dirs, &w->alloc, sizeof *w->dirs);
  w->dirs[w->count] = (struct workdir){ xstrdup (name), -1 };
  return (int)w->count++;
}

struct workdirs *
workdirs_new (void)
{
  struct workdirs *w = xzalloc (sizeof *w);

  add (w, ".");
  return w;
}

void
workdirs_free (struct workdirs *w)
{
  if (!w)
    return;
  for (size_t i = 0; i < w->count; i++)
    {
      if (0 <= w->dirs[i].fd)
        close (w->dirs[i].fd);
      free (w->dirs[i].name);
    }
  free (w->dirs);
  free (w);
}

int
workdirs_add (struct workdirs *w, char const *dir)
{
  return add (w, dir);
}

int
workdirs_count (struct workdirs const *w)
{
  return (int)w->count;
}

char const *
workdirs_name (struct workdirs const *w, int number)
{
  return w->dirs[number].name;
}

bool
workdirs_open (struct workdirs *w, int number, struct report *r, int *ret)
{
  int from = number;

  while (0 < from && w->dirs[from].fd < 0)
    from--;
  for (int i = from; i <= number; i++)
    {
      struct workdir *d = &w->dirs[i];

      if (d->fd < 0)
        d->fd = openat (i ? w->dirs[i - 1].fd : AT_FDCWD, d->name,
                        O_PATH | O_DIRECTORY | O_CLOEXEC);
      if (d->fd < 0)
        {
          report_cannot (r, errno, "open", d->name);
          report_unrecoverable (r);
          return false;
        }
    }
  *ret = w->dirs[number].fd;
  return true;
}
