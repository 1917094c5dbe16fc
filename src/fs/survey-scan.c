/* What an incremental dump has to store: looking at directories.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "fs/survey-private.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#if HAVE_SYS_VFS_H
#include <sys/vfs.h>
#endif

#include "gettext.h"
#include "same-inode.h"
#include "stat-time.h"
#include "timespec.h"
#include "xalloc.h"

#define _(text) gettext (text)

/* statfs(2): NFS_SUPER_MAGIC.  */
enum
{
  NFS_MAGIC = 0x6969
};

/* A directory whose subdirectories are being looked at.  */
struct frame
{
  struct survey_dir *dir;
  idx_t next; /* entry */
  bool begun;
};

struct scan
{
  struct survey *survey;
  struct frame *frames;
  idx_t depth;
  idx_t alloc;
};

/* --- Diagnostics --- */

/* CALL on NAME gave ERR.  */
static void
diagnose (struct survey *s, int err, char const *call, char const *name)
{
  struct report *r = s->settings.report;
  if (err == ENOENT)
    {
      report_warning (r, REPORT_FILE_REMOVED, 0,
                      _ ("%s: File removed before we read it"),
                      report_name (name));
      report_raise (r, REPORT_DIFFERS);
    }
  else if (s->settings.ignore_failed_read)
    report_cannot_warning (r, REPORT_FAILED_READ, err, call, name);
  else
    report_cannot (r, err, call, name);
}

static struct report *
tag_report (struct survey const *s)
{
  return s->settings.verbose ? s->settings.report : NULL;
}

/* --- One directory --- */

/* True if the directory open on FD, with status ST, is on an NFS mount.  */
static bool
is_on_nfs (struct survey *s, int fd, struct stat const *st)
{
  if (s->device_known && s->device == st->st_dev)
    return s->device_nfs;
  s->device_known = true;
  s->device = st->st_dev;
  s->device_nfs = false;
#if HAVE_SYS_VFS_H
  struct statfs fs;
  s->device_nfs = fstatfs (fd, &fs) == 0 && fs.f_type == NFS_MAGIC;
#else
  (void)fd;
#endif
  return s->device_nfs;
}

/* True if O is the directory D.  */
static bool
is_same (struct survey const *s, struct survey_old const *o,
         struct survey_dir const *d)
{
  return (o->dir->ino == d->st.st_ino
          && (o->dir->dev == d->st.st_dev || s->settings.ignores_devices
              || (o->dir->nfs && d->nfs)));
}

/* The directory of the last dump that had D's name, after what is known to have
   been renamed.  */
static struct survey_old *
find_namesake (struct survey const *s, struct survey_dir const *d)
{
  struct survey_old const *around = d->parent ? d->parent->old : NULL;
  if (!around)
    return survey_find_old (s, d->absolute);
  char *name = survey_join (around->absolute, strrchr (d->absolute, '/') + 1);
  struct survey_old *o = survey_find_old (s, name);
  free (name);
  return o;
}

/* The absolute name that O has by now, as far as that is known; allocated.  */
static char *
present_name (struct survey const *s, struct survey_old const *o)
{
  char const *name = o->absolute;
  char *part = xstrdup (name);
  for (char *slash = strrchr (part, '/'); slash; slash = strrchr (part, '/'))
    {
      *slash = '\0';
      struct survey_old const *around = survey_find_old (s, part);
      if (around && around->found)
        {
          char *now = survey_join (around->found->absolute,
                                   name + (slash - part) + 1);
          free (part);
          return now;
        }
    }
  free (part);
  return xstrdup (name);
}

/* True if O was not renamed, but is still there: D is another name of it, as a
   bind mount gives it.  */
static bool
is_still_there (struct survey_old const *o, struct survey_dir const *d)
{
  struct stat st;
  return (strcmp (o->absolute, d->absolute) != 0
          && fstatat (d->base_fd, o->absolute, &st, AT_SYMLINK_NOFOLLOW) == 0
          && SAME_INODE (st, d->st));
}

