/* A member that stands for nothing.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "format/filler.h"

#include <string.h>

#include "format/encode.h"

void
filler_make (union block *b, off_t length)
{
  /* Whoever finds it, after a crash, should know what it is.  */
  static char const name[] = "tar-deleted-members";
  struct block_ustar *u = &b->ustar;
  off_t size = length - BLOCK_SIZE;

  memset (b, 0, sizeof *b);
  memcpy (u->name, name, sizeof name);
  number_put_octal (0, u->mode, sizeof u->mode);
  number_put_octal (0, u->uid, sizeof u->uid);
  number_put_octal (0, u->gid, sizeof u->gid);
  number_put_octal (0, u->mtime, sizeof u->mtime);
  if (number_fits_octal (size, sizeof u->size))
    number_put_octal (size, u->size, sizeof u->size);
  else
    number_put_base256 (size, u->size, sizeof u->size);
  u->typeflag = BLOCK_REGULAR;
  memcpy (u->magic, "ustar ", sizeof u->magic);
  memcpy (u->version, " ", sizeof u->version);
  encode_checksum (b);
}
