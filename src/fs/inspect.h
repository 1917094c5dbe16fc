/* A file's status to a member's metadata.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef INSPECT_H
#define INSPECT_H

#include <stdbool.h>
#include <sys/stat.h>

#include "member.h"

/* Remembers the names of users and groups it looked up last.  */
struct inspect;

/* Never NULL (xalloc).  Without NAMES, no user and group names are looked
   up.  */
struct inspect *inspect_new (bool names);
void inspect_free (struct inspect *i);

/* Set what ST tells in M, which is empty: type, mode, owner and group with
   names, times, devices, and for a regular file its size.  Return false if
   there is no type of member for such a file.  */
bool inspect_stat (struct inspect *i, struct stat const *st, struct member *m);

/* Set M's link to the target of symbolic link NAME relative to directory FD,
   whose size is about SIZE_HINT.  Return 0 or an errno.  */
int inspect_link (int fd, char const *name, off_t size_hint, struct member *m);

/* The name of user UID (group GID), NULL if there is none.  It is valid until
   the next call on I.  */
char const *inspect_user (struct inspect *i, uid_t uid);
char const *inspect_group (struct inspect *i, gid_t gid);

#endif
