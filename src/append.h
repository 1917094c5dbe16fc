/* The operations -r and -u.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef APPEND_H
#define APPEND_H

#include <stdbool.h>

#include "options.h"
#include "report.h"

/* Store the files that O names at the end of its archive; if O asks for -u,
   only those that it has not, or not as new.  Return false after a fatal error,
   which was reported; then the archive has what it had.  */
bool append_run (struct tar_options const *o, struct report *r);

#endif
