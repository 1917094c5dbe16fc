/* The signals that ask for something while the archive is worked on.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef SIGNALS_H
#define SIGNALS_H

#include <stdbool.h>

/* The number of the signal NAME, "SIGUSR1" or "USR1", if it is one of those
   that tar may be sent (HUP, QUIT, INT, USR1, USR2); else 0.  */
int signals_number (char const *name);

/* From now on SIGNAL does not end the program but is remembered.  System calls
   go on, save for poll and its like.  */
void signals_catch (int signal);

/* True if a signal that is caught has come since the last call.  */
bool signals_taken (void);

/* Wait until SIGNAL comes, which ends nothing.  */
void signals_wait (int signal);

#endif
