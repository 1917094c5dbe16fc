/* Writing until all is written.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "write-all.h"

#include <errno.h>
#include <unistd.h>

int
write_all (int fd, void const *bytes, size_t length, off_t offset)
{
  char const *p = bytes;

  while (length)
    {
      ssize_t n = (offset < 0 ? write (fd, p, length)
                              : pwrite (fd, p, length, offset));

      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        return errno;
      if (n == 0)
        return ENOSPC;
      p += n;
      length -= (size_t)n;
      if (0 <= offset)
        offset += n;
    }
  return 0;
}
