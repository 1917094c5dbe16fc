/* The files to be stored: named ones, and all that is in directories.

   Every file is reached from the descriptor of the directory it is in, so that
   names may be longer than PATH_MAX, and no link that appears meanwhile leads
   the walk astray.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "fs/walk-private.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fs/file-payload.h"
#include "fs/links-seen.h"
#include "gettext.h"
#include "idx.h"
#include "long-name.h"
#include "same-inode.h"
#include "stat-time.h"
#include "timespec.h"
#include "xalloc.h"

#define _(text) gettext (text)

#if !defined DT_REG
#define DT_REG (-1)
#endif

/* Where a file is.  */
struct place
{
  int dir_fd;
  char const *file;   /* its name relative to DIR_FD */
  unsigned char type; /* its d_type */
  bool is_operand;
  bool is_tag; /* a tag that is stored alone, whatever the patterns say */
};

static enum flow_step walk_next (struct member_source *, struct member **,
                                 struct payload **);

struct walk *
walk_new (struct walk_settings const *settings)
{
  struct walk *w = xzalloc (sizeof *w);
  w->source.next = walk_next;
  w->settings = *settings;
  w->fd = -1;
  w->settings.open_flags |= settings->dereference ? 0 : O_NOFOLLOW;
  w->levels = levels_new (settings->order, w->settings.open_flags);
  if (!settings->hard_dereference)
    w->links = links_seen_new (settings->visited_once);
  return w;
}

void
walk_free (struct walk *w)
{
  if (!w)
    return;
  if (0 <= w->fd)
    close (w->fd);
  long_name_end (w->near_base, w->near_fd);
  levels_free (w->levels);
  links_seen_free (w->links);
  file_payload_free (&w->payload);
  member_free (&w->member);
  free (w->name);
  free (w);
}

struct member_source *
walk_source (struct walk *w)
{
  return &w->source;
}

void
walk_refuse (struct walk *w)
{
  w->refused = true;
}

struct stat const *
walk_stat (struct walk const *w)
{
  return &w->st;
}

/* --- Diagnostics --- */

/* The file at hand failed: CALL gave ERR.  */
void
walk_diagnose (struct walk *w, int err, char const *call, bool is_operand)
{
  struct report *r = w->settings.report;
  if (err == ENOENT && !is_operand)
    {
      report_warning (r, REPORT_FILE_REMOVED, 0,
                      _ ("%s: File removed before we read it"),
                      report_name (w->name));
      report_raise (r, REPORT_DIFFERS);
    }
  else if (w->settings.ignore_failed_read)
    report_cannot_warning (r, REPORT_FAILED_READ, err, call, w->name);
  else
    report_cannot (r, err, call, w->name);
}

void
walk_diagnose_change (struct walk *w)
{
  report_warning (w->settings.report, REPORT_FILE_CHANGED, 0,
                  _ ("%s: file changed as we read it"), report_name (w->name));
  if (!w->settings.ignore_failed_read)
    report_raise (w->settings.report, REPORT_DIFFERS);
}

/* The file at hand, open on FD, was read: set back its access time, which ST
   has.  Its other time is left alone: somebody may have changed the file.  */
void
walk_restore_atime (struct walk *w, int fd, struct stat const *st)
{
  struct timespec const times[] = { get_stat_atime (st), { 0, UTIME_OMIT } };
  if (w->settings.restore_atime && futimens (fd, times) < 0)
    report_cannot (w->settings.report, errno, "utime", w->name);
}

/* A new link to a file changes its status change time only, and harms
   nothing.  */
static bool
has_changed (struct stat const *before, struct stat const *after)
{
  return before->st_size != after->st_size
         || timespec_cmp (get_stat_mtime (before), get_stat_mtime (after));
}

/* --- The name --- */

/* Make the name at hand the first KEEP bytes of itself and then FILE.  */
static void
set_name (struct walk *w, idx_t keep, char const *file)
{
  idx_t length = strlen (file);
  bool needs_slash = keep && w->name[keep - 1] != '/';
  idx_t size = keep + needs_slash + length + 1;
  if (w->name_alloc < size)
    w->name = xpalloc (w->name, &w->name_alloc, size - w->name_alloc, -1, 1);
  if (needs_slash)
    w->name[keep++] = '/';
  memcpy (w->name + keep, file, length + 1);
  w->name_length = keep + length;
}

/* --- One file --- */

static bool
open_file (struct walk *w, struct place const *p)
{
  int flags = O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK;
  w->fd = openat (p->dir_fd, p->file, flags | w->settings.open_flags);
  return 0 <= w->fd;
}

void
walk_close_file (struct walk *w)
{
  if (0 <= w->fd)
    close (w->fd);
  w->fd = -1;
}

/* Get the status of file P.  A file that the directory says is a regular one
   is opened at once, which saves a system call and makes sure that what is
   read is what was looked at.  */
