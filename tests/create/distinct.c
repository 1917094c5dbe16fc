/* Operands that are, or may be, of the same file.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "select/distinct.h"

#include <stdio.h>
#include <stdlib.h>

struct names_case
{
  bool distinct;
  char const *names[4];
};

static struct names_case const cases[] = {
  { true, { NULL } },
  { true, { "a" } },
  { true, { ".." } },
  { true, { "a/" } },
  { true, { "a", "b" } },
  { true, { "b", "a", "ab", "a.b" } },
  { true, { "/usr/b", "/usr/a" } },
  { true, { "a", "..a", "...", ".b" } },
  { false, { "a", "a" } },
  { false, { "a", "b", "c", "a" } },
  { false, { "a", "a/" } },
  { false, { "a", "./a" } },
  { false, { "a", "a/b" } },
  { false, { "a/b", "a.c", "a" } },
  { false, { "a", "l/x" } },
  { false, { "x/a", "y/b" } },
  { false, { "a", "." } },
  { false, { "a", ".." } },
  { false, { "a", "b/.." } },
  { false, { "", "a" } },
  { false, { "/", "a" } },
  { false, { "/", "/a" } },
};

int
main (void)
{
  int status = EXIT_SUCCESS;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    {
      char const *names[4];
      size_t count = 0;
      while (count < 4 && cases[i].names[count])
        {
          names[count] = cases[i].names[count];
          count++;
        }
      if (distinct_names (names, count) != cases[i].distinct)
        {
          printf ("case %zu\n", i);
          status = EXIT_FAILURE;
        }
    }
  return status;
}
