/* The operation -c: files to members of a new archive.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "create.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "archive-notes.h"
#include "edits.h"
#include "format/writer.h"
#include "fs/backup.h"
#include "fs/walk.h"
#include "io/archive.h"
#include "label.h"
#include "monitor.h"
#include "mtime-command.h"
#include "policies.h"
#include "pump.h"
#include "select/distinct.h"
#include "select/safe-name.h"
#include "selection.h"
#include "sharing-report.h"
#include "ui/listing.h"
#include "verify.h"
#include "writer-notes.h"
#include "gettext.h"
#include "xalloc.h"

#define _(msgid) gettext (msgid)

#ifdef O_NOATIME
enum { CREATE_NOATIME = O_NOATIME };
#else
enum { CREATE_NOATIME = 0 };
#endif

/* What the loop works with.  */
struct creation
{
  struct member_sink sink; /* first: its address is ours */
  struct tar_options const *options;
  struct report *report;
  struct selection *selection;
  struct workdirs *workdirs;
  struct listing *listing;
  struct confirm *confirm; /* NULL: do not ask */
  struct inspect *inspect;
  struct records *records;
  struct monitor *monitor;
  struct walk *walk;
  struct writer *writer;
  struct writer_notes notes;
  int base_fd;                /* of the operand at hand */
  struct timespec file_mtime; /* of the file being stored */
  bool discards;              /* the archive is /dev/null */
  bool many_operands;         /* more than one name, or a list of them */
  char *root_uname;
  char *root_gname;
};

/* --- What the walk asks --- */

static enum flow_step
next_operand (void *arg, struct walk_operand *ret)
{
  struct creation *c = arg;
  struct selection_name name;
  enum selection_step step = selection_next_name (c->selection, &name);

  if (step != SELECTION_NAME)
    return step == SELECTION_END ? FLOW_END : FLOW_FATAL;
  for (size_t i = workdirs_count (c->workdirs); i <= name.directory; i++)
    workdirs_add (c->workdirs, selection_directory (c->selection, i));
  ret->name = name.name;
  ret->recurse = name.recurse;
  if (!workdirs_open (c->workdirs, name.directory, c->report, &ret->base_fd))
    return FLOW_FATAL;
  c->base_fd = ret->base_fd;
  return FLOW_MEMBER;
}

static bool
is_excluded (void *arg, char const *name)
{
  struct creation *c = arg;
  return (selection_excluded (c->selection, name)
          || (c->confirm && !confirm_ask (c->confirm, _ ("add"), name)));
}

/* Look at the operands: true if no file can be reached by two of them, nor
   through symbolic links.  */
static bool
examine_operands (struct creation *c)
{
  struct tar_options const *o = c->options;
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
        c->many_operands = true;
        distinct = false;
        break;
      case OPTION_DIRECTORY:
        distinct &= count == 0;
        break;
      default:
        break;
      }
  c->many_operands |= 1 < count;
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

static void
open_walk (struct creation *c)
{
  static enum levels_order const orders[] = {
    [OPTIONS_SORT_NONE] = LEVELS_UNSORTED,
    [OPTIONS_SORT_NAME] = LEVELS_BY_NAME,
    [OPTIONS_SORT_INODE] = LEVELS_BY_INODE,
  };
  struct tar_options const *o = c->options;
  struct stat st;
  bool known = archive_stat (o, &st);
  c->discards = known && !o->compress_program && is_dev_null (&st);
  known = known && S_ISREG (st.st_mode);
  struct walk_settings const settings = {
    .report = c->report,
    .inspect = c->inspect,
    .order = orders[o->sort],
    .dereference = o->dereference,
    .hard_dereference = o->hard_dereference,
    .one_file_system = o->one_file_system,
    .ignore_failed_read = o->ignore_failed_read,
    .no_data = c->discards,
    .holes = policies_holes (o),
    .verbose = 0 < o->verbose,
    .visited_once = examine_operands (c),
    .open_flags
    = o->atime_preserve == OPTIONS_ATIME_SYSTEM ? CREATE_NOATIME : 0,
    .restore_atime = o->atime_preserve == OPTIONS_ATIME_REPLACE,
    .archive_known = known,
    .archive_dev = known ? st.st_dev : 0,
    .archive_ino = known ? st.st_ino : 0,
    .operand = next_operand,
    .excluded = is_excluded,
    .arg = c,
  };
  c->walk = walk_new (&settings);
}

/* The member M is about to be written.  */
static void
list_member (void *arg, struct member const *m)
{
  struct creation *c = arg;
  /* GNU tar tells the file's own time even if another is stored.  */
  struct member shown = *m;
  shown.mtime = c->file_mtime;
  records_begin (c->records);
  listing_member (c->listing, &shown,
                  records_position (c->records) / RECORDS_BLOCK);
}

static void
open_writer (struct creation *c)
{
  struct tar_options const *o = c->options;
  if (!o->numeric_owner)
    {
      char const *user = inspect_user (c->inspect, 0);
      char const *group = inspect_group (c->inspect, 0);
      c->root_uname = user ? xstrdup (user) : NULL;
      c->root_gname = group ? xstrdup (group) : NULL;
    }
  c->notes.report = c->report;
  c->notes.ignore_failed_read = o->ignore_failed_read;
  struct writer_settings const settings = {
    .format = o->format,
    .numeric_owner = o->numeric_owner,
    .incremental = o->incremental,
    .posixly_correct = o->posixly_correct,
    .align = policies_align (o, c->records),
    .reflink = o->reflink,
    .reflink_strategy = o->reflink_strategy,
    .pid = getpid (),
    .safe_name = o->absolute_names ? NULL : safe_name_suffix,
    .sparse_major = o->sparse_major,
    .sparse_minor = o->sparse_minor,
    .root_uname = c->root_uname,
    .root_gname = c->root_gname,
    .discard_data = c->discards,
    .note = writer_notes_note,
    .note_arg = &c->notes,
    .storing = list_member,
    .storing_arg = c,
  };
  c->writer = writer_new (c->records, &settings);
}

