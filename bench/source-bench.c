/* Measure what it costs to clone from sources in many pieces, or just written.
   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

/* For each number of extents, a source of SOURCE_SIZE is made and blocks of it
   are written again at random, while another file has the old ones, until it
   is in so many pieces.  Then files of each size are made from it, by cloning
   and by copying, and the filesystem is synced.

   With --dirty the source is in one piece, and its data not on the disk yet
   when the first clone is made.  */

#include <config.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <linux/fiemap.h>
#include <linux/fs.h>

#include "common.h"
#include "reflink.h"

enum
{
  SOURCE_SIZE = 512 << 20,
  MADE_SIZE = 128 << 20, /* of all files of one size together */
  ROUNDS = 3
};

static off_t const sizes[] = { 16 << 10, 64 << 10, 1 << 20 };

enum
{
  N_SIZES = sizeof sizes / sizeof *sizes
};

struct bench
{
  int dir_fd;
  int source_fd;
  off_t unit;
  char *bytes; /* the largest of sizes */
};

static void
sync_all (struct bench const *b)
{
  if (syncfs (b->dir_fd) < 0)
    common_die ("syncfs");
}

/* How many extents the source has.  */
static unsigned
count_extents (struct bench const *b)
{
  struct fiemap map = { .fm_length = FIEMAP_MAX_OFFSET };

  if (ioctl (b->source_fd, FS_IOC_FIEMAP, &map) < 0)
    common_die ("FIEMAP");
  return map.fm_mapped_extents;
}

/* Make the source, all dirty.  */
static void
write_source (struct bench *b)
{
  b->source_fd = openat (b->dir_fd, "source", O_RDWR | O_CREAT | O_TRUNC, 0600);
  if (b->source_fd < 0)
    common_die ("source");
  for (off_t at = 0; at < SOURCE_SIZE; at += sizes[N_SIZES - 1])
    if (pwrite (b->source_fd, b->bytes, sizes[N_SIZES - 1], at)
        != sizes[N_SIZES - 1])
      common_die ("source");
}

/* Write every other block of some again, so that the source has about EXTENTS
   of them.  */
static void
scatter (struct bench *b, long extents)
{
  off_t blocks = SOURCE_SIZE / b->unit;
  int keeper = openat (b->dir_fd, "keeper", O_RDWR | O_CREAT | O_TRUNC, 0600);
  long rewrites = extents / 2;

  sync_all (b);
  /* Without it, XFS would write in place.  */
  if (keeper < 0 || ioctl (keeper, FICLONE, b->source_fd) < 0)
    common_die ("keeper");
  for (long i = 0; i < rewrites; i++)
    {
      off_t block = blocks / 2 * i / rewrites * 2;

      if (pwrite (b->source_fd, b->bytes, b->unit, block * b->unit) != b->unit)
        common_die ("source");
    }
  if (fsync (b->source_fd) < 0)
    common_die ("fsync");
  close (keeper);
  unlinkat (b->dir_fd, "keeper", 0);
  sync_all (b);
}

/* Make one file of SIZE from the source's bytes at FROM.  */
static void
make_file (struct bench *b, char const *name, off_t from, off_t size,
           bool clone)
{
  int fd = openat (b->dir_fd, name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  struct file_clone_range range
      = { .src_fd = b->source_fd, .src_offset = from, .src_length = size };

  if (fd < 0)
    common_die (name);
  if (clone ? ioctl (fd, FICLONERANGE, &range) < 0
            : (pread (b->source_fd, b->bytes, size, from) != size
               || pwrite (fd, b->bytes, size, 0) != size))
    common_die (clone ? "clone" : "copy");
  close (fd);
}

/* Microseconds that a file of SIZE takes, sync included.  */
static double
run (struct bench *b, off_t size, bool clone)
{
  long count = MADE_SIZE / size;
  off_t step = SOURCE_SIZE / count / b->unit * b->unit;
  char name[32];
  double start = common_now ();

  for (long i = 0; i < count; i++)
    {
      snprintf (name, sizeof name, "f%ld", i);
      make_file (b, name, step * i, size, clone);
    }
  sync_all (b);

  double taken = common_now () - start;

  for (long i = 0; i < count; i++)
    {
      snprintf (name, sizeof name, "f%ld", i);
      unlinkat (b->dir_fd, name, 0);
    }
  sync_all (b);
  return taken / count * 1e6;
}

static void
remove_source (struct bench *b)
{
  close (b->source_fd);
  unlinkat (b->dir_fd, "source", 0);
  sync_all (b);
}

static int
by_value (void const *a, void const *b)
{
  double x = *(double const *)a;
  double y = *(double const *)b;

  return (y < x) - (x < y);
}

/* The median of some rounds; with DIRTY, each has a new source.  */
static double
median (struct bench *b, off_t size, bool clone, bool dirty)
{
  double times[ROUNDS];

  for (int i = 0; i < ROUNDS; i++)
    {
      if (dirty)
        write_source (b);
      times[i] = run (b, size, clone);
      if (dirty)
        remove_source (b);
    }
  qsort (times, ROUNDS, sizeof *times, by_value);
  return times[ROUNDS / 2];
}

static void
print_row (struct bench *b, char const *state, unsigned extents, bool dirty)
{
  for (int i = 0; i < N_SIZES; i++)
    {
      double cloned = median (b, sizes[i], true, dirty);
      double copied = median (b, sizes[i], false, dirty);

      printf ("%s,%u,%jd,%.1f,%.1f\n", state, extents, (intmax_t)sizes[i],
              cloned, copied);
      fflush (stdout);
    }
}

int
main (int argc, char **argv)
{
  static long const counts[] = { 1, 10, 100, 1000, 10000, 100000 };
  struct bench b;

  if (argc != 2)
    {
      fputs ("Usage: source-bench DIR\n", stderr);
      return EXIT_FAILURE;
    }
  b.dir_fd = open (argv[1], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (b.dir_fd < 0)
    common_die (argv[1]);
  b.unit = reflink_unit (b.dir_fd);
  b.bytes = malloc (sizes[N_SIZES - 1]);
  if (!b.bytes)
    common_die ("memory");
  memset (b.bytes, 'x', sizes[N_SIZES - 1]);

  puts ("source,extents,size,clone_us,copy_us");
  print_row (&b, "dirty", 1, true);
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
    {
      write_source (&b);
      scatter (&b, counts[i]);
      print_row (&b, "flushed", count_extents (&b), false);
      remove_source (&b);
    }
  free (b.bytes);
  return EXIT_SUCCESS;
}
