/* What the parts of the survey share; for survey*.c only.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef SURVEY_PRIVATE_H
#define SURVEY_PRIVATE_H

#include <fcntl.h>
#include <sys/stat.h>

#include "fs/survey.h"
#include "hash.h"
#include "idx.h"

struct survey_dir;
struct survey_node;

/* A directory of the last dump.  */
struct survey_old
{
  struct snapshot_dir const *dir;
  char *absolute;     /* its name */
  dev_t dev;          /* its device; 0 if that means nothing */
  char const **names; /* its contents, letters and all, sorted by name */
  idx_t name_count;
  struct survey_dir *found; /* what it is now; NULL: not seen yet */
  bool lost;                /* another directory has its name */
  struct survey_node *node; /* for survey-moves.c */
};

/* Something in a directory.  */
struct survey_entry
{
  char *name;
  char letter; /* as in the list */
  bool is_directory;
  bool excluded; /* by patterns and the like */
  bool stored;   /* or nothing that can be */
};

enum survey_move
{
  SURVEY_MOVE_NONE,
  SURVEY_MOVE_PENDING,
  SURVEY_MOVE_ACTIVE /* being worked out */
};

struct survey_dir
{
  char *name;
  char *absolute;
  int base_fd; /* NAME is relative to this */
  int number;  /* of the operand */
  struct stat st;
  bool nfs;
  struct survey_dir *parent; /* NULL: a named one */
  struct survey_old *old;    /* NULL: new */
  bool all;                  /* everything in it counts as new */
  bool renamed;              /* it or one it is in */
  bool new_name;             /* renamed, and there was none of its name */
  enum survey_move move;
  bool given_up; /* there is no way to rename it */
  bool recurse;
  bool foreign;    /* on another file system: nothing in it counts */
  bool omitted;    /* has no member */
  bool passed;     /* for want of recursion */
  bool stored;     /* its member was */
  char const *tag; /* the only thing in it to store */
  bool under_tag;  /* nothing in it is to be stored */

  struct survey_entry *entries;
  idx_t count;
  idx_t alloc;
  char *list; /* as in the archive */
  idx_t list_length;
};

/* A file to store: a directory, or a named file.  */
struct survey_item
{
  char const *name;
  struct survey_dir *dir; /* NULL: not a directory */
  char *file;             /* then its name, allocated */
  char *absolute;         /* likewise */
  int base_fd;
  int number;
};

struct survey
{
  struct survey_settings settings;
  char *root;              /* of the first operand */
  struct survey_old *olds; /* in the order of the snapshot */
  Hash_table *by_name;     /* those, */
  Hash_table *by_inode;    /* and by their inode numbers */

  struct survey_dir **dirs; /* in the order in which they were met */
  idx_t dir_count;
  idx_t dir_alloc;
  Hash_table *dir_names;
  struct survey_dir **named; /* those of DIRS that were */
  idx_t named_count;
  idx_t named_alloc;
  struct survey_item *items;
  idx_t item_count;
  idx_t item_alloc;

  /* Which device is an NFS mount, as found last.  */
  bool device_known;
  bool device_nfs;
  dev_t device;

  /* Where survey_next is.  */
  idx_t next;
  bool in_contents;
  idx_t next_entry;
  int dir_fd;               /* of the directory whose contents are given */
  char *name;               /* what was given last */
  struct survey_dir *given; /* if that is a directory */
  struct survey_entry *given_entry;
};

/* survey.c.  Open D; see that it is what was found.  Return -1 and an errno in
 *RET_ERRNO if it cannot be opened.  */
int survey_open (struct survey const *s, struct survey_dir const *d,
                 int *ret_errno);

/* The directory with the name ABSOLUTE, if it was met.  */
struct survey_dir *survey_find (struct survey const *s, char const *absolute);

/* The directory of the last dump that had the name ABSOLUTE.  */
struct survey_old *survey_find_old (struct survey const *s,
                                    char const *absolute);

/* What is in the directory called NAME as FILE; allocated.  */
char *survey_join (char const *name, char const *file);

/* ABSOLUTE as names are given now; allocated.  */
char *survey_given_name (struct survey const *s, char const *absolute);

/* The directory of the last dump that is the one with status ST, on an NFS
   mount if NFS.  */
struct survey_old *survey_find_inode (struct survey const *s,
                                      struct stat const *st, bool nfs);

/* The part of NAME before its last slash, allocated; "." if there is none.  */
char *survey_parent_name (char const *name);

/* A table of directories by their absolute names.  Not NULL (xalloc).  */
Hash_table *survey_new_table (void);
void survey_insert (Hash_table *table, void *entry);

/* Add what is to be given.  It owns its strings.  */
void survey_add_item (struct survey *s, struct survey_item item);
void survey_free_item (struct survey_item *item);

/* Open NAME relative to BASE_FD with FLAGS, however long it is.  Return -1 and
   set errno if that fails.  */
int survey_open_path (int base_fd, char const *name, int flags);

#ifndef O_PATH
#define O_PATH O_RDONLY
#endif

/* survey-scan.c.  Look at D, which was passed, and at all that is in it.  */
void survey_scan_passed (struct survey *s, struct survey_dir *d, bool recurse);

/* Look at OPERAND, a directory with status ST, and at all that
   is in it.  */
void survey_scan (struct survey *s, struct walk_operand const *operand,
                  char const *absolute, struct stat const *st);

/* survey-moves.c.  Find out how to rename directories of the last dump to what
   they are now, and return that as entries of a list, allocated; *RET_LENGTH
   bytes.  */
char *survey_moves (struct survey *s, idx_t *ret_length);

#endif
