/* Header blocks in GNU and old GNU format: long names have members of their
   own before the header, and large numbers are in base 256.

   Source: the GNU tar manual, "Basic Tar Format" and "Extensions to the
   archive format".

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "format/encode.h"

#include <string.h>

enum
{
  NAME_SIZE = sizeof ((struct block_ustar *)NULL)->name
};

static void
put_text (char *field, size_t size, char const *text)
{
  if (text)
    encode_string_field (field, size,
                         (struct encode_string){ text, strlen (text) });
}

/* Put S before the header in whole if it is longer than the header has room
   for.  */
static void
encode_long (struct encoder *e, char typeflag, struct encode_string s)
{
  /* Old GNU tar wants the NUL as well.  */
  idx_t max = e->policy == &encode_oldgnu ? NAME_SIZE - 1 : NAME_SIZE;
  if (s.length <= max)
    return;
  union block *b = encode_prelude_header (e, typeflag, s.length + 1);
  strcpy (b->ustar.name, "././@LongLink");
  if (!e->settings->numeric_owner)
    {
      put_text (b->ustar.uname, sizeof b->ustar.uname - 1,
                e->settings->root_uname);
      put_text (b->ustar.gname, sizeof b->ustar.gname - 1,
                e->settings->root_gname);
    }
  encode_checksum (b);
  encode_prelude_data (e, s.text, s.length + 1);
}

static bool
encode_gnu_link (struct encoder *e)
{
  encode_long (e, BLOCK_GNU_LONG_LINK, e->link);
  e->link_end = e->prelude.length;
  encode_string_field (e->header.ustar.linkname, NAME_SIZE, e->link);
  return true;
}

static bool
encode_gnu_name (struct encoder *e)
{
  /* An old GNU name field ends in NUL.  */
  size_t size = e->policy == &encode_oldgnu ? NAME_SIZE - 1 : NAME_SIZE;
  encode_long (e, BLOCK_GNU_LONG_NAME, e->name);
  encode_string_field (e->header.ustar.name, size, e->name);
  return true;
}

static bool
encode_gnu_number (struct encoder *e, struct encode_field const *field,
                   intmax_t value)
{
  if (number_fits_octal (value, field->size)
      || !number_fits_base256 (value, field->size))
    return encode_octal (e, field, value);
  number_put_base256 (value, e->header.bytes + field->offset, field->size);
  return true;
}

static void
encode_gnu_time (struct encoder *e, size_t offset, struct timespec time)
{
  struct encode_field field
      = { .offset = offset, .size = sizeof e->header.gnu.atime };
  /* 12 bytes of base 256 take any time.  */
  encode_gnu_number (e, &field, time.tv_sec);
}

static void
encode_gnu_finish (struct encoder *e)
{
  struct member const *m = e->member;
  if (!e->settings->incremental)
    return;
  if (m->present & MEMBER_HAS_ATIME)
    encode_gnu_time (e, offsetof (struct block_gnu, atime), m->atime);
  if (m->present & MEMBER_HAS_CTIME)
    encode_gnu_time (e, offsetof (struct block_gnu, ctime), m->ctime);
}

#define GNU_POLICY                                                             \
  {                                                                            \
    .magic = "ustar  ", .regular = BLOCK_REGULAR, .has_owner_names = true,     \
    .has_special_files = true, .name = encode_gnu_name,                        \
    .link = encode_gnu_link, .number = encode_gnu_number,                      \
    .mtime = encode_seconds, .finish = encode_gnu_finish,                      \
    .sparse_flag = BLOCK_GNU_SPARSE, .sparse = encode_sparse_gnu,              \
  }

struct encode_policy const encode_gnu = GNU_POLICY;
struct encode_policy const encode_oldgnu = GNU_POLICY;
