/* The table of files that may be met again.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "fs/links-seen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;

static void
check (bool ok, char const *what, unsigned long n)
{
  if (ok)
    return;
  printf ("%s: %lu\n", what, n);
  failures++;
}

static void
name_file (char *name, unsigned long n)
{
  sprintf (name, "file %lu", n);
}

static void
count_missing (void *arg, struct links_seen_file const *f)
{
  unsigned long *sum = arg;
  *sum += f->left;
}

/* Files with three names each, on two devices, some of them met once, some
   twice, some by all names, in orders that wrap and shift the table.  */
static void
test_table (bool forget)
{
  enum
  {
    FILES = 5000
  };
  struct links_seen *t = links_seen_new (forget);
  char name[32];
  unsigned long missing = 0;

  for (unsigned long n = 0; n < FILES; n++)
    {
      name_file (name, n);
      check (!links_seen_meet (t, n % 2, n / 2), "met too early", n);
      links_seen_add (t, n % 2, n / 2, 3, name);
    }
  for (unsigned pass = 0; pass < 2; pass++)
    for (unsigned long n = pass; n < FILES; n += 1 + pass)
      {
        char const *met = links_seen_meet (t, n % 2, n / 2);
        name_file (name, n);
        check (met && strcmp (met, name) == 0, "not met", n);
      }
  /* Odd ones were met by all names.  */
  for (unsigned long n = 0; n < FILES; n++)
    check (!links_seen_meet (t, n % 2, n / 2) == (forget && n % 2),
           "forgotten or not", n);
  links_seen_missing (t, count_missing, &missing);
  check (missing == 0, "missing", missing);
  links_seen_free (t);
}

static void
test_missing (void)
{
  struct links_seen *t = links_seen_new (true);
  unsigned long missing = 0;
  links_seen_add (t, 1, 1, 4, "four");
  links_seen_meet (t, 1, 1);
  links_seen_add (t, 1, 2, 1, "one");
  links_seen_missing (t, count_missing, &missing);
  check (missing == 2, "missing", missing);
  links_seen_free (t);
}

int
main (void)
{
  test_table (true);
  test_table (false);
  test_missing ();
  return failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
