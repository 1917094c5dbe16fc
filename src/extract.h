/* The operation -x.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef EXTRACT_H
#define EXTRACT_H

#include <stdbool.h>

#include "options.h"
#include "report.h"

/* Extract the members of O's archive.  What went wrong has been reported.
   Return false if it was fatal.  */
bool extract_run (struct tar_options const *o, struct report *r);

#endif
