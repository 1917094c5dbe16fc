/* FIEMAP: where a file's bytes are, and whether two ranges share blocks.
   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "extents.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#ifdef __linux__
#include <linux/btrfs.h>
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <sys/ioctl.h>
#include <sys/vfs.h>
#endif

#ifdef FS_IOC_FIEMAP

/* statfs(2) names it; <linux/magic.h> had it only from Linux 5.11 on.  */
#ifndef XFS_SUPER_MAGIC
#define XFS_SUPER_MAGIC 0x58465342
#endif

/* The only flags that leave an extent's address trustworthy.  Any other,
   those of a future kernel included, says that the bytes are elsewhere, not
   there yet, or not what a read would give.  */
enum
{
  HARMLESS_FLAGS
  = FIEMAP_EXTENT_LAST | FIEMAP_EXTENT_SHARED | FIEMAP_EXTENT_MERGED
};

/* FIEMAP takes no range beyond this.  */
#define OFF_T_MAX INT64_MAX

void
extents_start (struct extents_cursor *cursor, int fd, off_t offset, off_t len)
{
  cursor->fd = fd;
  cursor->pos = offset;
  cursor->end = offset + len;
  cursor->next = cursor->count = 0;
}

/* Fetch the next batch.  Returns an errno value.  */
static int
fetch (struct extents_cursor *cursor)
{
  union
  {
    struct fiemap map;
    char room[sizeof (struct fiemap)
              + EXTENTS_BATCH * sizeof (struct fiemap_extent)];
  } request;
  struct fiemap *map = &request.map;
  memset (&request, 0, sizeof request);
  map->fm_start = cursor->pos;
  map->fm_length = cursor->end - cursor->pos;
  map->fm_flags = FIEMAP_FLAG_SYNC;
  map->fm_extent_count = EXTENTS_BATCH;

  int r;
  do
    r = ioctl (cursor->fd, FS_IOC_FIEMAP, map);
  while (r < 0 && errno == EINTR);
  if (r < 0)
    return errno;

  cursor->next = 0;
  cursor->count = map->fm_mapped_extents;
  if (EXTENTS_BATCH < cursor->count)
    return EIO;
  for (unsigned int i = 0; i < cursor->count; i++)
    {
      struct fiemap_extent const *e = &map->fm_extents[i];
      cursor->batch[i] = (struct extents_extent){ .logical = e->fe_logical,
                                                  .physical = e->fe_physical,
                                                  .length = e->fe_length,
                                                  .flags = e->fe_flags };
    }

  /* A short batch is the last.  Go on only if the end moves forward, so that
     no kernel can keep this in a loop.  */
  off_t pos = cursor->end;
  if (cursor->count == EXTENTS_BATCH)
    {
      struct extents_extent const *last = &cursor->batch[EXTENTS_BATCH - 1];
      if (!(last->flags & FIEMAP_EXTENT_LAST)
          && cursor->pos < last->logical + last->length)
        pos = last->logical + last->length;
    }
  cursor->pos = pos;
  return 0;
}

int
extents_next (struct extents_cursor *cursor, struct extents_extent *ret,
              bool *found)
{
  if (cursor->next == cursor->count && cursor->pos < cursor->end)
    {
      int err = fetch (cursor);
      if (err)
        return err;
    }
  *found = cursor->next < cursor->count;
  if (*found)
    *ret = cursor->batch[cursor->next++];
  return 0;
}

/* Let SIDE be the LEN bytes at OFFSET of a file of SIZE bytes; its cursor is
   still elsewhere.  */
static int
set_side (struct extents_side *side, off_t size, off_t offset, off_t len)
{
  off_t end;
  if (offset < 0 || len < 0 || __builtin_add_overflow (offset, len, &end))
    return EOVERFLOW;
  side->offset = offset;
  side->size = size;
  return 0;
}

static int
start_side (struct extents_side *side, int fd, off_t size, off_t offset,
            off_t len)
{
  int err = set_side (side, size, offset, len);
  if (err)
    return err;
  extents_start (&side->cursor, fd, offset, len);
  return extents_next (&side->cursor, &side->extent, &side->have);
}

int
extents_walk_start (struct extents_walk *walk, int fd_a, off_t off_a, int fd_b,
                    off_t off_b, off_t len)
{
  struct stat a, b;
  walk->pos = 0;
  walk->len = len;
  if (fstat (fd_a, &a) < 0 || fstat (fd_b, &b) < 0)
    return errno;
  int err = start_side (&walk->a, fd_a, a.st_size, off_a, len);
  if (!err)
    err = start_side (&walk->b, fd_b, b.st_size, off_b, len);
  return err;
}

