/* What --reflink-report prints.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef SHARING_REPORT_H
#define SHARING_REPORT_H

#include "fs/differ.h"
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

/* Likewise, after -d: "PROGRAM: shared: N members, N bytes", which were equal
   without being read, then "PROGRAM: read: N members, N bytes" for what was
   read and found equal.  */
void sharing_report_compared (struct differ_counts const *counts);

#endif
