/* The directories a walk is in.

   At most OPEN_LEVELS of them, the innermost, are open, however deep the walk
   is.  One that was closed is opened again as the ".." of the one in it, if
   that still is the same directory, or else by its name.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "fs/levels.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "same-inode.h"
#include "xalloc.h"

enum
{
  OPEN_LEVELS = 32
};

#if defined DT_UNKNOWN
#define ENTRY_TYPE(entry) ((entry)->d_type)
#else
#define ENTRY_TYPE(entry) 0
#endif

/* An entry read in advance: inode number, type, name and NUL.  */
enum
{
  RECORD_TYPE = sizeof (ino_t),
  RECORD_NAME = RECORD_TYPE + 1
};

struct level
{
  struct stat st;
  idx_t name_length;
  DIR *dir;  /* NULL while it is closed */
  bool read; /* nothing more is to be read from DIR */
  bool restricted;

  /* Entries read in advance, those from RECORDS + NEXT on to be given; if
     ORDER is not NULL, it lists them instead, from ORDER[NEXT] on.  */
  char *records;
  idx_t length;
  idx_t size;
  char **order;
  idx_t count;
  idx_t next;
};

struct levels
{
  enum levels_order order;
  int open_flags;
  int base_fd;
  struct level *levels;
  idx_t depth;
  idx_t alloc;
  idx_t closed; /* levels below this are closed */
};

struct levels *
levels_new (enum levels_order order, int open_flags)
{
  struct levels *l = xzalloc (sizeof *l);
  l->order = order;
  l->open_flags
      = O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | open_flags;
  return l;
}

static struct level *
top (struct levels const *l)
{
  return &l->levels[l->depth - 1];
}

static void
free_level (struct level *v)
{
  if (v->dir)
    closedir (v->dir);
  free (v->records);
  free (v->order);
}

void
levels_free (struct levels *l)
{
  if (!l)
    return;
  for (idx_t i = 0; i < l->depth; i++)
    free_level (&l->levels[i]);
  free (l->levels);
  free (l);
}

/* --- Entries --- */

static bool
is_dot_or_dotdot (char const *name)
{
  return name[0] == '.'
         && (name[1] == '\0' || (name[1] == '.' && name[2] == '\0'));
}

/* Read one entry of V, NULL at its end.  Return 0 or an errno.  */
static int
read_entry (struct level *v, struct dirent **ret)
{
  do
    {
      errno = 0;
      *ret = readdir (v->dir);
    }
  while (*ret && is_dot_or_dotdot ((*ret)->d_name));
  if (*ret)
    return 0;
  v->read = true;
  return errno;
}

static void
add_record (struct level *v, char const *name, ino_t ino, unsigned char type)
{
  idx_t name_size = strlen (name) + 1;
  idx_t room = v->size - v->length;
  idx_t need = RECORD_NAME + name_size;
  if (room < need)
    v->records = xpalloc (v->records, &v->size, need - room, -1, 1);
  char *to = v->records + v->length;
  memcpy (to, &ino, sizeof ino);
  to[RECORD_TYPE] = type;
  memcpy (to + RECORD_NAME, name, name_size);
  v->length += need;
  v->count++;
}

/* Read all entries of V that were not read yet.  */
static int
read_ahead (struct level *v)
{
  struct dirent *entry;
  int err = 0;
  while (!v->read && (err = read_entry (v, &entry)) == 0 && entry)
    add_record (v, entry->d_name, entry->d_ino, ENTRY_TYPE (entry));
  return err;
}

static int
compare_names (void const *a, void const *b)
{
  char *const *x = a;
  char *const *y = b;
  return strcmp (*x + RECORD_NAME, *y + RECORD_NAME);
}

static int
compare_inodes (void const *a, void const *b)
{
  char *const *x = a;
  char *const *y = b;
  ino_t i;
  ino_t j;
  memcpy (&i, *x, sizeof i);
  memcpy (&j, *y, sizeof j);
  return (j < i) - (i < j);
}

static void
sort_records (struct level *v, enum levels_order order)
{
  if (v->count == 0)
    return;
  v->order = xinmalloc (v->count, sizeof *v->order);
  char *record = v->records;
  for (idx_t i = 0; i < v->count; i++)
    {
      v->order[i] = record;
      record += RECORD_NAME + strlen (record + RECORD_NAME) + 1;
    }
  qsort (v->order, v->count, sizeof *v->order,
         order == LEVELS_BY_NAME ? compare_names : compare_inodes);
}

/* The next record read in advance, or NULL.  */
static char const *
next_record (struct level *v)
{
  if (v->order)
    return v->next < v->count ? v->order[v->next++] : NULL;
  if (v->next == v->length)
    return NULL;
  char const *record = v->records + v->next;
  v->next += RECORD_NAME + strlen (record + RECORD_NAME) + 1;
  return record;
}

