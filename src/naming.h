/* What members are called: names changed as the options say.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef NAMING_H
#define NAMING_H

#include <stdbool.h>

#include "member.h"
#include "options.h"
#include "report.h"

struct naming;

/* For names under O, both of which must live as long, as must R; of files to
   be stored if WRITES.  Never NULL.  */
struct naming *naming_new (struct tar_options const *o, struct report *r,
                           bool writes);
void naming_free (struct naming *n);

/* See selection_edit, selection_announce_links, selection_is_safe and
   selection_has_dropped.  */
void naming_edit (struct naming *n, struct member *m);
void naming_announce_links (struct naming *n, char const *name);
bool naming_is_safe (struct naming *n, struct member const *m);
bool naming_has_dropped (struct naming const *n);

/* Set *T to NAME without trailing slashes; "/" stays.  */
void naming_plain (struct member_text *t, char const *name);

#endif
