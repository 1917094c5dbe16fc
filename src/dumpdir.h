/* Lists of what was in a directory, as incremental archives have them.

   Source: the GNU tar manual, "Dumpdir".

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef DUMPDIR_H
#define DUMPDIR_H

#include <stdbool.h>
#include <stddef.h>

#include "payload.h"

enum dumpdir_letter
{
  DUMPDIR_STORED = 'Y',    /* a file, with a member in this archive */
  DUMPDIR_UNCHANGED = 'N', /* something that has none: it did not change, or was
                              left out */
  DUMPDIR_DIRECTORY = 'D',
  DUMPDIR_FROM = 'R', /* rename this directory */
  DUMPDIR_TO = 'T',   /* to that; follows the former */
  DUMPDIR_ASIDE = 'X' /* make a temporary directory in this one.  It has the
                         empty name in the next T and R */
};

/* A list that was checked.  */
struct dumpdir
{
  char *bytes; /* entries: a letter, a name and a NUL each; then one more NUL */
  size_t length;
  size_t alloc;
};

/* What is wrong with a list.  */
enum dumpdir_fault
{
  DUMPDIR_OK,
  DUMPDIR_READ,         /* the archive ended, or could not be read */
  DUMPDIR_TOO_LARGE,    /* more than anybody has memory for */
  DUMPDIR_UNTERMINATED, /* it was cut off */
  DUMPDIR_TRAILING,     /* something follows it */
  DUMPDIR_LETTER,       /* unknown: FOUND */
  DUMPDIR_NAME,         /* an entry is no name in the directory */
  DUMPDIR_DUPLICATE_X,
  DUMPDIR_UNUSED_X, /* or what is in the temporary directory stays there */
  DUMPDIR_EMPTY_FROM, /* there is no temporary directory that is in use */
  DUMPDIR_EMPTY_TO,   /* or that is not */
  DUMPDIR_NO_T,       /* R is followed by FOUND, 0 for the end */
  DUMPDIR_NO_R,       /* T follows something else */
  DUMPDIR_OUTSIDE     /* a name has ".." in it */
};

/* Read all of P to *D, a valid one, and check it: nothing may be done before
   all is known to make sense.  ANYWHERE: directories may be renamed to names
   with "..".  *RET_FOUND is a letter.  Unless it is of DUMPDIR_OK, *D is
   empty.  */
enum dumpdir_fault dumpdir_read (struct dumpdir *d, struct payload *p,
                                 bool anywhere, unsigned *ret_found);

/* Free what D has.  */
void dumpdir_free (struct dumpdir *d);

/* Go through D: *ENTRY is NULL at first.  False at the end.  */
bool dumpdir_next (struct dumpdir const *d, char const **entry);

#endif
