/* Reading what a volume begins with.

   All of it is looked at before any of it is passed over, so that what turns
   out to be something else is still there.  It is as short as it is made, or
   left alone.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "format/volume-start.h"

#include <stdlib.h>
#include <string.h>

#include "format/codec.h"
#include "format/pax-records.h"
#include "intprops.h"
#include "xalloc.h"

/* Where in the volume's beginning we are.  */
struct cursor
{
  struct records *records;
  size_t at;
  int err;
};

static void
ignore_trouble (void *arg, struct codec_trouble const *trouble)
{
  (void)arg;
  (void)trouble;
}

static struct codec_listener const listener = { .trouble = ignore_trouble };

/* LENGTH bytes at C, or NULL.  They are valid until the next call.  */
static char const *
look (struct cursor *c, size_t length)
{
  char const *bytes;
  size_t n = 0;
  if (c->err || RECORDS_PEEK_MAX < c->at + length)
    return NULL;
  c->err = records_peek (c->records, c->at + length, &bytes, &n);
  return !c->err && c->at + length <= n ? bytes + c->at : NULL;
}

/* The header at C, or NULL.  */
static union block const *
look_header (struct cursor *c)
{
  union block const *b = (union block const *)look (c, BLOCK_SIZE);
  return b && codec_classify (b) == CODEC_HEADER ? b : NULL;
}

static char *
field_text (char const *field, size_t size)
{
  return ximemdup0 (field, strnlen (field, size));
}

/* Parse the digits of R's value.  */
static bool
parse_size (struct pax_record const *r, off_t *ret)
{
  *ret = 0;
  for (size_t i = 0; i < r->value_length; i++)
    {
      int digit = r->value[i] - '0';
      if (digit < 0 || 9 < digit || INT_MULTIPLY_WRAPV (*ret, 10, ret)
          || INT_ADD_WRAPV (*ret, digit, ret))
        return false;
    }
  return r->value_length != 0;
}

static bool
is_keyword (struct pax_record const *r, char const *keyword)
{
  return (strlen (keyword) == r->keyword_length
          && memcmp (keyword, r->keyword, r->keyword_length) == 0);
}

static void
set_text (char **text, struct pax_record const *r)
{
  free (*text);
  *text = field_text (r->value, r->value_length);
}

/* Take what the LENGTH bytes of pax records in BYTES say of a volume.  False:
   nothing.  */
static bool
take_records (struct volume_start *s, char const *bytes, size_t length)
{
  char const *end = bytes + length;
  struct pax_record r;
  bool has_size = false;
  bool has_offset = false;

  while (pax_records_next (&bytes, end, &r) == PAX_RECORDS_RECORD)
    if (is_keyword (&r, "GNU.volume.label"))
      set_text (&s->label, &r);
    else if (is_keyword (&r, "GNU.volume.filename"))
      set_text (&s->name, &r);
    else if (is_keyword (&r, "GNU.volume.size"))
      has_size = parse_size (&r, &s->left);
    else if (is_keyword (&r, "GNU.volume.offset"))
      has_offset = parse_size (&r, &s->offset);
  if (s->name && !(has_size && has_offset))
    {
      free (s->name);
      s->name = NULL;
    }
  return s->label || s->name;
}

/* Pass over the member that continues a file for those who do not know that it
   does.  */
static bool
pass_part (struct cursor *c)
{
  union block const *b = look_header (c);
  off_t size;

  if (b && b->ustar.typeflag == BLOCK_PAX_LOCAL
      && codec_size (b, &listener, &size) && size < RECORDS_PEEK_MAX)
    {
      c->at += BLOCK_SIZE + size + (-size & (BLOCK_SIZE - 1));
      b = look_header (c);
    }
  if (!b || b->ustar.typeflag != BLOCK_REGULAR)
    return false;
  c->at += BLOCK_SIZE;
  return true;
}

/* Take a global header, B.  */
static bool
take_global (struct cursor *c, union block const *b, struct volume_start *s)
{
  off_t size;

  if (!codec_size (b, &listener, &size) || RECORDS_PEEK_MAX <= size)
    return false;
  c->at += BLOCK_SIZE;
  char const *bytes = look (c, size);
  if (!bytes || !take_records (s, bytes, size))
    return false;
  c->at += size + (-size & (BLOCK_SIZE - 1));
  return !s->name || pass_part (c);
}

/* Take a GNU header of a continued member, B.  */
static bool
take_continuation (struct cursor *c, union block const *b,
                   struct volume_start *s)
{
  if (!codec_size (b, &listener, &s->left)
      || !codec_offset (b->gnu.offset, &listener, &s->offset))
    return false;
  s->name = field_text (b->ustar.name, sizeof b->ustar.name);
  s->may_be_cut = strlen (s->name) == sizeof b->ustar.name;
  c->at += BLOCK_SIZE;
  return true;
}

int
volume_start_read (struct records *r, bool weak, struct volume_start *ret)
{
  struct cursor c = { .records = r };
  size_t end = 0; /* of what is to be passed over */

  *ret = (struct volume_start){ .label = NULL };
  ret->has_block = look (&c, BLOCK_SIZE) != NULL;
  union block const *b = look_header (&c);
  if (b && b->ustar.typeflag == BLOCK_GNU_VOLUME)
    {
      ret->label = field_text (b->ustar.name, sizeof b->ustar.name);
      end = c.at += BLOCK_SIZE;
      b = look_header (&c);
    }
  bool ok = false;
  if (b && b->ustar.typeflag == BLOCK_GNU_CONTINUATION)
    ok = take_continuation (&c, b, ret);
  else if (b && b->ustar.typeflag == BLOCK_PAX_GLOBAL)
    ok = take_global (&c, b, ret);
  /* What is continued though nothing needs to be is there for those who look
     at the volume alone, if a member begins behind it.  */
  if (ok && (!ret->name || !weak || look_header (&c)))
    end = c.at;
  if (!ok || end != c.at)
    {
      free (ret->name);
      ret->name = NULL;
    }
  if (!c.err && end)
    {
      char const *bytes;
      size_t n;
      c.err = records_peek (r, end, &bytes, &n);
      if (!c.err)
        records_consume (r, end);
    }
  return c.err;
}

bool
volume_start_is_name (struct volume_start *s, char const *name)
{
  if (!s->name)
    return false;
  size_t length = strlen (s->name);
  s->name_is_cut = s->may_be_cut && length < strlen (name);
  return (s->name_is_cut ? memcmp (name, s->name, length)
                         : strcmp (name, s->name))
         == 0;
}

void
volume_start_free (struct volume_start *s)
{
  free (s->label);
  free (s->name);
}
