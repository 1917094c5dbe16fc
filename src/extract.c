/* The operation -x: members to files.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "extract.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gettext.h"

#include "file-name.h"
#include "fs/place.h"
#include "policies.h"
#include "reading.h"
#include "restoring.h"
#include "sharing-report.h"
#include "xalloc.h"
#include "xvasprintf.h"

#define _(msgid) gettext (msgid)

struct extraction
{
  struct reading reading;
  struct confirm *confirm; /* NULL: do not ask */
  struct place *place;
  struct dumpdir dumpdir; /* of the member at hand */
};

static enum conflict_choice
conflict_choice (enum options_overwrite overwrite)
{
  static enum conflict_choice const choices[] = {
    [OPTIONS_OVERWRITE_DEFAULT] = CONFLICT_DEFAULT,
    [OPTIONS_OVERWRITE_DIRS] = CONFLICT_DEFAULT,
    [OPTIONS_OVERWRITE_KEEP_DIRS] = CONFLICT_KEEP_DIRS,
    [OPTIONS_OVERWRITE_FILES] = CONFLICT_OVERWRITE,
    [OPTIONS_OVERWRITE_UNLINK] = CONFLICT_UNLINK,
    [OPTIONS_OVERWRITE_KEEP] = CONFLICT_KEEP,
    [OPTIONS_OVERWRITE_SKIP] = CONFLICT_SKIP,
    [OPTIONS_OVERWRITE_KEEP_NEWER] = CONFLICT_KEEP_NEWER,
  };
  return choices[overwrite];
}

/* A directory was made for want of a member.  */
static void
made_directory (void *arg, mode_t mode, char const *name)
{
  struct extraction *x = arg;

  /* A name from the command line need not be tidy.  */
  while (name[0] == '.' && name[1] == '/')
    name += 1 + strspn (name + 1, "/");
  listing_made_directory (x->reading.listing, mode, name);
}

/* Likewise, and NAME is relative to the root.  */
static void
made_below_root (void *arg, mode_t mode, char const *name)
{
  struct extraction *x = arg;
  struct tar_options const *o = x->reading.options;
  char *full = NULL;

  if (o->one_top_level && !o->absolute_names)
    {
      char const *top = o->one_top_level_dir;

      full = xasprintf ("%.*s/%s", (int)file_name_length (top), top, name);
    }
  made_directory (x, mode, full ? full : name);
  free (full);
}

/* Let *ST be the status of the archive file.  */
static bool
archive_stat (struct tar_options const *o, struct stat *st)
{
  char const *name = o->archives[0];

  if (policies_is_remote (o))
    return false;
  return (strcmp (name, "-") == 0 ? fstat (STDIN_FILENO, st) : stat (name, st))
         == 0;
}

static void
open_place (void *arg)
{
  struct extraction *x = arg;
  struct tar_options const *o = x->reading.options;
  struct stat st;
  bool has_archive = archive_stat (o, &st);
  struct place_settings const settings = {
    .workdirs = x->reading.workdirs,
    .conflict = { .choice = conflict_choice (o->overwrite),
                  .recursive_unlink = o->recursive_unlink,
                  .keep_directory_symlink = o->keep_directory_symlink,
                  .follow_links = o->dereference },
    .backup = policies_backup (o, x->reading.listing),
    .attributes = { .same_owner = o->same_owner == OPTIONS_YES,
                    .same_permissions = o->same_permissions == OPTIONS_YES,
                    .numeric_owner = o->numeric_owner,
                    .touch = o->touch,
                    .name_all = 0 < o->verbose,
                    .umask = o->umask,
                    .xattrs = x->reading.xattrs },
    .absolute_names = o->absolute_names,
    .keep_root = !o->restore_root,
    .to_stdout = o->to_stdout,
    .to_command = o->to_command,
    .ignore_command_error = o->ignore_command_error,
    .facts = monitor_facts (input_monitor (x->reading.input)),
    .reflink = o->reflink,
    .reflink_strategy = o->reflink_strategy,
    .has_archive = has_archive,
    .archive_dev = has_archive ? st.st_dev : 0,
    .archive_ino = has_archive ? st.st_ino : 0,
    .made = made_below_root,
    .made_arg = x,
  };

  x->place = place_new (&settings, x->reading.report);
}

static bool
may_delete (void *arg, char const *name)
{
  struct extraction *x = arg;
  return confirm_ask (x->confirm, _ ("delete"), name);
}

/* What a directory called NAME is called here.  */
static char *
edited (void *arg, char const *name)
{
  struct extraction *x = arg;
  struct member m = { .type = MEMBER_DIRECTORY };

  member_set_text (&m.stored_name, name, strlen (name));
  selection_edit (x->reading.selection, &m);
  char const *text
      = workdirs_below_top (x->reading.workdirs, member_text (&m.name));
  char *ret = xstrdup (text);
  member_free (&m);
  return ret;
}

/* M is a directory of an incremental dump, with the list P: make of what is
   there what was there.  */
static bool
restore (struct extraction *x, struct member *m, struct payload *p,
         size_t directory)
{
  struct tar_options const *o = x->reading.options;
  struct place_restore const how
      = { .stream = o->verbose ? listing_stream (x->reading.listing) : NULL,
          .one_file_system = o->one_file_system,
          .confirm = x->confirm ? may_delete : NULL,
          .edited = edited,
          .arg = x };

  if (!o->incremental || o->to_stdout || o->to_command
      || !restoring_read (&x->dumpdir, m, p, o->absolute_names,
                          x->reading.report))
    return true;
  return place_restore (x->place, m, directory, &x->dumpdir, &how);
}

/* Extract one member.  */
static bool
take (void *arg, struct member *m, struct payload *p, size_t directory)
{
  struct extraction *x = arg;
  struct reading *r = &x->reading;
  char const *name = member_text (&m->name);

  if (!selection_is_safe (r->selection, m) || *name == '\0'
      || (x->confirm && !confirm_ask (x->confirm, _ ("extract"), name)))
    return true;
  /* GNU tar tells the block after the header here, and the header's own with
     -t.  */
  listing_member (r->listing, m, m->header_block + 1);
  if (m->type == MEMBER_DUMPDIR && !restore (x, m, p, directory))
    return false;
  return place_put (x->place, m, p, directory);
}

static bool
finish (void *arg)
{
  struct extraction *x = arg;
  bool ok = place_finish (x->place);

  if (x->reading.options->reflink_report)
    sharing_report_print (place_get_counts (x->place));
  place_free (x->place);
  return ok;
}

/* With --one-top-level, all goes below a directory.  */
static void
set_top (struct extraction *x)
{
  struct tar_options const *o = x->reading.options;

  if (o->one_top_level && !o->absolute_names)
    workdirs_set_top (x->reading.workdirs, o->one_top_level_dir,
                      0700 | (0777 & ~o->umask), made_directory, x);
}

bool
extract_run (struct tar_options const *o, struct report *r)
{
  static struct reading_steps const steps = { open_place, take, finish };
  struct extraction x = { .confirm = NULL };
  bool ok = reading_begin (&x.reading, o, r, LISTING_NOTHING);

  if (ok)
    {
      set_top (&x);
      ok = (policies_confirm (o, listing_stream (x.reading.listing), r,
                              &x.confirm)
            && reading_run (&x.reading, &steps, &x));
    }
  confirm_free (x.confirm);
  dumpdir_free (&x.dumpdir);
  reading_end (&x.reading);
  return ok;
}
