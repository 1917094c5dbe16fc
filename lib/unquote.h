/* Backslash sequences in names.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef UNQUOTE_H
#define UNQUOTE_H

/* Decode the backslash sequences of NAME in place: \a \b \f \n \r \t \v \\,
   \? for DEL, and up to three octal digits.  Others stay.  */
void unquote (char *name);

#endif
