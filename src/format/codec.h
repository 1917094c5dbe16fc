/* One header block to a member's metadata, in all formats.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CODEC_H
#define CODEC_H

#include <stdbool.h>
#include <sys/types.h>

#include "format/block.h"
#include "format/number.h"
#include "member.h"

enum codec_class
{
  CODEC_HEADER, /* the checksum is right */
  CODEC_ZERO,   /* 512 zero bytes */
  CODEC_GARBAGE
};

/* A number that cannot be used was met: STATUS says why, FIELD (of SIZE bytes)
   is how it is stored, NUMBER what it decoded to.  A valid one in base-64
   notation is told too, with NUMBER_OK.  */
struct codec_trouble
{
  enum number_status status;
  char const *field;
  size_t size;
  struct number_limits const *limits;
  struct number const *number;
};

struct codec_listener
{
  void (*trouble) (void *arg, struct codec_trouble const *trouble);
  void *arg;
};

/* What block B is.  Both the sum of unsigned bytes (POSIX) and of signed bytes
   (historical) are accepted.  */
enum codec_class codec_classify (union block const *b);

/* Which format's header B is, as far as one block tells: pax members have
   ustar headers, and GNU headers are told from old GNU ones by nothing.  */
enum member_format codec_format (union block const *b);

/* Set *RET to the size field of B.  Return false, after telling L, if it is no
   size.  */
bool codec_size (union block const *b, struct codec_listener const *l,
                 off_t *ret);

/* The same for any field of 12 bytes that holds a size or offset.  */
bool codec_offset (char const field[12], struct codec_listener const *l,
                   off_t *ret);

/* Decode header B into M, which is empty: everything but the size, which the
   caller got from codec_size, and what extended headers add.  Fields that
   cannot be read are told to L and become -1, as in GNU tar.  The name is
   M's stored_name.  */
void codec_decode (union block const *b, struct codec_listener const *l,
                   struct member *m);

#endif
