/* The operation -t.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef LIST_H
#define LIST_H

#include <stdbool.h>

#include "options.h"
#include "report.h"

/* List the members of the archive that O names.  Return false after a fatal
   error, which was reported.  */
bool list_run (struct tar_options const *o, struct report *r);

#endif
