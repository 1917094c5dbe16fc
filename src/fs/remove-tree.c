/* Removing a directory with all that is in it.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "fs/remove-tree.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fs/levels.h"
#include "xalloc.h"

enum
{
  OPEN_FLAGS = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
};

struct removal
{
  struct levels *levels;
  int base_fd;

  /* The path of the file at hand from BASE_FD.  */
  char *name;
  idx_t length;
  idx_t alloc;
};

int
remove_tree_unlink (int dir_fd, char const *base)
{
  struct stat st;

  if (unlinkat (dir_fd, base, 0) == 0)
    return 0;
  if (errno != EPERM)
    return errno;
  /* POSIX wants EPERM for a directory, where Linux says EISDIR.  */
  if (fstatat (dir_fd, base, &st, AT_SYMLINK_NOFOLLOW) == 0
      && S_ISDIR (st.st_mode))
    return EISDIR;
  return EPERM;
}

static void
append (struct removal *w, char const *file)
{
  idx_t length = (idx_t)strlen (file);
  idx_t need = w->length + length + 2;

  if (w->alloc < need)
    w->name = xpalloc (w->name, &w->alloc, need - w->alloc, -1, 1);
  if (w->length)
    w->name[w->length++] = '/';
  memcpy (w->name + w->length, file, length + 1);
  w->length += length;
}

/* The last component of the name at hand.  */
static char const *
last_component (struct removal const *w)
{
  char const *slash = strrchr (w->name, '/');

  return slash ? slash + 1 : w->name;
}

/* True if ST is on another device than the directory that W is in.  */
static bool
is_other_device (struct removal const *w, struct stat const *st)
{
  struct stat base;

  if (0 < levels_depth (w->levels))
    return levels_stat (w->levels)->st_dev != st->st_dev;
  return fstat (w->base_fd, &base) == 0 && base.st_dev != st->st_dev;
}

/* Enter the directory FILE, of the innermost one at DIR_FD.  */
static int
enter (struct removal *w, int dir_fd, char const *file)
{
  struct stat st;
  idx_t before = w->length;
  int fd = openat (dir_fd, file, OPEN_FLAGS);

  if (fd < 0)
    return errno;
  if (fstat (fd, &st) != 0)
    {
      int err = errno;

      close (fd);
      return err;
    }
  /* What is mounted there is not part of it, and stays.  */
  if (is_other_device (w, &st))
    {
      close (fd);
      return EBUSY;
    }
  append (w, file);

  int err = levels_push (w->levels, fd, &st, w->base_fd, w->length);

  if (err)
    w->length = before;
  return err;
}

/* Leave the innermost directory, which is empty now, and remove it.  */
static int
leave (struct removal *w)
{
  int err = levels_pop (w->levels, w->name);
  bool is_last = levels_depth (w->levels) == 0;
  int fd = is_last ? w->base_fd : levels_fd (w->levels);

  if (err == 0 && unlinkat (fd, last_component (w), AT_REMOVEDIR) != 0)
    err = errno;
  w->length = is_last ? 0 : levels_name_length (w->levels);
  w->name[w->length] = '\0';
  return err;
}

/* Remove the next file of the innermost directory, or enter it if it is a
   directory; leave the former if nothing is left.  */
static int
step (struct removal *w)
{
  char const *file;
  unsigned char type;
  int err = levels_next (w->levels, &file, &type);

  if (err)
    return err;
  if (!file)
    return leave (w);

  int fd = levels_fd (w->levels);

  err = remove_tree_unlink (fd, file);
  if (err == ENOENT)
    err = 0;
  return err == EISDIR ? enter (w, fd, file) : err;
}

int
remove_tree (int dir_fd, char const *base)
{
  struct removal w = { .levels = levels_new (LEVELS_UNSORTED, OPEN_FLAGS),
                       .base_fd = dir_fd };
  int err = enter (&w, dir_fd, base);

  while (err == 0 && 0 < levels_depth (w.levels))
    err = step (&w);
  levels_free (w.levels);
  free (w.name);
  return err;
}
