/* Members' data shared with the archive that is written.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef WRITER_SHARE_H
#define WRITER_SHARE_H

#include <stdbool.h>
#include <sys/types.h>

#include "io/records.h"
#include "payload.h"
#include "reflink.h"
#include "sharing.h"

struct writer_share;

struct writer_share_settings
{
  enum reflink_mode mode;
  enum reflink_strategy strategy;
  off_t least; /* data of fewer bytes is not aligned, and copied */
};

/* For writing to R.  Counts go to COUNTS, which the caller owns like R.
   Never NULL (xalloc).  */
struct writer_share *
writer_share_new (struct writer_share_settings const *settings,
                  struct records *r, struct sharing_counts *counts);
void writer_share_free (struct writer_share *s);

/* What is in the way of sharing.  */
struct writer_share_refusal
{
  enum sharing_outcome reason;
  int errnum; /* 0: none goes with it */
};

/* A member begins, whose data is P and comes BEFORE bytes from now.  False: it
   cannot be shared though it must be (mode `always'), see *RET.  */
bool writer_share_begin (struct writer_share *s, struct payload *p,
                         off_t before, bool is_sparse,
                         struct writer_share_refusal *ret);

enum writer_share_step
{
  WRITER_SHARE_SHARED, /* *LENGTH bytes of P are in the archive, and consumed */
  WRITER_SHARE_COPY,   /* copy the next bytes, up to *LENGTH of them */
  WRITER_SHARE_BAD,    /* *ERRNUM: the next *LENGTH bytes cannot be read */
  WRITER_SHARE_REFUSED, /* mode `always': see *REFUSAL */
  WRITER_SHARE_FATAL    /* *ERRNUM: the archive cannot be written */
};

struct writer_share_result
{
  off_t length;
  int errnum;
  struct writer_share_refusal refusal;
};

/* Go on with the member, of which LEFT bytes, at least one, are not in the
   archive.  After WRITER_SHARE_BAD and what follows the archive's contents
   from the position on are unspecified.  */
enum writer_share_step writer_share_next (struct writer_share *s,
                                          struct payload *p, off_t left,
                                          struct writer_share_result *ret);

/* LENGTH bytes were copied, for WRITER_SHARE_COPY: more than it said is
   right as well.  */
void writer_share_copied (struct writer_share *s, off_t length);

/* The member is in the archive.  */
void writer_share_end (struct writer_share *s);

#endif
