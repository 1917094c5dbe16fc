/* What an incremental dump has to store: the directories that are known.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "fs/survey-private.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "long-name.h"
#include "same-inode.h"
#include "stat-time.h"
#include "timespec.h"
#include "xalloc.h"
#include "xvasprintf.h"

/* --- Tables --- */

static size_t
hash_old_name (void const *entry, size_t slots)
{
  struct survey_old const *o = entry;
  return hash_string (o->absolute, slots);
}

static bool
same_old_name (void const *a, void const *b)
{
  struct survey_old const *x = a;
  struct survey_old const *y = b;
  return strcmp (x->absolute, y->absolute) == 0;
}

static size_t
hash_old_inode (void const *entry, size_t slots)
{
  struct survey_old const *o = entry;
  return o->dir->ino % slots;
}

static bool
same_old_inode (void const *a, void const *b)
{
  struct survey_old const *x = a;
  struct survey_old const *y = b;
  return x->dir->ino == y->dir->ino && x->dev == y->dev;
}

static size_t
hash_dir (void const *entry, size_t slots)
{
  struct survey_dir const *d = entry;
  return hash_string (d->absolute, slots);
}

static bool
same_dir (void const *a, void const *b)
{
  struct survey_dir const *x = a;
  struct survey_dir const *y = b;
  return strcmp (x->absolute, y->absolute) == 0;
}

static Hash_table *
new_table (Hash_hasher hasher, Hash_comparator comparator)
{
  Hash_table *t = hash_initialize (0, NULL, hasher, comparator, NULL);
  if (!t)
    xalloc_die ();
  return t;
}

void
survey_insert (Hash_table *table, void *entry)
{
  if (!hash_insert (table, entry))
    xalloc_die ();
}

Hash_table *
survey_new_table (void)
{
  return new_table (hash_dir, same_dir);
}

static int
compare_names (void const *a, void const *b)
{
  char const *const *x = a;
  char const *const *y = b;
  return strcmp (*x + 1, *y + 1);
}

/* Sort what O has in it, if that is known.  */
static void
index_contents (struct survey_old *o)
{
  char const *contents = o->dir->contents;
  idx_t alloc = 0;
  if (!contents)
    return;
  for (char const *p = contents; *p; p += strlen (p) + 1)
    {
      if (o->name_count == alloc)
        o->names = xpalloc (o->names, &alloc, 1, -1, sizeof *o->names);
      o->names[o->name_count++] = p;
    }
  if (o->name_count)
    qsort (o->names, o->name_count, sizeof *o->names, compare_names);
}

struct survey *
survey_new (struct survey_settings const *settings)
{
  struct survey *s = xzalloc (sizeof *s);
  s->settings = *settings;
  s->dir_fd = -1;
  s->by_name = new_table (hash_old_name, same_old_name);
  s->by_inode = new_table (hash_old_inode, same_old_inode);
  s->dir_names = survey_new_table ();
  return s;
}

/* Take in the last dump, whose names are relative to ROOT.  */
static void
add_olds (struct survey *s, char const *root)
{
  struct snapshot const *before = s->settings.before;
  s->root = xstrdup (root);
  s->olds = xicalloc (before->count, sizeof *s->olds);
  for (idx_t i = 0; i < before->count; i++)
    {
      struct survey_old *o = &s->olds[i];
      o->dir = &before->dirs[i];
      o->absolute = survey_absolute (root, o->dir->name);
      o->dev = s->settings.ignores_devices || o->dir->nfs ? 0 : o->dir->dev;
      index_contents (o);
      survey_insert (s->by_name, o);
      survey_insert (s->by_inode, o);
    }
}

static void
free_dir (struct survey_dir *d)
{
  for (idx_t i = 0; i < d->count; i++)
    free (d->entries[i].name);
  free (d->entries);
  free (d->list);
  free (d->absolute);
  free (d->name);
  free (d);
}

void
survey_free_item (struct survey_item *item)
{
  free (item->file);
  free (item->absolute);
}

void
survey_free (struct survey *s)
{
  if (!s)
    return;
  for (idx_t i = 0; s->olds && i < s->settings.before->count; i++)
    {
      free (s->olds[i].absolute);
      free (s->olds[i].names);
    }
  for (idx_t i = 0; i < s->dir_count; i++)
    free_dir (s->dirs[i]);
  for (idx_t i = 0; i < s->item_count; i++)
    survey_free_item (&s->items[i]);
  hash_free (s->by_name);
  hash_free (s->by_inode);
  hash_free (s->dir_names);
  if (0 <= s->dir_fd)
    close (s->dir_fd);
  free (s->olds);
  free (s->root);
  free (s->dirs);
  free (s->named);
  free (s->items);
  free (s->name);
  free (s);
}

struct survey_dir *
survey_find (struct survey const *s, char const *absolute)
{
  struct survey_dir key = { .absolute = (char *)absolute };
  return hash_lookup (s->dir_names, &key);
}

struct survey_old *
survey_find_old (struct survey const *s, char const *absolute)
{
  struct survey_old key = { .absolute = (char *)absolute };
  return hash_lookup (s->by_name, &key);
}

struct survey_old *
survey_find_inode (struct survey const *s, struct stat const *st, bool nfs)
{
  struct snapshot_dir const dir = { .ino = st->st_ino };
  struct survey_old key = { .dir = &dir, .dev = st->st_dev };
  if (s->settings.ignores_devices)
    key.dev = 0;
  struct survey_old *o = hash_lookup (s->by_inode, &key);
  if (o || !nfs)
    return o;
  key.dev = 0;
  return hash_lookup (s->by_inode, &key);
}

