/* What the end of an archive's name says: a compression program, and where the
   name proper ends.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include <string.h>

#include "basename-lgpl.h"
#include "xalloc.h"

#include "parse.h"

/* The suffixes GNU tar's manual lists for --auto-compress, and lz4's.  TAR
   tells that the suffix stands for ".tar.SOMETHING".  */
static struct
{
  char const *suffix;
  char const *program;
  bool tar;
} const suffixes[] = {
  { "gz", "gzip", false },     { "tgz", "gzip", true },
  { "taz", "gzip", true },     { "Z", "compress", false },
  { "taZ", "compress", true }, { "bz2", "bzip2", false },
  { "tbz", "bzip2", true },    { "tbz2", "bzip2", true },
  { "tz2", "bzip2", true },    { "lz", "lzip", false },
  { "lzma", "lzma", false },   { "tlz", "lzma", true },
  { "lzo", "lzop", false },    { "xz", "xz", false },
  { "txz", "xz", true },       { "zst", "zstd", false },
  { "tzst", "zstd", true },    { "lz4", "lz4", false },
  { "tar", NULL, true },
};

/* If NAME[0..LENGTH) ends in a dot and SUFFIX, return the length without
   them; else return 0.  */
static size_t
without_suffix (char const *name, size_t length, char const *suffix)
{
  size_t n = strlen (suffix) + 1;

  return (n < length && name[length - n] == '.'
          && memcmp (name + length - n + 1, suffix, n - 1) == 0)
             ? length - n
             : 0;
}

char const *
options_suffix_program (char const *archive)
{
  size_t length = strlen (archive);

  for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
    if (without_suffix (archive, length, suffixes[i].suffix))
      return suffixes[i].program;
  return NULL;
}

char *
options_suffix_stem (char const *archive)
{
  char const *base = last_component (archive);
  size_t length = strlen (base);

  for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
    {
      size_t stem = without_suffix (base, length, suffixes[i].suffix);
      if (!stem)
        continue;
      size_t inner = suffixes[i].tar ? 0 : without_suffix (base, stem, "tar");
      return ximemdup0 (base, inner ? inner : stem);
    }
  return NULL;
}
