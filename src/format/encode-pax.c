/* Header blocks in pax format: what a ustar header cannot hold is said in the
   records of an extended header before it.

   Source: POSIX.1-2017 pax, "pax Interchange Format".  Where POSIX leaves a
   choice, it is the one GNU tar makes.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "format/encode.h"

#include <string.h>

#include "format/align.h"
#include "format/carry.h"

enum
{
  NAME_SIZE = sizeof ((struct block_ustar *)NULL)->name,
  /* The owner names' last byte is NUL.  */
  OWNER_MAX = sizeof ((struct block_ustar *)NULL)->uname - 1
};

static bool
is_ascii (char const *s)
{
  for (; *s; s++)
    if ((unsigned char)*s & 0x80)
      return false;
  return true;
}

static bool
encode_pax_name (struct encoder *e)
{
  if ((NAME_SIZE < e->path.length && !e->path_is_dummy)
      || !is_ascii (e->path.text))
    pax_build_add (&e->records, "path", e->path.text, e->path.length);
  encode_string_field (e->header.ustar.name, NAME_SIZE, e->path);
  return true;
}

static bool
encode_pax_link (struct encoder *e)
{
  if (NAME_SIZE < e->link.length)
    pax_build_add (&e->records, "linkpath", e->link.text, e->link.length);
  encode_string_field (e->header.ustar.linkname, NAME_SIZE, e->link);
  return true;
}

static bool
encode_pax_number (struct encoder *e, struct encode_field const *field,
                   intmax_t value)
{
  if (number_fits_octal (value, field->size) || !field->keyword)
    return encode_octal (e, field, value);
  pax_build_add_number (&e->records, field->keyword, value);
  return encode_octal (e, field, 0);
}

static bool
encode_pax_mtime (struct encoder *e)
{
  struct encode_field const *field = &encode_mtime_field;
  struct timespec mtime = e->member->mtime;
  bool fits = number_fits_octal (mtime.tv_sec, field->size);
  if (!fits || mtime.tv_nsec)
    pax_build_add_time (&e->records, field->keyword, mtime);
  return encode_octal (e, field, fits ? mtime.tv_sec : 0);
}

static void
add_owner_name (struct encoder *e, char const *keyword, char const *name)
{
  size_t length = strlen (name);
  if (OWNER_MAX < length || !is_ascii (name))
    pax_build_add (&e->records, keyword, name, length);
}

/* Put the extended header's name, or as much of it as fits, in FIELD.  POSIX
   wants the process ID in it as well, which makes every archive different.  */
static void
encode_pax_header_name (struct encoder *e, char *field)
{
  char const *template = e->settings->posixly_correct ? "%d/PaxHeaders.%p/%f"
                                                      : "%d/PaxHeaders/%f";
  /* A sparse member's path is stored already.  */
  struct encode_buffer *b = &e->path_buffer;
  encode_names_expand (e, template, 0, b);
  encode_string_field (field, NAME_SIZE,
                       (struct encode_string){ b->bytes, b->length });
}

/* The extended header's own time is the member's, as near as it comes.  */
static void
encode_pax_header_time (struct encoder *e, union block *b)
{
  intmax_t seconds = e->member->mtime.tv_sec;
  struct number_limits const *limits = &encode_mtime_field.limits;
  if (seconds < limits->min)
    seconds = limits->min;
  if (limits->max < seconds)
    seconds = limits->max;
  number_put_octal (seconds, b->ustar.mtime, sizeof b->ustar.mtime);
}

/* Make the member's data begin on a boundary, if it is worth it.  This has to
   be the last record.  */
static void
add_padding (struct encoder *e)
{
  idx_t unit = e->settings->align;
  /* A map before the data is counted as data, too.  */
  idx_t map = e->trailer.length;
  if (!unit || e->size - map < unit)
    return;
  idx_t length = align_filler (e->start + map, e->records.length, unit);
  if (length)
    pax_build_add_filler (&e->records, ALIGN_KEYWORD, ALIGN_FILLER, length);
}

static void
encode_pax_finish (struct encoder *e)
{
  struct member const *m = e->member;
  if (m->present & MEMBER_HAS_ATIME)
    pax_build_add_time (&e->records, "atime", m->atime);
  if (m->present & MEMBER_HAS_CTIME)
    pax_build_add_time (&e->records, "ctime", m->ctime);
  if (!e->settings->numeric_owner)
    {
      if (m->present & MEMBER_HAS_UNAME)
        add_owner_name (e, "uname", member_text (&m->uname));
      if (m->present & MEMBER_HAS_GNAME)
        add_owner_name (e, "gname", member_text (&m->gname));
    }
  if (e->carried_length)
    carry_merge (&e->records, e->carried, e->carried_length, m->is_sparse);
  add_padding (e);
  if (e->records.length == 0)
    return;

  union block *b
      = encode_prelude_header (e, BLOCK_PAX_LOCAL, e->records.length);
  encode_pax_header_name (e, b->ustar.name);
  encode_pax_header_time (e, b);
  encode_checksum (b);
  encode_prelude_data (e, e->records.bytes, e->records.length);
}

struct encode_policy const encode_pax = {
  .magic = "ustar\00000",
  .regular = BLOCK_REGULAR,
  .sparse_flag = BLOCK_REGULAR,
  .has_owner_names = true,
  .has_special_files = true,
  .name = encode_pax_name,
  .link = encode_pax_link,
  .number = encode_pax_number,
  .mtime = encode_pax_mtime,
  .finish = encode_pax_finish,
  .sparse = encode_sparse_pax,
};
