/* --backup: what is in the way is renamed, not removed.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef BACKUP_H
#define BACKUP_H

#include <stdbool.h>
#include <stdio.h>

#include "backupfile.h"
#include "report.h"

struct backup_policy
{
  enum backup_type type; /* backupfile's */
  char const *suffix;    /* of simple ones; not empty, no slash in it */
  bool follow_links;     /* -h: what a link leads to counts */
  FILE *told;            /* tell of each renaming here; NULL: do not */
};

/* A file that was renamed.  */
struct backup
{
  char *before; /* its name for messages; NULL: nothing was renamed */
  char *after;
};

/* If the last component of NAME in the directory DIR_FD is a file, and no
   directory, rename it.  NAME itself serves messages; with AT_FDCWD, it is the
   whole of it that is looked up.  IS_ARCHIVE: it is to
   become an archive, and a device stays.  Fill *B, which backup_free frees.
   False: reported.  */
bool backup_make (struct backup *b, struct backup_policy const *policy,
                  int dir_fd, char const *name, bool is_archive,
                  struct report *r);

/* Nothing came of the new file: rename the old one back, which is in
   DIR_FD.  */
void backup_undo (struct backup const *b, struct backup_policy const *policy,
                  int dir_fd, struct report *r);

void backup_free (struct backup *b);

#endif
