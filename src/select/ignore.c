/* Files of patterns in the directories that are stored, as .gitignore.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "select/ignore.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "c-ctype.h"
#include "select/exclusion.h"
#include "xalloc.h"

/* A file to look for.  */
struct source
{
  char *file;
  enum ignore_syntax syntax;
  bool recursive;
};

/* The patterns of one directory; either may be NULL.  */
struct level
{
  struct exclusion *here;
  struct exclusion *below; /* these hold for directories in it, too */
};

struct ignore
{
  struct source *sources;
  size_t source_count;
  struct level *levels;
  size_t depth;
  size_t alloc;
};

/* A file of patterns being read.  */
struct reading
{
  struct exclusion *patterns;
  enum ignore_syntax syntax;
  unsigned kind; /* flags of patterns that do not say theirs */
  bool any;
};

enum
{
  GLOB = EXCLUSION_WILDCARDS | EXCLUSION_ANCHORED | EXCLUSION_NO_SLASH,
  /* What has no special characters is a plain name, as in GNU tar.  */
  REGEX = EXCLUSION_REGEX | EXCLUSION_ANCHORED
};

struct ignore *
ignore_new (void)
{
  return xzalloc (sizeof (struct ignore));
}

void
ignore_free (struct ignore *i)
{
  if (!i)
    return;
  while (i->depth)
    ignore_leave (i);
  for (size_t k = 0; k < i->source_count; k++)
    free (i->sources[k].file);
  free (i->sources);
  free (i->levels);
  free (i);
}

void
ignore_add (struct ignore *i, char const *file, enum ignore_syntax syntax,
            bool recursive)
{
  i->sources = xnrealloc (i->sources, i->source_count + 1, sizeof *i->sources);
  i->sources[i->source_count++]
      = (struct source){ xstrdup (file), syntax, recursive };
}

/* --- Reading a file --- */

static void
add (struct reading *r, char const *pattern, unsigned flags)
{
  /* Where the first pattern is an exception, gnulib's module takes all else
     for excluded.  A pattern that no name matches keeps it from that.  */
  if (!r->any && flags & EXCLUSION_INCLUDE)
    exclusion_add (r->patterns, "/", EXCLUSION_ANCHORED);
  r->any = true;
  exclusion_add (r->patterns, pattern, flags);
}

/* Take PATTERN off the words of LINE.  */
static void
take_words (struct reading *r, char *line)
{
  char *rest;
  for (char *word = strtok_r (line, " \t", &rest); word;
       word = strtok_r (NULL, " \t", &rest))
    add (r, word, GLOB);
}

static void
take_bazaar (struct reading *r, char const *line)
{
  unsigned flags = GLOB;
  if (*line == '!')
    {
      line++;
      /* "!!" is an exclusion that later exceptions do not touch.  */
      if (*line == '!')
        line++;
      else
        flags |= EXCLUSION_INCLUDE;
    }
  if (strncmp (line, "RE:", 3) == 0)
    {
      line += 3;
      flags = (flags & EXCLUSION_INCLUDE) | REGEX;
    }
  add (r, line, flags);
}

static void
take_mercurial (struct reading *r, char *line)
{
  static char const syntax[] = "syntax:";
  size_t length = strlen (line);
  if (strncmp (line, syntax, sizeof syntax - 1) == 0)
    {
      char const *word = line + sizeof syntax - 1;
      word += strspn (word, " \t");
      if (strcmp (word, "glob") == 0)
        r->kind = GLOB;
      else if (strcmp (word, "regexp") == 0)
        r->kind = REGEX;
      return;
    }
  if (line[length - 1] == '/')
    line[length - 1] = '\0';
  add (r, line, r->kind);
}

/* Take in LINE, which has no blanks around it and is not empty.  */
static void
take_line (struct reading *r, char *line)
{
  if (r->syntax == IGNORE_CVS)
    take_words (r, line);
  else if (*line == '#')
    ;
  else if (r->syntax == IGNORE_BAZAAR)
    take_bazaar (r, line);
  else if (r->syntax == IGNORE_MERCURIAL)
    take_mercurial (r, line);
  else
    add (r, line, r->kind);
}

/* Read all of STREAM.  Return 0 or an errno.  */
static int
read_patterns (struct reading *r, FILE *stream)
{
  char *buffer = NULL;
  size_t size = 0;
  while (0 <= getline (&buffer, &size, stream))
    {
      char *line = buffer;
      size_t length = strlen (line);
      while (0 < length && c_isspace (line[length - 1]))
        line[--length] = '\0';
      while (c_isspace (*line))
        line++;
      if (*line)
        take_line (r, line);
    }
  int error = ferror (stream) ? errno : 0;
  free (buffer);
  return error;
}

/* --- Directories --- */

/* Add what SOURCE's file in directory DIR_FD says to LEVEL, if there is one.
   Return 0 or an errno.  */
static int
look_for (struct source const *source, int dir_fd, struct level *level)
{
  /* Whoever may write in the directory could stop the run with a fifo, or feed
     it from a device for ever.  */
  struct stat st;
  int fd = openat (dir_fd, source->file,
                   O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
  if (fd < 0)
    return errno == ENOENT ? 0 : errno;
  if (fstat (fd, &st) == 0 && !S_ISREG (st.st_mode) && !S_ISDIR (st.st_mode))
    {
      close (fd);
      return 0;
    }
  FILE *stream = fdopen (fd, "r");
  if (!stream)
    {
      int error = errno;
      close (fd);
      return error;
    }

  bool is_regex = source->syntax == IGNORE_MERCURIAL;
  struct exclusion **patterns
      = source->recursive ? &level->below : &level->here;
  if (!*patterns)
    *patterns = exclusion_new ();
  struct reading r = { .patterns = *patterns,
                       .syntax = source->syntax,
                       .kind = is_regex ? REGEX : GLOB };
  int error = read_patterns (&r, stream);
  fclose (stream);
  return error;
}

void
ignore_enter (struct ignore *i, int dir_fd,
              void (*failed) (void *arg, char const *file, int error),
              void *arg)
{
  if (i->depth == i->alloc)
    i->levels = x2nrealloc (i->levels, &i->alloc, sizeof *i->levels);
  struct level *level = &i->levels[i->depth++];
  *level = (struct level){ NULL, NULL };
  for (size_t k = 0; k < i->source_count; k++)
    {
      int error = look_for (&i->sources[k], dir_fd, level);
      if (error)
        failed (arg, i->sources[k].file, error);
    }
}

void
ignore_leave (struct ignore *i)
{
  struct level *level = &i->levels[--i->depth];
  exclusion_free (level->here);
  exclusion_free (level->below);
}

static bool
matches (struct exclusion const *patterns, char const *name)
{
  if (!patterns)
    return false;
  if (exclusion_matches (patterns, name))
    return true;
  char const *plain = name;
  while (plain[0] == '.' && plain[1] == '/')
    {
      plain += 2;
      plain += strspn (plain, "/");
    }
  if (plain != name && exclusion_matches (patterns, plain))
    return true;
  char const *slash = strrchr (plain, '/');
  return slash && exclusion_matches (patterns, slash + 1);
}

bool
ignore_matches (struct ignore const *i, char const *name)
{
  if (i->depth && matches (i->levels[i->depth - 1].here, name))
    return true;
  for (size_t k = i->depth; 0 < k--;)
    if (matches (i->levels[k].below, name))
      return true;
  return false;
}
