/* The option --pax-option.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "c-ctype.h"
#include "gettext.h"
#include "parse-datetime.h"
#include "quote.h"
#include "xalloc.h"

#include "format/pax-edits.h"
#include "parse.h"

#define _(msgid) gettext (msgid)

/* Tell that TEXT is no date.  Nothing takes its place, as in GNU tar, whatever
   it says.  */
static void
warn_date (struct options_parse *p, char const *text)
{
  char epoch[32];
  time_t zero = 0;
  struct tm const *tm = localtime (&zero);
  if (!tm || !strftime (epoch, sizeof epoch, "%Y-%m-%d %H:%M", tm))
    strcpy (epoch, "0");
  report_warning (p->r, REPORT_ALWAYS, 0,
                  _ ("Substituting %s for unknown date format %s"), epoch,
                  quote (text));
}

/* The value TEXT, or what it is if it is a date in braces.  */
static char const *
value_of (struct options_parse *p, char *text)
{
  size_t length = strlen (text);
  if (length < 2 || text[0] != '{' || text[length - 1] != '}')
    return text;

  char *date = ximemdup0 (text + 1, length - 2);
  struct timespec t;
  struct pax_build record = { 0 };
  bool known = parse_datetime (&t, date, NULL);
  if (known)
    pax_build_add_time (&record, "", t);
  else
    warn_date (p, date);
  free (date);
  if (!known)
    return text;

  /* The record is "LENGTH =TIME\n".  */
  char *value = memchr (record.bytes, '=', record.length);
  record.bytes[record.length - 1] = '\0';
  options_own (p->o, record.bytes);
  return value + 1;
}

/* Take WORD, "KEYWORD=VALUE" or "KEYWORD:=VALUE".  */
static bool
take_word (struct options_parse *p, char *word)
{
  char *equals = strchr (word, '=');
  if (!equals)
    return options_usage (p, _ ("Keyword %s is unknown or not yet implemented"),
                          word);
  if (equals == word)
    return options_usage (p, _ ("Malformed pax option: %s"), quote (word));
  bool is_override = equals[-1] == ':';
  equals[is_override ? -1 : 0] = '\0';
  char *text = equals + 1;
  while (c_isspace (*text))
    text++;

  char const *value = value_of (p, text);
  switch (pax_edits_add (p->o->pax_edits, word, value, is_override))
    {
    case PAX_EDITS_PROTECTED:
      return options_usage (p, _ ("Keyword %s cannot be overridden"), word);
    case PAX_EDITS_PATTERN:
      return options_usage (p, _ ("Pattern %s cannot be used"), quote (value));
    case PAX_EDITS_TIME:
      report_error (p->r, 0, _ ("Time stamp is out of allowed range"));
      break;
    case PAX_EDITS_OK:
      break;
    }
  return true;
}

bool
options_pax_option (struct options_parse *p, struct option_row const *row,
                    char const *argument)
{
  (void)row;
  struct tar_options *o = p->o;
  if (!o->pax_edits)
    o->pax_edits = xzalloc (sizeof *o->pax_edits);
  char *words = xstrdup (argument);
  options_own (o, words);
  char *rest;
  for (char *word = strtok_r (words, ",", &rest); word;
       word = strtok_r (NULL, ",", &rest))
    if (!take_word (p, word))
      return false;
  return true;
}
