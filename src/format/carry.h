/* Pax records that go from one archive to another as they are.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CARRY_H
#define CARRY_H

#include <stdbool.h>
#include <stddef.h>

#include "format/pax-build.h"

/* Put the LENGTH bytes of records at CARRIED before those of B, which are left
   out if CARRIED has their keyword.  Of CARRIED's, filler is left out, and what
   IS_SPARSE (the member) makes anew.  */
void carry_merge (struct pax_build *b, char const *carried, size_t length,
                  bool is_sparse);

#endif
