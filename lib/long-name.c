/* Names that are longer than a system call takes.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "long-name.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* PATH_MAX is 4096 in Linux (path_resolution(7)).  A name that is cut at a
   slash after fewer bytes is as good.  */
enum
{
  STEP = 2048
};

int
long_name_begin (int fd, char const **name)
{
  char const *rest = *name;
  int near = fd;

  while (STEP <= strlen (rest))
    {
      char const *slash = memrchr (rest, '/', STEP);
      char part[STEP + 1];

      if (!slash || slash == rest)
        break;
      memcpy (part, rest, slash - rest);
      part[slash - rest] = '\0';

      int next = openat (near, part, O_PATH | O_DIRECTORY | O_CLOEXEC);

      long_name_end (fd, near);
      if (next < 0)
        return -1;
      near = next;
      slash += strspn (slash, "/");
      /* What has only slashes left is the directory itself.  */
      rest = *slash ? slash : ".";
    }
  *name = rest;
  return near;
}

void
long_name_end (int fd, int near)
{
  int err = errno;

  if (near != fd && near != -1)
    close (near);
  errno = err;
}
