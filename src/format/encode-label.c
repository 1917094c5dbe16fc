/* The label of a volume, as its first header.

   GNU formats have a header of type V for it, of which GNU tar fills in no
   more than name and time; pax archives a record in a global header.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "format/encode.h"

#include <string.h>

void
encode_label (struct encoder *e, char const *label, time_t now,
              char const *directory)
{
  size_t length = strlen (label);

  e->prelude.length = 0;
  if (e->policy != &encode_pax)
    {
      union block *b = encode_prelude_header (e, BLOCK_GNU_VOLUME, 0);
      memset (b, 0, sizeof *b);
      encode_string_field (b->ustar.name, sizeof b->ustar.name - 1,
                           (struct encode_string){ label, length });
      number_put_octal (now, b->ustar.mtime, sizeof b->ustar.mtime);
      b->ustar.typeflag = BLOCK_GNU_VOLUME;
      encode_checksum (b);
      return;
    }

  encode_global (e, label, now, directory);
}