/* What one side has at a position: nothing, a block, or something else.  */
struct spot
{
  enum
  {
    SPOT_OTHER,
    SPOT_BLOCK,
    SPOT_HOLE
  } kind;
  uint64_t physical;
  off_t len; /* how far it goes on */
};

/* Look at what SIDE has at POS, for at most LEN bytes.  */
static int
look (struct extents_side *side, off_t pos, off_t len, struct spot *ret)
{
  off_t at = side->offset + pos;
  while (side->have && side->extent.logical + side->extent.length <= at)
    {
      int err = extents_next (&side->cursor, &side->extent, &side->have);
      if (err)
        return err;
    }

  struct extents_extent const *e = &side->extent;
  off_t end = side->size;
  ret->kind = SPOT_HOLE;
  if (side->size <= at)
    {
      ret->kind = SPOT_OTHER;
      end = at + len;
    }
  else if (side->have && at < e->logical)
    end = e->logical < side->size ? e->logical : side->size;
  else if (side->have)
    {
      ret->kind = e->flags & ~HARMLESS_FLAGS ? SPOT_OTHER : SPOT_BLOCK;
      ret->physical = e->physical + (at - e->logical);
      if (e->logical + e->length < end)
        end = e->logical + e->length;
    }
  ret->len = end - at < len ? end - at : len;
  return 0;
}

int
extents_walk_next (struct extents_walk *walk, struct extents_run *ret)
{
  struct spot a, b;
  off_t left = walk->len - walk->pos;
  *ret = (struct extents_run){ .offset = walk->pos };
  if (left == 0)
    return 0;

  int err = look (&walk->a, walk->pos, left, &a);
  if (!err)
    err = look (&walk->b, walk->pos, left, &b);
  if (err)
    return err;

  if (a.kind == SPOT_HOLE && b.kind == SPOT_HOLE)
    ret->kind = EXTENTS_HOLES;
  else if (a.kind == SPOT_BLOCK && b.kind == SPOT_BLOCK
           && a.physical == b.physical)
    ret->kind = EXTENTS_SHARED;
  ret->len = a.len < b.len ? a.len : b.len;
  walk->pos += ret->len;
  return 0;
}

/* Learn what is the same for all files of FD's st_dev, which is DEV.  */
static int
learn_filesystem (int fd, dev_t dev, struct extents_space *space)
{
  struct statfs fs;
  struct btrfs_ioctl_fs_info_args info = { 0 };
  if (fstatfs (fd, &fs) < 0)
    return errno;
  /* Each subvolume of a Btrfs has its own st_dev and f_fsid; the identity is
     asked for by ioctl.  */
  if ((unsigned long)fs.f_type == BTRFS_SUPER_MAGIC
      && ioctl (fd, BTRFS_IOC_FS_INFO, &info) < 0)
    return errno;
  *space = (struct extents_space){ .dev = dev,
                                   .type = fs.f_type,
                                   .block = fs.f_bsize };
  memcpy (space->fsid, info.fsid, sizeof space->fsid);
  return 0;
}

/* Store FD's space in *SPACE, which is that of another file or all zero, and
   its size in *SIZE.  */
static int
learn_space (int fd, struct extents_space *space, off_t *size)
{
  struct stat st;
  if (fstat (fd, &st) < 0)
    return errno;
  *size = st.st_size;
  if (space->type == 0 || space->dev != st.st_dev)
    {
      int err = learn_filesystem (fd, st.st_dev, space);
      if (err)
        return err;
    }
  /* Each file of an XFS is on one of its two devices, data or realtime.  */
  if (space->type == XFS_SUPER_MAGIC)
    {
      struct fsxattr x;
      if (ioctl (fd, FS_IOC_FSGETXATTR, &x) < 0)
        return errno;
      space->realtime = (x.fsx_xflags & FS_XFLAG_REALTIME) != 0;
    }
  return 0;
}

static bool
same_space (struct extents_space const *a, struct extents_space const *b)
{
  if (a->type != b->type)
    return false;
  if (a->type == BTRFS_SUPER_MAGIC)
    return memcmp (a->fsid, b->fsid, sizeof a->fsid) == 0;
  return (a->type == XFS_SUPER_MAGIC && a->dev == b->dev
          && a->realtime == b->realtime);
}

