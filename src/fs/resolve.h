/* Resolving a directory's name beneath a root, component by component.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef RESOLVE_H
#define RESOLVE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* What resolve_beneath returns, besides errno values, when the name leads out
   of the root.  */
enum
{
  RESOLVE_OUTSIDE = -1
};

struct resolve_request
{
  int root;         /* descriptor of the root */
  char const *name; /* relative to it; LENGTH bytes */
  size_t length;
  bool create; /* make missing directories, with mode NEW_MODE */
  mode_t new_mode;

  /* Told of each directory made, by its path from the root.  */
  void (*made) (void *arg, char const *path);
  void *made_arg;
};

/* Open the directory the request names.  Symbolic links are followed, at most
   40 of them as in Linux; on the way the name may leave the root, through an
   absolute link or "..", if it comes back into it.  Missing directories are
   made only where the request itself names them, never where a link points.
   On success *RET_FD belongs to the caller, as does *RET_PATH, the name from
   the root without links.  Return 0, an errno (ELOOP: too many links), or
   RESOLVE_OUTSIDE.  */
int resolve_beneath (struct resolve_request const *q, int *ret_fd,
                     char **ret_path);

#endif
