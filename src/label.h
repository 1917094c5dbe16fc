/* The label of a volume (-V).

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef LABEL_H
#define LABEL_H

#include <stdbool.h>

#include "format/writer.h"
#include "member.h"
#include "options.h"
#include "report.h"
#include "ui/listing.h"

/* Write O's label, if there is one, to the new archive of W, and list it with
   L as GNU tar does.  Return 0 or the errno of a write.  */
int label_write (struct tar_options const *o, struct writer *w,
                 struct listing *l);

/* Check the first member M of an archive that is read (NULL: there is none)
   against O's label, a pattern.  Return false, reported, if there is a pattern
   that M is no label for.  */
bool label_check (struct tar_options const *o, struct member const *m,
                  struct report *r);

#endif
