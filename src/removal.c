/* Files that are removed when they are stored (--remove-files).

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "removal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "file-name.h"
#include "gettext.h"
#include "intprops.h"
#include "long-name.h"
#include "same-inode.h"
#include "stat-time.h"
#include "timespec.h"
#include "xalloc.h"

#define _(msgid) gettext (msgid)

/* A file, as it was when it was stored.  */
struct stored_file
{
  char *name;
  int number; /* of the directory that the name is relative to */
  bool is_directory;
  dev_t st_dev;
  ino_t st_ino;
  off_t size;
  struct timespec mtime;
};

struct removal
{
  bool follow;
  struct stored_file *files;
  size_t count;
  size_t allocated;
};

struct removal *
removal_new (bool follow)
{
  struct removal *l = xzalloc (sizeof *l);
  l->follow = follow;
  return l;
}

void
removal_free (struct removal *l)
{
  if (!l)
    return;
  for (size_t i = 0; i < l->count; i++)
    free (l->files[i].name);
  free (l->files);
  free (l);
}

void
removal_add (struct removal *l, int number, char const *name,
             struct stat const *st)
{
  if (l->count == l->allocated)
    l->files = x2nrealloc (l->files, &l->allocated, sizeof *l->files);
  l->files[l->count++] = (struct stored_file){
    .name = ximemdup0 (name, file_name_length (name)),
    .number = number,
    .is_directory = S_ISDIR (st->st_mode),
    .st_dev = st->st_dev,
    .st_ino = st->st_ino,
    .size = st->st_size,
    .mtime = get_stat_mtime (st),
  };
}

/* True if F still is at NAME in the directory FD.  That it is not there is
   no trouble: it may have been named twice.  */
static bool
is_still_there (struct removal const *l, struct stored_file const *f, int fd,
                char const *name, struct report *r)
{
  struct stat st;
  if (fstatat (fd, name, &st, l->follow ? 0 : AT_SYMLINK_NOFOLLOW) != 0)
    {
      if (errno != ENOENT)
        report_cannot (r, errno, "stat", f->name);
      return false;
    }
  if (SAME_INODE (st, *f) && S_ISDIR (st.st_mode) == f->is_directory
      && (f->is_directory
          || (st.st_size == f->size
              && timespec_cmp (get_stat_mtime (&st), f->mtime) == 0)))
    return true;
  report_warning (r, REPORT_FILE_CHANGED, 0,
                  _ ("%s: changed since it was stored; not removed"),
                  report_name (f->name));
  report_raise (r, REPORT_DIFFERS);
  return false;
}

/* Remove the directory that is open on FD, by its own name.  Linux has that in
   /proc (proc(5)).  */
static int
remove_open_directory (int fd)
{
  char link[sizeof "/proc/self/fd/" + INT_BUFSIZE_BOUND (int)];
  char path[4096];
  sprintf (link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink (link, path, sizeof path - 1);
  if (length < 0)
    return EINVAL;
  path[length] = '\0';
  return rmdir (path) == 0 ? 0 : errno;
}

/* Remove F, which is NAME in the directory FD.  */
static void
remove_in (struct removal const *l, struct stored_file const *f, int fd,
           char const *name, struct report *r)
{
  int err;
  if (!is_still_there (l, f, fd, name, r))
    return;
  /* A directory cannot be removed as ".", but one of -C is meant to be.  */
  if (f->is_directory && f->number && strcmp (name, ".") == 0)
    err = remove_open_directory (fd);
  else
    err = (unlinkat (fd, name, f->is_directory ? AT_REMOVEDIR : 0) == 0
               ? 0
               : errno);
  if (err && err != ENOENT)
    report_cannot (r, err, f->is_directory ? "rmdir" : "unlink", f->name);
}

static bool
remove_one (struct removal *l, struct stored_file const *f, struct workdirs *w,
            struct report *r)
{
  int base_fd;
  if (!workdirs_open (w, f->number, r, &base_fd))
    return false;
  char const *rest = f->name;
  int fd = long_name_begin (base_fd, &rest);
  if (fd != -1)
    remove_in (l, f, fd, rest, r);
  else if (errno != ENOENT)
    report_cannot (r, errno, "open", f->name);
  long_name_end (base_fd, fd);
  return true;
}

bool
removal_run (struct removal *l, struct workdirs *w, struct report *r)
{
  bool ok = true;
  for (size_t i = 0; i < l->count && ok; i++)
    if (!l->files[i].is_directory)
      ok = remove_one (l, &l->files[i], w, r);
  for (size_t i = l->count; i-- && ok;)
    if (l->files[i].is_directory)
      ok = remove_one (l, &l->files[i], w, r);
  return ok;
}
