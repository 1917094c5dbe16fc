/* Files that are removed when they are stored (--remove-files).

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef REMOVAL_H
#define REMOVAL_H

#include <stdbool.h>
#include <sys/stat.h>

#include "fs/workdirs.h"
#include "report.h"

struct removal;

/* FOLLOW: symbolic links were followed (-h).  Never NULL (xalloc).  */
struct removal *removal_new (bool follow);

/* Free L, which may be NULL, and remove nothing more.  */
void removal_free (struct removal *l);

/* The file NAME, relative to the directory NUMBER of the workdirs, had the
   status ST and was stored.  Nothing is removed yet.  */
void removal_add (struct removal *l, int number, char const *name,
                  struct stat const *st);

/* Remove all that was added: first files, then directories, the last one first.
   A file that is no longer the one that was stored stays.  What cannot be
   removed is reported to R, and the rest removed.  Return false after a fatal
   error, which was reported.  */
bool removal_run (struct removal *l, struct workdirs *w, struct report *r);

#endif
