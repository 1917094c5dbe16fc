/* Resolving a directory's name beneath a root, component by component.

   openat2 with RESOLVE_BENEATH does most of this in one call, but not every
   kernel or sandbox has it, it refuses absolute links that lead back into the
   root, and it makes no directories.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "fs/resolve.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "areadlink.h"
#include "xalloc.h"

#ifndef O_PATH
#define O_PATH O_RDONLY
#endif

enum
{
  LINKS_MAX = 40, /* Linux: path_resolution(7) */
  OPEN_FLAGS = O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
};

/* A directory on the way from the root to where the walk stands.  ".." must
   lead back to it; if the tree is changed meanwhile it may not.  */
struct level
{
  dev_t dev;
  ino_t ino;
  size_t path_length; /* of the path to this directory */
};

struct walk
{
  struct resolve_request const *q;
  int fd;      /* where the walk stands; owned */
  bool inside; /* at or beneath the root */

  struct level *levels; /* levels[0] is the root, levels[depth] is FD */
  size_t depth;
  size_t level_alloc;

  char *path; /* from the root to FD, if inside */
  size_t path_length;
  size_t path_alloc;

  char *rest;          /* components still to go; owned */
  char *next;          /* in REST */
  char *end;           /* of REST: its NUL */
  size_t asked_length; /* as many bytes at the end of REST are the request's
                          own words, not those of a link */
  int links;
};

static bool
is_root (struct walk const *w, struct stat const *st)
{
  return (st->st_dev == w->levels[0].dev && st->st_ino == w->levels[0].ino);
}

/* Stand at FD, which is owned now.  */
static void
stand (struct walk *w, int fd)
{
  close (w->fd);
  w->fd = fd;
}

/* The walk is at the root.  */
static void
enter_root (struct walk *w)
{
  w->inside = true;
  w->depth = 0;
  w->path_length = 0;
  w->path[0] = '\0';
}

static void
append_path (struct walk *w, char const *name, size_t length)
{
  size_t need = w->path_length + length + 2;

  if (w->path_alloc < need)
    {
      w->path_alloc = 2 * need;
      w->path = xrealloc (w->path, w->path_alloc);
    }
  if (w->path_length)
    w->path[w->path_length++] = '/';
  memcpy (w->path + w->path_length, name, length);
  w->path_length += length;
  w->path[w->path_length] = '\0';
}

/* Go to "..".  */
static int
go_up (struct walk *w)
{
  int fd = openat (w->fd, "..", OPEN_FLAGS);
  struct stat st;

  if (fd < 0)
    return errno;
  if (fstat (fd, &st) != 0)
    {
      int err = errno;

      close (fd);
      return err;
    }
  stand (w, fd);
  if (w->inside && 0 < w->depth)
    {
      struct level const *l = &w->levels[--w->depth];

      /* Somebody moved the directory we stood in.  */
      if (l->dev != st.st_dev || l->ino != st.st_ino)
        return RESOLVE_OUTSIDE;
      w->path_length = l->path_length;
      w->path[w->path_length] = '\0';
    }
  else if (is_root (w, &st))
    enter_root (w);
  else
    w->inside = false;
  return 0;
}

/* Put the target of the link NAME before what is left to go.  */
static int
follow (struct walk *w, char const *name)
{
  if (LINKS_MAX <= w->links++)
    return ELOOP;

  char *target = areadlinkat_with_size (w->fd, name, 64);

  if (!target)
    return errno == EINVAL ? ENOTDIR : errno;

  size_t target_length = strlen (target);
  size_t rest_length = (size_t)(w->end - w->next);
  char *rest = xmalloc (target_length + 1 + rest_length + 1);

  memcpy (rest, target, target_length);
  rest[target_length] = '/';
  memcpy (rest + target_length + 1, w->next, rest_length + 1);
  if (rest_length < w->asked_length)
    w->asked_length = rest_length;
  free (w->rest);
  free (target);
  w->rest = w->next = rest;
  w->end = rest + target_length + 1 + rest_length;
  if (*rest != '/')
    return 0;

  int fd = open ("/", OPEN_FLAGS);
  struct stat st;

  if (fd < 0)
    return errno;
  stand (w, fd);
  if (fstat (fd, &st) != 0)
    return errno;
  if (is_root (w, &st))
    enter_root (w);
  else
    w->inside = false;
  return 0;
}