int
extents_comparable (int fd_a, int fd_b, bool *ret)
{
  struct extents_space a = { 0 }, b = { 0 };
  off_t size;
  *ret = false;
  int err = learn_space (fd_a, &a, &size);
  if (!err)
    err = learn_space (fd_b, &b, &size);
  if (!err)
    *ret = same_space (&a, &b);
  return err;
}

int
extents_walk_open (struct extents_walk *walk, int fd_a)
{
  *walk = (struct extents_walk){ .pos = 0 };
  extents_start (&walk->a.cursor, fd_a, 0, 0);
  return learn_space (fd_a, &walk->space_a, &walk->a.size);
}

int
extents_walk_next_file (struct extents_walk *walk, off_t off_a, int fd_b,
                        off_t off_b, off_t len)
{
  struct extents_side *a = &walk->a;
  off_t last = a->offset + walk->pos;
  off_t size;
  int err = learn_space (fd_b, &walk->space_b, &size);
  if (!err && !same_space (&walk->space_a, &walk->space_b))
    err = EXDEV;
  if (!err)
    err = set_side (a, a->size, off_a, len);
  if (err)
    return err;
  walk->pos = 0;
  walk->len = len;

  /* The extent at hand is the first that ends at LAST or later, and what the
     cursor has not asked for yet is beyond its position.  It goes up to the end
     of the file, so that having no extent means that there is none.  */
  if (!a->have || off_a < last || a->cursor.pos < off_a)
    {
      extents_start (&a->cursor, a->cursor.fd, off_a, OFF_T_MAX - off_a);
      err = extents_next (&a->cursor, &a->extent, &a->have);
    }
  if (!err)
    err = start_side (&walk->b, fd_b, size, off_b, len);
  if (err)
    /* Nothing is known of A's cursor now.  */
    a->have = false;
  return err;
}

/* Like extents_share, but there must be a FIEMAP.  */
static int
walk_shares (int fd_a, off_t off_a, int fd_b, off_t off_b, off_t len, bool *ret)
{
  struct extents_walk walk;
  struct extents_run run;
  int err = extents_walk_start (&walk, fd_a, off_a, fd_b, off_b, len);
  if (err)
    return err;

  do
    {
      err = extents_walk_next (&walk, &run);
      if (err)
        return err;
    }
  while (run.len != 0 && run.kind != EXTENTS_UNKNOWN);
  *ret = run.len == 0;
  return 0;
}

int
extents_share (int fd_a, off_t off_a, int fd_b, off_t off_b, off_t len,
               bool *ret)
{
  *ret = false;
  bool comparable;
  int err = extents_comparable (fd_a, fd_b, &comparable);
  if (err || !comparable)
    return err;
  err = walk_shares (fd_a, off_a, fd_b, off_b, len, ret);
  return err == EOPNOTSUPP || err == ENOTTY || err == ENOSYS ? 0 : err;
}

#else /* !FS_IOC_FIEMAP */

void
extents_start (struct extents_cursor *cursor, int fd, off_t offset, off_t len)
{
  (void)fd, (void)offset, (void)len;
  cursor->next = cursor->count = 0;
}

int
extents_next (struct extents_cursor *cursor, struct extents_extent *ret,
              bool *found)
{
  (void)cursor, (void)ret, (void)found;
  return ENOSYS;
}

int
extents_walk_start (struct extents_walk *walk, int fd_a, off_t off_a, int fd_b,
                    off_t off_b, off_t len)
{
  (void)walk, (void)fd_a, (void)off_a, (void)fd_b, (void)off_b, (void)len;
  return ENOSYS;
}

int
extents_walk_open (struct extents_walk *walk, int fd_a)
{
  (void)walk, (void)fd_a;
  return ENOSYS;
}

int
extents_walk_next_file (struct extents_walk *walk, off_t off_a, int fd_b,
                        off_t off_b, off_t len)
{
  (void)walk, (void)off_a, (void)fd_b, (void)off_b, (void)len;
  return ENOSYS;
}

int
extents_walk_next (struct extents_walk *walk, struct extents_run *ret)
{
  (void)walk, (void)ret;
  return ENOSYS;
}

int
extents_comparable (int fd_a, int fd_b, bool *ret)
{
  (void)fd_a, (void)fd_b;
  *ret = false;
  return 0;
}

int
extents_share (int fd_a, off_t off_a, int fd_b, off_t off_b, off_t len,
               bool *ret)
{
  (void)fd_a, (void)off_a, (void)fd_b, (void)off_b, (void)len;
  *ret = false;
  return 0;
}

#endif
