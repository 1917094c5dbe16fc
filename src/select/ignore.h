/* Files of patterns in the directories that are stored, as .gitignore.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef IGNORE_H
#define IGNORE_H

#include <stdbool.h>

/* The files to look for, and the patterns found on the way down to the
   directory at hand.  */
struct ignore;

/* How a file of patterns is written.  Blanks around a pattern never count;
   lines that are empty or start with '#' are passed over, save in
   IGNORE_CVS.  */
enum ignore_syntax
{
  IGNORE_PLAIN,    /* a wildcard pattern a line */
  IGNORE_CVS,      /* patterns with blanks between them */
  IGNORE_BAZAAR,   /* "RE:" regular expressions and "!" exceptions as well */
  IGNORE_MERCURIAL /* regular expressions; "syntax: glob" changes that */
};

/* No files to look for.  Never NULL (xalloc).  */
struct ignore *ignore_new (void);

/* Free I, which may be NULL.  */
void ignore_free (struct ignore *i);

/* From now on look for FILE, which is copied, in each directory.  With
   RECURSIVE its patterns hold for directories below, too.  */
void ignore_add (struct ignore *i, char const *file, enum ignore_syntax syntax,
                 bool recursive);

/* Enter directory DIR_FD, inside the one entered last.  FAILED is called with
   the name and the errno of a file that is there but cannot be used; then
   the patterns read so far hold.  */
void ignore_enter (struct ignore *i, int dir_fd,
                   void (*failed) (void *arg, char const *file, int error),
                   void *arg);

/* Leave the directory entered last.  */
void ignore_leave (struct ignore *i);

/* True if NAME, an entry of the directory at hand, is to be left out.  Patterns
   match all of NAME, with or without a leading "./", or its last component.  */
bool ignore_matches (struct ignore const *i, char const *name);

#endif
