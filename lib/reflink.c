/* Share or copy one range of bytes between two file descriptors.
   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "reflink.h"

#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#ifdef __linux__
#include <linux/fs.h>
#include <linux/magic.h>
#include <sys/ioctl.h>
#include <sys/vfs.h>
#endif

enum
{
  /* The unit where the filesystem does not name a sensible one.  */
  DEFAULT_UNIT = 4096,

  /* ZFS clones whole records of the source file; 128 KiB is the default and
     usual recordsize (zfsprops(7)), which neither f_bsize nor st_blksize of a
     new destination tells.  */
  LARGEST_UNIT = 128 * 1024,

  /* With clone-trunc, the smallest file worth cloning.  On Btrfs, by
     `clone-bench --recommend', smaller ones cost as much either way.  */
  TRUNC_MINIMUM = 4096,

  /* Copying goes through a buffer of this size, allocated at first use.

     It does not use copy_file_range: on filesystems that can clone, the
     kernel serves that call by cloning (Linux 4.5 and later,
     copy_file_range(2)), so that the mode `never' would share after all, and
     an EIO or ENOSPC that the clone met would be met again.  */
  COPY_BUFFER = 128 * 1024
};

struct reflink_pair
{
  struct reflink_source *source;
  struct reflink_ops const *ops;
  enum reflink_mode mode;
  enum reflink_strategy strategy;
  off_t unit;
  off_t minimum; /* a file smaller than this is not worth cloning */
  bool proven;   /* UNIT has worked, and not by luck */
  int refusal;   /* errno that says this pair never can, or 0 */
  char *buffer;  /* COPY_BUFFER bytes, or null */
};

struct range
{
  off_t src;
  off_t dst;
  off_t len;
  int fd;
  bool last;
};

/* How a range is dealt with: HEAD bytes are copied, CLONE bytes cloned, TAIL
   bytes copied.  The last EXCESS of the cloned bytes lie past the range and
   have to be truncated away.  */
struct plan
{
  off_t head;
  off_t clone;
  off_t tail;
  off_t excess;
};

static int
system_clone (int src_fd, off_t src_off, off_t len, int dst_fd, off_t dst_off)
{
#ifdef FICLONERANGE
  struct file_clone_range arg = { .src_fd = src_fd,
                                  .src_offset = src_off,
                                  .src_length = len,
                                  .dest_offset = dst_off };
  return ioctl (dst_fd, FICLONERANGE, &arg);
#else
  (void)src_fd, (void)src_off, (void)len, (void)dst_fd, (void)dst_off;
  errno = ENOSYS;
  return -1;
#endif
}

static struct reflink_ops const system_ops = {
  .clone = system_clone,
  .set_size = ftruncate,
  .read_at = pread,
  .write_at = pwrite,
};

off_t
reflink_unit (int fd)
{
  /* Not st_blksize: XFS with 1 KiB blocks clones in multiples of 1024 and
     has st_blksize 4096; with 16 KiB blocks it refuses less (Linux 6.18).  */
  struct statvfs vfs;
  if (fstatvfs (fd, &vfs) < 0 || vfs.f_bsize == 0 || INT_MAX < vfs.f_bsize)
    return DEFAULT_UNIT;
  return vfs.f_bsize;
}

/* Choose the strategy for the filesystem FD is on.

   A shrinking ftruncate into a shared block has to zero the rest of the
   block.  XFS does that synchronously and out of place, which costs about
   ten times the clone and unshares the block; Btrfs adjusts the extent
   record.  So only Btrfs gets clone-trunc.  */
static enum reflink_strategy
strategy_for (int fd)
{
#ifdef BTRFS_SUPER_MAGIC
  struct statfs fs;
  if (fstatfs (fd, &fs) == 0 && (unsigned long)fs.f_type == BTRFS_SUPER_MAGIC)
    return REFLINK_STRATEGY_TRUNC;
#else
  (void)fd;
#endif
  return REFLINK_STRATEGY_TAIL;
}

int
reflink_pair_new (enum reflink_mode mode, enum reflink_strategy strategy,
                  struct reflink_source *source, int dst_fd,
                  struct reflink_ops const *ops, struct reflink_pair **ret)
{
  struct reflink_pair *pair = calloc (1, sizeof *pair);
  if (!pair)
    return ENOMEM;

  pair->source = source;
  pair->ops = ops ? ops : &system_ops;
  pair->mode = mode;
  pair->strategy = strategy;
  pair->unit = DEFAULT_UNIT;
  if (mode == REFLINK_NEVER)
    pair->strategy = REFLINK_STRATEGY_WRITE;
  if (pair->strategy == REFLINK_STRATEGY_AUTO)
    pair->strategy = strategy_for (dst_fd);
  if (pair->strategy != REFLINK_STRATEGY_WRITE)
    pair->unit = reflink_unit (dst_fd);

