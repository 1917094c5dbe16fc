/* Names of files, as text.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef FILE_NAME_H
#define FILE_NAME_H

#include <stdbool.h>
#include <stddef.h>

/* How long the first LENGTH bytes of NAME are without the slashes at their end;
   of slashes only, one stays: "/" is a name.  */
size_t file_name_trim (char const *name, size_t length);

/* Likewise, for all of NAME.  */
size_t file_name_length (char const *name);

/* Whether a component of NAME is "..".  */
bool file_name_has_dot_dot (char const *name);

#endif
