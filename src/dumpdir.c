/* Lists of what was in a directory, as incremental archives have them.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "dumpdir.h"

#include <stdlib.h>
#include <string.h>

#include "file-name.h"
#include "minmax.h"
#include "xalloc.h"

enum
{
  /* A directory of four million files with long names.  */
  LENGTH_MAX = 256 * 1024 * 1024
};

static void
append (struct dumpdir *d, char const *bytes, size_t length)
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

static enum dumpdir_fault
read_all (struct dumpdir *d, struct payload *p)
{
  d->length = 0;
  while (p && p->remaining)
    {
      struct payload_segment s;
      if (payload_next (p, &s) != 0 || s.length == 0)
        return DUMPDIR_READ;
      if (LENGTH_MAX - (off_t)d->length < s.length)
        return DUMPDIR_TOO_LARGE;
      append (d, s.bytes, s.length);
    }
  return DUMPDIR_OK;
}

/* How far checking has come.  */
struct check
{
  bool has_aside;  /* X was met */
  bool aside_used; /* something is in the temporary directory's place */
  bool after_from; /* the last entry was R */
  bool anywhere;   /* ".." is no fault */
};

static enum dumpdir_fault
check_move (struct check *c, char letter, char const *name)
{
  bool is_from = letter == DUMPDIR_FROM;
  if (!is_from && !c->after_from)
    return DUMPDIR_NO_R;
  c->after_from = is_from;
  if (!c->anywhere && file_name_has_dot_dot (name))
    return DUMPDIR_OUTSIDE;
  if (*name)
    return DUMPDIR_OK;
  if (!c->has_aside || c->aside_used != is_from)
    return is_from ? DUMPDIR_EMPTY_FROM : DUMPDIR_EMPTY_TO;
  c->aside_used = !is_from;
  /* It can be used again after another X.  */
  if (is_from)
    c->has_aside = false;
  return DUMPDIR_OK;
}

/* Check one entry.  */
static enum dumpdir_fault
check_entry (struct check *c, char letter, char const *name)
{
  if (c->after_from && letter != DUMPDIR_TO)
    return DUMPDIR_NO_T;
  switch (letter)
    {
    case DUMPDIR_STORED:
    case DUMPDIR_UNCHANGED:
    case DUMPDIR_DIRECTORY:
      return (!*name || strchr (name, '/') || strcmp (name, ".") == 0
                      || strcmp (name, "..") == 0
                  ? DUMPDIR_NAME
                  : DUMPDIR_OK);

    case DUMPDIR_FROM:
    case DUMPDIR_TO:
      return check_move (c, letter, name);

    case DUMPDIR_ASIDE:
      if (c->has_aside)
        return DUMPDIR_DUPLICATE_X;
      c->has_aside = true;
      /* GNU tar has this one as it was given.  */
      return DUMPDIR_OK;

    default:
      return DUMPDIR_LETTER;
    }
}

/* True if the LENGTH bytes at P are NULs.  */
static bool
is_padding (char const *p, size_t length)
{
  while (length && !*p)
    {
      p++;
      length--;
    }
  return length == 0;
}

static enum dumpdir_fault
check_all (struct dumpdir *d, bool anywhere, unsigned *ret_found)
{
  struct check c = { .anywhere = anywhere };
  *ret_found = 0;
  /* Then there need be no memory either.  */
  if (d->length == 0)
    return DUMPDIR_UNTERMINATED;
  char const *p = d->bytes;
  char const *end = p + d->length;
  for (; p < end && *p;)
    {
      char const *nul = memchr (p, '\0', end - p);
      if (!nul)
        return DUMPDIR_UNTERMINATED;
      *ret_found = (unsigned char)*p;
      enum dumpdir_fault fault = check_entry (&c, *p, p + 1);
      if (fault != DUMPDIR_OK)
        return fault;
      p = nul + 1;
    }
  *ret_found = 0;
  if (p == end)
    return DUMPDIR_UNTERMINATED;
  if (c.after_from)
    return DUMPDIR_NO_T;
  if (c.has_aside)
    return DUMPDIR_UNUSED_X;
  return is_padding (p, end - p) ? DUMPDIR_OK : DUMPDIR_TRAILING;
}

enum dumpdir_fault
dumpdir_read (struct dumpdir *d, struct payload *p, bool anywhere,
              unsigned *ret_found)
{
  enum dumpdir_fault fault = read_all (d, p);
  *ret_found = 0;
  if (fault == DUMPDIR_OK && d->length == 0)
    fault = DUMPDIR_UNTERMINATED;
  if (fault == DUMPDIR_OK)
    fault = check_all (d, anywhere, ret_found);
  if (fault != DUMPDIR_OK)
    d->length = 0;
  return fault;
}

void
dumpdir_free (struct dumpdir *d)
{
  free (d->bytes);
  *d = (struct dumpdir){ .bytes = NULL };
}

bool
dumpdir_next (struct dumpdir const *d, char const **entry)
{
  char const *p = *entry ? *entry + strlen (*entry) + 1 : d->bytes;
  if (d->length == 0 || !*p)
    return false;
  *entry = p;
  return true;
}
