/* The label of a volume, as its first header.

   GNU formats have a header of type V for it, of which GNU tar fills in no
   more than name and time; pax archives a record in a global header.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "format/encode.h"

#include <stdio.h>
#include <string.h>

#include "inttostr.h"
#include "xalloc.h"
#include "xvasprintf.h"

/* The global header is named as POSIX has it for pax, but that the process ID
   is left out unless POSIX is asked for to the letter.  */
static void
encode_global_name (struct encoder *e, char const *directory, char *field,
                    size_t size)
{
  char digits[INT_BUFSIZE_BOUND (intmax_t)];
  bool with_pid = e->settings->posixly_correct;
  char *name = xasprintf ("%s/GlobalHead.%s%s1", directory,
                          with_pid ? imaxtostr (e->settings->pid, digits) : "",
                          with_pid ? "." : "");

  encode_string_field (field, size,
                       (struct encode_string){ name, strlen (name) });
  free (name);
}

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

  pax_build_clear (&e->records);
  pax_build_add (&e->records, "GNU.volume.label", label, length);

  union block *b
      = encode_prelude_header (e, BLOCK_PAX_GLOBAL, e->records.length);
  encode_global_name (e, directory, b->ustar.name, sizeof b->ustar.name);
  number_put_octal (now, b->ustar.mtime, sizeof b->ustar.mtime);
  encode_checksum (b);
  encode_prelude_data (e, e->records.bytes, e->records.length);
}
