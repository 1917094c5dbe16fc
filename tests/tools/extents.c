/* Print a file's extents, or how many bytes two files share.
   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "extents.h"

#include <linux/fiemap.h>

static _Noreturn void
die (char const *what, int err)
{
  fprintf (stderr, "extents: %s: %s\n", what, strerror (err));
  exit (EXIT_FAILURE);
}

static int
open_file (char const *name)
{
  int fd = open (name, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    die (name, errno);
  return fd;
}

static off_t
number (char const *text)
{
  char *end;
  errno = 0;
  intmax_t n = strtoimax (text, &end, 10);
  if (errno || *end || end == text || n < 0 || INT64_MAX < n)
    die (text, EINVAL);
  return n;
}

static void
print_flags (uint32_t flags)
{
  static struct
  {
    uint32_t flag;
    char const *name;
  } const names[] = {
    { FIEMAP_EXTENT_LAST, "last" },
    { FIEMAP_EXTENT_UNKNOWN, "unknown" },
    { FIEMAP_EXTENT_DELALLOC, "delalloc" },
    { FIEMAP_EXTENT_ENCODED, "encoded" },
    { FIEMAP_EXTENT_DATA_ENCRYPTED, "encrypted" },
    { FIEMAP_EXTENT_NOT_ALIGNED, "unaligned" },
    { FIEMAP_EXTENT_DATA_INLINE, "inline" },
    { FIEMAP_EXTENT_DATA_TAIL, "packed" },
    { FIEMAP_EXTENT_UNWRITTEN, "unwritten" },
    { FIEMAP_EXTENT_MERGED, "merged" },
    { FIEMAP_EXTENT_SHARED, "shared" },
  };
  char const *separator = "";
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (flags & names[i].flag)
      {
        printf ("%s%s", separator, names[i].name);
        separator = ",";
        flags &= ~names[i].flag;
      }
  if (flags || !*separator)
    printf ("%s%" PRIx32, separator, flags);
}

static void
list (char const *name)
{
  int fd = open_file (name);
  struct stat st;
  if (fstat (fd, &st) < 0)
    die (name, errno);

  struct extents_cursor cursor;
  struct extents_extent e;
  bool found;
  extents_start (&cursor, fd, 0, st.st_size);
  int err;
  while (!(err = extents_next (&cursor, &e, &found)) && found)
    {
      printf ("%jd %ju %jd ", (intmax_t)e.logical, (uintmax_t)e.physical,
              (intmax_t)e.length);
      print_flags (e.flags);
      putchar ('\n');
    }
  if (err)
    die (name, err);
  close (fd);
}

/* Print how many bytes of the files whose names are on standard input, each
   ended by NUL, are in extents that something else has, too.  */
static void
total_shared (void)
{
  char *name = NULL;
  size_t size = 0;
  off_t shared = 0;
  while (0 < getdelim (&name, &size, '\0', stdin))
    {
      int fd = open_file (name);
      struct stat st;
      if (fstat (fd, &st) < 0)
        die (name, errno);
      struct extents_cursor cursor;
      struct extents_extent e;
      bool found;
      extents_start (&cursor, fd, 0, st.st_size);
      int err;
      while (!(err = extents_next (&cursor, &e, &found)) && found)
        if (e.flags & FIEMAP_EXTENT_SHARED)
          shared += e.length;
      if (err)
        die (name, err);
      close (fd);
    }
  free (name);
  printf ("%jd\n", (intmax_t)shared);
}

/* Unlike the program under test this believes an overlay when both files
   are on it: the tests know that it has all its layers on one filesystem.  */
static void
print_shared (char const *name_a, off_t off_a, char const *name_b, off_t off_b,
              off_t len)
{
  int a = open_file (name_a);
  int b = open_file (name_b);
  struct stat st_a, st_b;
  bool comparable;
  int err = extents_comparable (a, b, &comparable);
  if (err || fstat (a, &st_a) < 0 || fstat (b, &st_b) < 0)
    die (name_b, err ? err : errno);

  off_t shared = 0;
  if (comparable || st_a.st_dev == st_b.st_dev)
    {
      struct extents_walk walk;
      struct extents_run run;
      err = extents_walk_start (&walk, a, off_a, b, off_b, len);
      while (!err && !(err = extents_walk_next (&walk, &run)) && run.len)
        if (run.kind == EXTENTS_SHARED)
          shared += run.len;
      if (err)
        die (name_b, err);
    }
  printf ("%jd\n", (intmax_t)shared);
  close (a);
  close (b);
}

/* The extents of one file.  */
struct list
{
  struct extents_extent *extents;
  size_t count;
};

