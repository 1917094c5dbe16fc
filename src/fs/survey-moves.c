/* What an incremental dump has to store: how to get from the directories of the
   last dump to those of now.

   The moves are made one after the other by whoever restores the dump, before
   anything is removed.  A directory can move only when its new name is free,
   and below directories that have theirs already; in a cycle one has to step
   aside first, to a temporary directory.  If there is no way, the directory
   counts as new, and all in it is stored.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "fs/survey-private.h"

#include <stdlib.h>
#include <string.h>

#include "xalloc.h"

/* The temporary directory; no name of a file.  */
static char const aside[] = "//";

/* Something that has a name while the moves are tried out: directories of the
   last dump, and what their names lead through.  They make a tree, so that what
   is in a directory moves with it.  */
struct survey_node
{
  struct survey_node *parent; /* NULL: the root */
  char *name;                 /* in that */
  struct survey_old *old;     /* NULL: it was not in the last dump */
};

struct moves
{
  struct survey *survey;
  Hash_table *nodes;       /* what is where now, by parent and name */
  struct survey_node root; /* its address is a parent */
  struct survey_node side; /* likewise, of the temporary directory, "" */
  bool aside_used;
  bool has_steps;

  struct survey_node **made; /* all the others */
  idx_t count;
  idx_t alloc;

  char *list; /* as in the archive */
  idx_t length;
  idx_t list_alloc;
};

/* --- The tree --- */

static size_t
hash_node (void const *entry, size_t slots)
{
  struct survey_node const *n = entry;
  return (hash_string (n->name, slots) + (uintptr_t)n->parent / sizeof *n)
         % slots;
}

static bool
is_same_node (void const *a, void const *b)
{
  struct survey_node const *x = a;
  struct survey_node const *y = b;
  return x->parent == y->parent && strcmp (x->name, y->name) == 0;
}

/* What is called NAME, of LENGTH bytes, in PARENT; NULL if there is nothing,
   unless CREATE.  */
static struct survey_node *
node_in (struct moves *v, struct survey_node *parent, char const *name,
         size_t length, bool create)
{
  struct survey_node key
      = { .parent = parent, .name = ximemdup0 (name, length) };
  struct survey_node *n = hash_lookup (v->nodes, &key);
  if (n || !create)
    {
      free (key.name);
      return n;
    }
  n = xmemdup (&key, sizeof key);
  survey_insert (v->nodes, n);
  if (v->count == v->alloc)
    v->made = xpalloc (v->made, &v->alloc, 1, -1, sizeof *v->made);
  return v->made[v->count++] = n;
}

/* Likewise for PATH, which is absolute.  */
static struct survey_node *
node_at (struct moves *v, char const *path, bool create)
{
  struct survey_node *n = &v->root;
  while (n && *(path += strspn (path, "/")))
    {
      size_t length = strcspn (path, "/");
      n = node_in (v, n, path, length, create);
      path += length;
    }
  return n;
}

/* What N is called now; allocated.  */
static char *
path_of (struct moves const *v, struct survey_node const *n)
{
  size_t length = 1;
  for (struct survey_node const *up = n; up->parent; up = up->parent)
    length += strlen (up->name) + 1;
  char *path = xmalloc (length + 1);
  char *end = path + length;
  *end = '\0';
  for (; n->parent; n = n->parent)
    {
      size_t part = strlen (n->name);
      end -= part;
      memcpy (end, n->name, part);
      *--end = '/';
    }
  /* The root, or the first of the slashes of what is aside.  */
  if (n == &v->side || !*end)
    *--end = '/';
  memmove (path, end, strlen (end) + 1);
  return path;
}

/* Where the directory O is after the steps so far; allocated.  */
static char *
place_of (struct moves const *v, struct survey_old const *o)
{
  return path_of (v, o->node);
}

/* The directory that is at PATH after the steps so far, if it is one of the
   last dump.  */
static struct survey_old *
occupant_of (struct moves *v, char const *path)
{
  struct survey_node const *n = node_at (v, path, false);
  return n ? n->old : NULL;
}

/* N, and all below, is called PATH from now on.  What was is in nobody's way,
   and will not be looked for.  */
static void
move_node (struct moves *v, struct survey_node *n, char const *path)
{
  hash_remove (v->nodes, n);
  free (n->name);
  if (strcmp (path, aside) == 0)
    {
      n->parent = &v->side;
      n->name = xstrdup ("");
    }
  else
    {
      char *parent = survey_parent_name (path);
      struct survey_node *gone = node_at (v, path, false);
      if (gone)
        hash_remove (v->nodes, gone);
      n->parent = node_at (v, parent, true);
      n->name = xstrdup (strrchr (path, '/') + 1);
      free (parent);
    }
  survey_insert (v->nodes, n);
}

/* Let V have a node for each directory of the last dump.  */
static void
grow_tree (struct moves *v)
{
  struct survey *s = v->survey;
  v->nodes = hash_initialize (0, NULL, hash_node, is_same_node, NULL);
  if (!v->nodes)
    xalloc_die ();
  for (idx_t i = 0; i < s->settings.before->count; i++)
    {
      struct survey_old *o = &s->olds[i];
      o->node = node_at (v, o->absolute, true);
      if (!o->node->old)
        o->node->old = o;
    }
}

