/* What --reflink-report prints.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef SHARING_REPORT_H
#define SHARING_REPORT_H

#include "sharing.h"

/* Print on stderr, after flushing stdout, how many members and bytes
   were shared, and how many copied, a line for each reason.  For people and for
   scripts: "PROGRAM: shared: N members, N bytes" always, then "PROGRAM: copied
   (REASON): N members, N bytes[: ERROR]".  A member stands in one line, but
   its bytes may stand in two: those of a shared member's last, partial unit
   are copied.  */
void sharing_report_print (struct sharing_counts const *counts);

/* Likewise, for -t and a file system with blocks of UNIT bytes: "PROGRAM: could
   be shared (blocks of UNIT bytes): N members, N bytes" always, then "PROGRAM:
   would be copied (REASON): N members, N bytes"; and, if aligning ARCHIVE would
   help, how to do it.  */
void sharing_report_forecast (struct sharing_counts const *counts, off_t unit,
                              char const *archive);

#endif
