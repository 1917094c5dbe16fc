/* Restoring incremental dumps: directories that were renamed since the last
   dump, and files that are no more.

   Nothing outside of the root is touched: names are resolved by dirfd.h, and no
   link is followed to what is deleted.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "fs/place-private.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "file-name.h"
#include "fs/remove-tree.h"
#include "gettext.h"
#include "idx.h"
#include "progname.h"
#include "same-inode.h"
#include "xalloc.h"
#include "xvasprintf.h"

#define _(msgid) gettext (msgid)

struct restore
{
  struct place *place;
  struct place_restore const *how;
  struct dumpdir const *list;
  int number;  /* of the workdir */
  char *aside; /* the temporary directory; NULL: none */
};

/* --- Deleting --- */

/* A file that is to go.  */
struct victim
{
  int dir_fd;
  char const *base;
  char const *name; /* for messages */
  char const *path; /* as deferred.h wants it */
  struct stat st;
};

/* True if V must stay: it is the archive, or on another file system and that is
   not to be touched.  */
static bool
is_spared (struct restore const *r, struct victim const *v)
{
  struct place_settings const *s = &r->place->settings;
  struct stat dir;
  if (s->has_archive && v->st.st_dev == s->archive_dev
      && v->st.st_ino == s->archive_ino)
    return true;
  if (!r->how->one_file_system || !S_ISDIR (v->st.st_mode)
      || fstat (v->dir_fd, &dir) < 0 || dir.st_dev == v->st.st_dev)
    return false;
  report_warning (r->place->report, REPORT_ALWAYS, 0,
                  _ ("%s: directory is on a different device: not purging"),
                  report_name (v->name));
  return true;
}

static int
remove_file (struct victim const *v)
{
  int err = remove_tree_unlink (v->dir_fd, v->base);
  if (err != EISDIR)
    return err;
  if (unlinkat (v->dir_fd, v->base, AT_REMOVEDIR) == 0)
    return 0;
  return (errno == ENOTEMPTY || errno == EEXIST
              ? remove_tree (v->dir_fd, v->base)
              : errno);
}

/* Delete V with all that is in it.  Return false if it is still there.  */
static bool delete (struct restore *r, struct victim const *v)
{
  struct place *p = r->place;
  if (is_spared (r, v)
      || (r->how->confirm && !r->how->confirm (r->how->arg, v->name)))
    return false;
  if (r->how->stream)
    {
      report_make_room (p->report);
      /* GNU tar has it among the names.  */
      fprintf (r->how->stream, _ ("%s: Deleting %s\n"), program_name,
               report_quoted (v->name));
    }
  int err = remove_file (v);
  if (S_ISDIR (v->st.st_mode))
    {
      deferred_forget (p->deferred, r->number, v->path);
      dirfd_flush (p->dirs);
    }
  else
    dirfd_flush_links (p->dirs);
  if (err)
    report_cannot (p->report, err, "remove", v->name);
  return !err;
}

/* --- Renaming --- */

/* One end of a renaming.  */
struct end
{
  char *name;
  char const *base;
  struct dirfd_dir *dir;
  char *path; /* canonical */
};

/* Find the directory that E's name is in, making it if CREATE.  Return as
   dirfd_open does.  */
static int
find_end (struct restore *r, struct end *e, bool create)
{
  char const *name = e->name;
  if (!r->place->settings.absolute_names)
    name += strspn (name, "/");
  char const *slash = strrchr (name, '/');
  e->base = slash ? slash + 1 : name;
  size_t length = file_name_trim (name, e->base - name);
  if (!*e->base || strcmp (e->base, ".") == 0 || strcmp (e->base, "..") == 0)
    return EINVAL;
  int err
      = dirfd_open (r->place->dirs, r->number, name, length, create, &e->dir);
  if (!err)
    e->path = place_join (e->dir->path, e->base);
  return err;
}

static void
free_end (struct end *e)
{
  free (e->name);
  free (e->path);
}

/* Something is where TO is to be, that is no empty directory.  What is there
   now was deleted before the dump; it goes, unless FROM is in it.  Return 0 or
   an errno.  */
static int
clear_target (struct restore *r, struct end const *from, struct end const *to,
              int err)
{
  struct victim v = {
    .dir_fd = to->dir->fd, .base = to->base, .name = to->name, .path = to->path
  };
  size_t length = strlen (to->path);
  if ((err != ENOTEMPTY && err != EEXIST && err != ENOTDIR)
      || (strncmp (from->path, to->path, length) == 0
          && (!from->path[length] || from->path[length] == '/'))
      || fstatat (v.dir_fd, v.base, &v.st, AT_SYMLINK_NOFOLLOW) < 0)
    return err;
  return delete (r, &v) ? 0 : err;
}

