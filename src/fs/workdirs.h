/* The directories that -C names, opened when they are first needed.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef WORKDIRS_H
#define WORKDIRS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

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

/* --- The roots of extraction --- */

/* Let the root in each directory be TOP, as --one-top-level has it: a name the
   user gave, so it may be absolute or lead up.  It is borrowed.  Where it is
   missing it is made with MODE when its root is opened first; MADE, unless it
   is NULL, is called with ARG, MODE and the name of each directory made.  */
typedef void workdirs_made (void *arg, mode_t mode, char const *name);
void workdirs_set_top (struct workdirs *w, char const *top, mode_t mode,
                       workdirs_made *made, void *arg);

/* If NAME is that of TOP or of something below it, the rest of it, "." for TOP
   itself; else, or without a TOP, NAME.  */
char const *workdirs_below_top (struct workdirs const *w, char const *name);

/* Whether nothing was in the root in directory NUMBER when it was opened
   first.  */
bool workdirs_is_new_root (struct workdirs const *w, int number);

/* Like workdirs_open, but the root in that directory: TOP if there is one.  */
bool workdirs_open_root (struct workdirs *w, int number, struct report *r,
                         int *ret);

#endif
