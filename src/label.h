/* The label of a volume (-V).

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef LABEL_H
#define LABEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "format/writer.h"
#include "member.h"
#include "options.h"
#include "report.h"
#include "ui/listing.h"

/* The label of volume NUMBER, allocated; NULL if O wants none.  */
char *label_text (struct tar_options const *o, intmax_t number);

/* List LABEL, of a volume that was begun at NOW, with L as GNU tar does.  */
void label_list (struct tar_options const *o, char const *label, time_t now,
                 struct listing *l);

/* Write O's label, if there is one, to the new archive of W, and list it with
   L.  Return 0 or the errno of a write.  */
int label_write (struct tar_options const *o, struct writer *w,
                 struct listing *l);

/* True if O wants no label, or LABEL matches it.  */
bool label_matches (struct tar_options const *o, char const *label);

/* The length of LABEL without what tells the volume's number.  */
size_t label_stem (char const *label);

/* Check the first member M of an archive that is read (NULL: there is none)
   against O's label, a pattern.  Return false, reported, if there is a pattern
   that M is no label for.  */
bool label_check (struct tar_options const *o, struct member const *m,
                  struct report *r);

#endif
