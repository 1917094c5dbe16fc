/* Numbers in header fields: octal, base-256, and GNU's old base-64.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef NUMBER_H
#define NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What values a field may have, and the type's name for diagnostics.  */
struct number_limits
{
  char const *type;
  intmax_t min;
  intmax_t max;
};

enum number_status
{
  NUMBER_OK,
  NUMBER_BLANK,   /* nothing but blanks */
  NUMBER_INVALID, /* no number in any notation */
  NUMBER_HUGE,    /* a base-256 number of more than 64 bits */
  NUMBER_RANGE    /* a number beyond the limits: see magnitude, negative */
};

struct number
{
  intmax_t value;      /* NUMBER_OK */
  uintmax_t magnitude; /* NUMBER_OK and NUMBER_RANGE */
  bool negative;
  bool is_base64; /* GNU's notation of 1999, obsolescent */
};

/* Decode FIELD of SIZE bytes (at most 32).  Octal digits with blanks before
   them end at the field's end or a NUL or blank; a field of NULs is 0.  */
enum number_status number_decode (char const *field, size_t size,
                                  struct number_limits const *limits,
                                  struct number *ret);

/* Whether VALUE fits FIELD of SIZE bytes as octal digits and a NUL.  */
bool number_fits_octal (intmax_t value, size_t size);

/* Whether VALUE fits SIZE bytes (8 or 12) in base 256.  */
bool number_fits_base256 (intmax_t value, size_t size);

/* Write VALUE, which fits, as SIZE - 1 octal digits and a NUL.  */
void number_put_octal (intmax_t value, char *field, size_t size);

/* Write VALUE, which fits, in two's complement, most significant byte first,
   after a byte 0x80 (positive) or 0xff (negative): the GNU tar manual,
   "Extensions to the archive format".  */
void number_put_base256 (intmax_t value, char *field, size_t size);

#endif
