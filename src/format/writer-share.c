/* Members' data shared with the archive that is written.

   Only whole units go through the reflink engine.  What is before and after
   them goes the same way as headers do, so that it is written together with
   them.  The last, partial unit is never cloned: the next write goes to the
   same block and has to copy it.  On Btrfs (Linux 6.18, 5,000 files of 20,000
   bytes, sync included) that took 1.7 times as long as writing it.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "format/writer-share.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "minmax.h"
#include "xalloc.h"

enum
{
  /* What has to be shared, when no file system can be asked.  */
  DEFAULT_UNIT = 4096
};

struct writer_share
{
  struct records *records;
  struct writer_share_settings settings;
  struct sharing_counts *counts;
  bool has_extents; /* the archive is a file that can be cloned into */
  int archive_fd;
  dev_t archive_dev;
  struct reflink_source source;
  struct reflink_cache *cache;

  /* The member at hand.  */
  struct sharing_tally tally;
  bool is_sparse;
  off_t whole; /* bytes of its data */
  off_t copy;  /* so many bytes are to be copied before looking again */
};

struct writer_share *
writer_share_new (struct writer_share_settings const *settings,
                  struct records *r, struct sharing_counts *counts)
{
  struct writer_share *s = xzalloc (sizeof *s);
  off_t offset;
  struct stat st;
  s->records = r;
  s->settings = *settings;
  s->counts = counts;
  if (records_extent (r, &s->archive_fd, &offset)
      && fstat (s->archive_fd, &st) == 0)
    {
      s->has_extents = true;
      s->archive_dev = st.st_dev;
    }
  if (reflink_cache_new (settings->mode, settings->strategy, &s->source,
                         &s->cache)
      != 0)
    xalloc_die ();
  return s;
}

void
writer_share_free (struct writer_share *s)
{
  if (!s)
    return;
  reflink_cache_free (s->cache);
  free (s);
}

/* Find the pair for SEG's file.  Return an errno value.  */
static int
find_pair (struct writer_share *s, struct payload_segment const *seg,
           struct reflink_pair **ret)
{
  int err = reflink_source_init (&s->source, seg->fd);
  if (err)
    return err;
  if (reflink_cache_find (s->cache, s->archive_dev, s->archive_fd, ret) != 0)
    xalloc_die ();
  return 0;
}

/* Where in its file the archive is written on.  */
static off_t
archive_offset (struct writer_share const *s)
{
  return records_origin (s->records) + records_position (s->records);
}

/* Whether SEG can be shared at offset DST of the archive's file.  If not, *RET
   says why.  */
static bool
can_share (struct writer_share *s, struct payload_segment const *seg, off_t dst,
           struct reflink_pair **pair, struct writer_share_refusal *ret)
{
  enum reflink_why why;
  *ret = (struct writer_share_refusal){ .reason = SHARING_REFUSED };
  ret->errnum = find_pair (s, seg, pair);
  if (ret->errnum)
    return false;
  reflink_possible (*pair, seg->fd_offset, dst, seg->length, 0, &why);
  if (why == REFLINK_SHARED)
    return true;
  if (why == REFLINK_UNSUPPORTED)
    ret->errnum = reflink_pair_refusal (*pair);
  ret->reason = sharing_outcome_of (why, ret->errnum);
  return false;
}

bool
writer_share_begin (struct writer_share *s, struct payload *p, off_t before,
                    bool is_sparse, struct writer_share_refusal *ret)
{
  struct payload_segment seg;
  struct reflink_pair *pair;
  s->tally = (struct sharing_tally){ 0 };
  s->is_sparse = is_sparse;
  s->copy = 0;
  s->whole = p->remaining;
  if (s->settings.mode != REFLINK_ALWAYS || s->whole < s->settings.least)
    return true;
  if (!s->has_extents || !payload_extent (p, &seg))
    {
      ret->reason = SHARING_NO_EXTENTS;
      ret->errnum = 0;
      return p->remaining < DEFAULT_UNIT;
    }
  return can_share (s, &seg, archive_offset (s) + before, &pair, ret)
         || ret->reason == SHARING_TOO_SMALL;
}

