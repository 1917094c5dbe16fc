/* The operation -d: members against files.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef COMPARE_H
#define COMPARE_H

#include <stdbool.h>

#include "options.h"
#include "report.h"

/* Compare the archive of O with the files it came from.  Return false after a
   fatal error, which was reported.  */
bool compare_run (struct tar_options const *o, struct report *r);

#endif
