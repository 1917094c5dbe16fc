/* Files that were stored and may be met again under another name.

   They are known by device and inode, and by size and modification time as
   well: some file systems make up inode numbers, and the same for several
   files.  A file that changes between its names is stored twice, then, which
   does no harm.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef LINKS_SEEN_H
#define LINKS_SEEN_H

#include <stdbool.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>

struct links_seen;

struct links_seen_file
{
  dev_t dev;
  ino_t ino;
  off_t size;
  struct timespec mtime;
  nlink_t left; /* names of the file that were not met yet */
  char *name;   /* under which it was stored */
};

/* An empty table.  With FORGET, a file is forgotten once all its names were
   met; without, a name may be met several times.  Never NULL (xalloc).  */
struct links_seen *links_seen_new (bool forget);

/* Free T, which may be NULL.  */
void links_seen_free (struct links_seen *t);

/* Return the name under which the file with the status ST was stored, or NULL.
   It is valid until the next call.  This counts as meeting one of the file's
   names.  */
char const *links_seen_meet (struct links_seen *t, struct stat const *st);

/* The file with the status ST was stored as NAME, which is copied.  It is not
   in the table.  */
void links_seen_add (struct links_seen *t, struct stat const *st,
                     char const *name);

/* Call FOUND for each file of which names were not met.  */
void links_seen_missing (struct links_seen const *t,
                         void (*found) (void *arg,
                                        struct links_seen_file const *f),
                         void *arg);

#endif