int
levels_next (struct levels *l, char const **ret, unsigned char *ret_type)
{
  struct level *v = top (l);
  *ret = NULL;
  *ret_type = 0;
  char const *record = next_record (v);
  if (record)
    {
      *ret = record + RECORD_NAME;
      *ret_type = record[RECORD_TYPE];
      return 0;
    }
  if (v->read)
    return 0;
  struct dirent *entry;
  int err = read_entry (v, &entry);
  if (!err && entry)
    {
      *ret = entry->d_name;
      *ret_type = ENTRY_TYPE (entry);
    }
  return err;
}

/* --- The stack --- */

/* Close the outermost open level, after reading what is left of it.  */
static int
close_one (struct levels *l)
{
  struct level *v = &l->levels[l->closed];
  int err = read_ahead (v);
  if (err)
    return err;
  closedir (v->dir);
  v->dir = NULL;
  l->closed++;
  return 0;
}

int
levels_push (struct levels *l, int fd, struct stat const *st, int base_fd,
             idx_t name_length)
{
  int err = 0;
  if (l->depth == 0)
    l->base_fd = base_fd;
  if (OPEN_LEVELS <= l->depth - l->closed)
    err = close_one (l);
  if (l->depth == l->alloc)
    l->levels = xpalloc (l->levels, &l->alloc, 1, -1, sizeof *l->levels);

  struct level v = { .st = *st, .name_length = name_length };
  if (!err)
    {
      v.dir = fdopendir (fd);
      err = v.dir ? 0 : errno;
    }
  if (!v.dir)
    close (fd);
  if (!err && l->order != LEVELS_UNSORTED)
    {
      err = read_ahead (&v);
      if (!err)
        sort_records (&v, l->order);
    }
  if (err)
    free_level (&v);
  else
    l->levels[l->depth++] = v;
  return err;
}

void
levels_restrict (struct levels *l, char const *name)
{
  struct level *v = top (l);
  free (v->order);
  v->order = NULL;
  v->length = v->count = v->next = 0;
  add_record (v, name, 0, 0);
  v->read = true;
  v->restricted = true;
}

bool
levels_restricted (struct levels const *l)
{
  return top (l)->restricted;
}

/* Open level I again as FD, if that is the same directory.  FD is closed if
   it is not.  */
static int
reopen_as (struct levels *l, idx_t i, int fd)
{
  struct level *v = &l->levels[i];
  struct stat st;
  int err = 0;
  if (fstat (fd, &st) < 0)
    err = errno;
  else if (!SAME_INODE (st, v->st))
    err = ENOENT;
  else if (!(v->dir = fdopendir (fd)))
    err = errno;
  if (err)
    close (fd);
  return err;
}

/* Open level I again by its name, level by level from the outermost.  */
static int
reopen_by_name (struct levels *l, idx_t i, char const *name)
{
  int fd = -1;
  idx_t start = 0;
  for (idx_t k = 0; k <= i; k++)
    {
      idx_t end = l->levels[k].name_length;
      while (0 < start && start < end && name[start] == '/')
        start++;
      char *part = ximemdup0 (name + start, end - start);
      int next = openat (k == 0 ? l->base_fd : fd, part, l->open_flags);
      int err = next < 0 ? errno : 0;
      free (part);
      if (0 <= fd)
        close (fd);
      if (err)
        return err;
      fd = next;
      start = end;
    }
  return reopen_as (l, i, fd);
}

int
levels_pop (struct levels *l, char const *name)
{
  struct level *v = top (l);
  int err = 0;
  if (1 < l->depth && l->closed == l->depth - 1)
    {
      idx_t outer = l->depth - 2;
      int fd = v->dir ? openat (dirfd (v->dir), "..", l->open_flags) : -1;
      err = fd < 0 ? ENOENT : reopen_as (l, outer, fd);
      if (err)
        err = reopen_by_name (l, outer, name);
      l->closed--;
    }
  free_level (v);
  l->depth--;
  if (l->depth == 0)
    l->closed = 0;
  return err;
}

idx_t
levels_depth (struct levels const *l)
{
  return l->depth;
}

int
levels_fd (struct levels const *l)
{
  struct level *v = top (l);
  return v->dir ? dirfd (v->dir) : -1;
}

struct stat const *
levels_stat (struct levels const *l)
{
  return &top (l)->st;
}

idx_t
levels_name_length (struct levels const *l)
{
  return top (l)->name_length;
}

bool
levels_contain (struct levels const *l, struct stat const *st)
{
  for (idx_t i = l->depth; 0 < i--;)
    if (SAME_INODE (*st, l->levels[i].st))
      return true;
  return false;
}
