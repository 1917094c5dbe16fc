/* Numbers of any length in base 256.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef TOOLS_BASE256_H
#define TOOLS_BASE256_H

#include <stddef.h>

/* Put the decimal NUMBER, which may have a minus sign, in FIELD[LENGTH] as
   GNU tar does: two's complement, big endian, the first byte 0x80 or 0xff
   ("Basic Tar Format" in the GNU tar manual).  Fields of more than 16 bytes,
   which hold no numbers, get no such first byte.  */
void base256_put (unsigned char *field, size_t length, char const *number);

#endif
