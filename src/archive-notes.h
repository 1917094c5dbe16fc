/* What goes wrong with an archive as a whole, as GNU tar's messages.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef ARCHIVE_NOTES_H
#define ARCHIVE_NOTES_H

#include <stdbool.h>

#include "io/archive.h"
#include "report.h"

/* Report why an archive could not be opened, and that this is the end.  */
void archive_notes_open (struct report *r,
                         struct archive_failure const *failure);

/* Close RECORDS, the archive NAME, and report what is wrong with that, as a
   filter's exit status.  After another fatal error nothing is said of the
   filter, which that error may have upset.  Return true if all is well.  */
bool archive_notes_close (struct report *r, struct records *records,
                          char const *name);

#endif
