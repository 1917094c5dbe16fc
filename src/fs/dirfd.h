/* Directories beneath an extraction root: resolved without ever leaving it,
   and kept open for the next member.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef DIRFD_H
#define DIRFD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "fs/workdirs.h"
#include "report.h"

struct reflink_pair;

/* An open directory.  It belongs to the table and stays valid until the
   second next dirfd_open, or the next dirfd_flush.  */
struct dirfd_dir
{
  int fd;     /* for the *at functions only (O_PATH) */
  int number; /* of its root in the workdirs */

  /* Its name from the root, without links, "." or "//": "" is the root.  Two
     names of one directory have the same path.  Unconfined tables (-P) give
     the name that was asked for.  */
  char const *path;

  /* For the table's user: what a new file in this directory starts out as,
     once a file was made here.  MODE_HONOURED has the permission bits that are
     known to be kept when a file is created with them (a default ACL or the
     file system may drop some).  */
  bool inherits_known;
  dev_t dev;
  uid_t uid;
  gid_t gid;
  mode_t mode_honoured;
  struct reflink_pair *pair; /* for DEV, if it was looked up */
};

struct dirfd_settings
{
  struct workdirs *workdirs; /* borrowed */
  struct report *report;     /* for a workdir that cannot be opened */
  bool unconfined;           /* -P: follow links out of the root */
  mode_t new_mode;           /* of missing directories that are made */

  /* Told of each directory made on the way, before anything is in it.  */
  void (*made) (void *arg, int number, char const *path);
  void *made_arg;
};

struct dirfd;

/* Never NULL (xalloc).  SETTINGS is copied.  */
struct dirfd *dirfd_new (struct dirfd_settings const *settings);

/* Close everything and free T, which may be NULL.  */
void dirfd_free (struct dirfd *t);

/* What dirfd_open may return besides an errno.  */
enum
{
  DIRFD_OUTSIDE = -1, /* a link or ".." leads out of the root */
  DIRFD_FATAL = -2    /* the root itself cannot be opened: reported */
};

/* Open the directory whose name is the LENGTH bytes at NAME, relative to the
   root NUMBER; LENGTH 0 is the root.  Symbolic links are followed, relative or
   absolute, as long as the place they lead to lies beneath the root.  With
   CREATE, missing directories are made, but not through links.  Return 0, an
   errno, DIRFD_OUTSIDE or DIRFD_FATAL.  */
int dirfd_open (struct dirfd *t, int number, char const *name, size_t length,
                bool create, struct dirfd_dir **ret);

/* Descriptors are short: close what is open, but for the directory used last.
   Return false if there was nothing to close.  */
bool dirfd_make_room (struct dirfd *t);

/* A directory was removed or renamed: forget all that is open.  */
void dirfd_flush (struct dirfd *t);

/* A name that is not a directory was removed: forget what was reached through
   symbolic links.  */
void dirfd_flush_links (struct dirfd *t);

#endif
