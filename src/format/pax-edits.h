/* What the user changes in pax extended headers (--pax-option).

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef PAX_EDITS_H
#define PAX_EDITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/pax-build.h"

/* A name for headers, or a time; NULL and not given: the usual ones.  */
struct pax_edits_header
{
  char const *name; /* a template, borrowed */
  bool has_time;
  intmax_t time; /* seconds */
};

/* All zeros is no change.  */
struct pax_edits
{
  struct pax_edits_header local;  /* headers of members */
  struct pax_edits_header global; /* the archive's header */

  /* Records for every member, and for the archive's header; the last that was
     given comes first.  */
  struct pax_build overrides;
  struct pax_build globals;

  /* Keywords of OVERRIDES, and patterns of what is not to be stored, all
     borrowed.  */
  char const **overridden;
  size_t overridden_count;
  size_t overridden_alloc;
  char const **patterns;
  size_t pattern_count;
  size_t pattern_alloc;
};

enum pax_edits_status
{
  PAX_EDITS_OK,
  PAX_EDITS_PROTECTED, /* the keyword is tar's own business */
  PAX_EDITS_PATTERN,   /* the pattern matches such keywords */
  PAX_EDITS_TIME       /* the value is no time */
};

/* Take KEYWORD=VALUE, or KEYWORD:=VALUE if IS_OVERRIDE, into E.  Both strings
   must live as long as E.  */
enum pax_edits_status pax_edits_add (struct pax_edits *e, char const *keyword,
                                     char const *value, bool is_override);

/* Whether records of KEYWORD, which ends in NUL, are left out: a pattern
   matches it, or another value was given.  EDITS may be NULL.  */
enum pax_build_omission pax_edits_drop (void const *edits, char const *keyword);

/* Free what E owns.  */
void pax_edits_free (struct pax_edits *e);

#endif
