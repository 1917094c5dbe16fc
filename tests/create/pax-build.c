/* Records of pax headers, put together.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "format/pax-build.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int status = EXIT_SUCCESS;

static void
expect (struct pax_build *b, char const *expected)
{
  size_t length = strlen (expected);
  if (b->length != length || memcmp (b->bytes, expected, length) != 0)
    {
      printf ("%.*s instead of %s", (int)b->length, b->bytes, expected);
      status = EXIT_FAILURE;
    }
  pax_build_clear (b);
}

/* Each record's length counts itself, around where it gets a digit more.  */
static void
test_lengths (struct pax_build *b)
{
  static char value[2000];
  memset (value, 'v', sizeof value);
  for (size_t length = 0; length < sizeof value; length++)
    {
      pax_build_add (b, "k", value, length);
      char *end;
      unsigned long told = strtoul (b->bytes, &end, 10);
      if (told != b->length || strncmp (end, " k=", 3) != 0
          || b->bytes[b->length - 1] != '\n'
          || end + 3 + length + 1 != b->bytes + b->length)
        {
          printf ("a value of %zu bytes\n", length);
          status = EXIT_FAILURE;
        }
      pax_build_clear (b);
    }
}

int
main (void)
{
  struct pax_build b = { 0 };

  /* The examples are GNU tar's.  */
  pax_build_add_number (&b, "uid", 2097152);
  expect (&b, "15 uid=2097152\n");
  pax_build_add_time (&b, "mtime", (struct timespec){ 1, 500000000 });
  expect (&b, "13 mtime=1.5\n");
  pax_build_add_time (&b, "mtime", (struct timespec){ -6, 750000000 });
  expect (&b, "15 mtime=-5.25\n");
  pax_build_add_time (&b, "mtime", (struct timespec){ -5, 0 });
  expect (&b, "12 mtime=-5\n");
  pax_build_add_time (&b, "mtime", (struct timespec){ -1, 999999999 });
  expect (&b, "22 mtime=-0.000000001\n");
  pax_build_add_time (&b, "atime", (struct timespec){ 1796062120, 228682740 });
  expect (&b, "29 atime=1796062120.22868274\n");
  pax_build_add_time (&b, "mtime", (struct timespec){ 8589934592, 0 });
  pax_build_add (&b, "path", "a\nb", 3);
  expect (&b, "20 mtime=8589934592\n12 path=a\nb\n");
  test_lengths (&b);

  pax_build_free (&b);
  return status;
}