/* Have the next LENGTH bytes copied, for REASON.  */
static enum writer_share_step
copy (struct writer_share *s, enum sharing_outcome reason, int errnum,
      off_t length, struct writer_share_result *ret)
{
  if (s->is_sparse
      && (reason == SHARING_UNALIGNED || reason == SHARING_TOO_SMALL))
    reason = SHARING_SPARSE;
  sharing_tally_copied (&s->tally, s->counts, reason, length, errnum);
  s->copy = ret->length = length;
  return WRITER_SHARE_COPY;
}

/* Share LENGTH bytes, whole units, at the beginning of SEG.  */
static enum writer_share_step
share (struct writer_share *s, struct payload *p, struct reflink_pair *pair,
       struct payload_segment const *seg, off_t length,
       struct writer_share_result *ret)
{
  struct reflink_result result;
  struct writer_share_result rest;
  int fd;
  off_t offset;
  if (!records_write_extent (s->records, &fd, &offset, &ret->errnum))
    return WRITER_SHARE_FATAL;
  int err
      = reflink_range (pair, seg->fd_offset, fd, offset, length, 0, &result);
  if (err == ENODATA && result.where == REFLINK_AT_SOURCE)
    /* It became shorter.  Whoever copies it will see that.  */
    return copy (s, SHARING_REFUSED, 0, seg->length, ret);
  ret->length = length;
  ret->errnum = err;
  ret->refusal.reason = sharing_outcome_of (result.why, result.errnum);
  ret->refusal.errnum = result.errnum;
  if (err)
    return (result.where == REFLINK_AT_CLONE    ? WRITER_SHARE_REFUSED
            : result.where == REFLINK_AT_SOURCE ? WRITER_SHARE_BAD
                                                : WRITER_SHARE_FATAL);
  records_written (s->records, length);
  sharing_tally_shared (&s->tally, s->counts, result.shared);
  sharing_tally_copied (&s->tally, s->counts, ret->refusal.reason,
                        result.copied, result.errnum);
  /* An archive that ends here says so when its next byte is wanted.  */
  payload_skip (p, length);
  if (!result.shared)
    /* The rest goes the same way.  */
    copy (s, ret->refusal.reason, result.errnum, seg->length - length, &rest);
  return WRITER_SHARE_SHARED;
}

enum writer_share_step
writer_share_next (struct writer_share *s, struct payload *p, off_t left,
                   struct writer_share_result *ret)
{
  struct payload_segment seg;
  struct reflink_pair *pair;
  *ret = (struct writer_share_result){ 0 };
  if (s->copy)
    {
      ret->length = MIN (s->copy, left);
      return WRITER_SHARE_COPY;
    }
  if (s->settings.mode == REFLINK_NEVER)
    return copy (s, SHARING_BY_CHOICE, 0, left, ret);
  if (!s->has_extents || !payload_extent (p, &seg))
    return copy (s, SHARING_NO_EXTENTS, 0, left, ret);
  if (s->whole < s->settings.least)
    return copy (s, SHARING_TOO_SMALL, 0, left, ret);
  seg.length = MIN (seg.length, left);
  if (!can_share (s, &seg, archive_offset (s), &pair, &ret->refusal))
    {
      if (s->settings.mode == REFLINK_ALWAYS
          && ret->refusal.reason != SHARING_TOO_SMALL)
        return WRITER_SHARE_REFUSED;
      return copy (s, ret->refusal.reason, ret->refusal.errnum, seg.length,
                   ret);
    }

  off_t unit = reflink_pair_unit (pair);
  off_t part = seg.fd_offset % unit;
  if (part)
    return copy (s, SHARING_TOO_SMALL, 0, unit - part, ret);
  return share (s, p, pair, &seg, seg.length - seg.length % unit, ret);
}

void
writer_share_copied (struct writer_share *s, off_t length)
{
  /* A payload that has its bytes in memory gives them all.  */
  off_t more = MAX (0, length - s->copy);
  sharing_tally_copied (&s->tally, s->counts, SHARING_TOO_SMALL, more, 0);
  s->copy -= length - more;
}

void
writer_share_end (struct writer_share *s)
{
  sharing_tally_finish (&s->tally, s->counts);
}