/* Go down into NAME, LENGTH bytes and a NUL.  */
static int
go_down (struct walk *w, char const *name, size_t length, bool may_create)
{
  int fd = openat (w->fd, name, OPEN_FLAGS);

  if (fd < 0 && errno == ENOENT && may_create)
    {
      if (mkdirat (w->fd, name, w->q->new_mode) != 0 && errno != EEXIST)
        return errno;
      fd = openat (w->fd, name, OPEN_FLAGS);
      if (0 <= fd && w->q->made)
        {
          size_t before = w->path_length;

          append_path (w, name, length);
          w->q->made (w->q->made_arg, w->path);
          w->path_length = before;
          w->path[before] = '\0';
        }
    }
  if (fd < 0)
    /* Linux says ENOTDIR for a link here, POSIX ELOOP, BSD EMLINK.  */
    return (errno == ENOTDIR || errno == ELOOP || errno == EMLINK
                ? follow (w, name)
                : errno);

  struct stat st;

  if (fstat (fd, &st) != 0)
    {
      int err = errno;

      close (fd);
      return err;
    }
  stand (w, fd);
  if (!w->inside)
    {
      if (is_root (w, &st))
        enter_root (w);
      return 0;
    }
  append_path (w, name, length);
  if (++w->depth == w->level_alloc)
    w->levels = x2nrealloc (w->levels, &w->level_alloc, sizeof *w->levels);
  w->levels[w->depth] = (struct level){ st.st_dev, st.st_ino, w->path_length };
  return 0;
}

/* Take one step.  Set *DONE if there was none to take.  */
static int
step (struct walk *w, bool *done)
{
  char *name = w->next + strspn (w->next, "/");
  size_t length = strcspn (name, "/");
  bool may_create = (w->q->create && w->inside
                     && (size_t)(w->end - name) <= w->asked_length);

  *done = length == 0;
  if (*done)
    return 0;
  w->next = name + length;
  if (w->next < w->end)
    *w->next++ = '\0';
  if (strcmp (name, ".") == 0)
    return 0;
  if (strcmp (name, "..") == 0)
    return go_up (w);
  return go_down (w, name, length, may_create);
}

/* Make W stand at the root.  */
static int
start (struct walk *w)
{
  struct stat st;

  w->fd = openat (w->q->root, ".", OPEN_FLAGS);
  if (w->fd < 0)
    return errno;
  if (fstat (w->fd, &st) != 0)
    return errno;
  w->level_alloc = 16;
  w->levels = xnmalloc (w->level_alloc, sizeof *w->levels);
  w->levels[0] = (struct level){ st.st_dev, st.st_ino, 0 };
  w->path_alloc = w->q->length + 2;
  w->path = xmalloc (w->path_alloc);
  enter_root (w);
  w->rest = w->next = ximemdup0 (w->q->name, (idx_t)w->q->length);
  w->end = w->rest + w->q->length;
  w->asked_length = w->q->length;
  return 0;
}

int
resolve_beneath (struct resolve_request const *q, int *ret_fd, char **ret_path)
{
  struct walk w = { .q = q, .fd = -1, .inside = true };
  bool done = false;
  int err = start (&w);

  while (err == 0 && !done)
    err = step (&w, &done);
  /* Nor does it matter what is wrong out there.  */
  if (!w.inside && err != EMFILE && err != ENFILE && err != ELOOP)
    err = RESOLVE_OUTSIDE;
  if (err == 0)
    {
      *ret_fd = w.fd;
      *ret_path = w.path;
    }
  else
    {
      if (0 <= w.fd)
        close (w.fd);
      free (w.path);
    }
  free (w.levels);
  free (w.rest);
  return err;
}
