/* What --reflink-report prints.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef SHARING_REPORT_H
#define SHARING_REPORT_H

#include "fs/place.h"

/* Print on stderr, after flushing stdout, how many members and bytes P
   shared, and how many it copied, a line for each reason.  For people and for
   scripts: "PROGRAM: shared: N members, N bytes" always, then "PROGRAM: copied
   (REASON): N members, N bytes[: ERROR]".  A member stands in one line, but
   its bytes may stand in two: those of a shared member's last, partial unit
   are copied.  */
void sharing_report_print (struct place const *p);

#endif
