/* What options change in the metadata of files that are stored.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef EDITS_H
#define EDITS_H

#include "member.h"
#include "options.h"

/* Set M's owner, group, mode and modification time as O wants them (--owner,
   --group, their maps, --mode, --mtime).  */
void edits_apply (struct tar_options const *o, struct member *m);

#endif
