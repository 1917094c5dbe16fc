/* Blank what GNU tar changed in version 1.35, to compare with older ones.

   Usage: blank-devices ARCHIVE...

   Since 1.35 the device fields of ustar headers that are not of devices are
   NULs; before they were zero.  Makes them NULs in each ARCHIVE, in place.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/block.h"
#include "format/number.h"

static void
fail (char const *name)
{
  perror (name);
  exit (EXIT_FAILURE);
}

static void
set_checksum (union block *b)
{
  unsigned sum = 0;
  memset (b->ustar.checksum, ' ', sizeof b->ustar.checksum);
  for (size_t i = 0; i < BLOCK_SIZE; i++)
    sum += (unsigned char)b->bytes[i];
  number_put_octal (sum, b->ustar.checksum, sizeof b->ustar.checksum - 1);
}

/* Blank the header B if need be.  Return true if it changed.  */
static bool
blank (union block *b)
{
  size_t size = sizeof b->ustar.devmajor + sizeof b->ustar.devminor;
  if (memcmp (b->ustar.magic, "ustar", sizeof b->ustar.magic) != 0
      || b->ustar.typeflag == BLOCK_CHARACTER
      || b->ustar.typeflag == BLOCK_BLOCK)
    return false;
  memset (b->ustar.devmajor, 0, size);
  set_checksum (b);
  return true;
}

/* How many blocks of data follow the header B.  */
static off_t
data_blocks (union block const *b)
{
  static struct number_limits const limits = { "off_t", 0, INT64_MAX };
  struct number n;
  if (number_decode (b->ustar.size, sizeof b->ustar.size, &limits, &n)
      != NUMBER_OK)
    return 0;
  return n.value / BLOCK_SIZE + (n.value % BLOCK_SIZE != 0);
}

int
main (int argc, char **argv)
{
  for (int i = 1; i < argc; i++)
    {
      union block b;
      FILE *f = fopen (argv[i], "r+b");
      if (!f)
        fail (argv[i]);
      while (fread (&b, sizeof b, 1, f) == 1)
        {
          off_t skip = data_blocks (&b);
          if (blank (&b)
              && (fseeko (f, -BLOCK_SIZE, SEEK_CUR) != 0
                  || fwrite (&b, sizeof b, 1, f) != 1))
            fail (argv[i]);
          if (fseeko (f, skip * BLOCK_SIZE, SEEK_CUR) != 0)
            fail (argv[i]);
        }
      if (fclose (f) != 0)
        fail (argv[i]);
    }
  return EXIT_SUCCESS;
}
