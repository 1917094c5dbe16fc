/* Lists of names: the files of -T.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef NAMES_H
#define NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* An open -T file.  */
struct names;

/* Open FILE ("-" is standard input).  Return 0 or an errno.  */
int names_open (char const *file, struct names **ret);
void names_close (struct names *n);

/* Which file N is, to see whether it is being read already.  */
void names_identity (struct names const *n, dev_t *ret_dev, ino_t *ret_ino);

/* Set *RET to the next name that is not empty, or NULL at the end; it is valid
   until the next call.  A name ends with a newline or, if NUL_ENDS, with a NUL.
   *HAS_NUL tells that a NUL was met in a list of lines; it ends the name, and
   names are taken to end with NULs from then on.  Return 0 or an errno.  */
int names_next (struct names *n, bool nul_ends, char **ret, bool *has_nul);

/* The number of the line that names_next gave, from 1.  */
size_t names_line (struct names const *n);

#endif
