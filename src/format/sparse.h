/* Maps of sparse members: which parts of the file the archive has.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef SPARSE_H
#define SPARSE_H

#include <stdbool.h>
#include <sys/types.h>

#include "format/block.h"
#include "format/codec.h"
#include "io/records.h"
#include "member.h"

enum
{
  /* More chunks than this are taken for an attack on memory.  */
  SPARSE_CHUNKS_MAX = 4 * 1024 * 1024
};

enum sparse_status
{
  SPARSE_OK,
  SPARSE_BAD,       /* the map makes no sense */
  SPARSE_MALFORMED, /* the map cannot be read */
  SPARSE_SHORT,     /* the archive ends within the map */
  SPARSE_ERROR      /* *RET_ERRNO */
};

/* Read the map of header B, whose type flag is 'S', and of the blocks that
   follow it in R, into M: its size and chunks.  Numbers that are none are told
   to L.  The blocks are consumed even if the map is bad.  */
enum sparse_status sparse_read_old (union block const *b, struct records *r,
                                    struct codec_listener const *l,
                                    struct member *m, int *ret_errno);

/* Read the map at the start of M's data, as in GNU's pax format 1.0, from R
   into M's chunks.  *UNREAD is the number of bytes of data, and is diminished
   by what was consumed.  */
enum sparse_status sparse_read_pax (struct records *r, struct member *m,
                                    off_t *unread, int *ret_errno);

/* Check that M's chunks ascend and lie within its size, and that STORED bytes
   of data are enough for them; drop empty ones.  Set *RET_LENGTH to the bytes
   of data they have.  Return SPARSE_OK or SPARSE_BAD.  */
enum sparse_status sparse_check (struct member *m, off_t stored,
                                 off_t *ret_length);

#endif