/* Rename FROM, which must be a directory, to TO.  */
static int
rename_ends (struct restore *r, struct end *from, struct end *to)
{
  struct stat st;
  int err = find_end (r, from, false);
  if (err)
    return err;
  if (fstatat (from->dir->fd, from->base, &st, AT_SYMLINK_NOFOLLOW) < 0)
    return errno;
  if (!S_ISDIR (st.st_mode))
    return ENOTDIR;
  err = find_end (r, to, true);
  if (err)
    return err;
  if (renameat (from->dir->fd, from->base, to->dir->fd, to->base) == 0)
    return 0;
  err = clear_target (r, from, to, errno);
  if (err)
    return err;
  /* The descriptors may have been closed.  */
  free (from->path);
  free (to->path);
  from->path = to->path = NULL;
  err = find_end (r, from, false);
  if (!err)
    err = find_end (r, to, true);
  if (err)
    return err;
  return (renameat (from->dir->fd, from->base, to->dir->fd, to->base) == 0
              ? 0
              : errno);
}

/* The name NAME of the list, as it is here; "" is the temporary directory.
   Allocated.  */
static char *
name_here (struct restore *r, char const *name)
{
  if (!*name && r->aside)
    return xstrdup (r->aside);
  return r->how->edited (r->how->arg, name);
}

/* Report that FROM could not be renamed to TO because of ERR, an errno or a
   result of dirfd_open.  */
static bool
rename_failed (struct restore *r, char const *from, char const *to, int err)
{
  if (err == DIRFD_FATAL)
    r->place->must_stop = true;
  else if (err == DIRFD_OUTSIDE)
    report_error (r->place->report, 0,
                  _ ("Cannot rename %s to %s: A link leads out of the"
                     " extraction directory"),
                  report_quoted_n (0, from), report_quoted_n (1, to));
  else
    report_error (r->place->report, err, _ ("Cannot rename %s to %s"),
                  report_quoted_n (0, from), report_quoted_n (1, to));
  return false;
}

/* False: reported.  */
static bool
rename_directory (struct restore *r, char const *old, char const *new)
{
  struct end from = { .name = name_here (r, old) };
  struct end to = { .name = name_here (r, new) };
  int err = rename_ends (r, &from, &to);
  if (err)
    rename_failed (r, from.name, to.name, err);
  else
    deferred_forget (r->place->deferred, r->number, from.path);
  dirfd_flush (r->place->dirs);
  free_end (&from);
  free_end (&to);
  return !err;
}

/* Make a temporary directory in the one called NAME.  False: reported.  */
static bool
step_aside (struct restore *r, char const *name)
{
  enum
  {
    TRIES = 1000
  };
  char *dir = name_here (r, name);
  struct end e = { .name = NULL };
  int err = EEXIST;
  free (r->aside);
  r->aside = NULL;
  for (unsigned i = 0; i < TRIES && err == EEXIST; i++)
    {
      char *base = xasprintf ("tar.%jx%u", (uintmax_t)getpid (), i);
      free_end (&e);
      e = (struct end){ .name = place_join (*dir ? dir : ".", base) };
      free (base);
      err = find_end (r, &e, false);
      if (!err && mkdirat (e.dir->fd, e.base, 0700) < 0)
        err = errno;
    }
  if (err)
    report_error (r->place->report, err < 0 ? 0 : err,
                  _ ("Cannot create temporary directory using template %s"),
                  report_quoted (e.name));
  else
    r->aside = xstrdup (e.name);
  free_end (&e);
  free (dir);
  return !err;
}

/* False: something was wrong, reported.  */
static bool
rename_all (struct restore *r)
{
  char const *entry = NULL;
  char const *from = NULL;
  bool ok = true;
  while (ok && dumpdir_next (r->list, &entry))
    switch (*entry)
      {
      case DUMPDIR_ASIDE:
        ok = step_aside (r, entry + 1);
        break;
      case DUMPDIR_FROM:
        from = entry + 1;
        break;
      case DUMPDIR_TO:
        ok = rename_directory (r, from, entry + 1);
        break;
      default:
        break;
      }
  free (r->aside);
  r->aside = NULL;
  return ok;
}

/* --- What is no more --- */

static int
compare_entries (void const *a, void const *b)
{
  char const *const *x = a;
  char const *const *y = b;
  return strcmp (*x + 1, *y + 1);
}

static int
compare_name (void const *name, void const *entry)
{
  char const *const *e = entry;
  return strcmp (name, *e + 1);
}

