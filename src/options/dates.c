/* Options that take a date or a file whose date is meant.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "gettext.h"
#include "parse-datetime.h"
#include "quote.h"
#include "stat-time.h"
#include "xalloc.h"

#include "parse.h"

#define _(msgid) gettext (msgid)

/* Remember that the argument TEXT of OPTION was taken for DATE.  */
static void
note_date (struct options_parse *p, char const *option, char const *text,
           struct timespec date)
{
  struct option_date *d = xmalloc (sizeof *d);

  *d = (struct option_date){ p->dates, option, text, date };
  p->dates = d;
  options_own (p->o, d);
}

/* Set *RET to the date ARGUMENT of OPTION, or to the mtime of the file ARGUMENT
   if it begins like a path.  */
static bool
take_date (struct options_parse *p, char const *option, char const *argument,
           struct timespec *ret)
{
  if (*argument != '/' && *argument != '.')
    {
      /* GNU tar goes on with a date of 292 billion years ago.  */
      if (!parse_datetime (ret, argument, NULL))
        return options_usage (p, _ ("Unknown date format %s"),
                              quote (argument));
      note_date (p, option, argument, *ret);
      return true;
    }
  struct stat st;
  if (stat (argument, &st) != 0)
    {
      report_cannot (p->r, errno, "stat", argument);
      return options_usage (p, _ ("Date sample file not found"));
    }
  *ret = get_stat_mtime (&st);
  return true;
}

bool
options_dates_mtime (struct options_parse *p, struct option_row const *row,
                     char const *argument)
{
  (void)row;
  if (!take_date (p, "--mtime", argument, &p->o->mtime))
    return false;
  p->mtime_given = true;
  return true;
}

/* --newer, --after-date, and --newer-mtime (row->value 1).  */
bool
options_dates_newer (struct options_parse *p, struct option_row const *row,
                     char const *argument)
{
  struct tar_options *o = p->o;
  char const *option = row->value ? "--newer-mtime" : "--after-date";

  if (o->newer_given)
    return options_usage (p, _ ("More than one threshold date"));
  if (!take_date (p, option, argument, &o->newer))
    return false;
  o->newer_given = true;
  o->newer_is_mtime_only = row->value;
  return true;
}

/* Tell how D was understood, unless that is plain from its text.  */
static void
tell_date (struct options_parse *p, struct option_date const *d)
{
  char day[100];
  char whole[sizeof day + 32];
  struct tm const *tm = (p->o->utc ? gmtime : localtime) (&d->date.tv_sec);

  if (!tm || !strftime (day, sizeof day, "%Y-%m-%d %H:%M:%S", tm))
    return;
  int length = snprintf (whole, sizeof whole, "%s.%09ld", day, d->date.tv_nsec);
  while (whole[length - 1] == '0')
    length--;
  if (whole[length - 1] == '.')
    length--;
  whole[length] = '\0';
  if (strcmp (d->text, whole) != 0)
    report_warning (p->r, REPORT_ALWAYS, 0,
                    _ ("Option %s: Treating date '%s' as %s"), d->option,
                    d->text, whole);
}

void
options_dates_tell (struct options_parse *p)
{
  for (struct option_date const *d = p->dates; d; d = d->next)
    tell_date (p, d);
}
