/* The operation -x: members to files.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "extract.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gettext.h"

#include "fs/place.h"
#include "input.h"
#include "policies.h"
#include "pump.h"
#include "selection.h"
#include "sharing-report.h"
#include "ui/listing.h"
#include "xvasprintf.h"

#define _(msgid) gettext (msgid)

/* What the loop works with.  */
struct extraction
{
  struct member_sink sink; /* first: its address is ours */
  struct tar_options const *options;
  struct report *report;
  struct selection *selection;
  struct workdirs *workdirs;
  struct listing *listing;
  struct confirm *confirm; /* NULL: do not ask */
  struct input *input;
  struct place *place;
};

static enum conflict_choice
conflict_choice (enum options_overwrite overwrite)
{
  static enum conflict_choice const choices[] = {
    [OPTIONS_OVERWRITE_DEFAULT] = CONFLICT_DEFAULT,
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
  listing_made_directory (x->listing, mode, name);
}

/* Likewise, and NAME is relative to the root.  */
static void
made_below_root (void *arg, mode_t mode, char const *name)
{
  struct extraction *x = arg;
  struct tar_options const *o = x->options;
  char *full = NULL;

  if (o->one_top_level && !o->absolute_names)
    {
      char const *top = o->one_top_level_dir;
      size_t length = strlen (top);

      while (1 < length && top[length - 1] == '/')
        length--;
      full = xasprintf ("%.*s/%s", (int)length, top, name);
    }
  made_directory (x, mode, full ? full : name);
  free (full);
}

/* Let *ST be the status of the archive file.  */
static bool
archive_stat (struct tar_options const *o, struct stat *st)
{
  char const *name = o->archives[0];

  return (strcmp (name, "-") == 0 ? fstat (STDIN_FILENO, st) : stat (name, st))
         == 0;
}

static struct place *
open_place (struct extraction *x)
{
  struct tar_options const *o = x->options;
  struct stat st;
  bool has_archive = archive_stat (o, &st);
  struct place_settings const settings = {
    .workdirs = x->workdirs,
    .conflict = { .choice = conflict_choice (o->overwrite),
                  .recursive_unlink = o->recursive_unlink,
                  .keep_directory_symlink = o->keep_directory_symlink,
                  .follow_links = o->dereference },
    .backup = policies_backup (o, x->listing),
    .attributes = { .same_owner = o->same_owner == OPTIONS_YES,
                    .same_permissions = o->same_permissions == OPTIONS_YES,
                    .numeric_owner = o->numeric_owner,
                    .touch = o->touch,
                    .umask = o->umask,
                    .xattrs = policies_xattrs (o) },
    .absolute_names = o->absolute_names,
    .to_stdout = o->to_stdout,
    .to_command = o->to_command,
    .ignore_command_error = o->ignore_command_error,
    .archive_name = o->archives[0],
    .blocking_factor = o->blocking_factor,
    .version = PACKAGE_VERSION,
    .reflink = o->reflink,
    .reflink_strategy = o->reflink_strategy,
    .has_archive = has_archive,
    .archive_dev = has_archive ? st.st_dev : 0,
    .archive_ino = has_archive ? st.st_ino : 0,
    .made = made_below_root,
    .made_arg = x,
  };

  return place_new (&settings, x->report);
}

/* Extract one member.  */
static enum flow_wish
put (struct member_sink *sink, struct member *m, struct payload *p)
{
  struct extraction *x = (struct extraction *)sink;
  size_t directory;

  if (!selection_match (x->selection, m, &directory))
    return FLOW_MORE;
  selection_edit (x->selection, m);
  if (!selection_is_safe (x->selection, m) || *member_text (&m->name) == '\0')
    return FLOW_MORE;
  if (x->confirm
      && !confirm_ask (x->confirm, _ ("extract"), member_text (&m->name)))
    return FLOW_MORE;
  /* GNU tar tells the block after the header here, and the header's own with
     -t.  */
  listing_member (x->listing, m,
                  records_position (input_records (x->input)) / RECORDS_BLOCK);
  if (!place_put (x->place, m, p, directory))
    return FLOW_STOP;
  return selection_exhausted (x->selection) ? FLOW_ENOUGH : FLOW_MORE;
}

static bool
extract_archive (struct extraction *x)
{
  struct tar_options const *o = x->options;

  x->input = input_open (o, x->report, listing_stream (x->listing));
  if (!x->input)
    return false;
  x->place = open_place (x);

  bool ok = pump_run (input_source (x->input), &x->sink);
  if (ok)
    selection_report_unmatched (x->selection);
  /* After a fatal error, too: what was extracted gets what is due to it.  */
  ok &= place_finish (x->place);
  monitor_finish (input_monitor (x->input));
  if (o->reflink_report)
    sharing_report_print (place_get_counts (x->place));
  monitor_totals (input_monitor (x->input), TOTALS_READ,
                  records_total (input_records (x->input)));
  place_free (x->place);
  return input_close (x->input) && ok;
}

bool
extract_run (struct tar_options const *o, struct report *r)
{
  struct xattrs_settings const xattrs = policies_xattrs (o);
  struct extraction x = { .sink = { put }, .options = o, .report = r };
  bool ok = false;

  x.selection = selection_new (o, r);
  if (!x.selection)
    return false;
  x.workdirs = policies_workdirs (x.selection);
  if (o->one_top_level && !o->absolute_names)
    workdirs_set_top (x.workdirs, o->one_top_level_dir,
                      0700 | (0777 & ~o->umask), made_directory, &x);
  /* With -O standard output is for the data.  */
  x.listing = policies_listing (o, &xattrs, LISTING_NOTHING + o->verbose,
                                o->to_stdout ? stderr : stdout, r);
  if (x.listing && policies_check_workdir (o, x.workdirs, r)
      && policies_confirm (o, listing_stream (x.listing), r, &x.confirm))
    ok = extract_archive (&x);
  confirm_free (x.confirm);
  listing_free (x.listing, r);
  workdirs_free (x.workdirs);
  selection_free (x.selection);
  return ok;
}
