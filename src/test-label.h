/* The operation --test-label: is this the archive that is wanted?

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef TEST_LABEL_H
#define TEST_LABEL_H

#include <stdbool.h>

#include "options.h"
#include "report.h"

/* Print the label of O's archive; or, if O has operands, look whether the label
   is among them, and raise the exit status to 1 if it is not.  Return false
   after a fatal error, which was reported.  */
bool test_label_run (struct tar_options const *o, struct report *r);

#endif
