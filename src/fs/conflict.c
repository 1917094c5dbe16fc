/* What to do about a file that is where another is to be made.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "fs/conflict.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gettext.h"
#include "stat-time.h"
#include "timespec.h"
#include "xalloc.h"

#define _(msgid) gettext (msgid)

enum
{
  /* Trees deeper than this are not removed: each level keeps a directory
     open.  */
  DEPTH_MAX = 256
};

/* Unlink BASE.  Return 0, EISDIR if it is a directory, or an errno.  */
static int
unlink_file (int dir_fd, char const *base)
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

static int remove_contents (int dir_fd, char const *base, int depth);

static int
remove_entry (int dir_fd, char const *base, int depth)
{
  int err = unlink_file (dir_fd, base);

  if (err != EISDIR)
    return err;
  err = remove_contents (dir_fd, base, depth + 1);
  if (err == 0 && unlinkat (dir_fd, base, AT_REMOVEDIR) != 0)
    err = errno;
  return err;
}

static int
remove_contents (int dir_fd, char const *base, int depth)
{
  int fd
      = openat (dir_fd, base, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

  if (fd < 0)
    return errno;

  DIR *dir = depth < DEPTH_MAX ? fdopendir (fd) : NULL;
  int err = 0;

  if (!dir)
    {
      err = depth < DEPTH_MAX ? errno : ELOOP;
      close (fd);
      return err;
    }
  while (err == 0)
    {
      struct dirent const *e;

      errno = 0;
      e = readdir (dir);
      if (!e)
        {
          err = errno;
          break;
        }
      if (strcmp (e->d_name, ".") != 0 && strcmp (e->d_name, "..") != 0)
        err = remove_entry (fd, e->d_name, depth);
    }
  closedir (dir);
  return err;
}

int
conflict_remove (int dir_fd, char const *base, bool recursive,
                 bool *ret_was_directory)
{
  int err = unlink_file (dir_fd, base);

  *ret_was_directory = err == EISDIR;
  if (err != EISDIR)
    return err;
  if (recursive)
    return remove_entry (dir_fd, base, 0);
  return unlinkat (dir_fd, base, AT_REMOVEDIR) == 0 ? 0 : errno;
}

/* --keep-newer-files: whether what is there is to stay.  */
static bool
is_newer (struct conflict const *c)
{
  struct stat st;

  if (fstatat (c->dir_fd, c->base, &st, AT_SYMLINK_NOFOLLOW) != 0
      || S_ISDIR (st.st_mode)
      || timespec_cmp (get_stat_mtime (&st), c->m->mtime) < 0)
    return false;
  report_warning (c->report, REPORT_IGNORE_NEWER, 0,
                  _ ("Current %s is newer or same age"),
                  report_quoted (c->name));
  return true;
}

enum conflict_result
conflict_resolve (struct conflict const *c, bool *ret_was_directory,
                  int *ret_errno)
{
  *ret_was_directory = false;
  *ret_errno = EEXIST;
  switch (c->policy->choice)
    {
    case CONFLICT_KEEP:
      return CONFLICT_ERROR;

    case CONFLICT_SKIP:
      report_warning (c->report, REPORT_EXISTING_FILE, 0,
                      _ ("%s: skipping existing file"), report_name (c->name));
      return CONFLICT_DONE;

    case CONFLICT_KEEP_NEWER:
      if (is_newer (c))
        return CONFLICT_DONE;
      break;

    default:
      break;
    }

  int err = conflict_remove (c->dir_fd, c->base, c->policy->recursive_unlink,
                             ret_was_directory);

  if (err == 0 || err == ENOENT)
    return CONFLICT_RETRY;
  if (c->policy->choice == CONFLICT_UNLINK)
    {
      report_cannot (c->report, err, "unlink", c->name);
      *ret_errno = 0;
    }
  /* A directory with something in it is what "File exists" is about; else
     say why the file could not be removed.  */
  else if (err != ENOTEMPTY && err != EEXIST)
    *ret_errno = err;
  return CONFLICT_ERROR;
}
