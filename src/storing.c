/* Files to members of an archive: what -c, -r and -u have in common.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "storing.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dumping.h"
#include "edits.h"
#include "format/writer.h"
#include "fs/walk.h"
#include "label.h"
#include "monitor.h"
#include "mtime-command.h"
#include "policies.h"
#include "pump.h"
#include "removal.h"
#include "select/distinct.h"
#include "select/safe-name.h"
#include "selection.h"
#include "sharing-report.h"
#include "ui/listing.h"
#include "verify.h"
#include "writer-notes.h"
#include "gettext.h"
#include "stat-time.h"
#include "xalloc.h"

#define _(msgid) gettext (msgid)

#ifdef O_NOATIME
enum
{
  STORING_NOATIME = O_NOATIME
};
#else
enum
{
  STORING_NOATIME = 0
};
#endif

/* What the loop works with.  */
struct storing
{
  struct member_sink sink; /* first: its address is ours */
  struct tar_options const *options;
  struct report *report;
  struct selection *selection;
  struct workdirs *workdirs;
  struct listing *listing;
  struct confirm *confirm; /* NULL: do not ask */
  struct xattrs_settings xattrs;
  struct inspect *inspect;
  struct records *records;
  int base_fd;             /* of the operand at hand */
  int base;                /* its number */
  struct removal *removal; /* NULL: files stay */
  struct dumping *dumping; /* NULL: not incremental */
  struct walk *walk;
  struct writer *writer;
  enum member_format format;
  struct writer_notes notes;
  struct timespec file_mtime; /* of the file being stored */
  bool discards;              /* the archive is /dev/null */
  bool many_operands;         /* more than one name, or a list of them */
  struct volumes *volumes;    /* NULL: there are none */
  char *root_uname;
  char *root_gname;
  bool (*wanted) (void *arg, struct member const *m);
  void *wanted_arg;
};

/* --- What the walk asks --- */

/* There are no more operands.  Directories must exist even if no name follows
   them.  */
static enum flow_step
end_operands (struct storing *s)
{
  int fd;
  if (!workdirs_open (s->workdirs, workdirs_count (s->workdirs) - 1, s->report,
                      &fd))
    return FLOW_FATAL;
  selection_report_late (s->selection);
  return FLOW_END;
}

static enum flow_step
next_operand (void *arg, struct walk_operand *ret)
{
  struct storing *s = arg;
  struct selection_name name;
  enum selection_step step = selection_next_name (s->selection, &name);

  if (step == SELECTION_FATAL)
    return FLOW_FATAL;
  policies_more_workdirs (s->workdirs, s->selection);
  if (step == SELECTION_END)
    return end_operands (s);
  *ret = (struct walk_operand){ .name = name.name,
                                .recurse = name.recurse,
                                .number = name.directory };
  if (!workdirs_open (s->workdirs, name.directory, s->report, &ret->base_fd))
    return FLOW_FATAL;
  s->base_fd = ret->base_fd;
  s->base = name.directory;
  return FLOW_MEMBER;
}

/* Likewise, for an incremental dump.  */
static enum flow_step
next_found (void *arg, struct walk_operand *ret)
{
  struct storing *s = arg;
  enum flow_step step = dumping_next (s->dumping, ret);
  if (step == FLOW_MEMBER
      && !workdirs_open (s->workdirs, ret->number, s->report, &s->base_fd))
    return FLOW_FATAL;
  s->base = ret->number;
  return step;
}

static bool
is_matched (void *arg, char const *name)
{
  struct storing *s = arg;
  return selection_excluded (s->selection, name);
}

static bool
is_declined (void *arg, char const *name)
{
  struct storing *s = arg;
  return s->confirm && !confirm_ask (s->confirm, _ ("add"), name);
}

static bool
is_excluded (void *arg, char const *name)
{
  return is_matched (arg, name) || is_declined (arg, name);
}

/* What a directory called NAME is called in the archive.  */
static char *
name_in_archive (void *arg, char const *name)
{
  struct storing *s = arg;
  struct member m = { .type = MEMBER_DIRECTORY };
  member_set_text (&m.stored_name, name, strlen (name));
  selection_edit (s->selection, &m);
  char *stored = xstrdup (member_text (&m.name));
  member_free (&m);
  return stored;
}

static bool
is_wanted (void *arg, char const *name, struct stat const *st, bool is_operand)
{
  struct storing *s = arg;
  (void)is_operand;
  return selection_is_recent (s->selection, name, get_stat_mtime (st),
                              get_stat_ctime (st));
}

