/* Numbers of any length in base 256.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include <stdbool.h>
#include <string.h>

#include "tools/base256.h"

/* NUMBER[LENGTH], big endian, is to be NUMBER * FACTOR + DIGIT.  Not every
   machine has an integer that is as long.  */
static void
add_digit (unsigned char *number, size_t length, unsigned factor,
           unsigned digit)
{
  for (size_t i = length; 0 < i--; digit >>= 8)
    {
      digit += number[i] * factor;
      number[i] = digit & 0xff;
    }
}

void
base256_put (unsigned char *field, size_t length, char const *number)
{
  bool negative = *number == '-';

  memset (field, 0, length);
  for (char const *p = number + negative; *p; p++)
    add_digit (field, length, 10, (unsigned)(*p - '0'));
  if (negative)
    {
      for (size_t i = 0; i < length; i++)
        field[i] = (unsigned char)~field[i];
      add_digit (field, length, 1, 1);
    }
  if (length <= 16)
    field[0] = negative ? 0xff : 0x80;
}
