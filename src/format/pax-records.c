/* The records of pax extended headers.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "format/pax-records.h"

#include <stdint.h>
#include <string.h>

#include "c-ctype.h"

/* Parse the digits at P, before END.  Set *RET to the number, or to SIZE_MAX if
   it is larger than anything can be.  Return the end of the digits.  */
static char const *
parse_length (char const *p, char const *end, size_t *ret)
{
  size_t length = 0;
  for (; p < end && c_isdigit (*p); p++)
    length
        = length < SIZE_MAX / 16 ? length * 10 + (size_t)(*p - '0') : SIZE_MAX;
  *ret = length;
  return p;
}

enum pax_records_status
pax_records_next (char const **cursor, char const *end, struct pax_record *ret)
{
  char const *start = *cursor;
  if (start == end || *start == '\0')
    return PAX_RECORDS_END;

  char const *digits = start;
  while (digits < end && c_isblank (*digits))
    digits++;
  size_t length;
  char const *p = parse_length (digits, end, &length);
  if (p == digits)
    return PAX_RECORDS_NO_LENGTH;
  if (end - start < length)
    {
      ret->value = digits;
      ret->value_length = p - digits;
      while (p < end && c_isblank (*p))
        p++;
      char const *equal_sign = p < end ? memchr (p, '=', end - p) : NULL;
      ret->keyword = p;
      ret->keyword_length = equal_sign ? equal_sign - p : 0;
      return PAX_RECORDS_BAD_LENGTH;
    }
  char const *next = start + length;
  char const *after_digits = p;
  while (p < end && c_isblank (*p))
    p++;
  if (p == after_digits)
    return PAX_RECORDS_NO_BLANK;
  char const *equal_sign = p < next ? memchr (p, '=', next - p) : NULL;
  if (!equal_sign || memchr (p, '\0', equal_sign - p))
    return PAX_RECORDS_NO_EQUAL_SIGN;
  if (next[-1] != '\n')
    return PAX_RECORDS_NO_NEWLINE;
  ret->keyword = p;
  ret->keyword_length = equal_sign - p;
  ret->value = equal_sign + 1;
  ret->value_length = next - 1 - ret->value;
  *cursor = next;
  return PAX_RECORDS_RECORD;
}
