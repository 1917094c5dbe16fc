/* Names of files, as text.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "file-name.h"

#include <string.h>

size_t
file_name_trim (char const *name, size_t length)
{
  while (1 < length && name[length - 1] == '/')
    length--;
  return length;
}

size_t
file_name_length (char const *name)
{
  return file_name_trim (name, strlen (name));
}

bool
file_name_has_dot_dot (char const *name)
{
  for (char const *p = strstr (name, ".."); p; p = strstr (p + 1, ".."))
    if ((p == name || p[-1] == '/') && (p[2] == '\0' || p[2] == '/'))
      return true;
  return false;
}
