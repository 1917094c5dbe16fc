/* Extraction of directories.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "fs/place-private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "empty-dir.h"
#include "gettext.h"
#include "xalloc.h"
#include "xvasprintf.h"

#define _(msgid) gettext (msgid)

/* Let the directory PATH have I's metadata at the end.  */
static void
defer (struct place_item *i, char const *path, bool made)
{
  struct place *p = i->place;

  /* A member "." is the directory that the archive was made in.  Where it is
     extracted may be /tmp, or somebody's home, which stay what they are; not so
     an empty directory, which becomes a copy.  */
  if (*path == '\0' && p->settings.keep_root
      && !workdirs_is_new_root (p->settings.workdirs, i->number))
    return;

  struct deferred_dir *d = deferred_add (p->deferred, i->number, path);

  d->made |= made;
  deferred_set (d, p->attributes, i->m,
                xattrs_wanted (&p->settings.attributes.xattrs, i->m)
                    || p->settings.attributes.restore_atime);
  /* Members named "." change a directory that the archive did not make.  Users
     who unpack in a shared directory neither can nor want that.  */
  d->lenient = !d->made && *path == '\0';
}

/* Likewise, where I's name leads to by a symbolic link.  With -P the path is
   that of the link, which is no directory.  */
static void
defer_linked (struct place_item *i, char const *path)
{
  char *text
      = xasprintf ("%s%s", path, i->place->settings.absolute_names ? "/." : "");

  defer (i, text, false);
  free (text);
}

/* --skip-old-files: what is there stays.  */
static void
say_skipped (struct place_item const *i)
{
  report_warning (i->place->report, REPORT_EXISTING_FILE, 0,
                  _ ("%s: skipping existing file"),
                  report_name (*i->name ? i->name : "."));
}

/* There is a directory PATH already.  Return true to make it anew.  */
static bool
meet_directory (struct place_item *i, char const *path)
{
  struct place *p = i->place;
  struct conflict_policy const *policy = &p->settings.conflict;
  struct deferred_dir const *known
      = deferred_find (p->deferred, i->number, path);

  /* What this run made, for want of a member that comes only now, is not an
     old file.  */
  if (known && known->made)
    {
      defer (i, path, true);
      return false;
    }
  switch (policy->choice)
    {
    case CONFLICT_SKIP:
      say_skipped (i);
      return false;

    case CONFLICT_KEEP:
    case CONFLICT_KEEP_DIRS:
      return false;

    case CONFLICT_KEEP_NEWER:
      /* GNU tar makes an empty one anew, and leaves others alone.  */
      return *path && empty_dir (i->dir->fd, i->base);

    case CONFLICT_DEFAULT:
    case CONFLICT_OVERWRITE:
    case CONFLICT_UNLINK:
      break;
    }
  if (policy->recursive_unlink && *path)
    return true;
  defer (i, path, false);
  return false;
}

/* A symbolic link is in the way.  Return true if it is to stay, because it
   leads to a directory; or reported, if out of the root.  */
static bool
meet_link (struct place_item *i)
{
  struct conflict_policy const *policy = &i->place->settings.conflict;
  struct dirfd_dir *dir;
  int err;

  bool follow = policy->follow_links && policy->choice != CONFLICT_UNLINK
                && policy->choice != CONFLICT_KEEP_NEWER
                && !policy->recursive_unlink;

  if (!policy->keep_directory_symlink && !follow
      && policy->choice != CONFLICT_KEEP && policy->choice != CONFLICT_SKIP)
    return false;
  err = dirfd_open (i->place->dirs, i->number, i->name, strlen (i->name), false,
                    &dir);
  if (err == DIRFD_OUTSIDE || err == DIRFD_FATAL)
    {
      place_fail (i, err);
      return true;
    }
  if (err == 0 && policy->choice == CONFLICT_SKIP)
    say_skipped (i);
  else if (err == 0 && follow && !policy->keep_directory_symlink
           && (policy->choice == CONFLICT_DEFAULT
               || policy->choice == CONFLICT_OVERWRITE))
    defer_linked (i, dir->path);
  return err == 0;
}

/* Something is where I's directory is to be.  Return true to try to make it
   again.  */
static bool
meet (struct place_item *i)
{
  struct stat st;

  if (fstatat (i->dir->fd, i->base, &st, AT_SYMLINK_NOFOLLOW) != 0)
    {
      /* It is gone again?  Once is enough.  */
      place_fail (i, errno);
      return false;
    }
  if (S_ISDIR (st.st_mode) && !meet_directory (i, place_path (i)))
    return false;
  if (S_ISLNK (st.st_mode) && meet_link (i))
    return false;
  return place_retry (i, EEXIST);
}

void
place_directory (struct place_item *i)
{
  /* "." and "dir/." are the parent, which was found or made.  With -P there
     can be "dir/..", which is there as well.  */
  if (strcmp (i->base, "..") == 0)
    {
      meet_directory (i, place_path (i));
      return;
    }
  if (!*i->base || strcmp (i->base, ".") == 0)
    {
      char *path = xstrdup (i->dir->path);

      meet_directory (i, path);
      free (path);
      return;
    }

  mode_t mode = place_first_mode (i, false) | 0700;
  bool again = true;

  while (again && mkdirat (i->dir->fd, i->base, mode) != 0)
    again = errno == EEXIST ? meet (i) : place_retry (i, errno);
  if (again)
    defer (i, place_path (i), true);
}