static bool
examine (struct walk *w, struct place const *p)
{
  if (p->type == DT_REG && !w->settings.no_data && !w->settings.wanted
      && open_file (w, p))
    {
      if (fstat (w->fd, &w->st) == 0 && S_ISREG (w->st.st_mode))
        return true;
      walk_close_file (w);
    }
  int flags = w->settings.dereference ? 0 : AT_SYMLINK_NOFOLLOW;
  if (fstatat (p->dir_fd, p->file, &w->st, flags) == 0)
    return true;
  walk_diagnose (w, errno, "stat", p->is_operand);
  return false;
}

/* Open the file at hand, if it was not opened, and see that it still is what
   was examined.  */
static bool
open_examined (struct walk *w, struct place const *p)
{
  struct stat st;
  if (0 <= w->fd)
    return true;
  if (!open_file (w, p))
    {
      walk_diagnose (w, errno, "open", p->is_operand);
      return false;
    }
  if (fstat (w->fd, &st) < 0)
    {
      walk_diagnose (w, errno, "stat", p->is_operand);
      return false;
    }
  if (!SAME_INODE (st, w->st)
      || (st.st_mode & S_IFMT) != (w->st.st_mode & S_IFMT))
    {
      walk_diagnose_change (w);
      return false;
    }
  w->st = st;
  return true;
}

/* Make the member a hard link if its file was stored before.  */
static bool
link_to_earlier (struct walk *w)
{
  struct member *m = &w->member;
  if (!w->links || (m->type != MEMBER_REGULAR && m->type != MEMBER_SYMLINK)
      || (w->settings.visited_once && w->st.st_nlink < 2))
    return false;
  char const *earlier = links_seen_meet (w->links, &w->st);
  if (!earlier)
    {
      w->to_record = true;
      return false;
    }
  member_set_text (&m->link, earlier, strlen (earlier));
  m->type = MEMBER_HARD_LINK;
  m->size = m->stored_size = 0;
  return true;
}

static void
diagnose_type (struct walk *w)
{
  struct report *r = w->settings.report;
  if (S_ISSOCK (w->st.st_mode))
    report_warning (r, REPORT_FILE_IGNORED, 0, _ ("%s: socket ignored"),
                    report_name (w->name));
  else
    report_error (r, 0, _ ("%s: Unknown file type; file ignored"),
                  report_name (w->name));
}

static bool
is_archive (struct walk *w)
{
  struct walk_settings const *s = &w->settings;
  if (!s->archive_known || w->st.st_ino != s->archive_ino
      || w->st.st_dev != s->archive_dev)
    return false;
  report_warning (s->report, REPORT_IGNORE_ARCHIVE, 0,
                  _ ("%s: file is the archive; not dumped"),
                  report_name (w->name));
  return true;
}

/* True if everybody may read the file that has status ST.  */
static bool
is_readable (struct stat const *st)
{
  return (~st->st_mode & (S_IRUSR | S_IRGRP | S_IROTH)) == 0;
}

/* Start giving the open file's data, without its holes if they are to be
   found.  If they cannot be, giving the data will tell why.  */
static void
start_data (struct walk *w)
{
  struct member *m = &w->member;
  enum holes_method method = w->settings.holes;
  m->size = m->stored_size = w->st.st_size;
  if (method != HOLES_IGNORE && 0 <= w->fd && holes_expected (&w->st)
      && holes_find (w->fd, &w->st, method, m) == 0)
    file_payload_start_sparse (&w->payload, w->fd, m);
  else
    file_payload_start (&w->payload, w->fd, m->size);
}

/* Fill the member's data or link target, opening the file if need be.  */
static bool
fetch_contents (struct walk *w, struct place const *p)
{
  struct member *m = &w->member;
  if (link_to_earlier (w))
    {
      walk_close_file (w);
      return true;
    }
  switch (m->type)
    {
    case MEMBER_REGULAR:
      /* Like GNU tar, store what is empty and everybody may know it though it
         cannot be opened.  */
      if (!w->settings.no_data && !(w->st.st_size == 0 && is_readable (&w->st))
          && !open_examined (w, p))
        return false;
      start_data (w);
      return true;

    case MEMBER_DIRECTORY:
      return open_examined (w, p);

    case MEMBER_SYMLINK:
      {
        int err = inspect_link (p->dir_fd, p->file, w->st.st_size, m);
        if (err)
          walk_diagnose (w, err, "readlink", p->is_operand);
        return !err;
      }

    default:
      return true;
    }
}

/* The member's name is the file's; a directory's ends in a slash.  */
static void
set_stored_name (struct walk *w)
{
  idx_t length = w->name_length;
  if (w->member.type == MEMBER_DIRECTORY)
    set_name (w, length, "");
  member_set_text (&w->member.stored_name, w->name, w->name_length);
  w->name_length = length;
  w->name[length] = '\0';
}

