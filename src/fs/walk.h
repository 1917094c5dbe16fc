/* The files to be stored: named ones, and all that is in directories.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef WALK_H
#define WALK_H

#include <stdbool.h>
#include <sys/stat.h>

#include "flow.h"
#include "fs/holes.h"
#include "fs/inspect.h"
#include "fs/levels.h"
#include "fs/tags.h"
#include "fs/xattrs.h"
#include "report.h"

/* A named file.  */
struct walk_operand
{
  char const *name;
  char const *file; /* its name relative to BASE_FD; NULL: NAME */
  int base_fd;
  bool recurse; /* into it, if it is a directory */
  bool found;   /* it was not named, and was there a moment ago */
  int number;   /* the caller's own */
};

struct walk_settings
{
  struct report *report;
  struct inspect *inspect;
  enum levels_order order;
  bool dereference;        /* follow symbolic links */
  bool hard_dereference;   /* store each name of a file as a file */
  bool one_file_system;    /* do not enter directories on another one */
  bool ignore_failed_read; /* what cannot be read is worth a warning */
  bool no_data;            /* do not open regular files */
  struct xattrs_settings const *xattrs; /* what to store; NULL: nothing */
  enum holes_method holes; /* how to find the holes of sparse files */
  bool verbose;            /* tell of directories that are not entered */
  /* No file is reached twice by the same name.  Then memory is needed only for
     files that have several names.  */
  bool visited_once;
  int open_flags;     /* more flags to open files with, as O_NOATIME */
  bool restore_atime; /* set the access time back after reading */

  struct tags const *tags; /* files that directories are left out for */

  /* A file that is the archive, not to be stored.  */
  bool archive_known;
  dev_t archive_dev;
  ino_t archive_ino;

  /* The next named file: FLOW_MEMBER with *RET set, which must live until the
     next call, or as the walk is to end.  */
  enum flow_step (*operand) (void *arg, struct walk_operand *ret);

  /* True to leave out NAME, unseen.  NULL: leave out nothing.  */
  bool (*excluded) (void *arg, char const *name);

  /* False to leave out NAME with status ST (a directory: but not what is in
     it).  NULL: leave out nothing.  */
  bool (*wanted) (void *arg, char const *name, struct stat const *st,
                  bool is_operand);

  /* The walk has come to a directory that is open on FD; and it is through
     with the innermost one of those.  What is in one is asked for in between.
     NULL: nobody cares.  */
  void (*begin_directory) (void *arg, int fd);
  void (*end_directory) (void *arg);
  void *arg;
};

struct walk;

/* Never NULL (xalloc).  SETTINGS is copied.  */
struct walk *walk_new (struct walk_settings const *settings);
void walk_free (struct walk *w);

/* W as a source of members.  They have a stored_name, the file's as it was
   reached, with a slash at the end if it is a directory; no name; and their
   link if they are symbolic or hard links, the latter to another member's
   stored_name.  A
   directory comes before what is in it.  */
struct member_source *walk_source (struct walk *w);

/* The member last given was not stored: do not enter it if it is a directory,
   and do not store links to it.  */
void walk_refuse (struct walk *w);

/* The status of the file that the member last given is of.  */
struct stat const *walk_stat (struct walk const *w);

/* Say of which files that have several names not all were met
   (--check-links).  */
void walk_report_missing_links (struct walk *w);

#endif