/* Flags of extents whose address says nothing about what is there.  */
static uint32_t const unreliable
    = (FIEMAP_EXTENT_UNKNOWN | FIEMAP_EXTENT_DELALLOC | FIEMAP_EXTENT_ENCODED
       | FIEMAP_EXTENT_DATA_ENCRYPTED | FIEMAP_EXTENT_NOT_ALIGNED
       | FIEMAP_EXTENT_DATA_INLINE | FIEMAP_EXTENT_DATA_TAIL
       | FIEMAP_EXTENT_UNWRITTEN);

static struct list
read_extents (char const *name, int fd)
{
  struct list l = { 0 };
  struct stat st;
  struct extents_cursor cursor;
  struct extents_extent e;
  bool found;
  if (fstat (fd, &st) < 0)
    die (name, errno);
  extents_start (&cursor, fd, 0, st.st_size);
  int err;
  while (!(err = extents_next (&cursor, &e, &found)) && found)
    {
      l.extents = realloc (l.extents, (l.count + 1) * sizeof *l.extents);
      if (!l.extents)
        die (name, ENOMEM);
      /* A file ends inside its last block.  */
      if (st.st_size < e.logical + e.length)
        e.length = st.st_size - e.logical;
      l.extents[l.count++] = e;
    }
  if (err)
    die (name, err);
  return l;
}

/* How many bytes of the extent E, known to be shared, lie in those of L.  */
static off_t
overlap (struct extents_extent const *e, struct list const *l)
{
  off_t sum = 0;
  if (!(e->flags & FIEMAP_EXTENT_SHARED) || e->flags & unreliable)
    return 0;
  for (size_t i = 0; i < l->count; i++)
    {
      struct extents_extent const *o = &l->extents[i];
      uint64_t start = e->physical < o->physical ? o->physical : e->physical;
      uint64_t e_end = e->physical + e->length;
      uint64_t o_end = o->physical + o->length;
      uint64_t end = e_end < o_end ? e_end : o_end;
      if (start < end && !(o->flags & unreliable))
        sum += end - start;
    }
  return sum;
}

/* For each of the files whose names are on standard input, each ended by NUL,
   print how many of its bytes are in blocks that the file SOURCE has,
   anywhere.  As for overlays see print_shared.  */
static void
print_shared_with (char const *source)
{
  int fd_source = open_file (source);
  struct list list = read_extents (source, fd_source);
  struct stat st_source, st;
  char *name = NULL;
  size_t size = 0;
  if (fstat (fd_source, &st_source) < 0)
    die (source, errno);
  while (0 < getdelim (&name, &size, '\0', stdin))
    {
      int fd = open_file (name);
      bool comparable;
      int err = extents_comparable (fd_source, fd, &comparable);
      if (err || fstat (fd, &st) < 0)
        die (name, err ? err : errno);
      struct list extents = { 0 };
      off_t shared = 0;
      if (comparable || st.st_dev == st_source.st_dev)
        extents = read_extents (name, fd);
      for (size_t i = 0; i < extents.count; i++)
        shared += overlap (&extents.extents[i], &list);
      printf ("%s: %jd of %jd\n", name, (intmax_t)shared, (intmax_t)st.st_size);
      free (extents.extents);
      close (fd);
    }
  free (name);
  free (list.extents);
  close (fd_source);
}

/* Print whether the ranges are equal by their extents alone.  */
static void
print_equal (char const *name_a, off_t off_a, char const *name_b, off_t off_b,
             off_t len)
{
  int a = open_file (name_a);
  int b = open_file (name_b);
  bool equal;
  int err = extents_share (a, off_a, b, off_b, len, &equal);
  if (err)
    die (name_b, err);
  puts (equal ? "equal" : "unknown");
  close (a);
  close (b);
}

int
main (int argc, char **argv)
{
  if (argc == 7 && strcmp (argv[1], "--shared") == 0)
    print_shared (argv[2], number (argv[3]), argv[4], number (argv[5]),
                  number (argv[6]));
  else if (argc == 7 && strcmp (argv[1], "--equal") == 0)
    print_equal (argv[2], number (argv[3]), argv[4], number (argv[5]),
                 number (argv[6]));
  else if (argc == 2 && strcmp (argv[1], "--total-shared") == 0)
    total_shared ();
  else if (argc == 3 && strcmp (argv[1], "--shared-with") == 0)
    print_shared_with (argv[2]);
  else if (argc == 2 && argv[1][0] != '-')
    list (argv[1]);
  else
    {
      fputs ("Usage: extents FILE\n"
             "       extents --shared FILE OFFSET FILE OFFSET LENGTH\n"
             "       extents --equal FILE OFFSET FILE OFFSET LENGTH\n"
             "       extents --total-shared < NAMES, each ended by NUL\n"
             "       extents --shared-with FILE < NAMES, each ended by NUL\n",
             stderr);
      return EXIT_FAILURE;
    }
  return fflush (stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
