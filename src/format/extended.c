/* Extended headers: read from the archive, kept until their member comes.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "format/extended.h"

#include <stdlib.h>
#include <string.h>

#include "format/block.h"
#include "format/pax-edits.h"
#include "minmax.h"
#include "xalloc.h"

enum
{
  /* No system has names of this length, but archives can.  */
  NAME_MAX_SIZE = 1024 * 1024,
  /* How much is read before the header is looked at again.  */
  STEP = 512 * 1024
};

static void
data_append (struct extended_data *d, char const *bytes, size_t length)
{
  if (d->alloc - d->length < length)
    {
      /* What was announced is not trusted: memory follows what is there.  */
      d->alloc = MAX (d->length + length, d->alloc + d->alloc / 2);
      d->bytes = xrealloc (d->bytes, d->alloc);
    }
  memcpy (d->bytes + d->length, bytes, length);
  d->length += length;
}

/* Append SIZE bytes from R to D.  */
static enum extended_status
read_part (struct extended_data *d, struct records *r, off_t size,
           int *ret_errno)
{
  while (size)
    {
      char const *bytes;
      size_t n;
      *ret_errno = records_peek (r, 1, &bytes, &n);
      if (*ret_errno)
        return EXTENDED_ERROR;
      if (n == 0)
        return EXTENDED_SHORT;
      n = MIN (n, size);
      data_append (d, bytes, n);
      records_consume (r, n);
      size -= n;
    }
  return EXTENDED_OK;
}

/* Read a header's data of SIZE bytes, and its padding, to D.  */
static enum extended_status
read_data (struct extended_data *d, struct records *r, off_t size, bool is_pax,
           int *ret_errno)
{
  struct pax_bound bound = { 0 };
  d->length = 0;
  if (!is_pax && NAME_MAX_SIZE < size)
    return EXTENDED_TOO_LARGE;
  while (d->length < size)
    {
      enum extended_status status
          = read_part (d, r, MIN (size - d->length, STEP), ret_errno);
      if (status != EXTENDED_OK)
        return status;
      if (STEP < size && is_pax
          && !pax_keywords_within_bound (&bound, d->bytes, d->length))
        return EXTENDED_TOO_LARGE;
    }
  int err = records_skip (r, -size & (RECORDS_BLOCK - 1));
  if (err == RECORDS_SHORT)
    return EXTENDED_SHORT;
  *ret_errno = err;
  return err ? EXTENDED_ERROR : EXTENDED_OK;
}

enum extended_status
extended_read (struct extended *e, struct records *r, char typeflag, off_t size,
               off_t block, int *ret_errno)
{
  struct extended_data *data;
  bool *has;
  switch (typeflag)
    {
    case BLOCK_PAX_LOCAL:
    case BLOCK_SOLARIS_LOCAL:
      data = &e->local;
      has = &e->has_local;
      break;
    case BLOCK_PAX_GLOBAL:
      data = &e->global;
      has = &e->has_global;
      break;
    case BLOCK_GNU_LONG_NAME:
      data = &e->name;
      has = &e->has_name;
      break;
    case BLOCK_GNU_LONG_LINK:
      data = &e->link;
      has = &e->has_link;
      break;
    default:
      return EXTENDED_NONE;
    }
  bool is_pax = data == &e->local || data == &e->global;
  if (!is_pax && !e->has_name && !e->has_link)
    e->first_block = block;
  *has = true;
  return read_data (data, r, size, is_pax, ret_errno);
}

/* Set *T to D up to the first NUL.  */
static void
apply_name (struct extended_data const *d, struct member_text *t)
{
  if (d->length)
    member_set_text (t, d->bytes, strnlen (d->bytes, d->length));
  else
    member_set_text (t, "", 0);
}

void
extended_apply (struct extended const *e, struct pax_target *target)
{
  struct member *m = target->member;
  if (e->has_name)
    apply_name (&e->name, &m->stored_name);
  if (e->has_link && (m->type == MEMBER_HARD_LINK || m->type == MEMBER_SYMLINK))
    apply_name (&e->link, &m->link);
  target->is_global = true;
  if (e->edits)
    pax_keywords_apply (e->edits->globals.bytes, e->edits->globals.length,
                        target);
  if (e->has_global)
    pax_keywords_apply (e->global.bytes, e->global.length, target);
  target->is_global = false;
  if (e->has_local)
    {
      target->edits = e->edits;
      pax_keywords_apply (e->local.bytes, e->local.length, target);
      target->edits = NULL;
    }
  if (e->edits)
    {
      target->is_global = true;
      pax_keywords_apply (e->edits->overrides.bytes, e->edits->overrides.length,
                          target);
      target->is_global = false;
    }
  if (e->has_global || e->has_local)
    m->format = MEMBER_FORMAT_PAX;
}

void
extended_clear (struct extended *e)
{
  e->has_name = e->has_link = e->has_local = false;
  /* A listing of megabytes is rare: give its memory back.  */
  if (STEP < e->local.alloc)
    {
      free (e->local.bytes);
      e->local = (struct extended_data){ 0 };
    }
}

void
extended_free (struct extended *e)
{
  free (e->name.bytes);
  free (e->link.bytes);
  free (e->local.bytes);
  free (e->global.bytes);
  *e = (struct extended){ 0 };
}
