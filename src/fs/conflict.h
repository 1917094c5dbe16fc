/* What to do about a file that is where another is to be made.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CONFLICT_H
#define CONFLICT_H

#include <stdbool.h>
#include <sys/stat.h>

#include "member.h"
#include "report.h"

/* The options of GNU tar's "Overwrite control".  */
enum conflict_choice
{
  CONFLICT_DEFAULT,   /* remove it, but keep directories */
  CONFLICT_KEEP_DIRS, /* --no-overwrite-dir: and their metadata */
  CONFLICT_OVERWRITE, /* --overwrite: write into regular files */
  CONFLICT_UNLINK,    /* -U: remove it */
  CONFLICT_KEEP,      /* -k: an error */
  CONFLICT_SKIP,      /* --skip-old-files */
  CONFLICT_KEEP_NEWER /* --keep-newer-files */
};

struct conflict_policy
{
  enum conflict_choice choice;
  bool recursive_unlink;       /* --recursive-unlink */
  bool keep_directory_symlink; /* --keep-directory-symlink */
  bool follow_links;           /* -h: the same, but -U removes the link */
};

enum conflict_result
{
  CONFLICT_RETRY, /* it is gone: try again */
  CONFLICT_DONE,  /* leave it; said if there was something to say */
  CONFLICT_ERROR  /* *RET_ERRNO says why the new file cannot be made */
};

/* What stands in the way of member M: BASE in DIR_FD.  */
struct conflict
{
  struct conflict_policy const *policy;
  struct report *report;
  struct member const *m;
  char const *name; /* for messages */
  int dir_fd;
  char const *base;
};

/* Making C's file failed with EEXIST.  Decide, and remove what is there if
   that is the decision; *RET_WAS_DIRECTORY then tells what it was.  On
   CONFLICT_ERROR with *RET_ERRNO 0 the error has been reported.  */
enum conflict_result conflict_resolve (struct conflict const *c,
                                       bool *ret_was_directory, int *ret_errno);

/* Remove BASE from DIR_FD: a file, an empty directory, or if RECURSIVE a
   whole tree, which is not followed through links.  Return 0 or an errno.
   *RET_WAS_DIRECTORY may be set even on failure.  */
int conflict_remove (int dir_fd, char const *base, bool recursive,
                     bool *ret_was_directory);

#endif