/* Find out which directory of the last dump D is, and tell what is new about
   it.  NAMESAKE is the one that had its name.  */
static void
identify (struct survey *s, struct survey_dir *d)
{
  struct report *r = s->settings.report;
  struct survey_old *namesake = find_namesake (s, d);
  struct survey_old *o = namesake;
  d->all = d->parent && d->parent->all;
  if (!o || o->found || !is_same (s, o, d))
    {
      o = survey_find_inode (s, &d->st, d->nfs);
      if (o && (o->found || o->lost || is_still_there (o, d)))
        o = NULL;
    }
  if (!o)
    {
      d->all = true;
      if (!namesake)
        report_warning (r, REPORT_NEW_DIRECTORY, 0, _ ("%s: Directory is new"),
                        report_name (d->name));
      else
        {
          namesake->lost = !namesake->found;
          report_warning (r, REPORT_RENAME_DIRECTORY, 0,
                          _ ("%s: Directory has been renamed"),
                          report_name (d->name));
        }
      return;
    }
  char *before = present_name (s, o);
  o->found = d;
  d->old = o;
  if (strcmp (before, d->absolute) != 0)
    {
      char *given = survey_given_name (s, before);
      d->renamed = true;
      d->new_name = !namesake;
      d->move = SURVEY_MOVE_PENDING;
      report_warning (r, REPORT_RENAME_DIRECTORY, 0,
                      _ ("%s: Directory has been renamed from %s"),
                      report_name (d->name), report_quoted_n (1, given));
      free (given);
    }
  else if (d->parent && d->parent->renamed)
    /* Like GNU tar, store what is below again.  */
    d->renamed = d->all = true;
  free (before);
}

/* What tags leave of D, open on FD.  */
static void
heed_tags (struct survey *s, struct survey_dir *d, int fd)
{
  struct tags const *tags = s->settings.tags;
  char const *tag = NULL;
  if (!tags)
    return;
  d->omitted = tags_leave_out (tags, fd, d->name, tag_report (s));
  if (d->omitted)
    return;
  d->under_tag
      = tags_find (tags, fd, d->name, tag_report (s), &tag) == TAGS_UNDER;
  d->tag = tag;
}

/* Take in the directory F, which has the name ABSOLUTE and the status ST and is
   in PARENT (NULL: it was named).  Return NULL if it cannot be read, which was
   reported.  */
static struct survey_dir *
add_dir (struct survey *s, struct survey_dir *parent,
         struct walk_operand const *f, char const *absolute,
         struct stat const *st)
{
  char const *name = f->name;
  int fd = openat (f->base_fd, f->file ? f->file : name,
                   O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK
                       | (s->settings.dereference ? 0 : O_NOFOLLOW)
                       | s->settings.open_flags);
  if (fd < 0)
    {
      diagnose (s, errno, "open", name);
      return NULL;
    }
  struct survey_dir *d = xzalloc (sizeof *d);
  d->name = xstrdup (name);
  d->absolute = xstrdup (absolute);
  d->base_fd = parent ? parent->base_fd : f->base_fd;
  d->number = parent ? parent->number : f->number;
  d->parent = parent;
  d->st = *st;
  d->nfs = is_on_nfs (s, fd, st);
  d->recurse = f->recurse;
  identify (s, d);
  heed_tags (s, d, fd);
  close (fd);
  if (s->dir_count == s->dir_alloc)
    s->dirs = xpalloc (s->dirs, &s->dir_alloc, 1, -1, sizeof *s->dirs);
  s->dirs[s->dir_count++] = d;
  if (!parent && s->named_count == s->named_alloc)
    s->named = xpalloc (s->named, &s->named_alloc, 1, -1, sizeof *s->named);
  if (!parent)
    s->named[s->named_count++] = d;
  survey_insert (s->dir_names, d);
  return d;
}

/* --- Entries --- */

