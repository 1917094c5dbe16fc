/* Names that must not lead out of the directory they are extracted in.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef SAFE_NAME_H
#define SAFE_NAME_H

#include <stdbool.h>
#include <stddef.h>

/* The length of the part of NAME that must go: through its last ".."
   component, with the slashes that follow, or just its leading slashes.  */
size_t safe_name_prefix (char const *name);

/* NAME without that part; "." if nothing else is there.  */
char const *safe_name_suffix (char const *name);

/* The prefixes that were removed before, so that each is told once.  */
struct safe_name_prefixes;

/* Never NULL (xalloc).  */
struct safe_name_prefixes *safe_name_prefixes_new (void);
void safe_name_prefixes_free (struct safe_name_prefixes *p);

/* Note PREFIX[0..LENGTH).  Return it, ending in a NUL and valid as long as P,
   if it is new; else NULL.  When very many have been noted, all are taken for
   known: memory stays bounded.  */
char const *safe_name_prefixes_add (struct safe_name_prefixes *p,
                                    char const *prefix, size_t length);

#endif
