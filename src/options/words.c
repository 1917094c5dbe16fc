/* Splitting TAR_OPTIONS and option lines of -T files into words.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include <string.h>

#include "gettext.h"
#include "xalloc.h"

#include "parse.h"

#define _(msgid) gettext (msgid)

static bool
is_blank (char c)
{
  return c == ' ' || c == '\t' || c == '\n';
}

/* Copy the word at *FROM to *TO without its quotes, and move both past it.
   Return false if a quote is not closed.  */
static bool
take_word (char const **from, char **to)
{
  char const *s = *from;
  char *d = *to;
  char quote = 0;

  for (; *s && (quote || !is_blank (*s)); s++)
    if (*s == '\\' && quote != '\'' && s[1])
      *d++ = *++s;
    else if (quote ? *s == quote : *s == '"' || *s == '\'')
      quote = quote ? 0 : *s;
    else
      *d++ = *s;
  *d++ = '\0';
  *from = s;
  *to = d;
  return !quote;
}

char const *
options_words_split (char const *text, char ***ret, size_t *ret_count)
{
  size_t length = strlen (text);
  /* Each word takes at least one character and, but for the last, a blank.  */
  size_t most = length / 2 + 1;
  char **words = xmalloc ((most + 1) * sizeof *words + length + most + 1);
  char *to = (char *)(words + most + 1);
  size_t count = 0;

  for (;;)
    {
      while (is_blank (*text))
        text++;
      if (!*text)
        break;
      words[count] = to;
      if (!take_word (&text, &to))
        {
          free (words);
          return _ ("missing closing quote");
        }
      count++;
    }
  words[count] = NULL;
  *ret = words;
  *ret_count = count;
  return NULL;
}
