/* Patterns of names that are left out.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>

#include "exclude.h"
#include "xalloc.h"

#include "select/exclusion.h"

struct exclusion
{
  struct exclude *patterns;
  bool any;
};

/* FLAGS as gnulib's module takes them.  */
static int
exclude_options (unsigned flags)
{
  return ((flags & EXCLUSION_WILDCARDS ? EXCLUDE_WILDCARDS : 0)
          | (flags & EXCLUSION_ANCHORED ? EXCLUDE_ANCHORED : 0)
          | (flags & EXCLUSION_IGNORE_CASE ? FNM_CASEFOLD : 0)
          | (flags & EXCLUSION_NO_SLASH ? FNM_FILE_NAME : 0)
          | (flags & EXCLUSION_LEADING ? FNM_LEADING_DIR : 0)
          | (flags & EXCLUSION_REGEX ? EXCLUDE_REGEX : 0)
          | (flags & EXCLUSION_INCLUDE ? EXCLUDE_INCLUDE : 0));
}

struct exclusion *
exclusion_new (void)
{
  struct exclusion *e = xzalloc (sizeof *e);

  e->patterns = new_exclude ();
  return e;
}

void
exclusion_free (struct exclusion *e)
{
  if (!e)
    return;
  free_exclude (e->patterns);
  free (e);
}

void
exclusion_add (struct exclusion *e, char const *pattern, unsigned flags)
{
  add_exclude (e->patterns, pattern, exclude_options (flags) | EXCLUDE_ALLOC);
  e->any = true;
}

/* add_exclude, but the pattern lives no longer than this call.  */
static void
add_line (struct exclude *patterns, char const *pattern, int options)
{
  add_exclude (patterns, pattern, options | EXCLUDE_ALLOC);
}

int
exclusion_add_file (struct exclusion *e, char const *file, unsigned flags)
{
  e->any = true;
  return add_exclude_file (add_line, e->patterns, file, exclude_options (flags),
                           '\n')
                 == 0
             ? 0
             : errno;
}

bool
exclusion_matches (struct exclusion const *e, char const *name)
{
  return e->any && excluded_file_name (e->patterns, name);
}

bool
exclusion_match_one (char const *pattern, char const *name, unsigned flags)
{
  return exclude_fnmatch (pattern, name, exclude_options (flags));
}
