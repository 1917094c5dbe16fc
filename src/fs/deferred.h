/* Directories whose metadata is set when all is extracted.

   A directory has to stay writable while members go into it, and each of
   them changes its time.  Archives may hold its members in any order, so that
   only the end of the run is late enough.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef DEFERRED_H
#define DEFERRED_H

#include <stdbool.h>
#include <sys/types.h>

#include "fs/attributes.h"
#include "fs/dirfd.h"
#include "member.h"
#include "report.h"

struct deferred;

/* A directory that this run made, or that it has metadata for.  */
struct deferred_dir
{
  int number; /* of its root in the workdirs */
  bool made;  /* by this run */
  bool has_metadata;
  bool lenient; /* not ours to change: be silent if we may not */
  char *path;   /* as dirfd_dir.path */

  /* With HAS_METADATA.  */
  mode_t mode; /* as in the member */
  uid_t uid;
  gid_t gid;
  unsigned present; /* of enum member_field */
  struct timespec mtime;
  struct member *more; /* all of it, for the rarer fields; or NULL */
};

/* Never NULL (xalloc).  */
struct deferred *deferred_new (void);
void deferred_free (struct deferred *d);

/* The directory PATH of root NUMBER, or NULL if it is not known.  Valid until
   the next deferred_add or deferred_forget.  */
struct deferred_dir *deferred_find (struct deferred *d, int number,
                                    char const *path);

/* Likewise, but add it if need be, without metadata.  PATH is copied.  */
struct deferred_dir *deferred_add (struct deferred *d, int number,
                                   char const *path);

/* Give DIR the metadata of M, replacing what it had.  KEEP_ALL: fields that
   are not in struct deferred_dir are needed too.  */
void deferred_set (struct deferred_dir *dir, struct attributes *a,
                   struct member const *m, bool keep_all);

/* The directory PATH is no more.  */
void deferred_forget (struct deferred *d, int number, char const *path);

/* Set the metadata of all directories, the deepest first.  Failures are
   reported.  False: a root could not be opened.  */
bool deferred_apply (struct deferred *d, struct dirfd *dirs,
                     struct attributes *a, struct report *r);

#endif