static void
fell_tree (struct moves *v)
{
  hash_free (v->nodes);
  for (idx_t i = 0; i < v->count; i++)
    {
      free (v->made[i]->name);
      free (v->made[i]);
    }
  free (v->made);
}

/* --- Steps --- */

static void
put (struct moves *v, char letter, char const *name)
{
  bool is_aside = strcmp (name, aside) == 0;
  struct survey_settings const *s = &v->survey->settings;
  char *given = is_aside ? xstrdup ("") : survey_given_name (v->survey, name);
  /* GNU tar has this as it was given.  */
  bool is_plain = is_aside || letter == 'X';
  char *stored = is_plain ? xstrdup (given) : s->stored (s->arg, given);
  idx_t need = strlen (stored) + 2;
  idx_t room = v->list_alloc - v->length;
  if (room < need)
    v->list = xpalloc (v->list, &v->list_alloc, need - room, -1, 1);
  v->list[v->length] = letter;
  memcpy (v->list + v->length + 1, stored, need - 1);
  v->length += need;
  free (given);
  free (stored);
}

/* Move N to the name TO.  */
static void
step (struct moves *v, struct survey_node *n, char const *to)
{
  char *from = path_of (v, n);
  if (n->parent == &v->side)
    v->aside_used = false;
  put (v, 'R', from);
  put (v, 'T', to);
  move_node (v, n, to);
  v->has_steps = true;
  free (from);
}

/* Move N to a temporary directory in the one that NEAR is in.  */
static void
step_aside (struct moves *v, struct survey_node *n, char const *near)
{
  char *parent = survey_parent_name (near);
  put (v, 'X', parent);
  free (parent);
  step (v, n, aside);
  v->aside_used = true;
}

/* D and all below are new.  */
static void
give_up (struct survey_dir *d)
{
  d->move = SURVEY_MOVE_NONE;
  d->given_up = true;
}

/* D counts as new: store what is in it.  */
static void
store_all (struct survey_dir *d)
{
  for (idx_t k = 0; k < d->count; k++)
    if (d->entries[k].letter == 'N' && !d->entries[k].excluded
        && !d->entries[k].is_directory)
      d->entries[k].letter = 'Y';
}

/* The directory that has to move for E to do so: itself, or one it is in.  */
static struct survey_dir *
mover_of (struct survey_dir *e)
{
  while (e && e->move == SURVEY_MOVE_NONE)
    e = e->parent;
  return e;
}

static void move (struct moves *v, struct survey_dir *d);

/* Free D's new name of the directory E, which has another one now.  */
static void
make_way (struct moves *v, struct survey_dir *e)
{
  struct survey_dir *m = mover_of (e);
  if (m && m->move == SURVEY_MOVE_PENDING)
    move (v, m);
  else if (m && !v->aside_used)
    {
      char *from = place_of (v, m->old);
      step_aside (v, m->old->node, from);
      free (from);
    }
}

/* Move D to its new name.  */
static void
move (struct moves *v, struct survey_dir *d)
{
  d->move = SURVEY_MOVE_ACTIVE;
  struct survey_dir *around = mover_of (d->parent);
  if (around && around->move == SURVEY_MOVE_PENDING)
    move (v, around);
  struct survey_old *o = occupant_of (v, d->absolute);
  if (o && o->found && o->found != d)
    make_way (v, o->found);
  o = occupant_of (v, d->absolute);
  char *from = place_of (v, d->old);
  size_t length = strlen (d->absolute);
  bool inside = (strncmp (from, d->absolute, length) == 0
                 && (!from[length] || from[length] == '/'));
  around = mover_of (d->parent);
  if (strcmp (from, d->absolute) == 0)
    ; /* it is there */
  else if (around || (o && o->found && o->found != d)
           || (inside && v->aside_used))
    give_up (d);
  else
    {
      /* What it is in goes, and is in its way.  */
      if (inside)
        step_aside (v, d->old->node, d->absolute);
      step (v, d->old->node, d->absolute);
    }
  free (from);
  d->move = SURVEY_MOVE_NONE;
}

char *
survey_moves (struct survey *s, idx_t *ret_length)
{
  struct moves v = { .survey = s };
  idx_t first = 0;
  *ret_length = 0;
  while (first < s->dir_count && s->dirs[first]->move != SURVEY_MOVE_PENDING)
    first++;
  if (first == s->dir_count)
    return NULL;
  grow_tree (&v);
  for (idx_t i = first; i < s->dir_count; i++)
    if (s->dirs[i]->move == SURVEY_MOVE_PENDING)
      move (&v, s->dirs[i]);
  /* What a directory is in comes before it.  */
  for (idx_t i = 0; i < s->dir_count; i++)
    {
      struct survey_dir *d = s->dirs[i];
      if (d->old && v.has_steps)
        {
          char *path = place_of (&v, d->old);
          d->given_up |= strcmp (path, d->absolute) != 0;
          free (path);
        }
      d->given_up |= d->parent && d->parent->given_up;
      if (d->given_up)
        store_all (d);
    }
  fell_tree (&v);
  *ret_length = v.length;
  return v.list;
}
