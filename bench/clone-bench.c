/* Measure what it costs to make files by cloning and by writing.
   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

/* Each mode makes COUNT files of a size from one source file, one after the
   other as an extraction does, then syncs the filesystem: what writing saves
   in system calls it may pay for in write-back.  The mean of each system call
   is taken, and that of the whole loop and the sync.

   write        write the bytes
   write-trunc  write them rounded up to the unit, then truncate
   clone-tail   clone the whole units, write the rest
   clone-trunc  clone rounded up, then truncate

   A small or nearly full filesystem shows false behaviour (XFS throttles
   itself near ENOSPC): use one of 16 GiB or more.  */

#include <config.h>

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <linux/fs.h>

#include "common.h"
#include "reflink.h"

enum
{
  MAX_SIZES = 32,
  ROUNDS = 7,
  SOURCE_LIMIT = 256 << 20
};

enum mode
{
  WRITE,
  WRITE_TRUNC,
  CLONE_TAIL,
  CLONE_TRUNC,
  N_MODES
};

static char const *const mode_names[]
    = { "write", "write-trunc", "clone-tail", "clone-trunc" };

enum call
{
  CLONE,
  FTRUNCATE,
  PWRITE,
  CLOSE,
  N_CALLS
};

static char const *const call_names[]
    = { "clone", "ftruncate", "write", "close" };

struct bench
{
  char dir[4096]; /* a temporary directory on the filesystem */
  int dir_fd;
  int source_fd;
  char *bytes; /* the start of the source */
  off_t unit;
  off_t source_len;
  long count;
};

struct sample
{
  enum mode mode;
  off_t size;
  double calls[N_CALLS]; /* seconds, all files together */
  long made[N_CALLS];    /* how many calls */
  double loop;           /* seconds */
  double sync;
  int errnum; /* why the mode is not possible, or 0 */
};

static off_t
round_up (off_t n, off_t unit)
{
  return (n + unit - 1) / unit * unit;
}

/* Count the time since START as one CALL.  */
static void
charge (struct sample *s, enum call call, double start)
{
  s->calls[call] += common_now () - start;
  s->made[call]++;
}

static void
put_bytes (struct bench *b, struct sample *s, int fd, off_t offset, off_t len)
{
  double start = common_now ();
  if (pwrite (fd, b->bytes + offset, len, offset) != len)
    common_die ("write");
  charge (s, PWRITE, start);
}

/* Clone LEN bytes at SOURCE.  Returns false after setting s->errnum.  */
static bool
put_clone (struct bench *b, struct sample *s, int fd, off_t source, off_t len)
{
  struct file_clone_range range
      = { .src_fd = b->source_fd, .src_offset = source, .src_length = len };
  double start = common_now ();
  if (ioctl (fd, FICLONERANGE, &range) < 0)
    {
      s->errnum = errno;
      return false;
    }
  charge (s, CLONE, start);
  return true;
}

static void
set_size (struct sample *s, int fd, off_t size)
{
  double start = common_now ();
  if (ftruncate (fd, size) < 0)
    common_die ("ftruncate");
  charge (s, FTRUNCATE, start);
}

/* Fill the new file FD.  Returns false after setting s->errnum.  */
static bool
fill (struct bench *b, struct sample *s, int fd, off_t source)
{
  off_t size = s->size;
  off_t whole = size - size % b->unit;
  off_t rounded = round_up (size, b->unit);
  switch (s->mode)
    {
    case WRITE:
      put_bytes (b, s, fd, 0, size);
      break;
    case WRITE_TRUNC:
      put_bytes (b, s, fd, 0, rounded);
      set_size (s, fd, size);
      break;
    case CLONE_TAIL:
      if (0 < whole && !put_clone (b, s, fd, source, whole))
        return false;
      if (whole < size)
        put_bytes (b, s, fd, whole, size - whole);
      break;
    default:
      if (!put_clone (b, s, fd, source, rounded))
        return false;
      if (size < rounded)
        set_size (s, fd, size);
    }
  return true;
}

static void
name_file (char *name, size_t size, long i)
{
  snprintf (name, size, "f%ld", i);
}

