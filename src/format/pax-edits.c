/* What the user changes in pax extended headers (--pax-option).

   Source: POSIX.1-2017 pax, the option -o; the GNU tar manual, "Controlling
   Extended Header Keywords".

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "format/pax-edits.h"

#include <errno.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "xalloc.h"

/* What is wrong without these, or with others, cannot be read.  */
static char const *const protected_keywords[] = {
  "GNU.dumpdir",         "GNU.volume.label",     "GNU.volume.filename",
  "GNU.volume.size",     "GNU.volume.offset",    "GNU.sparse.name",
  "GNU.sparse.major",    "GNU.sparse.minor",     "GNU.sparse.realsize",
  "GNU.sparse.size",     "GNU.sparse.numblocks", "GNU.sparse.offset",
  "GNU.sparse.numbytes", "GNU.sparse.map",
};

enum
{
  PROTECTED_COUNT = sizeof protected_keywords / sizeof *protected_keywords
};

/* Put the record KEYWORD=VALUE before those in B.  */
static void
prepend (struct pax_build *b, char const *keyword, char const *value)
{
  struct pax_build all = { 0 };
  pax_build_add (&all, keyword, value, strlen (value));
  pax_build_append (&all, b);
  pax_build_free (b);
  *b = all;
}

static void
append (char const ***list, size_t *count, size_t *alloc, char const *text)
{
  if (*alloc <= *count)
    *list = x2nrealloc (*list, alloc, sizeof **list);
  (*list)[(*count)++] = text;
}

static enum pax_edits_status
add_pattern (struct pax_edits *e, char const *pattern)
{
  for (size_t i = 0; i < PROTECTED_COUNT; i++)
    if (fnmatch (pattern, protected_keywords[i], 0) == 0)
      return PAX_EDITS_PATTERN;
  append (&e->patterns, &e->pattern_count, &e->pattern_alloc, pattern);
  return PAX_EDITS_OK;
}

static enum pax_edits_status
set_time (struct pax_edits_header *h, char const *value)
{
  char *end;
  errno = 0;
  intmax_t time = strtoimax (value, &end, 10);
  if (end == value || *end || errno == EINVAL)
    return PAX_EDITS_TIME;
  h->has_time = true;
  h->time = time;
  return PAX_EDITS_OK;
}

enum pax_edits_status
pax_edits_add (struct pax_edits *e, char const *keyword, char const *value,
               bool is_override)
{
  if (strcmp (keyword, "delete") == 0)
    return add_pattern (e, value);
  if (strcmp (keyword, "exthdr.name") == 0)
    e->local.name = value;
  else if (strcmp (keyword, "globexthdr.name") == 0)
    e->global.name = value;
  else if (strcmp (keyword, "exthdr.mtime") == 0)
    return set_time (&e->local, value);
  else if (strcmp (keyword, "globexthdr.mtime") == 0)
    return set_time (&e->global, value);
  else
    {
      for (size_t i = 0; i < PROTECTED_COUNT; i++)
        if (strcmp (keyword, protected_keywords[i]) == 0)
          return PAX_EDITS_PROTECTED;
      prepend (is_override ? &e->overrides : &e->globals, keyword, value);
      if (is_override)
        append (&e->overridden, &e->overridden_count, &e->overridden_alloc,
                keyword);
    }
  return PAX_EDITS_OK;
}

enum pax_build_omission
pax_edits_drop (void const *edits, char const *keyword)
{
  struct pax_edits const *e = edits;
  if (!e)
    return PAX_BUILD_ADD;
  for (size_t i = 0; i < e->pattern_count; i++)
    if (fnmatch (e->patterns[i], keyword, 0) == 0)
      return PAX_BUILD_OMIT;
  for (size_t i = 0; i < e->overridden_count; i++)
    if (strcmp (e->overridden[i], keyword) == 0)
      return PAX_BUILD_REPLACED;
  return PAX_BUILD_ADD;
}

void
pax_edits_free (struct pax_edits *e)
{
  pax_build_free (&e->overrides);
  pax_build_free (&e->globals);
  free (e->overridden);
  free (e->patterns);
}
