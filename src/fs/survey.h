/* What an incremental dump has to store: a look at all directories before the
   first member is written.

   GNU tar's archives have all directories first, each with a list of what was
   in it, and the first one also with the directories that were renamed since
   the last dump.  So all has to be known by then.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef SURVEY_H
#define SURVEY_H

#include <stdbool.h>
#include <stddef.h>

#include "flow.h"
#include "fs/snapshot.h"
#include "fs/tags.h"
#include "fs/walk.h"
#include "report.h"

struct survey_settings
{
  struct report *report;
  struct snapshot const *before; /* the last dump; borrowed */
  bool dereference;
  bool one_file_system;
  bool ignore_failed_read;
  bool verbose;         /* tell of tags */
  bool ignores_devices; /* device numbers mean nothing */
  int open_flags;       /* more flags to open directories with */
  struct tags const *tags;

  /* As in struct walk_settings.  */
  bool (*excluded) (void *arg, char const *name);
  void (*begin_directory) (void *arg, int fd);
  void (*end_directory) (void *arg);

  /* What a directory called NAME is called in the archive; allocated.  */
  char *(*stored) (void *arg, char const *name);
  void *arg;
};

struct survey;

/* Never NULL (xalloc).  SETTINGS is copied.  */
struct survey *survey_new (struct survey_settings const *settings);
void survey_free (struct survey *s);

/* Look at a named file, and at all that is in it if it is a directory.
   OPERAND's base_fd must stay open as long as S; ROOT is its absolute name, by
   which directories are known that are named in another way than last time.  */
void survey_add (struct survey *s, struct walk_operand const *operand,
                 char const *root);

/* NAME, relative to the absolute name ROOT, as an absolute name without "."
   and superfluous slashes; allocated.  */
char *survey_absolute (char const *root, char const *name);

/* All was added: find out what was renamed.  Once, before what follows.  */
void survey_conclude (struct survey *s);

/* The next file to store, for the walk: directories, and named files, in the
   order of their names; then what is in the directories.  Only one with the
   type that it had is meant.  False: there is no more.  */
bool survey_next (struct survey *s, struct walk_operand *ret);

/* If the file that was given last is a directory, its list in GNU tar's
   format, and its length; else NULL.  It belongs to S.  */
char const *survey_list (struct survey const *s, size_t *ret_length);

/* The file given last was stored, in whole.  What was not is left out of
   survey_text, so that the next dump stores it, however old it is.  */
void survey_stored (struct survey *s);

/* Put the directories as they are now in T, which snapshot_begin began.  */
void survey_text (struct survey const *s, struct snapshot_text *t);

#endif
