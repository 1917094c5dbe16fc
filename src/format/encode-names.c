/* Names made from templates: those of extended headers, and those that readers
   who know nothing of sparse members see.

   Source: POSIX.1-2017 pax, "exthdr.name", and the GNU tar manual,
   "Controlling Extended Header Keywords".

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "format/encode.h"

#include <string.h>

#include "inttostr.h"

static void
append (struct encode_buffer *b, char const *text, idx_t length)
{
  memcpy (encode_buffer_extend (b, length), text, length);
}

static void
append_number (struct encode_buffer *b, intmax_t number)
{
  char digits[INT_BUFSIZE_BOUND (intmax_t)];
  char const *text = imaxtostr (number, digits);
  append (b, text, strlen (text));
}

/* The file's name as it was given, in two: up to the last slash, and what
   follows.  */
static void
append_part (struct encoder *e, struct encode_buffer *b, bool want_directory)
{
  /* The archive itself has no name.  */
  if (!e->member)
    return;
  char const *name = member_text (&e->member->stored_name);
  struct encode_string base = { name, strlen (name) };
  while (1 < base.length && name[base.length - 1] == '/')
    base.length--;
  char const *slash = memrchr (name, '/', base.length);
  if (slash)
    {
      base.length -= slash + 1 - name;
      base.text = slash + 1;
    }
  if (!want_directory)
    {
      append (b, base.text, base.length);
      /* A directory's keeps its slash.  */
      if (base.text[base.length] == '/')
        append (b, "/", 1);
      return;
    }

  struct encode_string dir = { ".", 1 };
  if (slash)
    {
      dir = (struct encode_string){ name, slash - name };
      while (0 < dir.length && name[dir.length - 1] == '/')
        dir.length--;
      if (dir.length == 0)
        dir.length = 1;
    }
  idx_t at = b->length;
  append (b, dir.text, dir.length);
  append (b, "", 1);
  if (e->settings->safe_name)
    {
      char *start = b->bytes + at;
      char const *safe = e->settings->safe_name (start);
      /* What is no part of START is a single dot.  */
      memmove (start, safe, strlen (safe) + 1);
    }
  b->length = at + strlen (b->bytes + at);
}

void
encode_names_expand (struct encoder *e, char const *template, intmax_t number,
                     struct encode_buffer *b)
{
  b->length = 0;
  for (char const *p = template; *p; p++)
    {
      if (*p != '%')
        {
          append (b, p, 1);
          continue;
        }
      switch (p[1])
        {
        case 'd':
        case 'f':
          append_part (e, b, p[1] == 'd');
          break;
        case 'n':
          append_number (b, number);
          break;
        case 'p':
          append_number (b, e->settings->pid);
          break;
        case '%':
          append (b, "%", 1);
          break;
        case '\0':
          append (b, "%", 1);
          continue;
        default:
          append (b, p, 2);
          break;
        }
      p++;
    }
  while (0 < b->length && b->bytes[b->length - 1] == '/')
    b->length--;
  append (b, "", 1);
  b->length--;
}
