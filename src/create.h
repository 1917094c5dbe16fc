/* The operation -c.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CREATE_H
#define CREATE_H

#include <stdbool.h>

#include "options.h"
#include "report.h"

/* Store the files that O names in a new archive.  Return false after a fatal
   error, which was reported.  */
bool create_run (struct tar_options const *o, struct report *r);

#endif