  pair->minimum = pair->unit;
  if (pair->strategy == REFLINK_STRATEGY_TRUNC && TRUNC_MINIMUM < pair->minimum)
    pair->minimum = TRUNC_MINIMUM;

  *ret = pair;
  return 0;
}

void
reflink_pair_free (struct reflink_pair *pair)
{
  if (!pair)
    return;
  free (pair->buffer);
  free (pair);
}

off_t
reflink_pair_unit (struct reflink_pair const *pair)
{
  return pair->unit;
}

enum reflink_strategy
reflink_pair_strategy (struct reflink_pair const *pair)
{
  return pair->strategy;
}

int
reflink_pair_refusal (struct reflink_pair const *pair)
{
  return pair->refusal;
}

/* Whether R's offsets are meaningful and its ends representable.  */
static bool
range_is_valid (struct range const *r)
{
  off_t end;
  return (0 <= r->src && 0 <= r->dst && 0 <= r->len
          && !__builtin_add_overflow (r->src, r->len, &end)
          && !__builtin_add_overflow (r->dst, r->len, &end));
}

/* Lay out R, whose offsets agree modulo UNIT.  PART says that the last,
   partial unit may be cloned too, if the strategy and the place allow it.
   Returns false if nothing of R can be cloned.  */
static bool
plan_range (struct reflink_pair const *pair, struct range const *r, off_t unit,
            bool part, struct plan *plan)
{
  off_t head = (unit - r->src % unit) % unit;
  if (r->len < head)
    head = r->len;
  off_t tail = (r->len - head) % unit;
  off_t whole = r->len - head - tail;
  *plan = (struct plan){ .head = head, .clone = whole, .tail = tail };

  if (part && r->last && 0 < tail && (0 < whole || pair->minimum <= tail))
    {
      off_t room = pair->source->size - (r->src + head + whole);

      /* A length that is no multiple of the unit is allowed where it ends at
         the source's end of file (ioctl_ficlonerange(2)).  */
      if (tail == room)
        {
          plan->clone += tail;
          plan->tail = 0;
        }
      else if (pair->strategy == REFLINK_STRATEGY_TRUNC && unit <= room)
        {
          plan->clone += unit;
          plan->tail = 0;
          plan->excess = unit - tail;
        }
    }

  return 0 < plan->clone;
}

/* Whether R holds a whole unit, so that under `always' it must be shared.  A
   range that is not aligned is counted by its length.  */
static bool
holds_unit (struct range const *r, off_t unit)
{
  off_t head = (unit - r->src % unit) % unit;
  if (r->src % unit != r->dst % unit)
    head = 0;
  return head <= r->len && unit <= r->len - head;
}

/* Say what is to be expected of R, without trying.  */
static enum reflink_why
judge (struct reflink_pair const *pair, struct range const *r)
{
  struct plan plan;
  if (pair->strategy == REFLINK_STRATEGY_WRITE)
    return REFLINK_BY_CHOICE;
  if (r->src % pair->unit != r->dst % pair->unit)
    return (holds_unit (r, pair->unit) ? REFLINK_UNALIGNED : REFLINK_TOO_SMALL);
  if (!plan_range (pair, r, pair->unit, true, &plan))
    return REFLINK_TOO_SMALL;
  return pair->refusal ? REFLINK_UNSUPPORTED : REFLINK_SHARED;
}

/* Whether copying R for the reason WHY is an error.  */
static bool
must_share (struct reflink_pair const *pair, struct range const *r,
            enum reflink_why why)
{
  return (pair->mode == REFLINK_ALWAYS && why != REFLINK_BY_CHOICE
          && holds_unit (r, pair->unit));
}

bool
reflink_possible (struct reflink_pair const *pair, off_t src_off, off_t dst_off,
                  off_t len, int flags, enum reflink_why *why)
{
  struct range r = { src_off, dst_off, len, -1, flags & REFLINK_LAST };
  enum reflink_why verdict
      = range_is_valid (&r) ? judge (pair, &r) : REFLINK_TOO_SMALL;
  if (why)
    *why = verdict;
  return (verdict == REFLINK_SHARED
          || (range_is_valid (&r) && must_share (pair, &r, verdict)));
}

/* Look again how long the source is.  Returns an errno value.  */
static int
refresh_size (struct reflink_source *source)
{
  struct stat st;
  if (fstat (source->fd, &st) < 0)
    return errno;
  source->size = st.st_size;
  return 0;
}

/* Store in *RET and *RET_LEN some of the source's bytes at OFFSET, at least
   one and at most WANT.  Returns an errno value; ENODATA at end of file.  */
