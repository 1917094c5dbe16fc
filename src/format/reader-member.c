/* What the parts of a member's headers mean together.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "format/reader-member.h"

#include <string.h>

#include "format/block.h"
#include "intprops.h"

/* Types that never have data; some writers give the size of what a hard link
   leads to, or of a directory on their disk.  */
static bool
is_without_data (enum member_type type)
{
  switch (type)
    {
    case MEMBER_HARD_LINK:
    case MEMBER_SYMLINK:
    case MEMBER_CHARACTER:
    case MEMBER_BLOCK:
    case MEMBER_DIRECTORY:
    case MEMBER_FIFO:
      return true;
    default:
      return false;
    }
}

void
reader_member_settle (struct member *m, struct pax_extra const *extra)
{
  char const *name = member_text (&m->stored_name);
  size_t length = strlen (name);
  m->had_trailing_slash = length && name[length - 1] == '/';
  /* Archives of before 1988 know no directories but these.  */
  if (m->had_trailing_slash
      && (m->typeflag == BLOCK_REGULAR || m->typeflag == BLOCK_OLD_REGULAR))
    m->type = MEMBER_DIRECTORY;
  if (is_without_data (m->type))
    m->size = m->stored_size = 0;
  if (m->type == MEMBER_DIRECTORY && extra->dumpdir)
    m->type = MEMBER_DUMPDIR;
  member_set_text (&m->name, name, length);
}

off_t
reader_member_end (struct member const *m, off_t start)
{
  off_t padding = -m->stored_size & (BLOCK_SIZE - 1);
  off_t ret;
  if (INT_ADD_WRAPV (m->stored_size, padding, &ret)
      || INT_ADD_WRAPV (ret, start, &ret))
    return TYPE_MAXIMUM (off_t);
  return ret;
}
