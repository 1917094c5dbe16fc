/* Which members of an archive the operands mean.

   Time per member is proportional to the length of its name and the number
   of operands with wildcards; plain names cost nothing, however many.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef SELECTOR_H
#define SELECTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "select/exclusion.h"

struct selector;

/* A selector without operands matches everything.  OCCURRENCE, unless 0, is
   which of several members of a name counts.  Never NULL (xalloc).  */
struct selector *selector_new (uintmax_t occurrence);
void selector_free (struct selector *s);

/* Add the operand NAME, which is copied, its trailing slashes dropped.  FLAGS
   is a mask of enum exclusion_flags.  DIRECTORY is what selector_match
   tells.  */
void selector_add (struct selector *s, char const *name, unsigned flags,
                   size_t directory);

/* True if the member NAME matches; *RET_DIRECTORY then is that of the first
   operand it matches, or unchanged if there are no operands.  NAME may have
   trailing slashes; they are ignored.  IS_DIRECTORY tells that members below
   it may follow.  */
bool selector_match (struct selector *s, char const *name, bool is_directory,
                     size_t *ret_directory);

/* True if there are operands, and each had its match and this was no
   directory: under an occurrence, nothing more can match.  */
bool selector_exhausted (struct selector const *s);

/* What an operand without the match it wanted had.  */
enum selector_miss
{
  SELECTOR_NOT_FOUND,
  SELECTOR_WRONG_OCCURRENCE
};

/* Go through the operands that had no match: *POSITION is 0 at first.  Return
   the operand, or NULL at the end.  */
char const *selector_next_missed (struct selector const *s, size_t *position,
                                  enum selector_miss *ret);

/* True if NAME has characters that mean something under --wildcards.  */
bool selector_has_wildcards (char const *name);

#endif
