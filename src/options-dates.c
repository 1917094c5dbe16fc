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

#include "options-parse.h"

#define _(msgid) gettext (msgid)

/* Set *RET to the date ARGUMENT, or to the mtime of the file ARGUMENT if it
   begins like a path; *IS_DATE tells which.  */
static bool
take_date (struct options_parse *p, char const *argument, struct timespec *ret,
           bool *is_date)
{
  *is_date = *argument != '/' && *argument != '.';
  if (*is_date)
    {
      /* GNU tar goes on with a date of 292 billion years ago.  */
      if (!parse_datetime (ret, argument, NULL))
        return options_usage (p, _ ("Unknown date format %s"),
                              quote (argument));
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
  bool is_date;

  (void)row;
  if (!take_date (p, argument, &p->o->mtime, &is_date))
    return false;
  p->mtime_given = true;
  p->mtime_text = is_date ? argument : NULL;
  return true;
}

/* --newer, --after-date, and --newer-mtime (row->value 1).  */
bool
options_dates_newer (struct options_parse *p, struct option_row const *row,
                     char const *argument)
{
  struct tar_options *o = p->o;
  bool is_date;

  if (o->newer_given)
    return options_usage (p, _ ("More than one threshold date"));
  if (!take_date (p, argument, &o->newer, &is_date))
    return false;
  o->newer_given = true;
  o->newer_is_mtime_only = row->value;
  p->newer_text = is_date ? argument : NULL;
  p->newer_option = row->value ? "--newer-mtime" : "--after-date";
  return true;
}

/* Tell how TEXT was understood, unless that is plain from it.  */
static void
tell_date (struct options_parse *p, char const *option, char const *text,
           struct timespec date)
{
  char day[100];
  char whole[sizeof day + 32];
  struct tm const *tm = (p->o->utc ? gmtime : localtime) (&date.tv_sec);

  if (!text || !tm || !strftime (day, sizeof day, "%Y-%m-%d %H:%M:%S", tm))
    return;
  int length = snprintf (whole, sizeof whole, "%s.%09ld", day, date.tv_nsec);
  while (whole[length - 1] == '0')
    length--;
  if (whole[length - 1] == '.')
    length--;
  whole[length] = '\0';
  if (strcmp (text, whole) != 0)
    report_warning (p->r, REPORT_ALWAYS, 0,
                    _ ("Option %s: Treating date '%s' as %s"), option, text,
                    whole);
}

void
options_dates_tell (struct options_parse *p)
{
  tell_date (p, "--mtime", p->mtime_text, p->o->mtime);
  tell_date (p, p->newer_option, p->newer_text, p->o->newer);
}
