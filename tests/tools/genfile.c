/* Write reproducible bytes, none of them zero, to standard output.
   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

int
main (int argc, char **argv)
{
  char *end = NULL;
  errno = 0;
  uintmax_t size = 2 <= argc ? strtoumax (argv[1], &end, 10) : 0;
  if (argc < 2 || 3 < argc || errno || *end || end == argv[1])
    {
      fputs ("Usage: genfile SIZE [SEED]\n", stderr);
      return EXIT_FAILURE;
    }

  /* A 64-bit linear congruential generator with Knuth's multiplier (MMIX),
     of which the high bits are used.  Without zeros, a hole or a lost block
     cannot go unnoticed.  */
  uint64_t x = argc == 3 ? strtoumax (argv[2], NULL, 10) : 1;
  for (uintmax_t i = 0; i < size; i++)
    {
      x = x * 6364136223846793005u + 1442695040888963407u;
      putchar_unlocked ((x >> 33) % 255 + 1);
    }
  if (ferror (stdout) || fflush (stdout) != 0)
    {
      perror ("genfile");
      return EXIT_FAILURE;
    }
  return EXIT_SUCCESS;
}
