/* Numbers in header fields, both ways.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "format/number.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static int failures;

static struct number_limits const any = { "any", INTMAX_MIN, INTMAX_MAX };
static struct number_limits const size = { "off_t", 0, INTMAX_MAX };
static struct number_limits const id = { "uid_t", 0, UINT32_MAX };

struct decode_case
{
  char const *what;
  char field[13];
  unsigned char length;
  struct number_limits const *limits;
  enum number_status status;
  intmax_t value;
};

static struct decode_case const decode_cases[] = {
  { "octal", "0000644", 8, &any, NUMBER_OK, 0644 },
  { "octal that fills its field", "77777777", 8, &any, NUMBER_OK, 077777777 },
  { "octal before a blank", "644 ", 8, &any, NUMBER_OK, 0644 },
  { "octal before a blank and rubbish", "12  x", 8, &any, NUMBER_OK, 10 },
  { "octal before a NUL and rubbish", "12\0x", 8, &any, NUMBER_OK, 10 },
  { "octal after blanks", "   12 ", 8, &any, NUMBER_OK, 10 },
  { "octal after a tab", "\t12", 8, &any, NUMBER_OK, 10 },
  { "octal after a NUL", "\0 12", 8, &any, NUMBER_OK, 10 },
  { "an empty field", "", 8, &any, NUMBER_OK, 0 },
  { "blanks", "        ", 8, &any, NUMBER_BLANK, 0 },
  { "blanks and a NUL", "       ", 8, &any, NUMBER_OK, 0 },
  { "a word", "garbage", 8, &any, NUMBER_INVALID, 0 },
  { "a digit too large", "8", 8, &any, NUMBER_INVALID, 0 },
  { "a digit too large after others", "12345678", 8, &any, NUMBER_INVALID, 0 },
  { "a letter after digits", "12x", 8, &any, NUMBER_INVALID, 0 },
  { "base 256", "\x80\0\0\0\0\0\1\0", 8, &any, NUMBER_OK, 256 },
  { "base 256, negative", "\xff\xff\xff\xff\xff\xff\xff\xfb", 8, &any,
    NUMBER_OK, -5 },
  { "base 256, the largest", "\x80\0\0\0\x7f\xff\xff\xff\xff\xff\xff\xff", 12,
    &size, NUMBER_OK, INTMAX_MAX },
  { "base 256, the smallest", "\xff\xff\xff\xff\x80\0\0\0\0\0\0\0", 12, &any,
    NUMBER_OK, INTMAX_MIN },
  { "base 256, one more", "\x80\0\0\0\x80\0\0\0\0\0\0\0", 12, &size,
    NUMBER_RANGE, 0 },
  { "base 256, one less", "\xff\xff\xff\xff\x7f\xff\xff\xff\xff\xff\xff\xff",
    12, &any, NUMBER_RANGE, 0 },
  { "base 256 of more than 64 bits", "\x80\0\1\0\0\0\0\0\0\0\0\0", 12, &any,
    NUMBER_HUGE, 0 },
  { "base 256 of more than 64 bits, negative", "\xff\0\0\0\0\0\0\0\0\0\0\0", 12,
    &any, NUMBER_HUGE, 0 },
  { "another first byte", "\x81\0\0\0\0\0\0\1", 8, &any, NUMBER_INVALID, 0 },
  { "a negative size", "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", 12,
    &size, NUMBER_RANGE, 0 },
  { "the largest user ID", "\x80\0\0\0\xff\xff\xff\xff", 8, &id, NUMBER_OK,
    UINT32_MAX },
  { "one more", "\x80\0\0\1\0\0\0\0", 8, &id, NUMBER_RANGE, 0 },
  { "base 64", "+B/", 8, &any, NUMBER_OK, 1 * 64 + 63 },
  { "base 64, negative", "-12", 8, &any, NUMBER_OK, -(53 * 64 + 54) },
  { "base 64 with rubbish", "+B$", 8, &any, NUMBER_INVALID, 0 },
};

static void
check_decode (struct decode_case const *c)
{
  struct number n;
  enum number_status status
      = number_decode (c->field, c->length, c->limits, &n);
  if (status != c->status)
    {
      printf ("%s: status %u, not %u\n", c->what, status, c->status);
      failures++;
    }
  else if (status == NUMBER_OK && n.value != c->value)
    {
      printf ("%s: %jd, not %jd\n", c->what, n.value, c->value);
      failures++;
    }
}

/* Whether VALUE fits LENGTH bytes, as octal and in base 256.  What fits is
   read back.  */
static void
check_encode (intmax_t value, size_t length, bool octal, bool base256)
{
  char field[12];
  struct number n;
  if (number_fits_octal (value, length) != octal
      || number_fits_base256 (value, length) != base256)
    {
      printf ("%jd in %zu bytes: wrong about whether it fits\n", value, length);
      failures++;
      return;
    }
  if (octal)
    {
      number_put_octal (value, field, length);
      if (field[length - 1] != '\0'
          || number_decode (field, length, &any, &n) != NUMBER_OK
          || n.value != value)
        {
          printf ("%jd in %zu octal digits: read back as something else\n",
                  value, length - 1);
          failures++;
        }
    }
  if (base256)
    {
      number_put_base256 (value, field, length);
      if (number_decode (field, length, &any, &n) != NUMBER_OK
          || n.value != value)
        {
          printf ("%jd in %zu bytes: read back as something else\n", value,
                  length);
          failures++;
        }
    }
}

int
main (void)
{
  for (size_t i = 0; i < sizeof decode_cases / sizeof *decode_cases; i++)
    check_decode (&decode_cases[i]);

  struct number n;
  number_decode ("+A", 8, &any, &n);
  if (!n.is_base64)
    {
      puts ("base 64 is not told");
      failures++;
    }

  check_encode (0, 8, true, true);
  check_encode (07777777, 8, true, true);
  check_encode (010000000, 8, false, true);
  check_encode (-1, 8, false, true);
  check_encode ((INTMAX_C (1) << 56) - 1, 8, false, true);
  check_encode (INTMAX_C (1) << 56, 8, false, false);
  check_encode (-(INTMAX_C (1) << 56), 8, false, true);
  check_encode (-(INTMAX_C (1) << 56) - 1, 8, false, false);
  check_encode (077777777777, 12, true, true);
  check_encode (0100000000000, 12, false, true);
  check_encode (INTMAX_MAX, 12, false, true);
  check_encode (INTMAX_MIN, 12, false, true);

  return failures != 0;
}
