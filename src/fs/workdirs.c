/* The directories that -C names, opened when they are first needed.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "fs/workdirs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "xalloc.h"

#ifndef O_PATH
#define O_PATH O_RDONLY
#endif

struct workdir
{
  char *name;
  int fd;      /* -1: not opened yet */
  int root_fd; /* likewise; of TOP in it */
};

struct workdirs
{
  struct workdir *dirs;
  size_t count;
  size_t alloc;
  char const *top; /* NULL: none */
  size_t top_length;
  mode_t top_mode;
  workdirs_made *made;
  void *made_arg;
};

static int
add (struct workdirs *w, char const *name)
{
  if (w->count == w->alloc)
    w->dirs = x2nrealloc (w->dirs, &w->alloc, sizeof *w->dirs);
  w->dirs[w->count] = (struct workdir){ xstrdup (name), -1, -1 };
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
      if (0 <= w->dirs[i].root_fd)
        close (w->dirs[i].root_fd);
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

void
workdirs_set_top (struct workdirs *w, char const *top, mode_t mode,
                  workdirs_made *made, void *arg)
{
  w->made = made;
  w->made_arg = arg;
  w->top = top;
  w->top_length = strlen (top);
  while (1 < w->top_length && top[w->top_length - 1] == '/')
    w->top_length--;
  w->top_mode = mode;
}

char const *
workdirs_below_top (struct workdirs const *w, char const *name)
{
  if (!w->top || strncmp (name, w->top, w->top_length) != 0
      || (name[w->top_length] && name[w->top_length] != '/'))
    return name;
  name += w->top_length;
  name += strspn (name, "/");
  return *name ? name : ".";
}

/* Make NAME, which is W's top, in DIR_FD and the directories above it, as far
   as they are missing.  What cannot be made will be missed when NAME is
   opened.  */
static void
make_directories (struct workdirs const *w, int dir_fd, char *name)
{
  for (char *p = name + strspn (name, "/"); *p; p += strspn (p, "/"))
    {
      p += strcspn (p, "/");
      char saved = *p;
      *p = '\0';
      if (mkdirat (dir_fd, name, w->top_mode) == 0 && w->made)
        w->made (w->made_arg, w->top_mode, name);
      *p = saved;
    }
}

bool
workdirs_open_root (struct workdirs *w, int number, struct report *r, int *ret)
{
  struct workdir *d = &w->dirs[number];

  if (!w->top)
    return workdirs_open (w, number, r, ret);
  if (d->root_fd < 0)
    {
      int fd;
      if (!workdirs_open (w, number, r, &fd))
        return false;
      char *top = xstrdup (w->top);
      make_directories (w, fd, top);
      d->root_fd = openat (fd, top, O_PATH | O_DIRECTORY | O_CLOEXEC);
      int err = errno;
      free (top);
      if (d->root_fd < 0)
        {
          report_cannot (r, err, "open", w->top);
          report_unrecoverable (r);
          return false;
        }
    }
  *ret = d->root_fd;
  return true;
}
