/* The operation -A.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CONCATENATE_H
#define CONCATENATE_H

#include <stdbool.h>

#include "options.h"
#include "report.h"

/* Append the members of the archives that O names to its archive.  Return false
   after a fatal error, which was reported; then the archive has what it
   had.  */
bool concatenate_run (struct tar_options const *o, struct report *r);

#endif
