/* Names that are longer than a system call takes.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef LONG_NAME_H
#define LONG_NAME_H

/* Names of PATH_MAX bytes and more exist, but no system call takes them.
   Return a directory to look up *NAME in, relative to FD: FD itself, unless the
   name is that long; then a directory further down, which is opened, and *NAME
   is set to the rest of itself behind it.  Symbolic links are followed on the
   way.  On failure return -1 with errno set.  */
int long_name_begin (int fd, char const **name);

/* Close what long_name_begin (FD) returned, if it opened it.  Keep errno.  */
void long_name_end (int fd, int near);

#endif
