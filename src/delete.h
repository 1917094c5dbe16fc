/* The operation --delete.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef DELETE_H
#define DELETE_H

#include <stdbool.h>

#include "options.h"
#include "report.h"

/* Remove the members that O names from its archive, or from standard input on
   the way to standard output.  Return false after a fatal error, which was
   reported.  */
bool delete_run (struct tar_options const *o, struct report *r);

#endif
