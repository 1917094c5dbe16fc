/* Changing names: sed-like replacements, and dropping leading directories.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef RENAME_H
#define RENAME_H

#include <stdbool.h>
#include <stddef.h>

#include "member.h"

/* What a name is; rules can be limited to some of these.  */
enum rename_scope
{
  RENAME_NAME = 1 << 0,      /* flag r: the member's own */
  RENAME_HARD_LINK = 1 << 1, /* flag h: the target of a hard link */
  RENAME_SYMLINK = 1 << 2,   /* flag s: the target of a symbolic link */
  RENAME_EVERYWHERE = (1 << 3) - 1
};

struct rename_rules;

/* No rules.  Never NULL (xalloc).  */
struct rename_rules *rename_rules_new (void);

/* Free RULES, which may be NULL.  */
void rename_rules_free (struct rename_rules *rules);

/* What is wrong with an expression.  */
enum rename_problem
{
  RENAME_NO_EXPRESSION, /* it is no such thing at all */
  RENAME_BAD_REGEX,     /* detail: what the C library says of it */
  RENAME_BAD_REFERENCE, /* \N for a group that there is not */
  RENAME_BAD_FLAG,      /* detail: the flag behind a replacement */
  RENAME_BAD_SCOPE      /* detail: the flag behind "flags=" */
};

struct rename_trouble
{
  enum rename_problem problem;
  char detail[128];
};

/* Add the rules of EXPRESSION, one or more of s/REGEX/REPLACEMENT/FLAGS or
   flags=SCOPES with semicolons between them (GNU tar manual, "transform"), or
   nothing.  Return 0, or EINVAL if it is no such thing, and in *TROUBLE why;
   then part of it may have been added.  */
int rename_rules_add (struct rename_rules *rules, char const *expression,
                      struct rename_trouble *trouble);

/* Apply RULES (may be NULL) to *NAME, a name of kind SCOPE.  Return true if it
   was changed.  */
bool rename_rules_apply (struct rename_rules *rules, enum rename_scope scope,
                         struct member_text *name);

/* NAME without its first COUNT components and the slashes around them; ""
   if that leaves nothing.  */
char const *rename_strip (char const *name, size_t count);

#endif
