/* The compression programs, and what their output looks like.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "io/filters.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct magic
{
  char bytes[10];
  unsigned char length;
  struct filter filter;
};

/* From the formats' descriptions: RFC 1952 (gzip), RFC 8878 (zstd), xz and lzip
   in their file-format documents, lz4_Frame_format.md, lzop's and compress's
   sources as described in file(1)'s magic.  */
static struct magic const magics[] = {
  { "\x1f\x8b", 2, { { "gzip" } } },
  { "BZh", 3, { { "bzip2" } } },
  { "\xfd"
    "7zXZ",
    6,
    { { "xz" } } },
  { "\x28\xb5\x2f\xfd", 4, { { "zstd" } } },
  { "LZIP", 4, { { "lzip" } } },
  { "\x04\x22\x4d\x18", 4, { { "lz4" } } },
  { "\x02\x21\x4c\x18", 4, { { "lz4" } } }, /* legacy frames */
  { "\x89LZO\0\r\n\x1a\n", 9, { { "lzop" } } },
  { "\x1f\x9d", 2, { { "compress", "gzip" } } },
};

static struct filter const lzma_filter = { { "lzma", "xz" } };

static uint32_t
le32 (char const *p)
{
  unsigned char const *u = (unsigned char const *)p;
  return u[0] | u[1] << 8 | u[2] << 16 | (uint32_t)u[3] << 24;
}

/* .lzma has no magic: a byte of properties, a dictionary size and the size of
   what was compressed, or -1.  These are xz's own tests (xz(1), --format).  */
static bool
is_lzma (char const *p, size_t length)
{
  if (length < 13 || 9 * 5 * 5 <= (unsigned char)p[0])
    return false;
  uint32_t dictionary = le32 (p + 1);
  uint32_t low = le32 (p + 5);
  uint32_t high = le32 (p + 9);
  /* The highest bit, and the next one or not; or all ones.  */
  uint32_t high_bit = dictionary;
  while (high_bit & (high_bit - 1))
    high_bit &= high_bit - 1;
  bool sane = (dictionary == UINT32_MAX
               || (4096 <= dictionary
                   && (dictionary == high_bit
                       || dictionary == (high_bit | high_bit >> 1))));
  return sane && ((low == UINT32_MAX && high == UINT32_MAX) || high < 1 << 6);
}

/* The number of bytes that the skippable frames at P take: zstd and lz4 share
   their form (RFC 8878, 3.1.2).  pzstd begins with one.  */
static size_t
skippable_length (char const *p, size_t length)
{
  if (length < 8 || (le32 (p) & ~UINT32_C (0xf)) != 0x184d2a50)
    return 0;
  return 8 + (size_t)le32 (p + 4);
}

struct filter const *
filters_by_content (char const *bytes, size_t length)
{
  size_t skip = skippable_length (bytes, length);
  if (skip)
    {
      static struct filter const zstd = { { "zstd" } };
      struct filter const *f = NULL;
      if (skip < length)
        f = filters_by_content (bytes + skip, length - skip);
      return f ? f : &zstd;
    }
  for (size_t i = 0; i < sizeof magics / sizeof *magics; i++)
    if (magics[i].length <= length
        && memcmp (bytes, magics[i].bytes, magics[i].length) == 0)
      return &magics[i].filter;
  return is_lzma (bytes, length) ? &lzma_filter : NULL;
}
