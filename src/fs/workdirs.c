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

#include "empty-dir.h"
#include "xalloc.h"

#ifndef O_PATH
#define O_PATH O_RDONLY
#endif

enum
{
  /* As many are open at most: there can be any number of them, and few are
     used at a time.  */
  OPEN_MAX = 16
};

struct workdir
{
  char *name;
  int fd;      /* -1: not open */
  int root_fd; /* likewise; of TOP in it */
  enum
  {
    ROOT_UNKNOWN,
    ROOT_NEW,
    ROOT_IN_USE
  } root;
};

struct workdirs
{
  struct workdir *dirs;
  size_t count;
  size_t alloc;
  int open[OPEN_MAX]; /* numbers of those that are open, used last at the end */
  int open_count;
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
  w->dirs[w->count] = (struct workdir){ xstrdup (name), -1, -1, ROOT_UNKNOWN };
  return (int)w->count++;
}

struct workdirs *
workdirs_new (void)
{
  struct workdirs *w = xzalloc (sizeof *w);

  add (w, ".");
  return w;
}

static void
close_dir (struct workdir *d)
{
  if (0 <= d->fd)
    close (d->fd);
  if (0 <= d->root_fd)
    close (d->root_fd);
  d->fd = d->root_fd = -1;
}

void
workdirs_free (struct workdirs *w)
{
  if (!w)
    return;
  for (size_t i = 0; i < w->count; i++)
    {
      close_dir (&w->dirs[i]);
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

/* W's directory NUMBER is about to be used: the one that was not for longest is
   closed, if there are too many.  */
static void
touch (struct workdirs *w, int number)
{
  int i = w->open_count - 1;

  while (0 <= i && w->open[i] != number)
    i--;
  if (i < 0 && w->open_count == OPEN_MAX)
    close_dir (&w->dirs[w->open[i = 0]]);
  else if (i < 0)
    i = w->open_count++;
  for (; i < w->open_count - 1; i++)
    w->open[i] = w->open[i + 1];
  w->open[i] = number;
}

bool
workdirs_open (struct workdirs *w, int number, struct report *r, int *ret)
{
  int from = number;

  while (0 < from && w->dirs[from].fd < 0 && *w->dirs[from].name != '/')
    from--;
  for (int i = from; i <= number; i++)
    {
      struct workdir *d = &w->dirs[i];

      touch (w, i);
      if (d->fd < 0)
        d->fd = openat (from < i ? w->dirs[i - 1].fd : AT_FDCWD, d->name,
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
workdirs_is_new_root (struct workdirs const *w, int number)
{
  return w->dirs[number].root == ROOT_NEW;
}

/* Open D, which is W's directory NUMBER, and TOP in it if there is one.  */
static bool
open_root (struct workdirs *w, struct workdir *d, int number, struct report *r,
           int *ret)
{
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

bool
workdirs_open_root (struct workdirs *w, int number, struct report *r, int *ret)
{
  struct workdir *d = &w->dirs[number];

  if (!open_root (w, d, number, r, ret))
    return false;
  if (d->root == ROOT_UNKNOWN)
    d->root = empty_dir (*ret, ".") ? ROOT_NEW : ROOT_IN_USE;
  return true;
}
