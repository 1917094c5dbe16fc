/* What became of data that was to be shared, in numbers.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef SHARING_H
#define SHARING_H

#include <stdbool.h>
#include <sys/types.h>

#include "reflink.h"

enum sharing_outcome
{
  SHARING_SHARED,
  SHARING_UNALIGNED,
  SHARING_TOO_SMALL,    /* less than a clone unit */
  SHARING_SPARSE,       /* no piece of a sparse member could be shared */
  SHARING_NO_EXTENTS,   /* the archive is compressed, or no file */
  SHARING_OTHER_SYSTEM, /* EXDEV: on another file system */
  SHARING_UNSUPPORTED,  /* the file system shares no blocks */
  SHARING_REFUSED,      /* it refused this one: see errnum */
  SHARING_OVERWRITTEN,  /* --overwrite wrote into a file that was there */
  SHARING_BY_CHOICE,    /* --reflink=never, --to-command, -O ... */
  SHARING_OUTCOMES
};

/* Members and bytes of data, by outcome.  Bytes of one member can go to
   several rows: a tail that is written counts as too small.  */
struct sharing_counts
{
  struct
  {
    unsigned long long members;
    unsigned long long bytes;
    int errnum; /* the last one seen, or 0 */
  } by[SHARING_OUTCOMES];
};

/* Add to *COUNTS.  ERRNUM 0 leaves the one that is there.  */
void sharing_count (struct sharing_counts *counts, enum sharing_outcome outcome,
                    unsigned long long members, unsigned long long bytes,
                    int errnum);

/* One member's part in the counts.  All zeros to begin with.  */
struct sharing_tally
{
  bool any_shared;
  bool any_copied; /* then OUTCOME and ERRNUM tell why, at first */
  enum sharing_outcome outcome;
  int errnum;
};

/* BYTES of T's member are shared.  */
void sharing_tally_shared (struct sharing_tally *t,
                           struct sharing_counts *counts, off_t bytes);

/* BYTES of it, if it is not 0, were copied.  */
void sharing_tally_copied (struct sharing_tally *t,
                           struct sharing_counts *counts,
                           enum sharing_outcome outcome, off_t bytes,
                           int errnum);

/* That was all of it: count the member.  */
void sharing_tally_finish (struct sharing_tally const *t,
                           struct sharing_counts *counts);

/* What it means that the engine did not share all of a range, and WHY; the
   ERRNUM goes with it.  */
enum sharing_outcome sharing_outcome_of (enum reflink_why why, int errnum);

/* What --reflink-report calls the outcome, for people ("unaligned").  */
char const *sharing_outcome_name (enum sharing_outcome outcome);

#endif
