/* A bar on the terminal that tells how far the run has got.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef PROGRESS_H
#define PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress;

/* A bar on standard error, not drawn yet.  NULL if that is no terminal.  */
struct progress *progress_new (void);

/* True if it is time to draw.  This is cheap: call it often.  */
bool progress_due (struct progress *p);

/* Draw the bar: BYTES of archive are through; and AT of TOTAL, in whatever
   unit.  TOTAL is 0 if it is not known.  Nothing is drawn while tar is in the
   background.  */
void progress_draw (struct progress *p, uintmax_t bytes, uintmax_t at,
                    uintmax_t total);

/* Take the bar away until it is drawn next, so that something else can be
   written.  */
void progress_erase (struct progress *p);

/* Take it away and free P, which may be NULL.  */
void progress_free (struct progress *p);

#endif
