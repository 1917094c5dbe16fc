/* Writing until all is written.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef WRITE_ALL_H
#define WRITE_ALL_H

#include <stddef.h>
#include <sys/types.h>

/* Write LENGTH bytes to FD: at byte OFFSET of the file, or where FD is if that
   is -1.  Retries EINTR.  Return 0 or an errno; ENOSPC where nothing more is
   taken.  */
int write_all (int fd, void const *bytes, size_t length, off_t offset);

#endif
