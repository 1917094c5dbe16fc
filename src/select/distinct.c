/* Whether names are of different files, as far as names tell.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "select/distinct.h"

#include <stdlib.h>
#include <string.h>

/* The last component of NAME, and its length; "" if NAME has none but is made
   of slashes.  */
static char const *
last_component (char const *name, size_t *ret_length)
{
  size_t end = strlen (name);
  while (0 < end && name[end - 1] == '/')
    end--;
  size_t start = end;
  while (0 < start && name[start - 1] != '/')
    start--;
  *ret_length = end - start;
  return name + start;
}

static int
compare_names (void const *a, void const *b)
{
  char const *const *x = a;
  char const *const *y = b;
  return strcmp (*x, *y);
}

/* True if A and B are different entries of one directory.  */
static bool
are_siblings (char const *a, char const *b)
{
  size_t a_length;
  size_t b_length;
  char const *a_last = last_component (a, &a_length);
  char const *b_last = last_component (b, &b_length);
  size_t directory = a_last - a;
  return directory == (size_t)(b_last - b) && memcmp (a, b, directory) == 0
         && !(a_length == b_length && memcmp (a_last, b_last, a_length) == 0);
}

static bool
is_dots (char const *name)
{
  size_t length;
  char const *last = last_component (name, &length);
  return length <= 2 && memcmp (last, "..", length) == 0;
}

bool
distinct_names (char const **names, size_t count)
{
  if (count < 2)
    return true;
  /* With slashes at the end, equal names need not be neighbours.  */
  for (size_t i = 0; i < count; i++)
    if (is_dots (names[i]) || names[i][strlen (names[i]) - 1] == '/')
      return false;
  qsort (names, count, sizeof *names, compare_names);
  for (size_t i = 1; i < count; i++)
    if (!are_siblings (names[i - 1], names[i]))
      return false;
  return true;
}
