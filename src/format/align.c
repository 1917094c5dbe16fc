/* Where a member's data lies, and what it takes to move it to a boundary.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "format/align.h"

#include "format/block.h"
#include "format/pax-build.h"

enum
{
  KEYWORD_LENGTH = sizeof ALIGN_KEYWORD - 1
};

static off_t
round_up (off_t n, off_t unit)
{
  return n + (unit - n % unit) % unit;
}

idx_t
align_filler (off_t start, idx_t records, idx_t unit)
{
  off_t data = start + BLOCK_SIZE;
  if (records)
    data += BLOCK_SIZE + round_up (records, BLOCK_SIZE);
  if (data % unit == 0)
    return 0;

  /* With two headers before it, this is how much the records may take up.  */
  off_t first = start + 2 * BLOCK_SIZE;
  off_t least = first + records + pax_build_length (KEYWORD_LENGTH, 1);
  idx_t room = round_up (least, unit) - first - records;

  /* The length counts its own digits: 100, say, cannot be had.  A byte less
     makes no difference, since whole blocks are written.  */
  idx_t value = room - (pax_build_length (KEYWORD_LENGTH, room) - room);
  while (pax_build_length (KEYWORD_LENGTH, value + 1) <= room)
    value++;
  return value;
}

bool
align_is_filler (char const *value, size_t length)
{
  for (size_t i = 0; i < length; i++)
    if (value[i] != ALIGN_FILLER)
      return false;
  return 0 < length;
}
