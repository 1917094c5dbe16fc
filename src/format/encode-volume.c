/* What a volume begins with: its label, and what is continued there.

   GNU formats have a header of type V for the one and of type M for the other,
   of which GNU tar fills in no more than it needs; pax archives have records in
   a global header, and the rest of a file looks like a file of its own to
   programs that do not know them.

   Source: the GNU tar manual, "Basic Tar Format" and "Storing Sparse Files".

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "format/encode.h"

#include <string.h>

static void
put_name (union block *b, struct encode_string name, size_t size)
{
  memset (b, 0, sizeof *b);
  encode_string_field (b->ustar.name, size, name);
}

static void
put_label (struct encoder *e, struct encode_volume const *v)
{
  union block *b = encode_prelude_header (e, BLOCK_GNU_VOLUME, 0);

  /* A label's field ends in NUL.  */
  put_name (b, (struct encode_string){ v->label, strlen (v->label) },
            sizeof b->ustar.name - 1);
  number_put_octal (v->now, b->ustar.mtime, sizeof b->ustar.mtime);
  b->ustar.typeflag = BLOCK_GNU_VOLUME;
  encode_checksum (b);
}

/* Store a number of bytes as GNU formats store numbers.  */
static void
put_size (off_t size, char *field, size_t field_size)
{
  if (number_fits_octal (size, field_size))
    number_put_octal (size, field, field_size);
  else
    number_put_base256 (size, field, field_size);
}

static void
put_continuation (struct encoder *e, struct encode_continuation const *c)
{
  union block *b = encode_prelude_header (e, BLOCK_GNU_CONTINUATION, 0);

  put_name (b, c->name, sizeof b->ustar.name);
  put_size (c->left, b->ustar.size, sizeof b->ustar.size);
  put_size (c->whole - c->left, b->gnu.offset, sizeof b->gnu.offset);
  b->ustar.typeflag = BLOCK_GNU_CONTINUATION;
  encode_checksum (b);
}

bool
encode_volume (struct encoder *e, struct encode_volume const *v)
{
  e->prelude.length = 0;
  if (e->policy == &encode_pax)
    return encode_pax_volume (e, v);
  if (v->label)
    put_label (e, v);
  if (v->continuation)
    put_continuation (e, v->continuation);
  return e->prelude.length != 0;
}
