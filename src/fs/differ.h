/* The sink of comparison: tells how members differ from the files on disk.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef DIFFER_H
#define DIFFER_H

#include <stdbool.h>
#include <stdio.h>

#include "dumpdir.h"
#include "fs/workdirs.h"
#include "member.h"
#include "payload.h"
#include "reflink.h"
#include "report.h"

struct differ_settings
{
  struct workdirs *workdirs; /* borrowed */
  FILE *stream;              /* where differences are told (borrowed) */
  bool dereference;          /* -h: compare what symbolic links lead to */
  bool numeric_owner;        /* never look up names */
  int open_flags;            /* more flags to open files with, as O_NOATIME */

  /* Unless `never', data that is stored in the same blocks as the archive's is
     equal unread.  Under `always', a whole clone unit that is not is a
     difference.  */
  enum reflink_mode reflink;
};

/* What became of members that have data, and that was found equal.  The bytes
   of one member can be in both counts.  */
struct differ_counts
{
  unsigned long long members_shared; /* something was, and was not read */
  unsigned long long bytes_shared;
  unsigned long long members_read; /* the others */
  unsigned long long bytes_read;
};

struct differ;

/* A sink under SETTINGS, which are copied.  Never NULL (xalloc).  */
struct differ *differ_new (struct differ_settings const *settings,
                           struct report *report);

/* Free D, which may be NULL.  */
void differ_free (struct differ *d);

/* Compare M and its data P (NULL if it has none) with the file of its name in
   workdir NUMBER.  Differences go to the settings' stream, one a line, and
   raise the exit status to 1, as does a file that is missing; errors to raise
   it to 2.  What P is not asked for is left to its source to skip.  Return
   false if the run has to stop.  */
bool differ_put (struct differ *d, struct member const *m, struct payload *p,
                 int number);

/* Compare what is in the directory M, of an incremental dump, with LIST.
   Likewise.  */
bool differ_list (struct differ *d, struct member const *m,
                  struct dumpdir const *list, int number);

/* Counts so far; they belong to D.  */
struct differ_counts const *differ_get_counts (struct differ const *d);

#endif