/* Make the files of S, then remove them.  */
static void
run (struct bench *b, struct sample *s)
{
  off_t slot = round_up (s->size, b->unit);
  off_t source = 0;
  char name[32];
  double start = common_now ();
  long made = 0;
  while (made < b->count && !s->errnum)
    {
      name_file (name, sizeof name, made);
      int fd = openat (b->dir_fd, name, O_WRONLY | O_CREAT | O_EXCL, 0600);
      if (fd < 0)
        common_die (name);
      made++;
      fill (b, s, fd, source);
      source += slot;
      if (b->source_len < source + slot)
        source = 0;
      double close_start = common_now ();
      if (close (fd) < 0)
        common_die ("close");
      charge (s, CLOSE, close_start);
    }
  s->loop = common_now () - start;
  start = common_now ();
  if (syncfs (b->dir_fd) < 0)
    common_die ("syncfs");
  s->sync = common_now () - start;

  while (0 < made)
    {
      name_file (name, sizeof name, --made);
      unlinkat (b->dir_fd, name, 0);
    }
  syncfs (b->dir_fd);
}

/* Make the source: as large as needed for files of MAX_SIZE, each from its
   own place as in an archive, within reason.  */
static void
set_up (struct bench *b, char const *dir, off_t max_size)
{
  snprintf (b->dir, sizeof b->dir, "%s/clone-bench-XXXXXX", dir);
  if (!mkdtemp (b->dir))
    common_die (dir);
  b->dir_fd = open (b->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (b->dir_fd < 0)
    common_die (b->dir);
  b->source_fd = openat (b->dir_fd, "source", O_RDWR | O_CREAT, 0600);
  if (b->source_fd < 0)
    common_die ("source");
  b->unit = reflink_unit (b->dir_fd);

  size_t slot = round_up (max_size, b->unit);
  b->bytes = malloc (slot);
  if (!b->bytes)
    common_die ("memory");
  uint32_t x = 1;
  for (size_t i = 0; i < slot; i++)
    b->bytes[i] = (x = x * 1664525 + 1013904223) >> 24;
  b->source_len = 0;
  for (long i = 0; i < b->count && b->source_len < SOURCE_LIMIT; i++)
    {
      if (write (b->source_fd, b->bytes, slot) != (ssize_t)slot)
        common_die ("source");
      b->source_len += slot;
    }
  if (syncfs (b->dir_fd) < 0)
    common_die ("syncfs");
}

static void
tear_down (struct bench *b)
{
  unlinkat (b->dir_fd, "source", 0);
  rmdir (b->dir);
  close (b->source_fd);
  close (b->dir_fd);
  free (b->bytes);
}

/* Mean of CALL in microseconds.  */
static double
mean (struct sample const *s, enum call call)
{
  return s->made[call] ? s->calls[call] / s->made[call] * 1e6 : 0;
}

static void
print_heading (FILE *csv)
{
  printf ("%-12s %8s", "mode", "size");
  for (int i = 0; i < N_CALLS; i++)
    printf (" %9s", call_names[i]);
  printf (" %8s %8s %9s\n", "loop s", "sync s", "us/file");
  if (csv)
    fputs ("mode,size,count,clone_us,ftruncate_us,write_us,close_us,loop_s,"
           "sync_s,file_us\n",
           csv);
}

static void
print_sample (struct bench const *b, struct sample const *s, FILE *csv)
{
  printf ("%-12s %8jd", mode_names[s->mode], (intmax_t)s->size);
  if (s->errnum)
    {
      printf ("  %s\n", strerror (s->errnum));
      return;
    }
  double file = (s->loop + s->sync) / b->count * 1e6;
  for (int i = 0; i < N_CALLS; i++)
    if (s->made[i])
      printf (" %9.1f", mean (s, i));
    else
      printf (" %9s", "-");
  printf (" %8.3f %8.3f %9.1f\n", s->loop, s->sync, file);
  fflush (stdout);

  if (!csv)
    return;
  fprintf (csv, "%s,%jd,%ld", mode_names[s->mode], (intmax_t)s->size, b->count);
  for (int i = 0; i < N_CALLS; i++)
    fprintf (csv, s->made[i] ? ",%.2f" : ",", mean (s, i));
  fprintf (csv, ",%.4f,%.4f,%.2f\n", s->loop, s->sync, file);
}

/* Store in BEST the microseconds that a file of SIZE takes in each mode, sync
   included; -1 for a mode that is not possible.  The rounds of the modes
   alternate, and the least of a mode is taken, so that what else the machine
   does weighs on none.  */
static void
compare (struct bench *b, off_t size, double best[N_MODES])
{
  for (int m = 0; m < N_MODES; m++)
    best[m] = -1;
  for (int i = 0; i < ROUNDS; i++)
    for (enum mode m = WRITE; m < N_MODES; m++)
      {
        struct sample s = { .mode = m, .size = size };
        if (m == WRITE_TRUNC)
          continue;
        run (b, &s);
        double t = (s.loop + s.sync) / b->count * 1e6;
        if (!s.errnum && (best[m] < 0 || t < best[m]))
          best[m] = t;
      }
  printf ("%7jd %11.1f %11.1f %11.1f\n", (intmax_t)size, best[WRITE],
          best[CLONE_TAIL], best[CLONE_TRUNC]);
  fflush (stdout);
}

/* Say which strategy the filesystem wants for files with a partial unit, and
   how small a file is worth cloning rounded up.  */
static void
recommend (struct bench *b)
{
  static off_t const sizes[] = { 5000, 20000, 90000 };
  static off_t const small[] = { 512, 1000, 2000, 2100, 3000, 4000 };
  double sums[N_MODES] = { 0 };
  double best[N_MODES];
  printf ("us/file %11s %11s %11s\n", "write", "clone-tail", "clone-trunc");
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    {
      compare (b, sizes[i], best);
      for (int m = 0; m < N_MODES; m++)
        sums[m] += best[m] < 0 ? 1e99 : best[m];
    }

  char const *strategy = "write";
  if (sums[CLONE_TAIL] < sums[WRITE])
    strategy = "tail";
  if (sums[CLONE_TRUNC] < sums[WRITE] && sums[CLONE_TRUNC] < sums[CLONE_TAIL])
    {
      strategy = "trunc";
      for (size_t i = 0; i < sizeof small / sizeof *small; i++)
        compare (b, small[i], best);
    }
  printf ("unit %jd, strategy %s\n", (intmax_t)b->unit, strategy);
}

static _Noreturn void
usage (void)
{
  fputs ("Usage: clone-bench [-n COUNT] [--csv=FILE] DIR [SIZE]...\n"
         "       clone-bench [-n COUNT] --recommend DIR\n",
         stderr);
  exit (EXIT_FAILURE);
}

static void
measure (struct bench *b, off_t const *sizes, int n_sizes, char const *csv_name)
{
  FILE *csv = csv_name ? fopen (csv_name, "w") : NULL;
  if (csv_name && !csv)
    common_die (csv_name);
  print_heading (csv);
  for (int i = 0; i < n_sizes; i++)
    for (enum mode m = WRITE; m < N_MODES; m++)
      {
        struct sample s = { .mode = m, .size = sizes[i] };
        run (b, &s);
        print_sample (b, &s, csv);
      }
  if (csv && fclose (csv) != 0)
    common_die (csv_name);
}

int
main (int argc, char **argv)
{
  static struct option const options[]
      = { { "csv", required_argument, NULL, 'c' },
          { "recommend", no_argument, NULL, 'r' },
          { NULL, 0, NULL, 0 } };
  off_t sizes[MAX_SIZES] = { 1000, 5000, 20000, 65536, 90000 };
  int n_sizes = 5;
  off_t max_size = 90000;
  char const *csv = NULL;
  bool only_recommend = false;
  struct bench b = { .count = 0 };
  int c;
  while ((c = getopt_long (argc, argv, "n:", options, NULL)) != -1)
    if (c == 'n')
      b.count = strtol (optarg, NULL, 10);
    else if (c == 'c')
      csv = optarg;
    else if (c == 'r')
      only_recommend = true;
    else
      usage ();
  if (optind == argc || b.count < 0 || MAX_SIZES < argc - optind - 1)
    usage ();

  char const *dir = argv[optind++];
  if (optind < argc)
    n_sizes = argc - optind;
  for (int i = optind; i < argc; i++)
    {
      off_t size = strtoimax (argv[i], NULL, 10);
      if (size <= 0 || SOURCE_LIMIT < size)
        usage ();
      sizes[i - optind] = size;
      if (max_size < size)
        max_size = size;
    }
  if (b.count == 0)
    b.count = only_recommend ? 500 : 5000;

  set_up (&b, dir, max_size);
  if (only_recommend)
    recommend (&b);
  else
    measure (&b, sizes, n_sizes, csv);
  tear_down (&b);
  return EXIT_SUCCESS;
}
