/* Pax records that go from one archive to another as they are.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "format/carry.h"

#include <stdlib.h>
#include <string.h>

#include "format/align.h"
#include "format/pax-records.h"
#include "xalloc.h"

static bool
has_keyword (struct pax_record const *r, char const *keyword)
{
  return (r->keyword_length == strlen (keyword)
          && memcmp (r->keyword, keyword, r->keyword_length) == 0);
}

/* Whether R is made anew by whoever stores the member.  */
static bool
is_made_anew (struct pax_record const *r, bool is_sparse)
{
  static char const sparse[] = "GNU.sparse.";
  size_t prefix = sizeof sparse - 1;
  if (has_keyword (r, ALIGN_KEYWORD)
      && align_is_filler (r->value, r->value_length))
    return true;
  return is_sparse
         && (has_keyword (r, "path") || has_keyword (r, "size")
             || (prefix <= r->keyword_length
                 && memcmp (r->keyword, sparse, prefix) == 0));
}

/* Whether the records from FROM to END have R's keyword.  */
static bool
is_among (struct pax_record const *r, char const *from, char const *end,
          bool is_sparse)
{
  struct pax_record other;
  while (pax_records_next (&from, end, &other) == PAX_RECORDS_RECORD)
    if (other.keyword_length == r->keyword_length
        && memcmp (other.keyword, r->keyword, r->keyword_length) == 0
        && !is_made_anew (&other, is_sparse))
      return true;
  return false;
}

/* Append the record from FROM to END.  */
static void
append (struct pax_build *b, struct pax_record const *r)
{
  char *keyword = ximemdup0 (r->keyword, r->keyword_length);
  pax_build_add (b, keyword, r->value, r->value_length);
  free (keyword);
}

void
carry_merge (struct pax_build *b, char const *carried, size_t length,
             bool is_sparse)
{
  struct pax_build made = *b;
  struct pax_record r;
  char const *p = carried;
  char const *end = carried + length;

  *b = (struct pax_build){ 0 };
  while (pax_records_next (&p, end, &r) == PAX_RECORDS_RECORD)
    if (!is_made_anew (&r, is_sparse))
      append (b, &r);
  p = made.bytes;
  while (made.length
         && pax_records_next (&p, made.bytes + made.length, &r)
                == PAX_RECORDS_RECORD)
    if (!is_among (&r, carried, end, is_sparse))
      append (b, &r);
  pax_build_free (&made);
}
