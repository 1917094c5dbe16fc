/* Where a member's data lies, and what it takes to move it to a boundary.

   The padding is a pax record "comment", which POSIX gives no meaning
   (POSIX.1-2017 pax, "pax Extended Header Keywords"), and which every reader
   ignores silently.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef ALIGN_H
#define ALIGN_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "idx.h"

enum
{
  ALIGN_MIN = 512,
  ALIGN_MAX = 1024 * 1024,
  /* Headers that go with larger boundaries can be more than 1 MiB, which is as
     much as libarchive 3 reads.  */
  ALIGN_SAFE_MAX = ALIGN_MAX / 2,
  /* What the comment is made of.  */
  ALIGN_FILLER = '~'
};

#define ALIGN_KEYWORD "comment"

/* The length of the comment's value that makes data begin at a multiple of
   UNIT, a power of two from ALIGN_MIN on.  The member's headers begin at START,
   a multiple of 512; RECORDS is the length of the pax records it has without
   the comment, in bytes.  0: no comment is needed.  */
idx_t align_filler (off_t start, idx_t records, idx_t unit);

/* Whether a comment is but filler: VALUE is LENGTH bytes.  */
bool align_is_filler (char const *value, size_t length);

#endif
