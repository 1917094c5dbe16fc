/* What the parts of the walk share; for walk*.c only.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef WALK_PRIVATE_H
#define WALK_PRIVATE_H

#include "fs/file-payload.h"
#include "fs/links-seen.h"
#include "fs/walk.h"
#include "idx.h"

struct walk
{
  struct member_source source;
  struct walk_settings settings;
  struct levels *levels;
  struct links_seen *links; /* NULL: store no hard links */

  /* The name of the file at hand.  */
  char *name;
  idx_t name_length;
  idx_t name_alloc;

  /* The operand at hand.  */
  struct walk_operand operand;
  dev_t operand_dev;
  int near_base; /* its directory, */
  int near_fd;   /* and the one near to it: long-name.h */

  /* The file of the member last given.  */
  struct member member;
  struct file_payload payload;
  struct stat st;
  int fd;         /* -1: not open */
  bool given;     /* there is one that is not finished */
  bool refused;   /* it was not stored */
  bool to_record; /* its name is to be recorded for links to it */
};

/* walk.c.  The file at hand failed: CALL gave ERR.  */
void walk_diagnose (struct walk *w, int err, char const *call, bool is_operand);

/* The file at hand changed while it was read.  */
void walk_diagnose_change (struct walk *w);

/* Put the access time of the file open on FD back to ST's, if that is asked
   for.  */
void walk_restore_atime (struct walk *w, int fd, struct stat const *st);

/* Close the file at hand if it is open.  */
void walk_close_file (struct walk *w);

/* walk-directories.c.  The member at hand is that of an open directory.
   Return false if it is left out for a tag.  */
bool walk_begin_directory (struct walk *w);

/* The walk is through with the directory begun last.  */
void walk_end_directory (struct walk *w);

/* Enter the directory at hand, which is open and was given, if it is to be
   entered.  */
void walk_enter (struct walk *w);

/* The innermost directory has no more entries: reading it gave ERR, 0 if that
   was its end.  */
void walk_finish_directory (struct walk *w, int err);

#endif
