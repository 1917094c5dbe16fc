/* Patterns of names that are left out.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef EXCLUSION_H
#define EXCLUSION_H

#include <stdbool.h>

/* How a pattern, or a name given as an operand, matches.  */
enum exclusion_flags
{
  EXCLUSION_WILDCARDS = 1 << 0, /* *, ? and [ are special */
  EXCLUSION_ANCHORED = 1 << 1,  /* only from the start of a name */
  EXCLUSION_IGNORE_CASE = 1 << 2,
  EXCLUSION_NO_SLASH = 1 << 3, /* wildcards do not match '/' */
  EXCLUSION_LEADING = 1 << 4,  /* what is below a match matches as well */
  EXCLUSION_REGEX = 1 << 5,    /* an extended regular expression, anywhere in
                                  the name */
  EXCLUSION_INCLUDE = 1 << 6   /* what matches is not excluded after all */
};

struct exclusion;

/* No patterns.  Never NULL (xalloc).  */
struct exclusion *exclusion_new (void);
void exclusion_free (struct exclusion *e);

/* Add PATTERN, which is copied, under FLAGS (a mask).  A regular expression
   that is none matches nothing.  */
void exclusion_add (struct exclusion *e, char const *pattern, unsigned flags);

/* Add the lines of FILE ("-" is standard input) as patterns.  Return 0 or the
   errno of opening or reading it.  */
int exclusion_add_file (struct exclusion *e, char const *file, unsigned flags);

/* True if NAME, which has no trailing slashes, is left out.  Takes time
   proportional to NAME's length and the number of patterns with wildcards.  */
bool exclusion_matches (struct exclusion const *e, char const *name);

/* True if NAME matches this one PATTERN.  */
bool exclusion_match_one (char const *pattern, char const *name,
                          unsigned flags);

#endif
