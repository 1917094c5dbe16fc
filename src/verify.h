/* Verification of an archive that was just written (-W).

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef VERIFY_H
#define VERIFY_H

#include <stdbool.h>

#include "fs/workdirs.h"
#include "options.h"
#include "report.h"
#include "selection.h"
#include "ui/listing.h"

/* Under -W, before anything is written: return false, reported, if O's archive
   could not be read back.  */
bool verify_possible (struct tar_options const *o, struct report *r);

/* Under -W, when O's archive was written and closed: read it and compare its
   members with the files of their names in the last of W's directories.
   Members are listed by L as when they were written, S tells what happened to
   names.  Return false after a fatal error, which was reported.  Without -W,
   do nothing and return true.  */
bool verify_archive (struct tar_options const *o, struct selection const *s,
                     struct workdirs *w, struct listing *l, struct report *r);

#endif
