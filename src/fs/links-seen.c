/* Files that were stored and may be met again: a table by device and inode.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "fs/links-seen.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "idx.h"
#include "stat-time.h"
#include "timespec.h"
#include "xalloc.h"

enum
{
  INITIAL_SLOTS = 64 /* a power of two, as every later number is */
};

/* Open addressing: a file is in the first slot from its own on that was free.
   A slot without a name is free.  */
struct links_seen
{
  struct links_seen_file *slots;
  size_t mask; /* number of slots - 1 */
  size_t used;
  bool forget;
  char *forgotten; /* the name returned last, if the file was forgotten */
};

struct links_seen *
links_seen_new (bool forget)
{
  struct links_seen *t = xzalloc (sizeof *t);
  t->slots = xcalloc (INITIAL_SLOTS, sizeof *t->slots);
  t->mask = INITIAL_SLOTS - 1;
  t->forget = forget;
  return t;
}

void
links_seen_free (struct links_seen *t)
{
  if (!t)
    return;
  for (size_t i = 0; i <= t->mask; i++)
    free (t->slots[i].name);
  free (t->slots);
  free (t->forgotten);
  free (t);
}

/* The slot a file belongs to.  */
static size_t
home (struct links_seen const *t, struct links_seen_file const *f)
{
  /* Inode numbers come in runs, and where they are made up all can be one; the
     multiplier (2^64 over the golden ratio) spreads them over the high
     bits.  */
  uint64_t h = (uint64_t)f->ino ^ (uint64_t)f->dev << 32
               ^ (uint64_t)f->size << 16 ^ (uint64_t)f->mtime.tv_sec << 24
               ^ (uint64_t)f->mtime.tv_nsec;
  return (h * 0x9e3779b97f4a7c15u >> 32) & t->mask;
}

static bool
same_file (struct links_seen_file const *a, struct links_seen_file const *b)
{
  return (a->ino == b->ino && a->dev == b->dev && a->size == b->size
          && timespec_cmp (a->mtime, b->mtime) == 0);
}

/* The slot that holds a file, or the free one where it would be.  */
static struct links_seen_file *
find (struct links_seen const *t, struct links_seen_file const *f)
{
  size_t i = home (t, f);
  while (t->slots[i].name && !same_file (&t->slots[i], f))
    i = (i + 1) & t->mask;
  return &t->slots[i];
}

/* What is to be found of a file with the status ST.  */
static struct links_seen_file
key (struct stat const *st)
{
  return (struct links_seen_file){ .dev = st->st_dev,
                                   .ino = st->st_ino,
                                   .size = st->st_size,
                                   .mtime = get_stat_mtime (st) };
}

static void
grow (struct links_seen *t)
{
  struct links_seen_file *old = t->slots;
  size_t count = t->mask + 1;
  t->slots = xcalloc (count, 2 * sizeof *t->slots);
  t->mask = 2 * count - 1;
  for (size_t i = 0; i < count; i++)
    if (old[i].name)
      *find (t, &old[i]) = old[i];
  free (old);
}

/* Empty slot HOLE, moving files after it that would no longer be found.  */
static void
empty_slot (struct links_seen *t, size_t hole)
{
  size_t i = hole;
  while (true)
    {
      i = (i + 1) & t->mask;
      if (!t->slots[i].name)
        break;
      /* A file may move back to the hole, but not past its home.  */
      size_t h = home (t, &t->slots[i]);
      if (((i - h) & t->mask) < ((i - hole) & t->mask))
        continue;
      t->slots[hole] = t->slots[i];
      hole = i;
    }
  t->slots[hole].name = NULL;
  t->used--;
}

char const *
links_seen_meet (struct links_seen *t, struct stat const *st)
{
  struct links_seen_file const k = key (st);
  struct links_seen_file *f = find (t, &k);
  if (!f->name)
    return NULL;
  if (f->left)
    f->left--;
  if (!t->forget || f->left)
    return f->name;
  free (t->forgotten);
  t->forgotten = f->name;
  empty_slot (t, f - t->slots);
  return t->forgotten;
}

void
links_seen_add (struct links_seen *t, struct stat const *st, char const *name)
{
  struct links_seen_file const k = key (st);
  /* Three quarters full at most.  */
  if (t->mask / 4 * 3 < t->used + 1)
    grow (t);
  struct links_seen_file *f = find (t, &k);
  *f = k;
  f->left = st->st_nlink ? st->st_nlink - 1 : 0;
  f->name = xstrdup (name);
  t->used++;
}

void
links_seen_missing (struct links_seen const *t,
                    void (*found) (void *arg, struct links_seen_file const *f),
                    void *arg)
{
  for (size_t i = 0; i <= t->mask; i++)
    if (t->slots[i].name && t->slots[i].left)
      found (arg, &t->slots[i]);
}