char *
survey_parent_name (char const *name)
{
  char const *slash = strrchr (name, '/');
  return slash ? ximemdup0 (name, slash - name) : xstrdup (".");
}

char *
survey_join (char const *name, char const *file)
{
  size_t length = strlen (name);
  char const *slash = length && name[length - 1] == '/' ? "" : "/";
  return xasprintf ("%s%s%s", name, slash, file);
}

/* Add the components of NAME to PATH, which is LENGTH bytes long and has the
   room.  Return the new length.  */
static size_t
add_components (char *path, size_t length, char const *name)
{
  while (*(name += strspn (name, "/")))
    {
      size_t n = strcspn (name, "/");
      if (!(n == 1 && *name == '.'))
        {
          path[length++] = '/';
          memcpy (path + length, name, n);
          length += n;
        }
      name += n;
    }
  return length;
}

char *
survey_absolute (char const *root, char const *name)
{
  char *path = xmalloc (strlen (root) + strlen (name) + 3);
  size_t length = *name == '/' ? 0 : add_components (path, 0, root);
  length = add_components (path, length, name);
  if (length == 0)
    path[length++] = '/';
  path[length] = '\0';
  return path;
}

/* The rest of PATH behind the name FRONT of a directory it is in, or is; else
   NULL.  */
static char const *
rest_behind (char const *path, char const *front)
{
  size_t length = strlen (front);
  if (length == 1)
    length = 0;
  bool begins = (strncmp (path, front, length) == 0
                 && (!path[length] || path[length] == '/'));
  return begins ? path + length + (path[length] == '/') : NULL;
}

char *
survey_given_name (struct survey const *s, char const *absolute)
{
  char const *best = NULL;
  char const *rest = NULL;
  for (idx_t i = 0; i < s->named_count; i++)
    {
      struct survey_dir const *d = s->named[i];
      char const *behind = rest_behind (absolute, d->absolute);
      if (behind && (!rest || rest < behind))
        {
          best = d->name;
          rest = behind;
        }
    }
  if (rest)
    return *rest ? survey_join (best, rest) : xstrdup (best);
  rest = rest_behind (absolute, s->root);
  return xstrdup (!rest ? absolute : *rest ? rest : ".");
}

/* --- Opening --- */

int
survey_open_path (int base_fd, char const *name, int flags)
{
  int fd = long_name_begin (base_fd, &name);
  int ret = fd == -1 ? -1 : openat (fd, name, flags);
  long_name_end (base_fd, fd);
  return ret;
}

int
survey_open (struct survey const *s, struct survey_dir const *d, int *ret_errno)
{
  struct stat st;
  int fd = survey_open_path (d->base_fd, d->name,
                             O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOCTTY
                                 | O_NONBLOCK
                                 | (s->settings.dereference ? 0 : O_NOFOLLOW)
                                 | s->settings.open_flags);
  *ret_errno = errno;
  if (fd < 0)
    return -1;
  /* A link that appeared meanwhile may have led elsewhere.  */
  if (fstat (fd, &st) == 0 && SAME_INODE (st, d->st))
    return fd;
  close (fd);
  *ret_errno = ENOENT;
  return -1;
}

/* --- Adding --- */

void
survey_add_item (struct survey *s, struct survey_item item)
{
  if (s->item_count == s->item_alloc)
    s->items = xpalloc (s->items, &s->item_alloc, 1, -1, sizeof *s->items);
  s->items[s->item_count++] = item;
}

/* OPERAND's name is not a directory: store it if it is new, unless it is in a
   directory that is stored.  */
static void
add_file (struct survey *s, struct walk_operand const *operand,
          char const *absolute, struct stat const *st)
{
  struct timespec start = s->settings.before->start;
  if (timespec_cmp (get_stat_mtime (st), start) < 0
      && timespec_cmp (get_stat_ctime (st), start) < 0)
    return;
  char *file = xstrdup (operand->name);
  survey_add_item (s, (struct survey_item){ .name = file,
                                            .file = file,
                                            .absolute = xstrdup (absolute),
                                            .base_fd = operand->base_fd,
                                            .number = operand->number });
}

void
survey_add (struct survey *s, struct walk_operand const *operand,
            char const *root)
{
  struct survey_settings const *o = &s->settings;
  struct stat st;
  if (!s->root)
    add_olds (s, root);
  char *absolute = survey_absolute (root, operand->name);
  struct survey_dir *known = survey_find (s, absolute);
  if (known && known->passed)
    survey_scan_passed (s, known, operand->recurse);
  else if (known || (o->excluded && o->excluded (o->arg, operand->name)))
    ;
  else if (fstatat (operand->base_fd, operand->name, &st,
                    o->dereference ? 0 : AT_SYMLINK_NOFOLLOW)
           < 0)
    {
      if (o->ignore_failed_read)
        report_cannot_warning (o->report, REPORT_FAILED_READ, errno, "stat",
                               operand->name);
      else
        report_cannot (o->report, errno, "stat", operand->name);
    }
  else if (S_ISDIR (st.st_mode))
    survey_scan (s, operand, absolute, &st);
  else
    add_file (s, operand, absolute, &st);
  free (absolute);
}
