/* A command line given as one string, split into words.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "io/command.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "c-ctype.h"
#include "xalloc.h"

/* Copy the word at P to *TO, unquoted, with a NUL, and move *TO behind it.
   Return its end, or NULL if a quote is missing.  */
static char const *
split_word (char const *p, char **to)
{
  char quote = '\0';
  for (; *p && (quote || !c_isspace (*p)); p++)
    if (*p == quote)
      quote = '\0';
    else if (!quote && (*p == '\'' || *p == '"'))
      quote = *p;
    else
      {
        if (*p == '\\' && quote != '\'' && p[1])
          p++;
        *(*to)++ = *p;
      }
  *(*to)++ = '\0';
  return quote ? NULL : p;
}

int
command_split (char const *command, char ***ret)
{
  /* No more words than every other character.  The characters follow the
     pointers, so that one free is enough.  */
  size_t length = strlen (command);
  size_t most = length / 2 + 1 + 2;
  char **words = xmalloc (most * sizeof *words + length + 1);
  char *to = (char *)(words + most);
  size_t count = 0;

  for (char const *p = command;;)
    {
      while (c_isspace (*p))
        p++;
      if (!*p)
        break;
      words[count++] = to;
      p = split_word (p, &to);
      if (!p)
        {
          free (words);
          return EINVAL;
        }
    }
  words[count] = NULL;
  words[count + 1] = NULL;
  if (count == 0)
    {
      free (words);
      return EINVAL;
    }
  *ret = words;
  return 0;
}

void
command_free (char **words)
{
  free (words);
}

bool
command_needs_shell (char const *command)
{
  return command[strcspn (command, "|&;<>()$`*?[#~=%\n")] != '\0';
}
