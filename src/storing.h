/* Files to members of an archive: what -c, -r and -u have in common.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef STORING_H
#define STORING_H

#include <stdbool.h>

#include "io/records.h"
#include "member.h"
#include "monitor.h"
#include "options.h"
#include "report.h"
#include "ui/listing.h"
#include "volumes.h"

struct storing;

/* Prepare to store the files that O names.  Return NULL after a fatal error,
   which was reported.  O and R must outlive it.  */
struct storing *storing_new (struct tar_options const *o, struct report *r);
void storing_free (struct storing *s);

/* Where S lists what it stores; belongs to S.  */
struct listing *storing_listing (struct storing *s);

/* Store only files for which WANTED returns true; M has both its names.  What
   is in an unwanted directory is asked for as well.  */
void storing_filter (struct storing *s,
                     bool (*wanted) (void *arg, struct member const *m),
                     void *arg);

/* The archive has members in FORMAT: go on in that, whatever was asked for, as
   GNU tar does; but not if what was asked for can only be had in pax
   format.  */
void storing_continue (struct storing *s, enum member_format format);

/* The archive has VOLUMES, which must outlive S.  */
void storing_set_volumes (struct storing *s, struct volumes *volumes);

/* Store all files in the archive RECORDS, which stays the caller's, as does
   MONITOR, which watches it, and write its end.  Only once.  Return false after
   a fatal error, which was reported.  */
bool storing_run (struct storing *s, struct records *records,
                  struct monitor *monitor);

/* When the archive was closed and is complete: under -W, compare it with the
   files; then, under --remove-files, remove those that were stored, unless the
   archive turned out to be bad.  Return false after a fatal error, which was
   reported.  */
bool storing_conclude (struct storing *s);

#endif
