/* How rmt(8) is told to open a file.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef RMT_MODE_H
#define RMT_MODE_H

/* Set *RET to the flags for open(2) that TEXT means: "NUMBER", names as
   "O_RDWR|O_CREAT", whose "O_" can be left out, or both with a blank between,
   where the names count: the other host may number flags otherwise.  Return 0
   or EINVAL.  */
int rmt_mode_parse (char const *text, int *ret);

#endif
