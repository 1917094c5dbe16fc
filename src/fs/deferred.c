/* Directories whose metadata is set when all is extracted.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "fs/deferred.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hash.h"
#include "hash-pjw.h"
#include "xalloc.h"

struct deferred
{
  Hash_table *dirs; /* of struct deferred_dir, by number and path */

  /* A directory was removed, perhaps with others inside that are known here
     under their own paths: that they are missing is no error.  */
  bool some_removed;
};

static size_t
hash_dir (void const *p, size_t buckets)
{
  struct deferred_dir const *d = p;

  return (hash_pjw (d->path, buckets) + (size_t)d->number) % buckets;
}

static bool
same_dir (void const *p, void const *q)
{
  struct deferred_dir const *a = p;
  struct deferred_dir const *b = q;

  return a->number == b->number && strcmp (a->path, b->path) == 0;
}

static void
free_dir (void *p)
{
  struct deferred_dir *d = p;

  if (d->more)
    {
      member_free (d->more);
      free (d->more);
    }
  free (d->path);
  free (d);
}

struct deferred *
deferred_new (void)
{
  struct deferred *d = xzalloc (sizeof *d);

  d->dirs = hash_initialize (64, NULL, hash_dir, same_dir, free_dir);
  if (!d->dirs)
    xalloc_die ();
  return d;
}

void
deferred_free (struct deferred *d)
{
  if (!d)
    return;
  hash_free (d->dirs);
  free (d);
}

struct deferred_dir *
deferred_find (struct deferred *d, int number, char const *path)
{
  struct deferred_dir key = { .number = number, .path = (char *)path };

  return hash_lookup (d->dirs, &key);
}

struct deferred_dir *
deferred_add (struct deferred *d, int number, char const *path)
{
  struct deferred_dir *dir = deferred_find (d, number, path);

  if (dir)
    return dir;
  dir = xzalloc (sizeof *dir);
  dir->number = number;
  dir->path = xstrdup (path);
  if (!hash_insert (d->dirs, dir))
    xalloc_die ();
  return dir;
}

void
deferred_set (struct deferred_dir *dir, struct attributes *a,
              struct member const *m, bool keep_all)
{
  dir->has_metadata = true;
  dir->lenient = false;
  dir->mode = m->mode;
  dir->mtime = m->mtime;
  /* Names are looked up now, so that they need not be kept.  */
  if (!attributes_owner (a, m, &dir->uid, &dir->gid))
    {
      dir->uid = m->uid;
      dir->gid = m->gid;
    }
  if (dir->more)
    {
      member_free (dir->more);
      free (dir->more);
      dir->more = NULL;
    }
  if (keep_all)
    {
      dir->more = xzalloc (sizeof *dir->more);
      member_copy (dir->more, m);
    }
}

void
deferred_forget (struct deferred *d, int number, char const *path)
{
  struct deferred_dir key = { .number = number, .path = (char *)path };
  struct deferred_dir *dir = hash_remove (d->dirs, &key);

  if (dir)
    free_dir (dir);
  d->some_removed = true;
}

/* Order by root and path so that what is inside a directory comes before it:
   backwards, with '/' the lowest character.  */
static int
deepest_first (void const *p, void const *q)
{
  struct deferred_dir const *a = *(struct deferred_dir *const *)p;
  struct deferred_dir const *b = *(struct deferred_dir *const *)q;

  if (a->number != b->number)
    return a->number < b->number ? 1 : -1;

  unsigned char const *s = (unsigned char const *)a->path;
  unsigned char const *t = (unsigned char const *)b->path;

  while (*s && *s == *t)
    {
      s++;
      t++;
    }
  if (*s == *t)
    return 0;

  int x = *s == '/' ? 1 : *s + (*s != '\0');
  int y = *t == '/' ? 1 : *t + (*t != '\0');

  return x < y ? 1 : -1;
}

/* Fill in the member that attributes_apply wants.  */
static struct member
as_member (struct deferred_dir const *dir)
{
  struct member m = { .type = MEMBER_DIRECTORY };

  if (dir->more)
    m = *dir->more;
  m.present &= ~(unsigned)(MEMBER_HAS_UNAME | MEMBER_HAS_GNAME);
  m.mode = dir->mode;
  m.uid = dir->uid;
  m.gid = dir->gid;
  m.mtime = dir->mtime;
  return m;
}

/* Set DIR's metadata; PARENT and BASE say where it is.  */
static int
apply_in (struct deferred_dir const *dir, int parent, char const *base,
          struct attributes *a)
{
  struct stat st;
  int fd
      = openat (parent, base,
                O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

  /* A directory that may not be read can still be changed by name.  */
  if (fd < 0 && errno != EACCES)
    return errno;
  if ((0 <= fd ? fstat (fd, &st)
               : fstatat (parent, base, &st, AT_SYMLINK_NOFOLLOW))
      != 0)
    {
      int err = errno;

      if (0 <= fd)
        close (fd);
      return err;
    }

  struct member m = as_member (dir);
  struct attributes_target t
      = { .fd = fd,
          .dir_fd = parent,
          .base = base,
          .name = *dir->path ? dir->path : ".",
          .lenient = dir->lenient && geteuid () != 0 && st.st_uid != geteuid (),
          .uid = st.st_uid,
          .gid = st.st_gid,
          .mode = st.st_mode & 07777 };

  attributes_apply (a, &t, &m);
  if (0 <= fd)
    close (fd);
  return 0;
}

/* Set DIR's metadata.  Return 0, an errno or DIRFD_FATAL.  */
static int
apply (struct deferred_dir const *dir, struct dirfd *dirs, struct attributes *a)
{
  char const *slash = strrchr (dir->path, '/');
  char const *base = slash ? slash + 1 : dir->path;
  size_t parent_length = slash ? (size_t)(slash - dir->path) : 0;
  struct dirfd_dir *parent;

  if (slash == dir->path) /* only with -P */
    parent_length = 1;

  int err = dirfd_open (dirs, dir->number, dir->path, parent_length, false,
                        &parent);

  return err ? err : apply_in (dir, parent->fd, *base ? base : ".", a);
}

bool
deferred_apply (struct deferred *d, struct dirfd *dirs, struct attributes *a,
                struct report *r)
{
  size_t count = hash_get_n_entries (d->dirs);
  void **all = xnmalloc (count + 1, sizeof *all);
  bool ok = true;

  count = hash_get_entries (d->dirs, all, count);
  qsort (all, count, sizeof *all, deepest_first);
  for (size_t i = 0; i < count && ok; i++)
    {
      struct deferred_dir const *dir = all[i];

      if (!dir->has_metadata)
        continue;

      int err = apply (dir, dirs, a);

      if ((err == EMFILE || err == ENFILE) && dirfd_make_room (dirs))
        err = apply (dir, dirs, a);

      bool is_gone = err == ENOENT || err == ENOTDIR || err == ELOOP;

      ok = err != DIRFD_FATAL;
      if (err > 0 && !(is_gone && d->some_removed))
        report_cannot (r, err, "stat", *dir->path ? dir->path : ".");
    }
  free (all);
  return ok;
}
