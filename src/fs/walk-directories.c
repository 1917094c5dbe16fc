/* The directories of a walk: entering and leaving them.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "fs/walk-private.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gettext.h"
#include "stat-time.h"
#include "timespec.h"

#define _(text) gettext (text)

/* Whom to tell of tags.  */
static struct report *
tag_report (struct walk const *w)
{
  return w->settings.verbose ? w->settings.report : NULL;
}

/* The member is that of an open directory.  Return false if it is left
   out.  */
bool
walk_begin_directory (struct walk *w)
{
  struct walk_settings const *s = &w->settings;
  if (s->tags
      && tags_leave_out (s->tags, w->fd, member_text (&w->member.stored_name),
                         tag_report (w)))
    return false;
  if (s->begin_directory)
    s->begin_directory (s->arg, w->fd);
  return true;
}

void
walk_end_directory (struct walk *w)
{
  if (w->settings.end_directory)
    w->settings.end_directory (w->settings.arg);
}

/* True if the directory at hand is to be entered.  If only its tag is to be
   stored, *RET_TAG is that.  */
static bool
is_to_be_entered (struct walk *w, char const **ret_tag)
{
  struct report *r = w->settings.report;
  *ret_tag = NULL;
  if (!w->operand.recurse)
    return false;
  if (w->settings.one_file_system && w->st.st_dev != w->operand_dev)
    {
      if (w->settings.verbose)
        report_warning (r, REPORT_XDEV, 0,
                        _ ("%s: file is on a different filesystem; not dumped"),
                        report_name (member_text (&w->member.stored_name)));
      return false;
    }
  /* A tag can be "..".  */
  if ((w->settings.dereference || w->settings.tags)
      && levels_contain (w->levels, &w->st))
    {
      report_error (r, 0, _ ("%s: directory contains itself; not entered"),
                    report_name (w->name));
      return false;
    }
  return (!w->settings.tags
          || tags_find (w->settings.tags, w->fd,
                        member_text (&w->member.stored_name), tag_report (w),
                        ret_tag)
                 != TAGS_UNDER);
}

/* Enter the directory at hand, which is open and was given, if it is to be
   entered.  */
void
walk_enter (struct walk *w)
{
  char const *tag;
  if (!is_to_be_entered (w, &tag))
    {
      walk_close_file (w);
      walk_end_directory (w);
      return;
    }
  int fd = w->fd;
  w->fd = -1;
  int err
      = levels_push (w->levels, fd, &w->st, w->operand.base_fd, w->name_length);
  if (err)
    {
      walk_diagnose (w, err, "read directory", levels_depth (w->levels) == 0);
      walk_end_directory (w);
    }
  else if (tag)
    levels_restrict (w->levels, tag);
}

/* Leave the innermost directory, and those around it that cannot be opened
   any more.  */
static void
leave (struct walk *w)
{
  struct levels *l = w->levels;
  int err;
  do
    {
      w->name_length = levels_name_length (l);
      w->name[w->name_length] = '\0';
      err = levels_pop (l, w->name);
      walk_end_directory (w);
      if (err)
        {
          w->name_length = levels_name_length (l);
          w->name[w->name_length] = '\0';
          walk_diagnose (w, err, "open", levels_depth (l) == 1);
        }
    }
  while (err);
}

/* The innermost directory has no more entries.  */
void
walk_finish_directory (struct walk *w, int err)
{
  struct levels *l = w->levels;
  struct stat st;
  w->name_length = levels_name_length (l);
  w->name[w->name_length] = '\0';
  if (err)
    walk_diagnose (w, err, "read directory", levels_depth (l) == 1);
  else if (fstat (levels_fd (l), &st) < 0)
    walk_diagnose (w, errno, "stat", levels_depth (l) == 1);
  else if (timespec_cmp (get_stat_mtime (levels_stat (l)),
                         get_stat_mtime (&st)))
    walk_diagnose_change (w);
  if (0 <= levels_fd (l))
    walk_restore_atime (w, levels_fd (l), levels_stat (l));
  leave (w);
}
