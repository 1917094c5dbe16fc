/* Whether a directory has nothing in it.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef EMPTY_DIR_H
#define EMPTY_DIR_H

#include <stdbool.h>

/* Whether NAME in the directory AT (both as for openat) is a directory that
   can be read and has nothing in it.  A symbolic link is none.  */
bool empty_dir (int at, char const *name);

#endif