/* True if D or a directory it is in is the one with status ST.  */
static bool
contains_itself (struct survey_dir const *d, struct stat const *st)
{
  for (; d; d = d->parent)
    if (SAME_INODE (d->st, *st))
      return true;
  return false;
}

/* The letter of a subdirectory of D.  */
static char
judge_directory (struct survey *s, struct survey_dir *d, int fd,
                 char const *file, char const *name, struct stat const *st)
{
  struct survey_settings const *o = &s->settings;
  char *absolute = survey_join (d->absolute, file);
  struct survey_dir *sub = survey_find (s, absolute);
  if (sub || (o->dereference && contains_itself (d, st)))
    {
      free (absolute);
      if (sub)
        return 'D'; /* it was named, too */
      report_error (o->report, 0,
                    _ ("%s: directory contains itself; not"
                       " entered"),
                    report_name (name));
      return 'N';
    }
  sub = add_dir (
      s, d,
      &(struct walk_operand){
          .name = name, .file = file, .base_fd = fd, .recurse = d->recurse },
      absolute, st);
  free (absolute);
  if (!sub)
    return 'N';
  if (!d->recurse)
    sub->omitted = sub->passed = true;
  if (o->one_file_system && st->st_dev != d->st.st_dev)
    {
      sub->foreign = true;
      report_warning (o->report, REPORT_XDEV, 0,
                      _ ("%s: directory is on a different filesystem; not"
                         " dumped"),
                      report_name (name));
    }
  return sub->omitted ? 'N' : 'D';
}

static int
compare_key (void const *key, void const *name)
{
  char const *const *n = name;
  return strcmp (key, *n + 1);
}

/* True if O had a file called FILE.  */
static bool
had_file (struct survey_old const *o, char const *file)
{
  char const **name = NULL;
  if (o->name_count)
    name = bsearch (file, o->names, o->name_count, sizeof *o->names,
                    compare_key);
  return name && **name != 'D';
}

/* The letter of a file in D.  */
static char
judge_file (struct survey *s, struct survey_dir const *d, char const *file,
            struct stat const *st)
{
  struct timespec start = s->settings.before->start;
  bool is_unchanged
      = (!d->all && d->old && timespec_cmp (get_stat_mtime (st), start) < 0
         && timespec_cmp (get_stat_ctime (st), start) < 0
         && (!d->old->dir->contents || had_file (d->old, file)));
  return is_unchanged ? 'N' : 'Y';
}

/* Take in FILE of D, which is open on FD.  */
static void
judge (struct survey *s, struct survey_dir *d, int fd, char const *file)
{
  struct survey_settings const *o = &s->settings;
  char *name = survey_join (d->name, file);
  struct survey_entry e = { .letter = 'N' };
  struct stat st;
  if (d->under_tag || (!d->tag && o->excluded && o->excluded (o->arg, name)))
    e.excluded = true;
  else if (fstatat (fd, file, &st, o->dereference ? 0 : AT_SYMLINK_NOFOLLOW)
           < 0)
    {
      diagnose (s, errno, "stat", name);
      free (name);
      return;
    }
  else if (S_ISDIR (st.st_mode))
    {
      e.letter = judge_directory (s, d, fd, file, name, &st);
      e.is_directory = true;
    }
  else
    {
      e.letter = judge_file (s, d, file, &st);
      /* Nobody will ever store it.  */
      e.stored = S_ISSOCK (st.st_mode);
    }
  free (name);
  e.name = xstrdup (file);
  if (d->count == d->alloc)
    d->entries = xpalloc (d->entries, &d->alloc, 1, -1, sizeof *d->entries);
  d->entries[d->count++] = e;
}

static int
compare_strings (void const *a, void const *b)
{
  char *const *x = a;
  char *const *y = b;
  return strcmp (*x, *y);
}

/* The names in the directory open on FD, which is closed, sorted; allocated, as
   is the array.  Return 0 or an errno.  */
