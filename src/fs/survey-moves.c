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
#include "xvasprintf.h"

/* The temporary directory; no name of a file.  */
static char const aside[] = "//";

/* One renaming.  */
struct step
{
  char *from;
  char *to;
};

struct moves
{
  struct survey *survey;
  struct step *steps;
  idx_t count;
  idx_t alloc;
  bool aside_used;

  char *list; /* as in the archive */
  idx_t length;
  idx_t list_alloc;
};

/* If PATH is FROM or below it, return it with TO instead, allocated; else
   NULL.  */
static char *
replace (char const *path, char const *from, char const *to)
{
  size_t length = strlen (from);
  if (strncmp (path, from, length) != 0
      || (path[length] && path[length] != '/'))
    return NULL;
  return xasprintf ("%s%s", to, path + length);
}

/* Where the directory O is after the steps so far; allocated.  */
static char *
place_of (struct moves const *v, struct survey_old const *o)
{
  char *path = xstrdup (o->absolute);
  for (idx_t i = 0; i < v->count; i++)
    {
      char *next = replace (path, v->steps[i].from, v->steps[i].to);
      if (next)
        {
          free (path);
          path = next;
        }
    }
  return path;
}

/* The directory that is at PATH after the steps so far, if it is one of the
   last dump.  */
static struct survey_old *
occupant_of (struct moves const *v, char const *path)
{
  char *name = xstrdup (path);
  for (idx_t i = v->count; 0 < i--;)
    {
      char *gone = replace (name, v->steps[i].from, "");
      char *next = replace (name, v->steps[i].to, v->steps[i].from);
      /* What was at its old place is what moved, and nothing came since.  */
      if (gone && !next)
        {
          free (gone);
          free (name);
          return NULL;
        }
      free (gone);
      if (next)
        {
          free (name);
          name = next;
        }
    }
  struct survey_old *o = survey_find_old (v->survey, name);
  free (name);
  return o;
}

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

/* Move what is at FROM to TO.  Both belong to V from now on.  */
static void
step (struct moves *v, char *from, char *to)
{
  if (strcmp (from, aside) == 0)
    v->aside_used = false;
  put (v, 'R', from);
  put (v, 'T', to);
  if (v->count == v->alloc)
    v->steps = xpalloc (v->steps, &v->alloc, 1, -1, sizeof *v->steps);
  v->steps[v->count++] = (struct step){ .from = from, .to = to };
}

/* Move what is at FROM, likewise, to a temporary directory in the one that NEAR
   is in.  */
static void
step_aside (struct moves *v, char *from, char const *near)
{
  char *parent = survey_parent_name (near);
  put (v, 'X', parent);
  free (parent);
  v->aside_used = true;
  step (v, from, xstrdup (aside));
}

/* D and all below are new.  */
static void
give_up (struct moves *v, struct survey_dir *d)
{
  struct survey *s = v->survey;
  d->move = SURVEY_MOVE_NONE;
  for (idx_t i = 0; i < s->dir_count; i++)
    {
      struct survey_dir *below = s->dirs[i];
      struct survey_dir *around = below;
      while (around && around != d)
        around = around->parent;
      for (idx_t k = 0; around && k < below->count; k++)
        if (below->entries[k].letter == 'N' && !below->entries[k].excluded
            && !below->entries[k].is_directory)
          below->entries[k].letter = 'Y';
    }
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
      step_aside (v, from, from);
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
  char *inside = replace (from, d->absolute, "");
  around = mover_of (d->parent);
  if (strcmp (from, d->absolute) == 0)
    free (from);
  else if (around || (o && o->found && o->found != d)
           || (inside && v->aside_used))
    {
      free (from);
      give_up (v, d);
    }
  else
    {
      /* What it is in goes, and is in its way.  */
      if (inside)
        {
          step_aside (v, from, d->absolute);
          from = xstrdup (aside);
        }
      step (v, from, xstrdup (d->absolute));
    }
  free (inside);
  d->move = SURVEY_MOVE_NONE;
}

char *
survey_moves (struct survey *s, idx_t *ret_length)
{
  struct moves v = { .survey = s };
  for (idx_t i = 0; i < s->dir_count; i++)
    if (s->dirs[i]->move == SURVEY_MOVE_PENDING)
      move (&v, s->dirs[i]);
  for (idx_t i = 0; i < s->dir_count && v.count; i++)
    if (s->dirs[i]->old)
      {
        char *path = place_of (&v, s->dirs[i]->old);
        if (strcmp (path, s->dirs[i]->absolute) != 0)
          give_up (&v, s->dirs[i]);
        free (path);
      }
  for (idx_t i = 0; i < v.count; i++)
    {
      free (v.steps[i].from);
      free (v.steps[i].to);
    }
  free (v.steps);
  *ret_length = v.length;
  return v.list;
}
