/* --backup: what is in the way is renamed, not removed.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "fs/backup.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gettext.h"
#include "xalloc.h"
#include "xvasprintf.h"

#define _(msgid) gettext (msgid)

static char const *
last_component (char const *name)
{
  char const *slash = strrchr (name, '/');

  return slash ? slash + 1 : name;
}

/* What to look up of NAME, as DIR_FD is given.  */
static char const *
to_look_up (int dir_fd, char const *name)
{
  return dir_fd == AT_FDCWD ? name : last_component (name);
}

/* The name of the backup of NAME, whose last component is in DIR_FD.  */
static char *
backup_name (struct backup_policy const *policy, int dir_fd, char const *name)
{
  char const *base = to_look_up (dir_fd, name);

  set_simple_backup_suffix (policy->suffix);

  char *found = find_backup_file_name (dir_fd, base, policy->type);
  char *result = xasprintf ("%.*s%s", (int)(base - name), name, found);

  free (found);
  return result;
}

/* Rename the last component of OLD in DIR_FD to that of NEW.  Return 0 or an
   errno, which was reported.  */
static int
move (int dir_fd, char const *old, char const *new, struct report *r)
{
  int err = (renameat (dir_fd, to_look_up (dir_fd, old), dir_fd,
                       to_look_up (dir_fd, new))
                     == 0
                 ? 0
                 : errno);

  if (err)
    report_error (r, err, _ ("%s: Cannot rename to %s"), report_name (old),
                  report_quoted_n (1, new));
  return err;
}

bool
backup_make (struct backup *b, struct backup_policy const *policy, int dir_fd,
             char const *name, bool is_archive, struct report *r)
{
  struct stat st;

  *b = (struct backup){ NULL, NULL };
  if (policy->type == no_backups)
    return true;
  if (fstatat (dir_fd, to_look_up (dir_fd, name), &st, AT_SYMLINK_NOFOLLOW)
      != 0)
    {
      if (errno == ENOENT)
        return true;
      report_cannot (r, errno, "stat", name);
      return false;
    }
  /* Under -h a directory that a link leads to stays, too.  */
  if (S_ISLNK (st.st_mode) && policy->follow_links
      && fstatat (dir_fd, to_look_up (dir_fd, name), &st, 0) != 0)
    st.st_mode = S_IFLNK;
  if (S_ISDIR (st.st_mode)
      || (is_archive && (S_ISCHR (st.st_mode) || S_ISBLK (st.st_mode))))
    return true;

  b->before = xstrdup (name);
  b->after = backup_name (policy, dir_fd, name);

  int err = move (dir_fd, b->before, b->after, r);

  if (err)
    {
      report_error (r, err, _ ("%s: Was unable to backup this file"),
                    report_name (name));
      backup_free (b);
      return false;
    }
  if (policy->told)
    fprintf (policy->told, _ ("Renaming %s to %s\n"), report_quoted (b->before),
             report_quoted_n (1, b->after));
  return true;
}

void
backup_undo (struct backup const *b, struct backup_policy const *policy,
             int dir_fd, struct report *r)
{
  if (!b->before || move (dir_fd, b->after, b->before, r) != 0)
    return;
  if (policy->told)
    fprintf (policy->told, _ ("Renaming %s back to %s\n"),
             report_quoted_n (1, b->after), report_quoted (b->before));
}

void
backup_free (struct backup *b)
{
  free (b->before);
  free (b->after);
  *b = (struct backup){ NULL, NULL };
}