static int
read_names (int fd, char ***ret, idx_t *ret_count)
{
  idx_t alloc = 0;
  struct dirent const *e;
  DIR *dir = fdopendir (fd);
  *ret = NULL;
  *ret_count = 0;
  if (!dir)
    {
      int err = errno;
      close (fd);
      return err;
    }
  while (errno = 0, (e = readdir (dir)))
    if (strcmp (e->d_name, ".") != 0 && strcmp (e->d_name, "..") != 0)
      {
        if (*ret_count == alloc)
          *ret = xpalloc (*ret, &alloc, 1, -1, sizeof **ret);
        (*ret)[(*ret_count)++] = xstrdup (e->d_name);
      }
  int err = errno;
  closedir (dir);
  if (*ret_count)
    qsort (*ret, *ret_count, sizeof **ret, compare_strings);
  return err;
}

/* Take in what is in D.  */
static void
read_entries (struct survey *s, struct frame *f)
{
  struct survey_settings const *o = &s->settings;
  struct survey_dir *d = f->dir;
  char **names;
  idx_t count;
  int err;
  int fd = survey_open (s, d, &err);
  if (fd < 0)
    {
      diagnose (s, err, "open", d->name);
      return;
    }
  if (o->begin_directory)
    o->begin_directory (o->arg, fd);
  f->begun = true;
  int listed = fcntl (fd, F_DUPFD_CLOEXEC, 0);
  err = listed < 0 ? errno : read_names (listed, &names, &count);
  if (err)
    diagnose (s, err, "read directory", d->name);
  if (0 <= listed)
    {
      for (idx_t i = 0; i < count; i++)
        {
          if (!d->tag || strcmp (names[i], d->tag) == 0)
            judge (s, d, fd, names[i]);
          free (names[i]);
        }
      free (names);
    }
  close (fd);
}

/* --- All below --- */

static void
enter (struct scan *c, struct survey_dir *d)
{
  if (c->depth == c->alloc)
    c->frames = xpalloc (c->frames, &c->alloc, 1, -1, sizeof *c->frames);
  struct frame *f = &c->frames[c->depth++];
  *f = (struct frame){ .dir = d };
  if (!d->foreign && !d->omitted)
    read_entries (c->survey, f);
}

static void
leave (struct scan *c)
{
  struct survey_settings const *o = &c->survey->settings;
  if (c->frames[--c->depth].begun && o->end_directory)
    o->end_directory (o->arg);
}

/* The directory that is E of D, if that was found there.  */
static struct survey_dir *
subdirectory (struct survey const *s, struct survey_dir const *d,
              struct survey_entry const *e)
{
  if (e->letter != 'D')
    return NULL;
  char *name = survey_join (d->absolute, e->name);
  struct survey_dir *sub = survey_find (s, name);
  free (name);
  return sub && sub->parent == d ? sub : NULL;
}

/* Look at D and all below.  */
static void
scan_from (struct survey *s, struct survey_dir *d)
{
  struct scan c = { .survey = s };
  enter (&c, d);
  while (c.depth)
    {
      struct frame *f = &c.frames[c.depth - 1];
      if (f->next == f->dir->count)
        {
          leave (&c);
          continue;
        }
      struct survey_dir *sub
          = subdirectory (s, f->dir, &f->dir->entries[f->next++]);
      if (sub)
        enter (&c, sub);
    }
  free (c.frames);
}

void
survey_scan_passed (struct survey *s, struct survey_dir *d, bool recurse)
{
  d->passed = d->omitted = false;
  d->recurse = recurse;
  for (idx_t i = 0; i < d->parent->count; i++)
    if (strcmp (d->parent->entries[i].name, strrchr (d->absolute, '/') + 1)
        == 0)
      d->parent->entries[i].letter = 'D';
  scan_from (s, d);
}

void
survey_scan (struct survey *s, struct walk_operand const *operand,
             char const *absolute, struct stat const *st)
{
  struct survey_dir *d = add_dir (s, NULL, operand, absolute, st);
  if (d)
    scan_from (s, d);
}
