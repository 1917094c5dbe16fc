/* Whether names are of different files, as far as names tell.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef DISTINCT_H
#define DISTINCT_H

#include <stdbool.h>
#include <stddef.h>

/* True if no file is, or is in, two of the COUNT files NAMES: they are
   different entries of one directory.  False if that is not plain to see.  The
   names are sorted.  */
bool distinct_names (char const **names, size_t count);

#endif
