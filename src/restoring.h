/* Lists of incremental archives for the operations that read: told, and what is
   wrong with them.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef RESTORING_H
#define RESTORING_H

#include <stdbool.h>

#include "dumpdir.h"
#include "member.h"
#include "payload.h"
#include "report.h"
#include "ui/listing.h"

/* Read the list P of the directory M to *D, as dumpdir_read does.  False: there
   is something wrong with it, reported.  */
bool restoring_read (struct dumpdir *d, struct member const *m,
                     struct payload *p, bool anywhere, struct report *r);

/* Print D, as -tvv does.  */
void restoring_print (struct dumpdir const *d, struct listing *l,
                      struct report *r);

#endif
