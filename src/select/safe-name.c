/* Names that must not lead out of the directory they are extracted in.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "hash.h"
#include "hash-pjw.h"
#include "xalloc.h"

#include "select/safe-name.h"

/* If a component ".." begins at S, return its end, else NULL.  */
static char const *
dot_dot_end (char const *s)
{
  return s[0] == '.' && s[1] == '.' && (!s[2] || s[2] == '/') ? s + 2 : NULL;
}

static char const *
skip_slashes (char const *s)
{
  while (*s == '/')
    s++;
  return s;
}

size_t
safe_name_prefix (char const *name)
{
  char const *rest = name;

  for (char const *s = name; *s;)
    {
      char const *end = dot_dot_end (s);
      if (end)
        rest = end;
      s += strcspn (s, "/");
      s = skip_slashes (s);
    }
  return skip_slashes (rest) - name;
}

char const *
safe_name_suffix (char const *name)
{
  char const *suffix = name + safe_name_prefix (name);

  return *suffix ? suffix : ".";
}

enum
{
  MAX_PREFIXES = 10000
};

struct safe_name_prefixes
{
  Hash_table *table; /* of strings, which it owns */
};

static bool
equal (void const *a, void const *b)
{
  return strcmp (a, b) == 0;
}

struct safe_name_prefixes *
safe_name_prefixes_new (void)
{
  struct safe_name_prefixes *p = xmalloc (sizeof *p);

  p->table = hash_initialize (0, NULL, hash_pjw, equal, free);
  if (!p->table)
    xalloc_die ();
  return p;
}

void
safe_name_prefixes_free (struct safe_name_prefixes *p)
{
  if (!p)
    return;
  hash_free (p->table);
  free (p);
}

char const *
safe_name_prefixes_add (struct safe_name_prefixes *p, char const *prefix,
                        size_t length)
{
  if (MAX_PREFIXES <= hash_get_n_entries (p->table))
    return NULL;

  char *copy = ximemdup0 (prefix, length);
  int inserted = hash_insert_if_absent (p->table, copy, NULL);
  if (inserted < 0)
    xalloc_die ();
  if (inserted == 1)
    return copy;
  free (copy);
  return NULL;
}