/* --- Storing --- */

/* Report that writing failed with ERR.  When a filter does not read on, its
   exit status will tell why.  */
static bool
write_failed (struct creation *c, int err)
{
  struct tar_options const *o = c->options;
  if (err == EPIPE && o->compress_program)
    return false;
  report_cannot (c->report, err, "write", o->archives[0]);
  report_unrecoverable (c->report);
  return false;
}

/* M was stored.  GNU tar tells already now what becomes of links to it, if
   there can be any: it knows nothing of the operands to come.  */
static void
announce_links (struct creation *c, struct member const *m)
{
  struct tar_options const *o = c->options;
  if ((m->type == MEMBER_REGULAR || m->type == MEMBER_SYMLINK)
      && !o->hard_dereference
      && (c->many_operands || o->dereference
          || 1 < walk_stat (c->walk)->st_nlink))
    selection_announce_links (c->selection, member_text (&m->stored_name));
}

/* Store one member.  */
static enum flow_wish
put (struct member_sink *sink, struct member *m, struct payload *p)
{
  struct creation *c = (struct creation *)sink;
  bool stored = false;
  int err = 0;

  selection_edit (c->selection, m);
  c->file_mtime = m->mtime;
  edits_apply (c->options, m);
  if (c->options->set_mtime == OPTIONS_MTIME_COMMAND)
    mtime_command_apply (c->options, c->base_fd, m, c->report);
  c->notes.file = member_text (&m->stored_name);
  if (*member_text (&m->name))
    err = writer_put (c->writer, m, p, &stored);
  else if (!(c->report->enabled & REPORT_EMPTY_TRANSFORM))
    /* A file that is missing in an archive must not go unnoticed.  */
    report_warning (c->report, REPORT_ALWAYS, 0,
                    _ ("%s: transforms to empty name"),
                    report_name (member_text (&m->stored_name)));
  if (err)
    {
      write_failed (c, err);
      return FLOW_STOP;
    }
  if (stored)
    announce_links (c, m);
  else
    walk_refuse (c->walk);
  return FLOW_MORE;
}

/* Store all files.  Return false after a fatal error.  */
static bool
store_all (struct creation *c)
{
  int err = label_write (c->options, c->writer, c->listing);
  if (err)
    return write_failed (c, err);
  if (!pump_run (walk_source (c->walk), &c->sink))
    return false;
  if (c->options->check_links)
    walk_report_missing_links (c->walk);

  err = writer_finish (c->writer);
  if (!err)
    err = records_finish (c->records);
  return !err || write_failed (c, err);
}

/* Open the archive, after making a backup of the file that is there.  */
static bool
open_archive (struct creation *c)
{
  struct tar_options const *o = c->options;
  char const *name = o->archives[0];
  struct backup_policy policy = policies_backup (o, c->listing);
  struct backup backup = { NULL, NULL };
  struct archive_settings const archive = {
    .name = name,
    .program = o->compress_program,
    .record_size = o->record_size,
  };
  struct archive_failure failure;

  /* GNU tar overwrites an archive that it was to make a backup of and could
     not.  */
  if (strcmp (name, "-") != 0
      && !backup_make (&backup, &policy, AT_FDCWD, name, true, c->report))
    return false;
  bool ok = archive_open_writer (&archive, &c->records, &failure);
  if (!ok)
    {
      backup_undo (&backup, &policy, AT_FDCWD, c->report);
      archive_notes_open (c->report, &failure);
    }
  backup_free (&backup);
  return ok;
}

static bool
create_archive (struct creation *c)
{
  struct tar_options const *o = c->options;

  if (!verify_possible (o, c->report) || !open_archive (c))
    return false;
  c->monitor = monitor_new (o, c->report, listing_stream (c->listing));
  monitor_watch (c->monitor, c->records);
  c->inspect = inspect_new (!o->numeric_owner || 1 < o->verbose);
  open_walk (c);
  open_writer (c);

  bool ok = store_all (c);
  monitor_finish (c->monitor);
  if (o->reflink_report)
    sharing_report_print (writer_get_counts (c->writer));
  if (ok)
    monitor_totals (c->monitor, TOTALS_WRITTEN, records_total (c->records));

  monitor_free (c->monitor);
  walk_free (c->walk);
  writer_free (c->writer);
  inspect_free (c->inspect);
  free (c->root_uname);
  free (c->root_gname);
  ok &= archive_notes_close (c->report, c->records, o->archives[0]);
  return ok
         && verify_archive (o, c->selection, c->workdirs, c->listing,
                            c->report);
}

bool
create_run (struct tar_options const *o, struct report *r)
{
  struct xattrs_settings const xattrs = policies_xattrs (o);
  struct creation c = { .sink = { put }, .options = o, .report = r };
  bool to_stdout = strcmp (o->archives[0], "-") == 0;
  bool ok = false;

  c.selection = selection_new (o, r);
  if (!c.selection)
    return false;
  c.workdirs = policies_workdirs (c.selection);
  c.listing = policies_listing (o, &xattrs, LISTING_NOTHING + o->verbose,
                                to_stdout ? stderr : stdout, r);
  if (c.listing
      && policies_confirm (o, listing_stream (c.listing), r, &c.confirm))
    ok = create_archive (&c);
  confirm_free (c.confirm);
  listing_free (c.listing, r);
  workdirs_free (c.workdirs);
  selection_free (c.selection);
  return ok;
}
