/* A member that stands for nothing: it covers what is to be passed over.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef FILLER_H
#define FILLER_H

#include <sys/types.h>

#include "format/block.h"

/* Let B be the header of a member that is LENGTH bytes long with its header, a
   multiple of 512 and at least 512.  Every tar can pass over it; GNU's notation
   is used where the size needs it.  */
void filler_make (union block *b, off_t length);

#endif
