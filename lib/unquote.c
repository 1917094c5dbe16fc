/* Backslash sequences in names.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "unquote.h"

#include <string.h>

void
unquote (char *name)
{
  static char const from[] = "abfnrtv\\?";
  static char const to[] = "\a\b\f\n\r\t\v\\\177";
  char *d = strchr (name, '\\');

  if (!d)
    return;
  for (char const *s = d; *s;)
    {
      char const *place = s[0] == '\\' && s[1] ? strchr (from, s[1]) : NULL;
      if (place)
        {
          *d++ = to[place - from];
          s += 2;
        }
      else if (s[0] == '\\' && '0' <= s[1] && s[1] <= '7')
        {
          unsigned value = 0;
          char const *limit = ++s + 3;
          for (; s < limit && '0' <= *s && *s <= '7'; s++)
            value = value * 8 + (*s - '0');
          *d++ = value;
        }
      else
        *d++ = *s++;
    }
  *d = '\0';
}