static void
begin_directory (void *arg, int fd)
{
  struct storing *s = arg;
  selection_begin_directory (s->selection, fd);
}

static void
end_directory (void *arg)
{
  struct storing *s = arg;
  selection_end_directory (s->selection);
}

/* Look at the operands: true if no file can be reached by two of them, nor
   through symbolic links.  */
static bool
examine_operands (struct storing *s)
{
  struct tar_options const *o = s->options;
  char const **names = xnmalloc (o->operand_count, sizeof *names);
  size_t count = 0;
  bool distinct = !o->dereference;
  for (size_t i = 0; i < o->operand_count; i++)
    switch (o->operands[i].kind)
      {
      case OPTION_NAME:
        names[count++] = o->operands[i].text;
        break;
      case OPTION_FILES_FROM:
        s->many_operands = true;
        distinct = false;
        break;
      case OPTION_DIRECTORY:
        distinct &= count == 0;
        break;
      default:
        break;
      }
  s->many_operands |= 1 < count;
  distinct = distinct && distinct_names (names, count);
  free (names);
  return distinct;
}

/* --- Setting up --- */

/* Let *RET be the archive's status, if it is a file that has a name.  */
static bool
archive_stat (struct tar_options const *o, struct stat *ret)
{
  char const *name = o->archives[0];
  if (policies_is_remote (o))
    return false;
  return (strcmp (name, "-") == 0 ? fstat (STDOUT_FILENO, ret)
                                  : stat (name, ret))
         == 0;
}

static bool
is_dev_null (struct stat const *st)
{
  struct stat null;
  return S_ISCHR (st->st_mode) && stat ("/dev/null", &null) == 0
         && S_ISCHR (null.st_mode) && null.st_rdev == st->st_rdev;
}

/* Before an incremental dump, look at all that the walk of SETTINGS would come
   across, and change them so that it stores what was found.  */
static bool
look_first (struct storing *s, struct walk_settings *settings)
{
  settings->excluded = is_matched;
  enum flow_step step
      = dumping_look (s->dumping, settings, s->workdirs, name_in_archive);
  settings->operand = next_found;
  settings->excluded = is_declined;
  settings->begin_directory = NULL;
  settings->end_directory = NULL;
  settings->tags = NULL;
  return step == FLOW_END;
}

static bool
open_walk (struct storing *s)
{
  static enum levels_order const orders[] = {
    [OPTIONS_SORT_NONE] = LEVELS_UNSORTED,
    [OPTIONS_SORT_NAME] = LEVELS_BY_NAME,
    [OPTIONS_SORT_INODE] = LEVELS_BY_INODE,
  };
  struct tar_options const *o = s->options;
  struct stat st;
  bool known = archive_stat (o, &st);
  s->discards = known && !o->compress_program && is_dev_null (&st);
  known = known && S_ISREG (st.st_mode);
  struct walk_settings settings = {
    .report = s->report,
    .inspect = s->inspect,
    .order = orders[o->sort],
    .dereference = o->dereference,
    .hard_dereference = o->hard_dereference,
    .one_file_system = o->one_file_system,
    .ignore_failed_read = o->ignore_failed_read,
    .no_data = s->discards,
    .holes = policies_holes (o),
    .xattrs = &s->xattrs,
    .verbose = 0 < o->verbose,
    .visited_once = examine_operands (s),
    .open_flags
    = o->atime_preserve == OPTIONS_ATIME_SYSTEM ? STORING_NOATIME : 0,
    .restore_atime = o->atime_preserve == OPTIONS_ATIME_REPLACE,
    .archive_known = known,
    .archive_dev = known ? st.st_dev : 0,
    .archive_ino = known ? st.st_ino : 0,
    .operand = next_operand,
    .excluded = is_excluded,
    .wanted = o->newer_given ? is_wanted : NULL,
    .begin_directory = begin_directory,
    .end_directory = end_directory,
    .tags = selection_tags (s->selection),
    .arg = s,
  };
  bool ok = !s->dumping || look_first (s, &settings);
  s->walk = walk_new (&settings);
  return ok;
}

/* The member M is about to be written at POSITION.  */
static void
list_member (void *arg, struct member const *m, off_t position)
{
  struct storing *s = arg;
  /* GNU tar tells the file's own time even if another is stored.  */
  struct member shown = *m;
  shown.mtime = s->file_mtime;
  /* What is shown of owners is what the format can tell.  */
  if (s->format == MEMBER_FORMAT_V7)
    shown.present &= ~(MEMBER_HAS_UNAME | MEMBER_HAS_GNAME);
  records_begin (s->records);
  listing_member (s->listing, &shown, position / RECORDS_BLOCK);
}

