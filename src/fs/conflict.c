/* What to do about a file that is where another is to be made.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "fs/conflict.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "fs/remove-tree.h"
#include "gettext.h"
#include "stat-time.h"
#include "timespec.h"

#define _(msgid) gettext (msgid)

int
conflict_remove (int dir_fd, char const *base, bool recursive,
                 bool *ret_was_directory)
{
  int err = remove_tree_unlink (dir_fd, base);

  *ret_was_directory = err == EISDIR;
  if (err != EISDIR)
    return err;
  if (recursive)
    return remove_tree (dir_fd, base);
  return unlinkat (dir_fd, base, AT_REMOVEDIR) == 0 ? 0 : errno;
}

/* --keep-newer-files: whether what is there is to stay.  Under -h that is what
   a link leads to.  */
static bool
is_newer (struct conflict const *c)
{
  struct stat st;
  int flags = c->policy->follow_links ? 0 : AT_SYMLINK_NOFOLLOW;

  if (fstatat (c->dir_fd, c->base, &st, flags) != 0 || S_ISDIR (st.st_mode)
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
