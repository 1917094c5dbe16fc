/* Which members of an archive the operands mean.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "hash.h"
#include "xalloc.h"

#include "file-name.h"
#include "select/selector.h"

struct operand
{
  char *name;
  size_t length;
  unsigned flags;
  size_t directory;
  uintmax_t found; /* members that matched */
};

struct selector
{
  struct operand **operands; /* in the order given */
  size_t count;
  size_t alloc;
  Hash_table *plain; /* those that are plain names, first ones only */
  size_t *others;    /* numbers of the rest, rising */
  size_t other_count;
  size_t other_alloc;
  size_t missed;        /* operands without their match */
  bool has_directories; /* a directory matched; more below it may */
  uintmax_t occurrence;
  bool everything; /* the first operand was "" */
  char *buffer;    /* a member's name without trailing slashes */
  size_t buffer_size;
};

/* What the table is asked for: a part of a name.  Stored elements are numbers
   of operands, but the table wants pointers: so they are struct slot.  */
struct slot
{
  char const *name;
  size_t length;
  size_t number;
};

static size_t
slot_hash (void const *element, size_t size)
{
  struct slot const *slot = element;
  size_t value = 5381;

  for (size_t i = 0; i < slot->length; i++)
    value = value * 33 ^ (unsigned char)slot->name[i];
  return value % size;
}

static bool
slot_equal (void const *a, void const *b)
{
  struct slot const *x = a;
  struct slot const *y = b;

  return x->length == y->length && memcmp (x->name, y->name, x->length) == 0;
}

struct selector *
selector_new (uintmax_t occurrence)
{
  struct selector *s = xzalloc (sizeof *s);

  s->occurrence = occurrence;
  s->plain = hash_initialize (0, NULL, slot_hash, slot_equal, free);
  if (!s->plain)
    xalloc_die ();
  return s;
}

void
selector_free (struct selector *s)
{
  if (!s)
    return;
  for (size_t i = 0; i < s->count; i++)
    {
      free (s->operands[i]->name);
      free (s->operands[i]);
    }
  free (s->operands);
  free (s->others);
  hash_free (s->plain);
  free (s->buffer);
  free (s);
}

/* Enter operand NUMBER into the table of plain names.  Return false if it has
   to be looked at for itself.  */
static bool
add_plain (struct selector *s, size_t number)
{
  struct operand const *o = s->operands[number];
  unsigned kind
      = o->flags
        & (EXCLUSION_WILDCARDS | EXCLUSION_ANCHORED | EXCLUSION_IGNORE_CASE);
  void const *old;

  if (kind != EXCLUSION_ANCHORED)
    return false;
  struct slot *slot = xmalloc (sizeof *slot);
  *slot = (struct slot){ o->name, o->length, number };
  int inserted = hash_insert_if_absent (s->plain, slot, &old);
  if (inserted < 0)
    xalloc_die ();
  if (inserted == 1)
    return true;
  free (slot);
  /* The earlier operand takes all, unless it does not take what is below.  */
  struct operand const *earlier
      = s->operands[((struct slot const *)old)->number];
  return earlier->flags & EXCLUSION_LEADING || !(o->flags & EXCLUSION_LEADING);
}

void
selector_add (struct selector *s, char const *name, unsigned flags,
              size_t directory)
{
  if (!*name)
    {
      /* GNU tar takes an empty first operand for all there is, and passes
         over a later one.  */
      s->everything |= s->count == 0;
      return;
    }

  struct operand *o = xmalloc (sizeof *o);
  *o = (struct operand){ .length = file_name_length (name),
                         .flags = flags,
                         .directory = directory };
  o->name = ximemdup0 (name, o->length);
  if (s->count == s->alloc)
    s->operands = x2nrealloc (s->operands, &s->alloc, sizeof *s->operands);
  s->operands[s->count++] = o;
  s->missed++;

  if (!add_plain (s, s->count - 1))
    {
      if (s->other_count == s->other_alloc)
        s->others = x2nrealloc (s->others, &s->other_alloc, sizeof *s->others);
      s->others[s->other_count++] = s->count - 1;
    }
}

/* The first plain operand that NAME is, or is below; s->count if there is
   none.  */
static size_t
find_plain (struct selector const *s, char const *name, size_t length)
{
  size_t best = s->count;

  if (hash_get_n_entries (s->plain) == 0)
    return best;
  for (size_t i = 1; i <= length; i++)
    if (i == length || (name[i] == '/' && name[i - 1] != '/'))
      {
        struct slot wanted = { name, i, 0 };
        struct slot const *slot = hash_lookup (s->plain, &wanted);
        if (slot && slot->number < best
            && (i == length
                || s->operands[slot->number]->flags & EXCLUSION_LEADING))
          best = slot->number;
      }
  return best;
}

/* The first operand that matches, or s->count.  */
static size_t
find (struct selector const *s, char const *name, size_t length)
{
  size_t best = find_plain (s, name, length);

  for (size_t i = 0; i < s->other_count && s->others[i] < best; i++)
    {
      struct operand const *o = s->operands[s->others[i]];
      if (exclusion_match_one (o->name, name, o->flags))
        return s->others[i];
    }
  return best;
}

static bool
is_found (struct selector const *s, struct operand const *o)
{
  return s->occurrence ? o->found == s->occurrence : o->found != 0;
}

bool
selector_match (struct selector *s, char const *name, bool is_directory,
                size_t *ret_directory)
{
  if (s->everything || s->count == 0)
    return true;

  size_t length = file_name_length (name);
  if (name[length])
    {
      while (s->buffer_size <= length)
        s->buffer = x2realloc (s->buffer, &s->buffer_size);
      memcpy (s->buffer, name, length);
      s->buffer[length] = '\0';
      name = s->buffer;
    }
  size_t number = find (s, name, length);
  if (number == s->count)
    return false;

  struct operand *o = s->operands[number];
  bool before = is_found (s, o);
  /* What is below a directory belongs to its occurrence.  */
  if (o->found == 0 || length <= o->length || o->flags & EXCLUSION_WILDCARDS)
    o->found++;
  bool now = is_found (s, o);
  s->missed += before;
  s->missed -= now;
  s->has_directories |= now && is_directory && o->flags & EXCLUSION_LEADING;
  *ret_directory = o->directory;
  return now;
}

bool
selector_exhausted (struct selector const *s)
{
  return 0 < s->count && s->missed == 0 && !s->has_directories;
}

char const *
selector_next_missed (struct selector const *s, size_t *position,
                      enum selector_miss *ret)
{
  while (!s->everything && *position < s->count)
    {
      struct operand const *o = s->operands[(*position)++];
      if (!is_found (s, o) && !(s->occurrence && s->occurrence < o->found))
        {
          *ret = o->found ? SELECTOR_WRONG_OCCURRENCE : SELECTOR_NOT_FOUND;
          return o->name;
        }
    }
  return NULL;
}

bool
selector_has_wildcards (char const *name)
{
  for (; *name; name++)
    if (*name == '\\' && name[1])
      name++;
    else if (strchr ("*?[", *name))
      return true;
  return false;
}
