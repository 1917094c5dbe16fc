/* Where a file has data, and where holes.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef HOLES_H
#define HOLES_H

#include <stdbool.h>
#include <sys/stat.h>

#include "member.h"

enum holes_method
{
  HOLES_IGNORE, /* all is data */
  HOLES_SEEK,   /* ask the file system; read if it cannot tell */
  HOLES_RAW     /* read: blocks of zeros are holes */
};

/* True if a regular file with status ST has fewer blocks than it would need
   without holes.  Only then it is worth looking for them.  */
bool holes_expected (struct stat const *st);

/* Make M, of the regular file FD with status ST, sparse: its chunks are those
   of the file that have data, and stored_size is their sum.  A chunk of length
   0 at the file's end follows them, but for HOLES_RAW only if the file ends in
   a hole: such are the maps that GNU tar writes.  Return 0, or the errno of a
   read, with M unchanged.  */
int holes_find (int fd, struct stat const *st, enum holes_method method,
                struct member *m);

#endif
