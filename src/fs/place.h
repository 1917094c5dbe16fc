/* The sink of extraction: makes each member a file beneath its root.

   Safety.  A member's parent directory is resolved beneath the root by
   dirfd.h, which never ends up outside of it, whatever links the tree or the
   archive has; the last component of a name is never followed.  That is why
   symbolic links are made at once, wherever they point: no later member can
   get out through one.  (GNU tar, whose resolution follows links, makes links
   that might lead out only at the end.)  Directories get their metadata at
   the end of the run, from deferred.h.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef PLACE_H
#define PLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

#include "dumpdir.h"
#include "fs/attributes.h"
#include "fs/backup.h"
#include "fs/conflict.h"
#include "fs/workdirs.h"
#include "member.h"
#include "payload.h"
#include "reflink.h"
#include "report.h"
#include "sharing.h"
#include "shell.h"

struct place_settings
{
  struct workdirs *workdirs;       /* borrowed */
  struct conflict_policy conflict; /* what to do about existing files */
  struct backup_policy backup;     /* they are renamed before that */
  struct attributes_settings attributes;
  bool absolute_names; /* -P: names and links may lead anywhere */
  bool keep_root;      /* a root that is not empty is left as it is, though
                          a member "." has metadata for it */
  bool to_stdout;      /* -O */

  /* --to-command, or NULL; and what its environment tells.  */
  char const *to_command;
  bool ignore_command_error;
  struct shell_facts const *facts;

  /* Sharing blocks with the archive.  */
  enum reflink_mode reflink;
  enum reflink_strategy reflink_strategy;

  /* The archive, if it is a file: never written into, though a member's file
     turns out to be it.  */
  bool has_archive;
  dev_t archive_dev;
  ino_t archive_ino;

  /* Told of each directory that is made for want of a member, with its mode
     and path; or NULL.  */
  void (*made) (void *arg, mode_t mode, char const *path);
  void *made_arg;
};

struct place;

/* A sink.  Sets the process's umask to 0, so that modes are what is asked for
   (settings->attributes.umask is what it was).  SETTINGS is copied, but not
   what it points to.  Never NULL (xalloc).  */
struct place *place_new (struct place_settings const *settings,
                         struct report *report);

/* Extract M beneath workdir NUMBER, with its data from P (NULL if it has
   none).  M may be edited.  Whatever P is not asked for is left to its source
   to skip.  What went wrong has been reported.  Return false if the run has to
   stop.  */
bool place_put (struct place *place, struct member *m, struct payload *p,
                int number);

/* How a directory of an incremental dump becomes what it was.  */
struct place_restore
{
  FILE *stream;         /* where to tell what is deleted; NULL: nowhere */
  bool one_file_system; /* leave alone what is on another one */
  /* False: NAME is to stay.  NULL: ask nobody.  */
  bool (*confirm) (void *arg, char const *name);
  /* The name NAME of a directory, as the names of members are changed;
     allocated.  */
  char *(*edited) (void *arg, char const *name);
  void *arg;
};

/* Before place_put of the directory M, if it is there: rename directories as
   LIST says, and delete what is in M and not in LIST.  If there is something
   wrong with a renaming, nothing is deleted.  Return as place_put does.  */
bool place_restore (struct place *place, struct member *m, int number,
                    struct dumpdir const *list,
                    struct place_restore const *how);

/* Set what was left to the end: the metadata of directories.  Return as
   place_put does.  */
bool place_finish (struct place *place);

/* Counts so far; they belong to PLACE.  */
struct sharing_counts const *place_get_counts (struct place const *place);

/* Free PLACE, which may be NULL.  The process's umask stays 0.  */
void place_free (struct place *place);

#endif
