/* What the keywords of pax extended headers do to a member.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef PAX_KEYWORDS_H
#define PAX_KEYWORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "format/pax-edits.h"
#include "format/reader.h"
#include "member.h"

/* What extended headers say that has no place in struct member.  Strings lie
   in the header's buffer.  */
struct pax_extra
{
  /* A sparse member in one of GNU's pax formats 0.0, 0.1 and 1.0, or star's.
     The map of the first two is in the member's chunks.  */
  bool has_realsize;
  bool has_star_realsize;
  off_t realsize;
  bool has_map;        /* 0.0 and 0.1 */
  bool bad_map;        /* it was reported */
  uintmax_t announced; /* chunks, if has_announced */
  bool has_announced;
  bool has_version; /* 1.0 or later */
  uintmax_t major;
  uintmax_t minor;
  bool has_offset; /* 0.0: waits for its length */
  off_t offset;
  char const *sparse_name; /* beats path, whichever comes first */
  size_t sparse_name_length;

  char const *dumpdir; /* NULL if none */
  size_t dumpdir_length;
  char const *volume_label; /* NULL if none */
  size_t volume_label_length;
};

struct pax_target
{
  struct member *member;
  struct pax_extra extra;
  void (*note) (void *arg, struct reader_note const *note);
  void *note_arg;
  bool is_global;                /* unknown keywords are nobody's business */
  struct pax_edits const *edits; /* records to pass over; NULL: none */
};

/* Apply the records in BYTES to TARGET in turn.  Values that make no sense are
   told to the target's note function, and ignored.  */
void pax_keywords_apply (char const *bytes, size_t length,
                         struct pax_target *target);

/* How large an extended header may become.  One that lists a directory or maps
   a sparse file can be large; the rest of its records cannot.  */
struct pax_bound
{
  size_t cursor;  /* the records before are counted */
  size_t counted; /* bytes of records that are not exempt */
};

/* Look at the LENGTH bytes of a header that were read so far.  Return false if
   it is too large, so that no more should be read.  */
bool pax_keywords_within_bound (struct pax_bound *bound, char const *bytes,
                                size_t length);

#endif