/* R's list, sorted; allocated.  */
static char const **
sort_list (struct restore const *r, idx_t *ret_count)
{
  char const **entries = NULL;
  char const *entry = NULL;
  idx_t alloc = 0;
  *ret_count = 0;
  while (dumpdir_next (r->list, &entry))
    if (strchr ("YND", *entry))
      {
        if (*ret_count == alloc)
          entries = xpalloc (entries, &alloc, 1, -1, sizeof *entries);
        entries[(*ret_count)++] = entry;
      }
  if (*ret_count)
    qsort (entries, *ret_count, sizeof *entries, compare_entries);
  return entries;
}

/* True if what has mode MODE may stay where the list has ENTRY, NULL for
   nothing.  */
static bool
may_stay (char const *entry, mode_t mode)
{
  if (!entry)
    return false;
  switch (*entry)
    {
    case DUMPDIR_DIRECTORY:
      return S_ISDIR (mode);
    case DUMPDIR_STORED:
      return !S_ISDIR (mode);
    default:
      /* It can be a directory that was left out of the dump.  */
      return true;
    }
}

/* Look at FILE in the directory of the list, open on FD and called NAME; its
   canonical path is PATH.  */
static void
purge_file (struct restore *r, int fd, char const *file, char const *entry,
            char const *name, char const *path)
{
  struct victim v = { .dir_fd = fd, .base = file };
  if (fstatat (fd, file, &v.st, AT_SYMLINK_NOFOLLOW) < 0
      || may_stay (entry, v.st.st_mode))
    return;
  char *full_name = xasprintf ("%s/%s", name, file);
  char *full_path = place_join (path, file);
  v.name = full_name;
  v.path = full_path;
  delete (r, &v);
  free (full_name);
  free (full_path);
}

/* The names in the directory open on FD, which stays open, each with a NUL,
   then one more NUL; allocated.  */
static char *
read_names (int fd)
{
  idx_t alloc = 0;
  idx_t length = 0;
  char *names = NULL;
  int listed = fcntl (fd, F_DUPFD_CLOEXEC, 0);
  DIR *dir = 0 <= listed ? fdopendir (listed) : NULL;
  struct dirent const *e;
  while (dir && (e = readdir (dir)))
    {
      idx_t size = strlen (e->d_name) + 1;
      if (strcmp (e->d_name, ".") == 0 || strcmp (e->d_name, "..") == 0)
        continue;
      if (alloc - length < size + 1)
        names = xpalloc (names, &alloc, size + 1, -1, 1);
      memcpy (names + length, e->d_name, size);
      length += size;
    }
  if (dir)
    closedir (dir);
  else if (0 <= listed)
    close (listed);
  if (!names)
    names = xmalloc (1);
  names[length] = '\0';
  return names;
}

/* Delete those of NAMES, in the directory open on FD, that are not in the
   list.  */
static void
purge (struct restore *r, int fd, char const *names, char const *name,
       char const *path)
{
  idx_t count;
  char const **entries = sort_list (r, &count);
  for (char const *file = names; *file; file += strlen (file) + 1)
    {
      char const **entry = count ? bsearch (file, entries, count,
                                            sizeof *entries, compare_name)
                                 : NULL;
      purge_file (r, fd, file, entry ? *entry : NULL, name, path);
    }
  free (entries);
}

/* Open I's directory, if it is there and is one.  *RET_PATH is its canonical
   path, allocated.  Return -1 if not.  */
static int
open_directory (struct place_item *i, char **ret_path)
{
  struct dirfd *dirs = i->place->dirs;
  bool is_named = place_has_base (i);
  size_t length = (is_named ? file_name_trim (i->name, i->base - i->name)
                            : strlen (i->name));
  int err = dirfd_open (dirs, i->number, i->name, length, false, &i->dir);
  if (err == DIRFD_FATAL)
    i->place->must_stop = true;
  if (err)
    return -1;
  *ret_path
      = is_named ? place_join (i->dir->path, i->base) : xstrdup (i->dir->path);
  return openat (i->dir->fd, is_named ? i->base : ".",
                 O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

bool
place_restore (struct place *p, struct member *m, int number,
               struct dumpdir const *list, struct place_restore const *how)
{
  struct place_item i = { .place = p, .m = m, .number = number };
  struct restore r = { .place = p, .how = how, .list = list, .number = number };
  char *path = NULL;
  if (!place_set_name (&i))
    return true;
  int fd = open_directory (&i, &path);
  if (0 <= fd)
    {
      /* What gets its name only now is not looked at.  */
      char *names = read_names (fd);
      /* With --recursive-unlink nothing in it will stay.  */
      if (rename_all (&r) && !p->settings.conflict.recursive_unlink)
        purge (&r, fd, names, member_text (&m->name), path);
      free (names);
      close (fd);
    }
  free (path);
  return !p->must_stop;
}
