/* What an incremental dump has to store: the order in which files are given,
   and what the next dump has to know.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "fs/survey-private.h"

#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "stat-time.h"
#include "xalloc.h"

/* --- The order --- */

static int
compare_items (void const *a, void const *b)
{
  struct survey_item const *x = a;
  struct survey_item const *y = b;
  return strcmp (x->name, y->name);
}

/* True if item I need not be given: it is named twice, or a file in a directory
   that is given.  */
static bool
is_superfluous (struct survey *s, idx_t i)
{
  struct survey_item const *item = &s->items[i];
  if (0 < i && strcmp (s->items[i - 1].name, item->name) == 0
      && s->items[i - 1].base_fd == item->base_fd)
    return true;
  if (item->dir)
    return false;
  char *parent = survey_parent_name (item->absolute);
  struct survey_dir *d = survey_find (s, parent);
  free (parent);
  return d && !d->omitted;
}

static void
append (struct survey_dir *d, idx_t *alloc, char const *bytes, idx_t length)
{
  idx_t room = *alloc - d->list_length;
  if (room < length)
    d->list = xpalloc (d->list, alloc, length - room, -1, 1);
  memcpy (d->list + d->list_length, bytes, length);
  d->list_length += length;
}

/* Make D's list, with MOVES at its end.  */
static void
make_list (struct survey_dir *d, char const *moves, idx_t moves_length)
{
  idx_t alloc = 0;
  for (idx_t i = 0; i < d->count; i++)
    {
      struct survey_entry const *e = &d->entries[i];
      append (d, &alloc, &e->letter, 1);
      append (d, &alloc, e->name, strlen (e->name) + 1);
    }
  if (moves_length)
    append (d, &alloc, moves, moves_length);
  append (d, &alloc, "", 1);
}

void
survey_conclude (struct survey *s)
{
  idx_t moves_length;
  char *moves = survey_moves (s, &moves_length);
  idx_t kept = 0;
  for (idx_t i = 0; i < s->dir_count; i++)
    if (!s->dirs[i]->omitted)
      survey_add_item (s, (struct survey_item){ .name = s->dirs[i]->name,
                                                .dir = s->dirs[i],
                                                .base_fd = s->dirs[i]->base_fd,
                                                .number = s->dirs[i]->number });
  if (s->item_count)
    qsort (s->items, s->item_count, sizeof *s->items, compare_items);
  for (idx_t i = 0; i < s->item_count; i++)
    {
      struct survey_item item = s->items[i];
      if (is_superfluous (s, i))
        survey_free_item (&item);
      else
        s->items[kept++] = item;
    }
  s->item_count = kept;
  for (idx_t i = 0; i < kept; i++)
    if (s->items[i].dir)
      {
        make_list (s->items[i].dir, moves, moves_length);
        moves_length = 0;
      }
  free (moves);
}

/* Let the next file given be FILE in the directory at BASE_FD, called NAME,
   which is S's from now on.  */
static bool
give (struct survey *s, struct walk_operand *ret, int base_fd, char *name,
      char const *file)
{
  free (s->name);
  s->name = name;
  ret->name = name;
  ret->file = file;
  ret->base_fd = base_fd;
  ret->recurse = false;
  ret->found = true;
  return true;
}

/* Give item I.  A name that is too long for the system is given relative to
   the directory it is in.  */
static bool
give_item (struct survey *s, struct survey_item const *item,
           struct walk_operand *ret)
{
  char const *name = item->name;
  int base_fd = item->base_fd;
  ret->number = item->number;
  s->given = item->dir;
  if (0 <= s->dir_fd)
    close (s->dir_fd);
  s->dir_fd = -1;
  if (PATH_MAX <= strlen (name))
    {
      char *parent = survey_parent_name (name);
      s->dir_fd = survey_open_path (base_fd, parent,
                                    O_PATH | O_DIRECTORY | O_CLOEXEC);
      free (parent);
      if (0 <= s->dir_fd)
        return give (s, ret, s->dir_fd, xstrdup (name),
                     strrchr (name, '/') + 1);
    }
  return give (s, ret, base_fd, xstrdup (name), NULL);
}

