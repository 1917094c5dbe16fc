/* Lists of names: the files of -T.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "unlocked-io.h"
#include "xalloc.h"

#include "select/names.h"

struct names
{
  FILE *stream;
  char *line;
  size_t size;
  size_t number;
  bool nul_ends; /* a NUL was met where lines were expected */
};

int
names_open (char const *file, struct names **ret)
{
  FILE *stream = strcmp (file, "-") == 0 ? stdin : fopen (file, "re");

  if (!stream)
    return errno;
  struct names *n = xzalloc (sizeof *n);
  n->stream = stream;
  *ret = n;
  return 0;
}

void
names_close (struct names *n)
{
  if (n->stream != stdin)
    fclose (n->stream);
  free (n->line);
  free (n);
}

void
names_identity (struct names const *n, dev_t *ret_dev, ino_t *ret_ino)
{
  struct stat st;

  if (fstat (fileno (n->stream), &st) != 0)
    st = (struct stat){ .st_dev = 0 };
  *ret_dev = st.st_dev;
  *ret_ino = st.st_ino;
}

/* Read up to END, or to a NUL, into N->line.  Return the character that ended
   it, or EOF.  */
static int
read_name (struct names *n, int end)
{
  size_t length = 0;
  int c;

  do
    {
      c = getc (n->stream);
      if (n->size <= length)
        n->line = x2realloc (n->line, &n->size);
      n->line[length++] = c == end || c == EOF ? '\0' : c;
    }
  while (c != end && c != '\0' && c != EOF);
  return c;
}

int
names_next (struct names *n, bool nul_ends, char **ret, bool *has_nul)
{
  *has_nul = false;
  *ret = NULL;
  for (;;)
    {
      int end = nul_ends || n->nul_ends ? '\0' : '\n';
      int c = read_name (n, end);
      n->number++;
      if (c == '\0' && end != '\0')
        n->nul_ends = *has_nul = true;
      if (*n->line)
        {
          *ret = n->line;
          return 0;
        }
      if (c == EOF)
        return ferror (n->stream) ? errno : 0;
    }
}

size_t
names_line (struct names const *n)
{
  return n->number;
}
