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

/* The status of a file with NLINK names.  Files with one INO are told apart by
   DEV.  */
static struct stat
status (dev_t dev, ino_t ino, nlink_t nlink)
{
  return (struct stat){
    .st_dev = dev,
    .st_ino = ino,
    .st_nlink = nlink,
    .st_size = 10,
    .st_mtim = { .tv_sec = 20 },
  };
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
      struct stat st = status (n % 2, n / 2, 3);
      name_file (name, n);
      check (!links_seen_meet (t, &st), "met too early", n);
      links_seen_add (t, &st, name);
    }
  for (unsigned pass = 0; pass < 2; pass++)
    for (unsigned long n = pass; n < FILES; n += 1 + pass)
      {
        struct stat st = status (n % 2, n / 2, 3);
        char const *met = links_seen_meet (t, &st);
        name_file (name, n);
        check (met && strcmp (met, name) == 0, "not met", n);
      }
  /* Odd ones were met by all names.  */
  for (unsigned long n = 0; n < FILES; n++)
    {
      struct stat st = status (n % 2, n / 2, 3);
      check (!links_seen_meet (t, &st) == (forget && n % 2), "forgotten or not",
             n);
    }
  links_seen_missing (t, count_missing, &missing);
  check (missing == 0, "missing", missing);
  links_seen_free (t);
}

static void
test_missing (void)
{
  struct links_seen *t = links_seen_new (true);
  unsigned long missing = 0;
  struct stat four = status (1, 1, 4);
  struct stat one = status (1, 2, 1);
  links_seen_add (t, &four, "four");
  links_seen_meet (t, &four);
  links_seen_add (t, &one, "one");
  links_seen_missing (t, count_missing, &missing);
  check (missing == 2, "missing", missing);
  links_seen_free (t);
}

/* A filesystem that makes numbers up gives one to two files.  */
static void
test_false_number (void)
{
  struct links_seen *t = links_seen_new (true);
  struct stat st = status (1, 1, 3);
  links_seen_add (t, &st, "name");
  st.st_size++;
  check (!links_seen_meet (t, &st), "met by another size", 0);
  st.st_size--;
  st.st_mtim.tv_nsec++;
  check (!links_seen_meet (t, &st), "met by another time", 0);
  st.st_mtim.tv_nsec--;
  check (links_seen_meet (t, &st), "not met", 0);
  links_seen_free (t);
}

int
main (void)
{
  test_table (true);
  test_table (false);
  test_missing ();
  test_false_number ();
  return failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