/* Give what is next in the directory of item S->next, if there is more.  */
static bool
give_entry (struct survey *s, struct walk_operand *ret)
{
  struct survey_dir *d = s->items[s->next].dir;
  for (; d && d->stored && s->next_entry < d->count; s->next_entry++)
    {
      struct survey_entry *e = &d->entries[s->next_entry];
      int err;
      if (e->letter != 'Y')
        continue;
      if (s->dir_fd < 0)
        s->dir_fd = survey_open (s, d, &err);
      if (s->dir_fd < 0)
        {
          report_cannot (s->settings.report, err, "open", d->name);
          return false;
        }
      s->given_entry = e;
      ret->number = d->number;
      s->next_entry++;
      return give (s, ret, s->dir_fd, survey_join (d->name, e->name), e->name);
    }
  return false;
}

bool
survey_next (struct survey *s, struct walk_operand *ret)
{
  s->given = NULL;
  s->given_entry = NULL;
  if (!s->in_contents && s->next < s->item_count)
    return give_item (s, &s->items[s->next++], ret);
  if (!s->in_contents)
    {
      s->in_contents = true;
      s->next = 0;
      if (0 <= s->dir_fd)
        close (s->dir_fd);
      s->dir_fd = -1;
    }
  for (; s->next < s->item_count; s->next++)
    {
      if (give_entry (s, ret))
        return true;
      if (0 <= s->dir_fd)
        close (s->dir_fd);
      s->dir_fd = -1;
      s->next_entry = 0;
    }
  return false;
}

char const *
survey_list (struct survey const *s, size_t *ret_length)
{
  if (!s->given)
    return NULL;
  *ret_length = s->given->list_length;
  return s->given->list;
}

void
survey_stored (struct survey *s)
{
  if (s->given)
    s->given->stored = true;
  if (s->given_entry)
    s->given_entry->stored = true;
}

/* --- The next snapshot --- */

/* What T is to know of D's contents; allocated.  */
static char *
known_contents (struct survey_dir const *d)
{
  char *contents = ximalloc (d->list_length + 1);
  char *to = contents;
  for (idx_t i = 0; i < d->count; i++)
    {
      struct survey_entry const *e = &d->entries[i];
      if (e->excluded || (e->letter == 'Y' && !e->stored))
        continue;
      *to++ = e->letter;
      to = stpcpy (to, e->name) + 1;
    }
  *to = '\0';
  return contents;
}

static void
add_dir (struct survey const *s, struct survey_dir const *d,
         struct snapshot_text *t)
{
  struct snapshot_dir const *old = d->old ? d->old->dir : NULL;
  bool has_news = !old || d->new_name;
  for (idx_t i = 0; i < d->count && !has_news; i++)
    has_news = d->entries[i].letter == 'Y';
  char *contents = known_contents (d);
  struct snapshot_dir const now = {
    .name = d->name,
    .dev = old && s->settings.ignores_devices ? old->dev : d->st.st_dev,
    .ino = d->st.st_ino,
    .nfs = d->nfs || (old && old->nfs),
    .mtime = has_news ? get_stat_mtime (&d->st) : old->mtime,
    .contents = contents,
  };
  snapshot_add (t, &now);
  free (contents);
}

/* GNU tar writes its directories in the order of a hash table that has the old
   ones as well.  */
void
survey_text (struct survey const *s, struct snapshot_text *t)
{
  idx_t old_count = s->olds ? s->settings.before->count : 0;
  struct survey_dir *keys = xinmalloc (old_count, sizeof *keys);
  Hash_table *table = survey_new_table ();
  for (idx_t i = 0; i < old_count; i++)
    {
      keys[i] = (struct survey_dir){ .absolute = s->olds[i].absolute };
      survey_insert (table, &keys[i]);
    }
  for (idx_t i = 0; i < s->dir_count; i++)
    survey_insert (table, s->dirs[i]);
  for (void *e = hash_get_first (table); e; e = hash_get_next (table, e))
    {
      struct survey_dir *d
          = survey_find (s, ((struct survey_dir *)e)->absolute);
      if (d && (d->stored || d->omitted))
        add_dir (s, d, t);
    }
  hash_free (table);
  free (keys);
}
