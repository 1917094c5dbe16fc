/* What became of data that was to be shared, in numbers.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "sharing.h"

#include <errno.h>

#include "gettext.h"

#define _(msgid) gettext (msgid)
#define N_(msgid) msgid

void
sharing_count (struct sharing_counts *counts, enum sharing_outcome outcome,
               unsigned long long members, unsigned long long bytes, int errnum)
{
  counts->by[outcome].members += members;
  counts->by[outcome].bytes += bytes;
  if (errnum)
    counts->by[outcome].errnum = errnum;
}

void
sharing_tally_shared (struct sharing_tally *t, struct sharing_counts *counts,
                      off_t bytes)
{
  if (bytes == 0)
    return;
  t->any_shared = true;
  sharing_count (counts, SHARING_SHARED, 0, bytes, 0);
}

void
sharing_tally_copied (struct sharing_tally *t, struct sharing_counts *counts,
                      enum sharing_outcome outcome, off_t bytes, int errnum)
{
  if (bytes == 0)
    return;
  if (!t->any_copied || t->outcome == SHARING_TOO_SMALL)
    {
      t->any_copied = true;
      t->outcome = outcome;
      t->errnum = errnum;
    }
  sharing_count (counts, outcome, 0, bytes, errnum);
}

void
sharing_tally_finish (struct sharing_tally const *t,
                      struct sharing_counts *counts)
{
  if (t->any_shared || t->any_copied)
    sharing_count (counts, t->any_shared ? SHARING_SHARED : t->outcome, 1, 0,
                   0);
}

enum sharing_outcome
sharing_outcome_of (enum reflink_why why, int errnum)
{
  switch (why)
    {
    case REFLINK_SHARED:
    case REFLINK_TOO_SMALL:
      return SHARING_TOO_SMALL; /* what is not shared of such a range */
    case REFLINK_UNALIGNED:
      return SHARING_UNALIGNED;
    case REFLINK_UNSUPPORTED:
      return errnum == EXDEV ? SHARING_OTHER_SYSTEM : SHARING_UNSUPPORTED;
    case REFLINK_REFUSED:
      return SHARING_REFUSED;
    case REFLINK_BY_CHOICE:
      break;
    }
  return SHARING_BY_CHOICE;
}

char const *
sharing_outcome_name (enum sharing_outcome outcome)
{
  static char const *const names[SHARING_OUTCOMES]
      = { [SHARING_SHARED] = N_ ("shared"),
          [SHARING_UNALIGNED] = N_ ("unaligned"),
          [SHARING_TOO_SMALL] = N_ ("too small"),
          [SHARING_SPARSE] = N_ ("sparse"),
          [SHARING_NO_EXTENTS] = N_ ("archive compressed or not a file"),
          [SHARING_OTHER_SYSTEM] = N_ ("on another file system"),
          [SHARING_UNSUPPORTED] = N_ ("not supported by the file system"),
          [SHARING_REFUSED] = N_ ("refused by the file system"),
          [SHARING_OVERWRITTEN] = N_ ("written into an existing file"),
          [SHARING_BY_CHOICE] = N_ ("not asked for") };

  return _ (names[outcome]);
}
