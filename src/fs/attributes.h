/* Owner, mode, extended attributes and times of what was extracted.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef ATTRIBUTES_H
#define ATTRIBUTES_H

#include <stdbool.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>

#include "fs/xattrs.h"
#include "member.h"
#include "report.h"

struct attributes_settings
{
  bool same_owner;       /* give files to the archive's owners */
  bool same_permissions; /* -p: exact modes; else UMASK and no set-id bits */
  bool numeric_owner;    /* never look up names */
  bool touch;            /* -m: leave the time of extraction */
  bool restore_atime;    /* atime too, if the member has it */
  bool name_all;         /* every file for which something is refused */
  mode_t umask;
  struct xattrs_settings xattrs;
};

/* Applies settings, and remembers owners' names.  */
struct attributes;

/* Never NULL (xalloc).  SETTINGS and REPORT are borrowed.  */
struct attributes *attributes_new (struct attributes_settings const *settings,
                                   struct report *report);
void attributes_free (struct attributes *a);

/* When many files were refused the same, only some of which were named: say how
   many more there were.  */
void attributes_finish (struct attributes *a);

/* The permission bits M's file is to have.  */
mode_t attributes_mode (struct attributes const *a, struct member const *m);

/* The bits of the mode that the settings want to decide on; the others stay
   as they are (a directory may inherit set-gid, for one).  */
mode_t attributes_mode_mask (struct attributes const *a);

/* Set *UID and *GID to what M's file is to have, by name if M has names and
   they are known here.  Return false if owners are not restored.  */
bool attributes_owner (struct attributes *a, struct member const *m, uid_t *uid,
                       gid_t *gid);

/* A file that exists, to which attributes are to be given.  */
struct attributes_target
{
  int fd;           /* open file (not O_PATH), or -1: use DIR_FD and BASE */
  int dir_fd;       /* parent (O_PATH will do) */
  char const *base; /* name in the parent; never followed if a link */
  char const *name; /* for messages */
  bool is_link;     /* a symbolic link: it has no mode */
  bool lenient;     /* be silent if permission is denied */

  /* What the file has now.  */
  uid_t uid;
  gid_t gid;
  mode_t mode; /* 07777 */
};

/* Give T the attributes of M: owner, mode, ACLs and other extended
   attributes, times, in this order, with no system call for what T has
   already.  Failures are reported; GNU tar goes on after each, so there is no
   result.  */
void attributes_apply (struct attributes *a, struct attributes_target const *t,
                       struct member const *m);

#endif
