/* --backup: what is in the way is renamed, not removed.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "fs/backup.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "c-ctype.h"
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

/* If ENTRY is BASE and ".~NUMBER~", where NUMBER has no leading zeros, return
   NUMBER's digits, and their count in *COUNT; else NULL.  */
static char const *
number_in (char const *entry, char const *base, size_t *count)
{
  size_t length = strlen (base);

  if (strncmp (entry, base, length) != 0
      || strncmp (entry + length, ".~", 2) != 0)
    return NULL;

  char const *digits = entry + length + 2;
  size_t n = 0;

  while (c_isdigit (digits[n]))
    n++;
  *count = n;
  return (n && *digits != '0' && strcmp (digits + n, "~") == 0 ? digits : NULL);
}

/* The number after the COUNT digits of NUMBER, of any length; allocated.  */
static char *
next_number (char const *number, size_t count)
{
  char *next = xmalloc (count + 2);
  size_t i = count;

  next[0] = '0';
  memcpy (next + 1, number, count);
  next[count + 1] = '\0';
  while (next[i] == '9')
    next[i--] = '0';
  next[i]++;
  if (*next == '0')
    memmove (next, next + 1, count + 1);
  return next;
}

/* Open the directory that NAME's last component is in.  Return -1 if that
   cannot be read.  */
static int
open_directory (int dir_fd, char const *name)
{
  char const *base = last_component (name);
  char *dir = (dir_fd == AT_FDCWD && base != name
                   ? ximemdup0 (name, (idx_t)(base - name))
                   : xstrdup ("."));
  int fd = openat (dir_fd, dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

  free (dir);
  return fd;
}

/* The highest number of the backups of NAME, allocated; "0" if there are
   none.  What cannot be read has none.  */
static char *
highest_number (int dir_fd, char const *name)
{
  char *highest = xstrdup ("0");
  char const *base = last_component (name);
  int fd = open_directory (dir_fd, name);
  DIR *dir = 0 <= fd ? fdopendir (fd) : NULL;
  struct dirent const *e;

  if (!dir)
    {
      if (0 <= fd)
        close (fd);
      return highest;
    }
  while ((e = readdir (dir)) != NULL)
    {
      size_t count;
      char const *number = number_in (e->d_name, base, &count);
      size_t length = strlen (highest);

      if (number
          && (length < count
              || (length == count && strncmp (highest, number, count) < 0)))
        {
          free (highest);
          highest = ximemdup0 (number, (idx_t)count);
        }
    }
  closedir (dir);
  return highest;
}

/* The name of the backup of NAME, whose last component is in DIR_FD.  */
static char *
backup_name (struct backup_policy const *policy, int dir_fd, char const *name)
{
  char *result = NULL;

  if (policy->type != BACKUP_SIMPLE)
    {
      char *highest = highest_number (dir_fd, name);

      if (policy->type == BACKUP_NUMBERED || strcmp (highest, "0") != 0)
        {
          char *next = next_number (highest, strlen (highest));

          result = xasprintf ("%s.~%s~", name, next);
          free (next);
        }
      free (highest);
    }
  return result ? result : xasprintf ("%s%s", name, policy->suffix);
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
  if (policy->type == BACKUP_NONE)
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
