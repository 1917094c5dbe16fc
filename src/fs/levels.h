/* The directories a walk is in: their entries, and descriptors for as many of
   them as may be open at once.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef LEVELS_H
#define LEVELS_H

#include <stdbool.h>
#include <sys/stat.h>

#include "idx.h"

enum levels_order
{
  LEVELS_UNSORTED, /* as the directory gives them */
  LEVELS_BY_NAME,  /* by their bytes */
  LEVELS_BY_INODE
};

/* A stack of directories, each an entry of the one below.  */
struct levels;

/* Files are opened with OPEN_FLAGS (O_NOFOLLOW or 0).  Never NULL (xalloc).  */
struct levels *levels_new (enum levels_order order, int open_flags);
void levels_free (struct levels *l);

/* Enter the directory open on FD, which now belongs to L, with status ST.  Its
   name is the first NAME_LENGTH bytes of the walk's; if it is the first, it is
   relative to BASE_FD.  Return 0 or the errno of reading it, whereupon it was
   not entered.  */
int levels_push (struct levels *l, int fd, struct stat const *st, int base_fd,
                 idx_t name_length);

/* Let NAME, which is copied, be the only entry of the innermost directory, of
   which nothing was given yet.  */
void levels_restrict (struct levels *l, char const *name);

/* True if that was done to the innermost directory.  */
bool levels_restricted (struct levels const *l);

/* Leave the innermost directory.  NAME is the walk's name.  Return 0, or an
   errno if the directory it was in cannot be opened again; then that one must
   be left as well.  */
int levels_pop (struct levels *l, char const *name);

/* How many directories the walk is in.  */
idx_t levels_depth (struct levels const *l);

/* Of the innermost directory: its descriptor, -1 if it could not be opened
   again; its status when it was entered; the length of its name.  */
int levels_fd (struct levels const *l);
struct stat const *levels_stat (struct levels const *l);
idx_t levels_name_length (struct levels const *l);

/* The next entry of the innermost directory that is neither "." nor "..":
   *RET is NULL after the last, else valid until the next call for that
   directory.  *RET_TYPE is its d_type, DT_UNKNOWN where there is none.  Return
   0 or an errno.  */
int levels_next (struct levels *l, char const **ret, unsigned char *ret_type);

/* True if the walk is in the directory that has ST's device and inode.  */
bool levels_contain (struct levels const *l, struct stat const *st);

#endif
