/* Removing a directory with all that is in it.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef REMOVE_TREE_H
#define REMOVE_TREE_H

/* Remove the directory BASE in DIR_FD and all that is in it, at any depth,
   without following links, nor entering what is mounted in it (EBUSY).  It
   stops at the first thing that cannot be
   removed.  Return 0 or an errno.  */
int remove_tree (int dir_fd, char const *base);

/* Unlink BASE in DIR_FD.  Return 0, EISDIR if it is a directory, or an
   errno.  */
int remove_tree_unlink (int dir_fd, char const *base);

#endif
