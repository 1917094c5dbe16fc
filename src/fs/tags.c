/* Files that directories are left out for, as CACHEDIR.TAG.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "fs/tags.h"

#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gettext.h"
#include "xalloc.h"

#define _(text) gettext (text)

/* What a CACHEDIR.TAG begins with (Cache Directory Tagging Specification,
   https://bford.info/cachedir/).  */
static char const signature[] = "Signature: 8a477f597d28d172789f06886806bc55";

struct tag
{
  char *file;
  enum tags_scope scope;
  bool is_cachedir;
};

struct tags
{
  struct tag *tags;
  size_t count;
};

struct tags *
tags_new (void)
{
  return xzalloc (sizeof (struct tags));
}

void
tags_free (struct tags *t)
{
  if (!t)
    return;
  for (size_t i = 0; i < t->count; i++)
    free (t->tags[i].file);
  free (t->tags);
  free (t);
}

void
tags_add (struct tags *t, char const *file, enum tags_scope scope,
          bool is_cachedir)
{
  t->tags = xnrealloc (t->tags, t->count + 1, sizeof *t->tags);
  t->tags[t->count++] = (struct tag){ xstrdup (file), scope, is_cachedir };
}

static bool
is_cachedir (int dir_fd, char const *file)
{
  char start[sizeof signature - 1];
  int fd = openat (dir_fd, file, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
  if (fd < 0)
    return false;
  /* So few bytes come at once, or never.  */
  bool is = (read (fd, start, sizeof start) == sizeof start
             && memcmp (start, signature, sizeof start) == 0);
  close (fd);
  return is;
}

static bool
is_there (struct tag const *tag, int dir_fd)
{
  return tag->is_cachedir ? is_cachedir (dir_fd, tag->file)
                          : faccessat (dir_fd, tag->file, F_OK, 0) == 0;
}

/* The last tag that DIR_FD has, of TAGS_ALL or of the others; or NULL.  */
static struct tag const *
find (struct tags const *t, int dir_fd, bool all)
{
  for (size_t i = t->count; 0 < i--;)
    if ((t->tags[i].scope == TAGS_ALL) == all && is_there (&t->tags[i], dir_fd))
      return &t->tags[i];
  return NULL;
}

static void
tell (struct tag const *tag, char const *name, struct report *r,
      char const *consequence)
{
  if (r)
    report_warning (r, REPORT_CACHEDIR, 0,
                    _ ("%s: contains a cache directory tag %s; %s"),
                    report_name_n (0, name), report_name_n (1, tag->file),
                    consequence);
}

bool
tags_any (struct tags const *t)
{
  return 0 < t->count;
}

bool
tags_leave_out (struct tags const *t, int dir_fd, char const *name,
                struct report *r)
{
  struct tag const *tag = find (t, dir_fd, true);
  if (tag)
    tell (tag, name, r, _ ("directory not dumped"));
  return tag != NULL;
}

enum tags_scope
tags_find (struct tags const *t, int dir_fd, char const *name, struct report *r,
           char const **ret)
{
  struct tag const *tag = find (t, dir_fd, false);
  *ret = NULL;
  if (!tag)
    return TAGS_NONE;
  tell (tag, name, r, _ ("contents not dumped"));
  if (tag->scope == TAGS_CONTENTS)
    *ret = tag->file;
  return tag->scope;
}
