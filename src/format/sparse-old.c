/* Sparse maps in headers, as old GNU tar, GNU tar and star write them.

   The GNU tar manual, "Basic Tar Format" and "Storing Sparse Files"; star(5).

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "format/sparse.h"

/* Add the chunks at C, at most COUNT of them; an empty length field ends the
   map.  Return false, after telling L, if one has a bad number.  */
static bool
add_chunks (struct block_chunk const *c, size_t count,
            struct codec_listener const *l, struct member *m)
{
  for (size_t i = 0; i < count && c[i].length[0]; i++)
    {
      off_t offset;
      off_t length;
      if (!codec_offset (c[i].offset, l, &offset)
          || !codec_offset (c[i].length, l, &length)
          || SPARSE_CHUNKS_MAX <= m->chunk_count)
        return false;
      member_add_chunk (m, offset, length);
    }
  return true;
}

enum sparse_status
sparse_read_old (union block const *b, struct records *r,
                 struct codec_listener const *l, struct member *m,
                 int *ret_errno)
{
  bool is_star = m->format == MEMBER_FORMAT_STAR;
  struct block_chunk const *chunks
      = is_star ? b->star_sparse.chunks : b->gnu.chunks;
  char const *realsize = is_star ? b->star_sparse.realsize : b->gnu.realsize;
  bool is_extended = is_star ? b->star_sparse.is_extended : b->gnu.is_extended;

  bool ok = codec_offset (realsize, l, &m->size);
  if (!ok)
    m->size = 0;
  ok = ok && add_chunks (chunks, BLOCK_GNU_CHUNKS, l, m);
  while (is_extended)
    {
      char const *bytes;
      size_t n;
      *ret_errno = records_peek (r, BLOCK_SIZE, &bytes, &n);
      if (*ret_errno)
        return SPARSE_ERROR;
      if (n < BLOCK_SIZE)
        return SPARSE_SHORT;
      union block const *extended = (union block const *)bytes;
      ok = ok
           && add_chunks (extended->extended.chunks, BLOCK_EXTENDED_CHUNKS, l,
                          m);
      is_extended = extended->extended.is_extended;
      records_consume (r, BLOCK_SIZE);
    }
  return ok ? SPARSE_OK : SPARSE_BAD;
}
