/* FIEMAP: where a file's bytes are, and whether two ranges share blocks.
   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later

   All offsets and lengths are in bytes.  A function returning `int' returns
   0 or an errno value: EOPNOTSUPP or ENOTTY where the filesystem has no
   FIEMAP, ENOSYS where the system has none.  Nothing is printed, allocated
   or kept.  */

#ifndef EXTENTS_H
#define EXTENTS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* How many extents are fetched from the kernel at a time.  */
enum
{
  EXTENTS_BATCH = 32
};

struct extents_extent
{
  off_t logical;     /* offset in the file */
  uint64_t physical; /* address on the filesystem's device */
  off_t length;
  uint32_t flags; /* FIEMAP_EXTENT_*, linux/fiemap.h */
};

/* A position in the list of extents of one file's range.  The caller
   allocates it; there is nothing to free.  */
struct extents_cursor
{
  int fd;
  off_t pos; /* first byte not yet asked for */
  off_t end;
  unsigned int next; /* index in BATCH */
  unsigned int count;
  struct extents_extent batch[EXTENTS_BATCH];
};

/* Start CURSOR at the LEN bytes at OFFSET of FD.  */
void extents_start (struct extents_cursor *cursor, int fd, off_t offset,
                    off_t len);

/* Store in *RET the next extent that lies in the range at least in part, in
   file order, and set *FOUND; or clear *FOUND after the last.  Dirty data is
   written out first, so that what is reported has a place.  Holes are what
   lies between.  */
int extents_next (struct extents_cursor *cursor, struct extents_extent *ret,
                  bool *found);

/* What can be said of a run of bytes of two ranges.  */
enum extents_kind
{
  EXTENTS_UNKNOWN, /* nothing: they may or may not be equal */
  EXTENTS_SHARED,  /* they are the same blocks */
  EXTENTS_HOLES    /* both are holes */
};

struct extents_side
{
  struct extents_cursor cursor;
  off_t offset;
  off_t size; /* of the file */
  struct extents_extent extent;
  bool have; /* EXTENT is set */
};

/* What a file's addresses count in.  Equal ones mean the same blocks only in
   one space.  */
struct extents_space
{
  dev_t dev;          /* the file's st_dev */
  unsigned long type; /* its filesystem's, as in linux/magic.h */
  off_t block;        /* size of the filesystem's blocks */
  bool realtime;      /* XFS: on its other device */
  uint8_t fsid[16];   /* Btrfs: of the filesystem, whatever the subvolume */
};

/* A walk over two ranges of equal length.  The caller allocates it; there is
   nothing to free.  */
struct extents_walk
{
  struct extents_side a;
  struct extents_side b;
  off_t pos;
  off_t len;
  struct extents_space space_a; /* these two: of extents_walk_open */
  struct extents_space space_b;
};

struct extents_run
{
  off_t offset; /* from the start of both ranges */
  off_t len;    /* 0: the walk is over */
  enum extents_kind kind;
};

/* Start a walk over the LEN bytes at OFF_A of FD_A and those at OFF_B of
   FD_B.  The runs mean something only where extents_comparable says so.  */
int extents_walk_start (struct extents_walk *walk, int fd_a, off_t off_a,
                        int fd_b, off_t off_b, off_t len);

/* Prepare WALK for one walk after another over parts of FD_A and of other
   files, by extents_walk_next_file.  FD_A's size, place and extents are asked
   for, these a batch at a time, and remembered: FD_A must not change
   meanwhile.  Return 0, or an errno value; WALK is of no use then.  */
int extents_walk_open (struct extents_walk *walk, int fd_a);

/* Like extents_walk_start on a walk that extents_walk_open prepared, but
   return EXDEV where extents_comparable would say no; what is known of a
   filesystem is not asked again.  It is cheapest when OFF_A never goes
   back.  */
int extents_walk_next_file (struct extents_walk *walk, off_t off_a, int fd_b,
                            off_t off_b, off_t len);

/* Store the next run in *RET.  Runs follow each other without a gap and two
   in sequence may be of one kind.  What lies past the end of either file is
   EXTENTS_UNKNOWN, and so is everything without a reliable address: inline,
   compressed, encrypted, unwritten or not yet allocated.  */
int extents_walk_next (struct extents_walk *walk, struct extents_run *ret);

/* Set *RET to whether equal addresses of FD_A and FD_B mean the same blocks:
   both on one XFS or one Btrfs (subvolumes included) and on one device of
   it.  Elsewhere an address may be relative to one of several devices, or
   (overlay) to one of several filesystems, and FIEMAP does not say which.  */
int extents_comparable (int fd_a, int fd_b, bool *ret);

/* Set *RET to whether the LEN bytes at OFF_A of FD_A and those at OFF_B of
   FD_B are provably equal without reading them, each byte the same block or
   a hole in both.  *RET = false means only that they have to be read; this
   is also the answer where there is no FIEMAP.  */
int extents_share (int fd_a, off_t off_a, int fd_b, off_t off_b, off_t len,
                   bool *ret);

#endif
