/* What layers below the operations get of the options: small structs of
   their own.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef POLICIES_H
#define POLICIES_H

#include <stdio.h>

#include "fs/backup.h"
#include "fs/holes.h"
#include "fs/workdirs.h"
#include "fs/xattrs.h"
#include "idx.h"
#include "io/records.h"
#include "io/stream-remote.h"
#include "options.h"
#include "report.h"
#include "selection.h"
#include "ui/confirm.h"
#include "ui/listing.h"

/* Which extended attributes to handle.  The result borrows from O.  */
struct xattrs_settings policies_xattrs (struct tar_options const *o);

/* How to get at archives of other hosts.  The result borrows from O.  */
struct remote_settings policies_remote (struct tar_options const *o);

/* True if the archive is on another host.  */
bool policies_is_remote (struct tar_options const *o);

/* What backups to make.  The result borrows from O and LISTING.  */
struct backup_policy policies_backup (struct tar_options const *o,
                                      struct listing *listing);

/* How to look for holes.  */
enum holes_method policies_holes (struct tar_options const *o);

/* A listing that tells as much as LEVEL, on STREAM or --index-file.  XATTRS
   must outlive it.  Return NULL, reported, if it cannot be opened.  */
struct listing *policies_listing (struct tar_options const *o,
                                  struct xattrs_settings const *xattrs,
                                  int level, FILE *stream, struct report *r);

/* The boundary that sharing with the archive R needs: --align's, or that of
   R's file system.  */
idx_t policies_unit (struct tar_options const *o, struct records const *r);

/* The boundary on which to put data in the archive R that is written, or 0:
   writer_settings.align.  */
idx_t policies_align (struct tar_options const *o, struct records const *r);

/* What asks for --interactive, on the listing's STREAM; *RET is NULL without
   that option.  False: reported, it cannot ask.  */
bool policies_confirm (struct tar_options const *o, FILE *stream,
                       struct report *r, struct confirm **ret);

/* The directories that -C named so far, numbered as S numbers them.  Never
   NULL.  */
struct workdirs *policies_workdirs (struct selection const *s);

/* Add to W, which it made, those that -C named since.  */
void policies_more_workdirs (struct workdirs *w, struct selection const *s);

#endif