static int
source_bytes (struct reflink_pair *pair, off_t offset, size_t want,
              char const **ret, size_t *ret_len)
{
  struct reflink_source *source = pair->source;
  if (source->bytes)
    {
      size_t len = 0;
      int err = source->bytes (source->arg, offset, want, ret, &len);
      if (err)
        return err;
      if (0 < len)
        {
          *ret_len = len < want ? len : want;
          return 0;
        }
    }

  if (!pair->buffer && !(pair->buffer = malloc (COPY_BUFFER)))
    return ENOMEM;
  if (COPY_BUFFER < want)
    want = COPY_BUFFER;
  ssize_t n;
  do
    n = pair->ops->read_at (source->fd, pair->buffer, want, offset);
  while (n < 0 && errno == EINTR);
  if (n < 0)
    return errno;
  if (n == 0)
    return ENODATA;
  *ret = pair->buffer;
  *ret_len = n;
  return 0;
}

/* Write LEN bytes at OFFSET of FD.  Returns an errno value.  */
static int
write_bytes (struct reflink_pair *pair, int fd, char const *bytes, size_t len,
             off_t offset)
{
  while (0 < len)
    {
      ssize_t n = pair->ops->write_at (fd, bytes, len, offset);
      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        return errno;
      if (n == 0)
        return ENOSPC;
      bytes += n;
      len -= n;
      offset += n;
    }
  return 0;
}

static int
fail (struct reflink_result *ret, enum reflink_where where, int err)
{
  ret->where = where;
  return err;
}

/* Copy LEN bytes that start SKIP bytes into R.  Returns an errno value.  */
static int
copy (struct reflink_pair *pair, struct range const *r, off_t skip, off_t len,
      struct reflink_result *ret)
{
  while (0 < len)
    {
      char const *bytes;
      size_t n = len < SSIZE_MAX ? len : SSIZE_MAX;
      int err = source_bytes (pair, r->src + skip, n, &bytes, &n);
      if (err)
        return fail (ret, REFLINK_AT_SOURCE, err);
      err = write_bytes (pair, r->fd, bytes, n, r->dst + skip);
      if (err)
        return fail (ret, REFLINK_AT_DESTINATION, err);
      ret->copied += n;
      skip += n;
      len -= n;
    }
  return 0;
}

static int
truncate_to (struct reflink_pair *pair, int fd, off_t size)
{
  int r;
  do
    r = pair->ops->set_size (fd, size);
  while (r < 0 && errno == EINTR);
  return r < 0 ? errno : 0;
}

static int
clone (struct reflink_pair *pair, struct range const *r,
       struct plan const *plan)
{
  int e;
  do
    e = pair->ops->clone (pair->source->fd, r->src + plan->head, plan->clone,
                          r->fd, r->dst + plan->head);
  while (e < 0 && errno == EINTR);
  return e < 0 ? errno : 0;
}

/* Return the next unit to try on FD's filesystem after UNIT, or 0.  */
static off_t
larger_unit (int fd, off_t unit)
{
  struct stat st;
  if (fstat (fd, &st) == 0 && unit < st.st_blksize
      && st.st_blksize < LARGEST_UNIT)
    return st.st_blksize;
  return unit < LARGEST_UNIT ? LARGEST_UNIT : 0;
}

/* Clone what can be cloned of R, which is aligned, and lay out the rest in
   *PLAN.  Returns an errno value, of the last refusal.

   The kernel says EINVAL for a unit too small, for an end of file that has
   moved, and for a file that cannot be cloned at all.  So after EINVAL go
   through what could be at fault, each once.  */
static int
clone_range (struct reflink_pair *pair, struct range const *r,
             struct plan *plan)
{
  struct reflink_source *source = pair->source;
  off_t unit = pair->unit;
  bool part = true;
  bool looked = false;

  while (r->src % unit == r->dst % unit
         && plan_range (pair, r, unit, part, plan))
    {
      int err = clone (pair, r, plan);
      if (err == 0)
        {
          /* Only before the unit has worked can it be to blame: later it may
             have been some other cause, gone by now.  */
          if (!pair->proven && unit != pair->unit)
            pair->minimum = pair->unit = unit;
          if ((r->src + plan->head) % LARGEST_UNIT != 0
              || plan->clone % LARGEST_UNIT != 0)
            pair->proven = true;
          return 0;
        }
      if (err != EINVAL)
        return err;

      /* The next plan may not reach as far as this one did.  If this fails,
         so it will, and be reported, when falling back.  */
      if (0 < plan->excess && truncate_to (pair, r->fd, r->dst) != 0)
        break;
      off_t old_size = source->size;
      if (!looked && refresh_size (source) == 0)
        {
          looked = true;
          if (source->size < r->src + r->len)
            break;
          if (source->size != old_size)
            continue;
        }
      if (part && plan->clone % unit != 0)
        {
          part = false;
          continue;
        }
      unit = larger_unit (r->fd, unit);
      if (unit == 0)
        break;
    }
  return EINVAL;
}