static void
open_writer (struct storing *s)
{
  struct tar_options const *o = s->options;
  if (!o->numeric_owner)
    {
      char const *user = inspect_user (s->inspect, 0);
      char const *group = inspect_group (s->inspect, 0);
      s->root_uname = user ? xstrdup (user) : NULL;
      s->root_gname = group ? xstrdup (group) : NULL;
    }
  char const *temporary = getenv ("TMPDIR");
  s->notes.report = s->report;
  s->notes.ignore_failed_read = o->ignore_failed_read;
  struct writer_settings const settings = {
    .format = s->format,
    .numeric_owner = o->numeric_owner,
    .incremental = o->incremental,
    .posixly_correct = o->posixly_correct,
    .align = policies_align (o, s->records),
    .reflink = o->reflink,
    .reflink_strategy = o->reflink_strategy,
    .pax_edits = o->pax_edits,
    .temporary = temporary ? temporary : "/tmp",
    .start = time (NULL),
    /* As GNU tar does, whether the member's time was clamped or not.  */
    .header_time
    = (o->set_mtime == OPTIONS_MTIME_CLAMP ? &o->mtime.tv_sec : NULL),
    .pid = getpid (),
    .safe_name = o->absolute_names ? NULL : safe_name_suffix,
    .sparse_major = o->sparse_major,
    .sparse_minor = o->sparse_minor,
    .root_uname = s->root_uname,
    .root_gname = s->root_gname,
    .discard_data = s->discards,
    .volume = s->volumes && o->multi_volume ? volumes_begin : NULL,
    .edit = volumes_edit_part,
    .volume_arg = s->volumes,
    .note = writer_notes_note,
    .note_arg = &s->notes,
    .storing = list_member,
    .storing_arg = s,
  };
  s->writer = writer_new (s->records, &settings);
}

/* --- Storing --- */

/* Report that writing failed with ERR.  When a filter does not read on, its
   exit status will tell why.  */
static bool
write_failed (struct storing *s, int err)
{
  struct tar_options const *o = s->options;
  if ((err == EPIPE && o->compress_program) || err == STREAM_STOPPED)
    return false;
  report_cannot (s->report, err, "write",
                 s->volumes ? volumes_name (s->volumes) : o->archives[0]);
  report_unrecoverable (s->report);
  return false;
}

/* M was stored.  GNU tar tells already now what becomes of links to it, if
   there can be any: it knows nothing of the operands to come.  */
static void
announce_links (struct storing *s, struct member const *m)
{
  struct tar_options const *o = s->options;
  if ((m->type == MEMBER_REGULAR || m->type == MEMBER_SYMLINK)
      && !o->hard_dereference
      && (s->many_operands || o->dereference
          || 1 < walk_stat (s->walk)->st_nlink))
    selection_announce_links (s->selection, member_text (&m->stored_name));
}

/* M, whose data is P, was stored: remove its file later, unless some of the
   data was not to be had.  */
static void
note_removal (struct storing *s, struct member const *m,
              struct payload const *p)
{
  if (s->removal && (!p || !p->remaining || s->discards))
    removal_add (s->removal, s->base, member_text (&m->stored_name),
                 walk_stat (s->walk));
}

/* Store one member.  */
static enum flow_wish
put (struct member_sink *sink, struct member *m, struct payload *p)
{
  struct storing *s = (struct storing *)sink;
  bool stored = false;
  int err = 0;

  selection_edit (s->selection, m);
  s->file_mtime = m->mtime;
  if (s->wanted && !s->wanted (s->wanted_arg, m))
    {
      /* What is in a directory may be wanted.  */
      if (m->type != MEMBER_DIRECTORY)
        walk_refuse (s->walk);
      return FLOW_MORE;
    }
  edits_apply (s->options, m);
  if (s->options->set_mtime == OPTIONS_MTIME_COMMAND)
    mtime_command_apply (s->options, s->base_fd, m, s->report);
  s->notes.file = member_text (&m->stored_name);
  bool is_directory = m->type == MEMBER_DIRECTORY;
  if (s->dumping)
    p = dumping_list (s->dumping, s->writer, s->format, m, p);
  if (*member_text (&m->name))
    err = writer_put (s->writer, m, p, &stored);
  else if (is_directory)
    {
      /* What is in it has names, as when the rule is s,^dir,,.  */
      if (s->dumping)
        dumping_stored (s->dumping);
      return FLOW_MORE;
    }
  if (err)
    {
      write_failed (s, err);
      return FLOW_STOP;
    }
  if (stored)
    {
      announce_links (s, m);
      note_removal (s, m, p);
      if (s->dumping && (!p || !p->remaining || s->discards))
        dumping_stored (s->dumping);
    }
  else
    walk_refuse (s->walk);
  return FLOW_MORE;
}

