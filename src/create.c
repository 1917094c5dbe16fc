/* The operation -c: files to members of a new archive.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "create.h"

#include <fcntl.h>
#include <string.h>

#include "archive-notes.h"
#include "fs/backup.h"
#include "io/archive.h"
#include "monitor.h"
#include "policies.h"
#include "storing.h"
#include "verify.h"

/* Open the archive, after making a backup of the file that is there.  */
static bool
open_archive (struct tar_options const *o, struct storing *s, struct report *r,
              struct records **ret)
{
  char const *name = o->archives[0];
  struct backup_policy policy = policies_backup (o, storing_listing (s));
  struct backup backup = { NULL, NULL };
  struct archive_settings const archive = {
    .name = name,
    .program = o->compress_program,
    .record_size = o->record_size,
    .remote = policies_remote (o),
  };
  struct archive_failure failure;

  /* GNU tar overwrites an archive that it was to make a backup of and could
     not.  */
  if (strcmp (name, "-") != 0 && !policies_is_remote (o)
      && !backup_make (&backup, &policy, AT_FDCWD, name, true, r))
    return false;
  bool ok = archive_open_writer (&archive, ret, &failure);
  if (!ok)
    {
      backup_undo (&backup, &policy, AT_FDCWD, r);
      archive_notes_open (r, &failure);
    }
  backup_free (&backup);
  return ok;
}

static bool
create_archive (struct tar_options const *o, struct storing *s,
                struct report *r)
{
  struct records *records;
  if (!verify_possible (o, r))
    return false;
  struct volumes *v = volumes_new (o, r, listing_stream (storing_listing (s)));
  if (!v)
    return false;
  bool ok = open_archive (o, s, r, &records);
  if (ok)
    {
      struct monitor *monitor
          = monitor_new (o, r, listing_stream (storing_listing (s)));
      monitor_watch (monitor, records);
      volumes_set_monitor (v, monitor);
      volumes_write (v, records, storing_listing (s));
      storing_set_volumes (s, v);
      ok = storing_run (s, records, monitor);
      monitor_free (monitor);
      ok &= archive_notes_close (r, records, volumes_name (v));
    }
  volumes_free (v);
  return ok && storing_conclude (s);
}

bool
create_run (struct tar_options const *o, struct report *r)
{
  struct storing *s = storing_new (o, r);
  bool ok = s && create_archive (o, s, r);
  storing_free (s);
  return ok;
}
