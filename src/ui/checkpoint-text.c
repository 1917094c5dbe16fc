/* The texts of checkpoint actions.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "ui/checkpoint-text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <wchar.h>

#include "gettext.h"
#include "xalloc.h"

#define _(msgid) gettext (msgid)

/* A text in the making, and the argument in braces of the sequence at hand,
   which is NULL if there is none.  */
struct maker
{
  struct checkpoint_facts const *facts;
  FILE *out;
  char **text; /* what was put out, once OUT is flushed */
  char *argument;
};

static void expand (struct maker *m, char const *format);

static void
put_number (struct maker *m)
{
  fprintf (m->out, "%" PRIuMAX, m->facts->number);
}

static void
put_direction (struct maker *m)
{
  fputs (m->facts->writing ? _ ("write") : _ ("read"), m->out);
}

static void
put_seconds (struct maker *m)
{
  fprintf (m->out, "%.0f", totals_seconds (m->facts->totals));
}

/* The time, as strftime takes the argument.  */
static void
put_time (struct maker *m)
{
  char text[256];
  time_t now = time (NULL);
  struct tm const *tm = (m->facts->utc ? gmtime : localtime) (&now);
  char const *format = m->argument && *m->argument ? m->argument : "%c";

  if (tm && strftime (text, sizeof text, format, tm))
    fputs (text, m->out);
}

/* What was done so far.  The argument has the names for what was read, written
   and deleted, with commas between.  */
static void
put_totals (struct maker *m)
{
  static enum totals_kind const order[]
      = { TOTALS_READ, TOTALS_WRITTEN, TOTALS_DELETED };
  struct totals const *t = m->facts->totals;
  char defaults[] = "R,W,D";
  char *names = m->argument ? m->argument : defaults;
  bool first = true;

  for (int i = 0; i < TOTALS_KINDS; i++)
    {
      char *name = names;
      if (name)
        {
          names = strchr (name, ',');
          if (names)
            *names++ = '\0';
        }
      if (!(t->kinds & (1u << order[i])))
        continue;
      char *text = totals_text (t, order[i], t->bytes[order[i]]);
      fprintf (m->out, "%s%s%s%s", first ? "" : ",", name ? name : "",
               name && *name ? ": " : "", text);
      free (text);
      first = false;
    }
}

/* The number of columns that TEXT takes.  */
static int
columns (char const *text)
{
  size_t size = strlen (text) + 1;
  wchar_t *wide = xnmalloc (size, sizeof *wide);
  size_t length = mbstowcs (wide, text, size);
  int ret = length == (size_t)-1 ? -1 : wcswidth (wide, length);

  free (wide);
  return 0 <= ret ? ret : (int)size - 1;
}

/* Blanks up to the column that the argument tells; else up to the end of the
   line.  */
static void
put_blanks (struct maker *m)
{
  fflush (m->out);
  int to
      = (m->argument ? (int)strtol (m->argument, NULL, 10) : m->facts->width);
  char const *line = strrchr (*m->text, '\r');
  int at = line ? columns (line + 1) : m->facts->start + columns (*m->text);
  if (at < to)
    fprintf (m->out, "%*s", to - at, "");
}

static void
put_default (struct maker *m)
{
  expand (m, "%{%Y-%m-%d %H:%M:%S}t: %ds, %{read,wrote}T%*\r");
}

/* If FORMAT is a sequence, put what it stands for, and return its length
   without the '%'.  Else return 0.  */
static size_t
expand_one (struct maker *m, char const *format)
{
  static struct
  {
    char letter;
    void (*put) (struct maker *m);
  } const sequences[] = {
    { 'u', put_number },  { 's', put_direction }, { 'd', put_seconds },
    { 't', put_time },    { 'T', put_totals },    { '*', put_blanks },
    { 'c', put_default },
  };
  size_t length = 0;
  char *argument = NULL;

  if (*format == '{')
    {
      char const *end = strchr (format, '}');
      if (!end)
        return 0;
      argument = ximemdup0 (format + 1, end - format - 1);
      length = end + 1 - format;
    }
  size_t found = 0;
  for (size_t i = 0; i < sizeof sequences / sizeof *sequences; i++)
    if (format[length] == sequences[i].letter)
      {
        m->argument = argument;
        sequences[i].put (m);
        found = length + 1;
        break;
      }
  free (argument);
  if (found || !length)
    return found;
  /* Of what is unknown the argument is left out.  */
  fputc ('%', m->out);
  return length;
}

static void
expand (struct maker *m, char const *format)
{
  for (; *format; format++)
    if (*format == '%')
      {
        size_t length = expand_one (m, format + 1);
        if (!length)
          fputc ('%', m->out);
        format += length;
      }
    else
      fputc (*format, m->out);
}

char *
checkpoint_text (char const *format, struct checkpoint_facts const *facts)
{
  char *text = NULL;
  size_t size;
  struct maker m = { .facts = facts, .text = &text };

  m.out = open_memstream (&text, &size);
  if (!m.out)
    xalloc_die ();
  expand (&m, format);
  if (fclose (m.out) != 0)
    xalloc_die ();
  return text;
}

char *
checkpoint_text_unquote (char const *text)
{
  static char const letters[] = "abfnrtv";
  static char const meanings[] = "\a\b\f\n\r\t\v";
  size_t length = strlen (text);
  bool quoted
      = (2 <= length && strchr ("'\"", *text) && text[length - 1] == *text);
  char *ret = xmemdup (text + quoted, length + 1 - quoted);
  char *to = ret;

  if (quoted)
    ret[length - 2] = '\0';
  for (char const *from = ret; *from; from++)
    {
      char const *letter
          = *from == '\\' && from[1] ? strchr (letters, from[1]) : NULL;
      if (letter)
        *to++ = meanings[letter - letters];
      else if (*from == '\\' && from[1] == '\\')
        *to++ = '\\';
      else
        {
          *to++ = *from;
          continue;
        }
      from++;
    }
  *to = '\0';
  return ret;
}
