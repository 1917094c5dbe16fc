/* What the parts of a member's headers mean together.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef READER_MEMBER_H
#define READER_MEMBER_H

#include <sys/types.h>

#include "format/pax-keywords.h"
#include "member.h"

/* Settle M's type and size, by its stored name and EXTRA; its name becomes the
   stored one.  */
void reader_member_settle (struct member *m, struct pax_extra const *extra);

/* Where M's data ends with its padding, if it starts at START; the largest
   offset if that cannot be told.  */
off_t reader_member_end (struct member const *m, off_t start);

#endif