static void
read_attributes (struct walk *w, struct place const *p)
{
  enum member_type type = w->member.type;
  struct xattrs_target const target = {
    .fd = w->fd,
    .dir_fd = p->dir_fd,
    .base = p->file,
    .name = w->name,
    .is_link = type == MEMBER_SYMLINK,
    .is_directory = type == MEMBER_DIRECTORY,
  };
  if (w->settings.xattrs && type != MEMBER_HARD_LINK)
    xattrs_read (w->settings.xattrs, w->settings.report, &target, &w->member);
}

/* Make a member of file P.  Return false if it is left out.  */
static bool
visit (struct walk *w, struct place const *p)
{
  struct walk_settings const *s = &w->settings;
  member_clear (&w->member);
  w->to_record = false;
  w->refused = false;
  if (!examine (w, p))
    return false;
  if (levels_depth (w->levels) == 0)
    w->operand_dev = w->st.st_dev;
  if (is_archive (w)
      || (s->wanted && !S_ISDIR (w->st.st_mode)
          && !s->wanted (s->arg, w->name, &w->st, p->is_operand)))
    return false;
  if (!inspect_stat (s->inspect, &w->st, &w->member))
    {
      diagnose_type (w);
      return false;
    }
  set_stored_name (w);
  if (!fetch_contents (w, p))
    return false;
  read_attributes (w, p);
  return w->member.type != MEMBER_DIRECTORY || walk_begin_directory (w);
}

/* --- The source --- */

/* See to the member that was given before.  */
static void
finish_member (struct walk *w)
{
  if (!w->given)
    return;
  w->given = false;
  if (w->to_record && !w->refused)
    links_seen_add (w->links, &w->st, w->name);
  if (w->fd < 0)
    return;
  if (w->member.type == MEMBER_DIRECTORY && !w->refused)
    {
      walk_enter (w);
      return;
    }
  if (w->member.type == MEMBER_DIRECTORY)
    walk_end_directory (w);
  struct stat st;
  /* What ended before its time changed, and that was told.  */
  if (w->refused || w->payload.payload.remaining)
    ;
  else if (fstat (w->fd, &st) < 0)
    walk_diagnose (w, errno, "stat", levels_depth (w->levels) == 0);
  else if (has_changed (&w->st, &st))
    walk_diagnose_change (w);
  if (w->st.st_size)
    walk_restore_atime (w, w->fd, &w->st);
  walk_close_file (w);
}

/* The directory to look up the operand at hand in, as *NAME.  */
static int
approach_operand (struct walk *w, char const **name)
{
  long_name_end (w->near_base, w->near_fd);
  w->near_base = w->operand.base_fd;
  w->near_fd = long_name_begin (w->near_base, name);
  if (w->near_fd == -1)
    w->near_fd = w->near_base; /* where it will fail as it did here */
  return w->near_fd;
}

/* Find the next file, named or in the innermost directory, and its name.  If
   the latter has no more, leave it and set P's file to NULL.  */
static enum flow_step
next_place (struct walk *w, struct place *p)
{
  struct walk_settings const *s = &w->settings;
  *p = (struct place){ 0 };
  if (levels_depth (w->levels) == 0)
    {
      enum flow_step step = s->operand (s->arg, &w->operand);
      if (step != FLOW_MEMBER)
        return step;
      set_name (w, 0, w->operand.name);
      p->file = w->operand.file ? w->operand.file : w->operand.name;
      p->dir_fd = approach_operand (w, &p->file);
      p->is_operand = !w->operand.found;
      return FLOW_MEMBER;
    }
  int err = levels_next (w->levels, &p->file, &p->type);
  if (p->file)
    {
      set_name (w, levels_name_length (w->levels), p->file);
      p->dir_fd = levels_fd (w->levels);
      p->is_tag = levels_restricted (w->levels);
    }
  else
    walk_finish_directory (w, err);
  return FLOW_MEMBER;
}

static enum flow_step
walk_next (struct member_source *source, struct member **member,
           struct payload **payload)
{
  struct walk *w = (struct walk *)source;
  struct walk_settings const *s = &w->settings;

  finish_member (w);
  while (true)
    {
      struct place p;
      enum flow_step step = next_place (w, &p);
      if (step != FLOW_MEMBER)
        return step;
      if (!p.file
          || (s->excluded && !p.is_tag && s->excluded (s->arg, w->name)))
        continue;
      w->given = visit (w, &p);
      if (w->given)
        break;
      walk_close_file (w);
    }
  *member = &w->member;
  *payload = w->member.type == MEMBER_REGULAR ? &w->payload.payload : NULL;
  return FLOW_MEMBER;
}

static void
report_missing (void *arg, struct links_seen_file const *f)
{
  struct walk *w = arg;
  report_warning (w->settings.report, REPORT_ALWAYS, 0,
                  _ ("Missing links to %s."), report_quoted (f->name));
}

void
walk_report_missing_links (struct walk *w)
{
  if (w->links)
    links_seen_missing (w->links, report_missing, w);
}