/* --- The interface --- */

struct storing *
storing_new (struct tar_options const *o, struct report *r)
{
  bool to_stdout = strcmp (o->archives[0], "-") == 0 || o->to_stdout;
  struct storing *s = xzalloc (sizeof *s);

  s->sink.put = put;
  s->options = o;
  s->format = o->format;
  s->report = r;
  s->xattrs = policies_xattrs (o);
  if (o->remove_files)
    s->removal = removal_new (o->dereference);
  s->selection = selection_new (o, r);
  if (s->selection)
    {
      s->workdirs = policies_workdirs (s->selection);
      s->listing
          = policies_listing (o, &s->xattrs, LISTING_NOTHING + o->verbose,
                              to_stdout ? stderr : stdout, r);
    }
  if (s->listing
      && policies_confirm (o, listing_stream (s->listing), r, &s->confirm)
      && dumping_new (o, r, &s->dumping))
    return s;
  storing_free (s);
  return NULL;
}

void
storing_free (struct storing *s)
{
  if (!s)
    return;
  confirm_free (s->confirm);
  removal_free (s->removal);
  dumping_free (s->dumping);
  if (s->listing)
    listing_free (s->listing, s->report);
  if (s->workdirs)
    workdirs_free (s->workdirs);
  selection_free (s->selection);
  free (s);
}

struct listing *
storing_listing (struct storing *s)
{
  return s->listing;
}

void
storing_filter (struct storing *s,
                bool (*wanted) (void *arg, struct member const *m), void *arg)
{
  s->wanted = wanted;
  s->wanted_arg = arg;
}

void
storing_continue (struct storing *s, enum member_format format)
{
  struct tar_options const *o = s->options;
  bool needs_pax
      = (o->pax_edits || o->acls || o->selinux || o->xattrs || o->align_given);
  /* GNU tar's headers of sparse members, and of volumes, would not be
     understood there.  */
  if ((o->sparse || o->multi_volume)
      && (format == MEMBER_FORMAT_V7 || format == MEMBER_FORMAT_USTAR))
    format = MEMBER_FORMAT_PAX;
  if (format != MEMBER_FORMAT_DEFAULT && !needs_pax)
    s->format = format;
}

void
storing_set_volumes (struct storing *s, struct volumes *volumes)
{
  s->volumes = volumes;
}

bool
storing_run (struct storing *s, struct records *records,
             struct monitor *monitor)
{
  struct tar_options const *o = s->options;

  off_t before = records_position (records) / o->record_size * o->record_size;
  s->records = records;
  s->inspect = inspect_new (!o->numeric_owner || 1 < o->verbose);
  bool looked = open_walk (s);
  open_writer (s);

  int err = 0;
  if (o->operation == OPTIONS_CREATE)
    err = label_write (o, s->writer, s->listing);
  bool ok = (err ? write_failed (s, err)
                 : looked && pump_run (walk_source (s->walk), &s->sink));
  if (ok && o->check_links)
    walk_report_missing_links (s->walk);
  if (ok)
    {
      err = writer_finish (s->writer);
      if (!err)
        err = records_finish (s->records);
      ok = !err || write_failed (s, err);
    }

  monitor_finish (monitor);
  if (o->reflink_report)
    sharing_report_print (writer_get_counts (s->writer));
  if (ok)
    monitor_totals (monitor, TOTALS_WRITTEN, records_total (records) - before);
  walk_free (s->walk);
  writer_free (s->writer);
  inspect_free (s->inspect);
  free (s->root_uname);
  free (s->root_gname);
  return ok;
}

bool
storing_conclude (struct storing *s)
{
  struct report *r = s->report;
  enum report_status before = r->status;

  r->status = REPORT_SUCCESS;
  bool ok
      = verify_archive (s->options, s->selection, s->workdirs, s->listing, r);
  bool is_good = ok && r->status == REPORT_SUCCESS;
  report_raise (r, before);
  /* A dump that cannot be relied on is no base for the next one.  */
  if (s->dumping && (is_good || !s->options->verify))
    dumping_save (s->dumping);
  if (is_good && s->removal)
    ok = removal_run (s->removal, s->workdirs, r);
  return ok;
}
