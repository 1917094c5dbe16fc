/* Files that directories are left out for, as CACHEDIR.TAG.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef TAGS_H
#define TAGS_H

#include <stdbool.h>

#include "report.h"

struct tags;

/* What is left out of a directory that has a tag.  */
enum tags_scope
{
  TAGS_NONE,     /* there is no tag */
  TAGS_CONTENTS, /* all in it but the tag */
  TAGS_UNDER,    /* all in it */
  TAGS_ALL       /* the directory itself */
};

/* No tags.  Never NULL (xalloc).  */
struct tags *tags_new (void);

/* Free T, which may be NULL.  */
void tags_free (struct tags *t);

/* From now on FILE, which is copied, is a tag.  With IS_CACHEDIR it must begin
   like a CACHEDIR.TAG to be one.  */
void tags_add (struct tags *t, char const *file, enum tags_scope scope,
               bool is_cachedir);

/* True if there is any tag.  */
bool tags_any (struct tags const *t);

/* True if directory DIR_FD, called NAME, has a tag of TAGS_ALL; R (may be NULL)
   is told.  Of several, the one added last counts.  */
bool tags_leave_out (struct tags const *t, int dir_fd, char const *name,
                     struct report *r);

/* Find a tag of the other scopes there, likewise.  *RET is the tag to store
   under TAGS_CONTENTS, which belongs to T, else NULL.  */
enum tags_scope tags_find (struct tags const *t, int dir_fd, char const *name,
                           struct report *r, char const **ret);

#endif
