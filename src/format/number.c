/* Numbers in header fields: octal, base-256, and GNU's old base-64.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "format/number.h"

#include <string.h>

enum
{
  BASE256_POSITIVE = 0x80,
  BASE256_NEGATIVE = 0xff
};

static bool
is_blank (char c)
{
  return c == ' ' || ('\t' <= c && c <= '\r');
}

/* Set RET's value from its sign and magnitude, within LIMITS.  */
static enum number_status
number_settle (struct number *ret, struct number_limits const *limits)
{
  uintmax_t most_negative = (uintmax_t)INTMAX_MAX + 1;
  if (ret->magnitude > (ret->negative ? most_negative : INTMAX_MAX))
    return NUMBER_RANGE;
  ret->value = (ret->negative ? (intmax_t)(0 - ret->magnitude)
                              : (intmax_t)ret->magnitude);
  return (limits->min <= ret->value && ret->value <= limits->max
              ? NUMBER_OK
              : NUMBER_RANGE);
}

/* GNU tar 1.13 wrote large values as a sign and base-64 digits.  */
static enum number_status
number_decode_base64 (char const *p, char const *end,
                      struct number_limits const *limits, struct number *ret)
{
  static char const digits[64]
      = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

  ret->is_base64 = true;
  ret->negative = *p++ == '-';
  for (; p < end && *p; p++)
    {
      char const *digit = memchr (digits, *p, sizeof digits);
      if (!digit)
        return is_blank (*p) ? number_settle (ret, limits) : NUMBER_INVALID;
      if (ret->magnitude >> (sizeof ret->magnitude * 8 - 6))
        return NUMBER_HUGE;
      ret->magnitude = ret->magnitude << 6 | (uintmax_t)(digit - digits);
    }
  return number_settle (ret, limits);
}

/* All bytes but the first are a number in two's complement whose sign the
   first byte tells.  */
static enum number_status
number_decode_base256 (unsigned char const *p, unsigned char const *end,
                       struct number_limits const *limits, struct number *ret)
{
  ret->negative = *p++ == BASE256_NEGATIVE;
  unsigned char fill = ret->negative ? 0xff : 0;
  uintmax_t bits = ret->negative ? UINTMAX_MAX : 0;
  for (; p < end; p++)
    {
      if (bits >> (sizeof bits * 8 - 8) != fill)
        return NUMBER_HUGE;
      bits = bits << 8 | *p;
    }
  ret->magnitude = ret->negative ? 0 - bits : bits;
  if (ret->negative && ret->magnitude == 0)
    return NUMBER_HUGE;
  return number_settle (ret, limits);
}

enum number_status
number_decode (char const *field, size_t size,
               struct number_limits const *limits, struct number *ret)
{
  char const *p = field;
  char const *end = field + size;
  *ret = (struct number){ 0 };

  /* Some tars put a NUL before the digits.  */
  p += *p == '\0';
  while (p < end && is_blank (*p))
    p++;
  if (p == end)
    return NUMBER_BLANK;

  char const *first = p;
  while (p < end && '0' <= *p && *p <= '7')
    {
      if (ret->magnitude >> (sizeof ret->magnitude * 8 - 3))
        return NUMBER_HUGE;
      ret->magnitude = ret->magnitude << 3 | (unsigned)(*p++ - '0');
    }
  if (p < end && *p && !is_blank (*p))
    {
      unsigned char lead = *first;
      if (p == first && (lead == '-' || lead == '+'))
        return number_decode_base64 (first, end, limits, ret);
      if (p == first && (lead == BASE256_POSITIVE || lead == BASE256_NEGATIVE))
        return number_decode_base256 ((unsigned char const *)first,
                                      (unsigned char const *)end, limits, ret);
      return NUMBER_INVALID;
    }
  return number_settle (ret, limits);
}

bool
number_fits_octal (intmax_t value, size_t size)
{
  size_t bits = 3 * (size - 1);
  return 0 <= value
         && (bits >= sizeof value * 8 || (uintmax_t)value >> bits == 0);
}

bool
number_fits_base256 (intmax_t value, size_t size)
{
  size_t bits = 8 * (size - 1);
  if (bits >= sizeof value * 8)
    return true;
  intmax_t limit = (intmax_t)1 << bits;
  return -limit <= value && value < limit;
}

void
number_put_octal (intmax_t value, char *field, size_t size)
{
  field[--size] = '\0';
  for (uintmax_t bits = value; size; bits >>= 3)
    field[--size] = '0' + (bits & 7);
}

void
number_put_base256 (intmax_t value, char *field, size_t size)
{
  unsigned char fill = value < 0 ? 0xff : 0;
  uintmax_t bits = value;
  for (size_t i = size; 1 < i--;)
    {
      field[i] = bits & 0xff;
      bits = bits >> 8 | (uintmax_t)fill << (sizeof bits * 8 - 8);
    }
  field[0] = (char)(value < 0 ? BASE256_NEGATIVE : BASE256_POSITIVE);
}
