/* Extended headers: read from the archive, kept until their member comes.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef EXTENDED_H
#define EXTENDED_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "format/pax-keywords.h"
#include "io/records.h"
#include "member.h"

/* The data of an extended header.  */
struct extended_data
{
  char *bytes;
  size_t length;
  size_t alloc;
};

/* All zeros: none.  */
struct extended
{
  struct extended_data name; /* GNU long name and link, as stored */
  struct extended_data link;
  struct extended_data local; /* pax, for the next member */
  struct extended_data global;
  bool has_name;
  bool has_link;
  bool has_local;
  bool has_global;
  struct pax_edits const *edits; /* the user's changes, or NULL */
  off_t first_block;             /* of the long name or link that came first */
};

enum extended_status
{
  EXTENDED_OK,
  EXTENDED_NONE,      /* TYPEFLAG is no extended header's */
  EXTENDED_SHORT,     /* the archive ends within it */
  EXTENDED_TOO_LARGE, /* its data is beyond all reason */
  EXTENDED_ERROR      /* *RET_ERRNO */
};

/* If TYPEFLAG is an extended header's, read its SIZE bytes, padded to blocks,
   from R.  BLOCK is the number of the header.  One of the same kind that came
   before is forgotten.  */
enum extended_status extended_read (struct extended *e, struct records *r,
                                    char typeflag, off_t size, off_t block,
                                    int *ret_errno);

/* Change TARGET's member as the headers say: names first, then the global pax
   header, then the local one.  */
void extended_apply (struct extended const *e, struct pax_target *target);

/* Forget all but the global header.  */
void extended_clear (struct extended *e);

/* Free what E owns.  */
void extended_free (struct extended *e);

#endif
