/* What the parts of the extraction sink share.  For place*.c only.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef PLACE_PRIVATE_H
#define PLACE_PRIVATE_H

#include <sys/stat.h>

#include "fs/deferred.h"
#include "fs/dirfd.h"
#include "fs/place.h"

struct place
{
  struct place_settings settings;
  struct report *report;
  struct attributes *attributes;
  struct dirfd *dirs;
  struct deferred *deferred;
  struct sharing_counts counts;
  mode_t new_mode; /* of directories made for want of a member */

  struct reflink_source source; /* the archive; fd -1: not known yet */
  struct reflink_cache *cache;  /* NULL: nothing is shared */
  unsigned long shares;         /* how often sharing was tried */
  bool expect_private;     /* new files have to be private while they are shared
                              into: so it was on the file system seen last */
  struct payload *payload; /* whose bytes the source gives */

  bool said_contiguous;
  bool must_stop;
  struct member_text name; /* of the member at hand */
  struct member_text path;
};

/* A member being extracted.  */
struct place_item
{
  struct place *place;
  struct member *m;
  struct payload *payload; /* NULL: no data */
  int number;              /* of the workdir */
  char const *name;        /* without trailing slashes, and if confined
                              without leading ones or ".." */
  char const *base;        /* its last component, maybe "" or "." */
  char const *verb;        /* for "Cannot VERB" */
  bool failed;             /* there is no new file */
  struct dirfd_dir *dir;   /* its parent */
};

/* Set I's name and base from the member's name.  False: refused, reported.  */
bool place_set_name (struct place_item *i);

/* Whether I's name has a last component that can be a file's.  */
bool place_has_base (struct place_item const *i);

/* (Re)open I's parent, which is made if missing.  False: reported.  */
bool place_open_parent (struct place_item *i);

/* BASE in the directory whose path is DIR; allocated.  */
char *place_join (char const *dir, char const *base);

/* The path of I's file, as deferred.h wants it.  Valid until the next call.  */
char const *place_path (struct place_item *i);

/* Report that I's file cannot be made because of ERR, an errno or a result of
   dirfd_open.  Return false.  */
bool place_fail (struct place_item *i, int err);

/* Making I's file failed with ERR.  If a file was in the way and is gone now,
   return true: try again (I->dir may have changed).  Else all has been said
   that is to be said.  */
bool place_retry (struct place_item *i, int err);

/* The mode to create I's file with, of permission bits only: no more than it
   will have in the end, and nothing for a group that may not be the right one
   yet.  PRIVATE: nothing for anybody but the owner.  */
mode_t place_first_mode (struct place_item *i, bool private);

/* Give I's file its attributes.  It was just created with mode CREATED, and is
   open at FD; or it is a node that is not opened, and FD is -1.  */
void place_attributes (struct place_item *i, int fd, mode_t created);

/* Learn from the file just created with mode CREATED in I->dir (FD, or -1:
   by name), if there is something new to learn.  Set *ST's owner and mode to
   what the file has.  Return 0 or an errno.  */
int place_learn (struct place_item *i, int fd, mode_t created, struct stat *st);

/* The extractors.  They return nothing: what is wrong is reported, and
   I->place->must_stop set if the run cannot go on.  */
void place_regular (struct place_item *i);
void place_symlink (struct place_item *i);
void place_node (struct place_item *i);
void place_hard_link (struct place_item *i);
void place_directory (struct place_item *i);

/* Whether I, a hard link, is there already.  */
bool place_is_linked (struct place_item *i);

/* Extract a regular file's data to standard output, or to the command.  */
void place_to_stdout (struct place_item *i);
void place_to_command (struct place_item *i);

#endif
