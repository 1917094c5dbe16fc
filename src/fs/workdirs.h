/* The directories that -C names, opened when they are first needed.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef WORKDIRS_H
#define WORKDIRS_H

#include <stdbool.h>

#include "report.h"

/* A table of directories.  Number 0 is where the program started; each later
   one is relative to the one before it, as successive -C options are.  */
struct workdirs;

/* A table that holds number 0 only.  Never NULL (xalloc).  */
struct workdirs *workdirs_new (void);

/* Close what is open and free W, which may be NULL.  */
void workdirs_free (struct workdirs *w);

/* Add DIR, which is copied, after the directory added last.  Return its
   number.  Nothing is opened yet.  */
int workdirs_add (struct workdirs *w, char const *dir);

/* How many directories there are: numbers are below this.  */
int workdirs_count (struct workdirs const *w);

/* DIR as it was given to workdirs_add; "." for number 0.  */
char const *workdirs_name (struct workdirs const *w, int number);

/* Set *RET to a descriptor of directory NUMBER that belongs to W.  It serves
   the *at functions only (O_PATH).  On failure "DIR: Cannot open: ..." has
   been reported, with the line that GNU tar adds to fatal errors.  */
bool workdirs_open (struct workdirs *w, int number, struct report *r, int *ret);

#endif