/* Whether ERR means that no file of this pair can ever be cloned.  */
static bool
is_for_the_pair (int err)
{
  static int const errors[]
      = { EXDEV, EOPNOTSUPP, ENOTSUP, ENOTTY, ENOSYS, EPERM };
  for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
    if (err == errors[i])
      return true;
  return false;
}

/* Clear away what a part of a clone may have left past R's start, where R
   ends the file.  Returns an errno value, after setting ret->where.

   A clone can leave data behind even with EINVAL: the kernel clones up to
   the source's end of file, then complains that this is less than it was
   asked for (Linux fs/ioctl.c, ioctl_file_clone).  Inside a file nothing was
   cloned past R's end, so there rewriting R is enough.  */
static int
discard (struct reflink_pair *pair, struct range const *r,
         struct reflink_result *ret)
{
  int err = r->last ? truncate_to (pair, r->fd, r->dst) : 0;
  return err ? fail (ret, REFLINK_AT_DESTINATION, err) : 0;
}

/* R could not be shared: its clone, or (if CLONED) the truncation after it,
   failed with ERR.  Copy all of it, or report.  Returns an errno value.

   One plain write is the answer to ENOSPC and EDQUOT, too: sharing needs
   metadata space, which truncating may have freed.  */
static int
fall_back (struct reflink_pair *pair, struct range const *r, int err,
           bool cloned, struct reflink_result *ret)
{
  ret->errnum = err;
  ret->why = REFLINK_REFUSED;
  if (!cloned && is_for_the_pair (err))
    {
      ret->why = REFLINK_UNSUPPORTED;
      pair->refusal = err;
    }
  int discard_err = discard (pair, r, ret);

  /* The source's storage is bad.  Reading it through the page cache could
     succeed with stale data, so there is no second attempt.  */
  if (!cloned && err == EIO)
    return fail (ret, REFLINK_AT_SOURCE, err);
  if (discard_err)
    return discard_err;

  /* A source that is too short is no refusal: copying will find its end.  */
  if (r->src + r->len <= pair->source->size && must_share (pair, r, ret->why))
    return fail (ret, REFLINK_AT_CLONE, err);
  return copy (pair, r, 0, r->len, ret);
}

/* Share R, which can be shared by all that is known.  Returns an errno
   value.  */
static int
share (struct reflink_pair *pair, struct range const *r,
       struct reflink_result *ret)
{
  struct plan plan;
  int err = clone_range (pair, r, &plan);
  bool cloned = err == 0;
  if (cloned && 0 < plan.excess)
    err = truncate_to (pair, r->fd, r->dst + r->len);
  if (err)
    return fall_back (pair, r, err, cloned, ret);

  ret->shared = plan.clone - plan.excess;
  err = copy (pair, r, 0, plan.head, ret);
  if (!err)
    err = copy (pair, r, r->len - plan.tail, plan.tail, ret);
  return err;
}

/* Like `share', but first see to it that the source is long enough.  */
static int
share_or_end (struct reflink_pair *pair, struct range const *r,
              struct reflink_result *ret)
{
  if (pair->source->size < r->src + r->len)
    {
      int err = refresh_size (pair->source);
      if (err)
        return fail (ret, REFLINK_AT_SOURCE, err);
      if (pair->source->size < r->src + r->len)
        {
          ret->why = REFLINK_REFUSED;
          return copy (pair, r, 0, r->len, ret);
        }
    }
  return share (pair, r, ret);
}

int
reflink_range (struct reflink_pair *pair, off_t src_off, int dst_fd,
               off_t dst_off, off_t len, int flags, struct reflink_result *ret)
{
  struct range r = { src_off, dst_off, len, dst_fd, flags & REFLINK_LAST };
  *ret = (struct reflink_result){ .where = REFLINK_AT_NONE };
  if (!range_is_valid (&r))
    {
      ret->why = REFLINK_TOO_SMALL;
      return fail (ret, REFLINK_AT_SOURCE, EOVERFLOW);
    }

  ret->why = judge (pair, &r);
  if (ret->why == REFLINK_SHARED)
    return share_or_end (pair, &r, ret);

  if (ret->why == REFLINK_UNSUPPORTED)
    ret->errnum = pair->refusal;
  if (must_share (pair, &r, ret->why))
    return fail (ret, REFLINK_AT_CLONE, ret->errnum ? ret->errnum : EINVAL);
  return copy (pair, &r, 0, len, ret);
}
