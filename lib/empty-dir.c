/* Whether a directory has nothing in it.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "empty-dir.h"

#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

bool
empty_dir (int at, char const *name)
{
  int fd = openat (at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  DIR *dir = 0 <= fd ? fdopendir (fd) : NULL;
  struct dirent const *e;

  if (!dir)
    {
      if (0 <= fd)
        close (fd);
      return false;
    }
  do
    e = readdir (dir);
  while (e && (strcmp (e->d_name, ".") == 0 || strcmp (e->d_name, "..") == 0));
  closedir (dir);
  return !e;
}
