/* Pax extended header records, put together.

   The format is POSIX.1-2017's, "pax Extended Header".

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "format/pax-build.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inttostr.h"
#include "intprops.h"
#include "xalloc.h"

enum
{
  NANOSECOND_DIGITS = 9
};

void
pax_build_free (struct pax_build *b)
{
  free (b->bytes);
  *b = (struct pax_build){ 0 };
}

static int
decimal_digits (idx_t n)
{
  int digits = 1;
  while (10 <= n)
    {
      n /= 10;
      digits++;
    }
  return digits;
}

idx_t
pax_build_length (size_t keyword_length, size_t value_length)
{
  /* A blank, an equals sign and a newline.  */
  idx_t rest = keyword_length + value_length + 3;
  int digits = decimal_digits (rest);
  /* The digits counted may make the number one digit longer.  */
  digits = decimal_digits (rest + digits);
  return rest + digits;
}

static char *
append (char *to, char const *bytes, size_t length)
{
  memcpy (to, bytes, length);
  return to + length;
}

/* Add a record but for its value, and return where that goes.  */
static char *
add_record (struct pax_build *b, char const *keyword, size_t value_length)
{
  size_t keyword_length = strlen (keyword);
  idx_t length = pax_build_length (keyword_length, value_length);
  idx_t room = b->size - b->length;
  if (room < length)
    b->bytes = xpalloc (b->bytes, &b->size, length - room, -1, 1);

  char digits[INT_BUFSIZE_BOUND (uintmax_t)];
  char const *number = umaxtostr (length, digits);
  char *to = b->bytes + b->length;
  to = append (to, number, strlen (number));
  *to++ = ' ';
  to = append (to, keyword, keyword_length);
  *to++ = '=';
  to[value_length] = '\n';
  b->length += length;
  return to;
}

void
pax_build_add (struct pax_build *b, char const *keyword, char const *value,
               size_t value_length)
{
  enum pax_build_omission omission
      = b->omit ? b->omit (b->omit_arg, keyword) : PAX_BUILD_ADD;

  if (omission == PAX_BUILD_ADD)
    append (add_record (b, keyword, value_length), value, value_length);
  b->replaced |= omission == PAX_BUILD_REPLACED;
}

void
pax_build_append (struct pax_build *b, struct pax_build const *more)
{
  idx_t room = b->size - b->length;
  if (more->length == 0)
    return;
  if (room < more->length)
    b->bytes = xpalloc (b->bytes, &b->size, more->length - room, -1, 1);
  append (b->bytes + b->length, more->bytes, more->length);
  b->length += more->length;
}

void
pax_build_add_filler (struct pax_build *b, char const *keyword, char filler,
                      size_t value_length)
{
  memset (add_record (b, keyword, value_length), filler, value_length);
}

void
pax_build_add_number (struct pax_build *b, char const *keyword, intmax_t value)
{
  char digits[INT_BUFSIZE_BOUND (intmax_t)];
  char const *number = imaxtostr (value, digits);
  pax_build_add (b, keyword, number, strlen (number));
}

void
pax_build_add_time (struct pax_build *b, char const *keyword,
                    struct timespec value)
{
  char text[INT_BUFSIZE_BOUND (intmax_t) + 1 + NANOSECOND_DIGITS + 1];
  intmax_t seconds = value.tv_sec;
  long nanoseconds = value.tv_nsec;
  bool negative = seconds < 0;

  /* -6 s + 750000000 ns is written -5.25.  */
  if (negative && nanoseconds)
    {
      seconds++;
      nanoseconds = 1000000000 - nanoseconds;
    }
  char digits[INT_BUFSIZE_BOUND (intmax_t)];
  int length = sprintf (text, "%s%s", negative && seconds == 0 ? "-" : "",
                        imaxtostr (seconds, digits));
  if (nanoseconds)
    {
      length
          += sprintf (text + length, ".%0*ld", NANOSECOND_DIGITS, nanoseconds);
      while (text[length - 1] == '0')
        length--;
    }
  pax_build_add (b, keyword, text, length);
}
