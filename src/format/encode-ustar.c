/* Header blocks in v7 and ustar format: what does not fit is refused.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "format/encode.h"

#include <string.h>

enum
{
  NAME_SIZE = sizeof ((struct block_ustar *)NULL)->name,
  PREFIX_SIZE = sizeof ((struct block_ustar *)NULL)->prefix,
  /* GNU tar tells so, although it stores names that fill the field.  */
  V7_NAME_TOLD_MAX = NAME_SIZE - 1,
  USTAR_NAME_MAX = PREFIX_SIZE + 1 + NAME_SIZE
};

static bool
encode_v7_name (struct encoder *e)
{
  if (NAME_SIZE < e->name.length)
    return encode_refuse_string (e, WRITER_NOTE_NAME_TOO_LONG, e->name,
                                 V7_NAME_TOLD_MAX);
  encode_string_field (e->header.ustar.name, NAME_SIZE, e->name);
  return true;
}

/* Link targets may fill their field in either format.  */
static bool
encode_short_link (struct encoder *e)
{
  if (NAME_SIZE < e->link.length)
    return encode_refuse_string (e, WRITER_NOTE_LINK_TOO_LONG, e->link, 0);
  encode_string_field (e->header.ustar.linkname, NAME_SIZE, e->link);
  return true;
}

/* Where S is cut in prefix and name: at the last slash that leaves a prefix
   that fits and a name.  Return its index, 0 if there is none.  */
static idx_t
split_at (struct encode_string s)
{
  idx_t at = s.length - 1;
  if (s.text[at] == '/')
    at--;
  if (PREFIX_SIZE < at)
    at = PREFIX_SIZE;
  while (0 < at && s.text[at] != '/')
    at--;
  return at;
}

static bool
encode_ustar_name (struct encoder *e)
{
  struct block_ustar *h = &e->header.ustar;
  struct encode_string s = e->name;

  if (s.length <= NAME_SIZE)
    {
      encode_string_field (h->name, NAME_SIZE, s);
      return true;
    }
  if (USTAR_NAME_MAX < s.length)
    return encode_refuse_string (e, WRITER_NOTE_NAME_TOO_LONG, s,
                                 USTAR_NAME_MAX);
  idx_t at = split_at (s);
  struct encode_string rest = { s.text + at + 1, s.length - at - 1 };
  if (at == 0 || NAME_SIZE < rest.length)
    return encode_refuse_string (e, WRITER_NOTE_NAME_TOO_LONG, s, 0);
  memcpy (h->prefix, s.text, at);
  encode_string_field (h->name, NAME_SIZE, rest);
  return true;
}

struct encode_policy const encode_v7 = {
  .regular = BLOCK_OLD_REGULAR,
  .zero_devices = true,
  .name = encode_v7_name,
  .link = encode_short_link,
  .number = encode_octal,
  .mtime = encode_seconds,
};

struct encode_policy const encode_ustar = {
  .magic = "ustar\00000",
  .regular = BLOCK_REGULAR,
  .has_owner_names = true,
  .has_special_files = true,
  .name = encode_ustar_name,
  .link = encode_short_link,
  .number = encode_octal,
  .mtime = encode_seconds,
};
