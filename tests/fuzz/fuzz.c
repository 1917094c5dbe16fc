/* fuzz TARGET SECONDS DIRECTORY [SEED]: give TARGET inputs that were made of
   the files in DIRECTORY by chance, for so long.  fuzz TARGET FILE: give it
   that file.

   Needs nothing but a C compiler, and knows nothing of what the inputs do;
   libfuzzer.c finds more.  The last input is in the file `fuzz-input'.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "targets.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "progname.h"
#include "xalloc.h"

enum
{
  INPUT_MAX = 64 * 1024,
  SEEDS_MAX = 200,
  /* Seconds for one input: it hangs.  */
  INPUT_TIME = 20
};

struct seed
{
  uint8_t *bytes;
  size_t size;
};

static struct seed
read_file (char const *name)
{
  struct seed s = { .bytes = xmalloc (INPUT_MAX) };
  FILE *f = fopen (name, "r");
  if (!f)
    {
      perror (name);
      exit (2);
    }
  s.size = fread (s.bytes, 1, INPUT_MAX, f);
  fclose (f);
  return s;
}

static size_t
read_seeds (char const *directory, struct seed *seeds)
{
  size_t count = 0;
  struct dirent *e;
  char name[4096];
  DIR *d = opendir (directory);

  while (d && (e = readdir (d)) && count < SEEDS_MAX)
    if (e->d_name[0] != '.')
      {
        snprintf (name, sizeof name, "%s/%s", directory, e->d_name);
        seeds[count++] = read_file (name);
      }
  if (d)
    closedir (d);
  if (count == 0)
    {
      fprintf (stderr, "%s: nothing to begin with\n", directory);
      exit (2);
    }
  return count;
}

static uint64_t state;

/* A number below LIMIT.  */
static size_t
chance (size_t limit)
{
  /* Marsaglia's xorshift.  */
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return limit ? (state >> 11) % limit : 0;
}

/* Put N bytes of FROM, or as many as there is room for, at AT of the SIZE bytes
   of DATA.  Return the new size.  */
static size_t
insert (uint8_t *data, size_t size, size_t at, uint8_t const *from, size_t n)
{
  if (INPUT_MAX - size < n)
    n = INPUT_MAX - size;
  memmove (data + at + n, data + at, size - at);
  memcpy (data + at, from, n);
  return size + n;
}

/* Change DATA once.  Return its new size.  */
static size_t
mutate (uint8_t *data, size_t size, struct seed const *other)
{
  static char const *const words[] = { "0",
                                       "1",
                                       "-1",
                                       "9999999999",
                                       "\377\377\377\377\377\377\377\377",
                                       "\n",
                                       "\200",
                                       "77777777777",
                                       "%",
                                       "path=",
                                       "GNU.sparse.map=",
                                       "\\",
                                       "=",
                                       ",",
                                       "s/",
                                       "size=9",
                                       "18446744073709551615" };
  size_t at = chance (size);
  size_t n = 1 + chance (1 + chance (600));
  char const *word = words[chance (sizeof words / sizeof *words)];

  if (size - at < n)
    n = size - at;
  switch (chance (7))
    {
    case 0:
      if (size)
        data[at] ^= 1 << chance (8);
      return size;
    case 1:
      if (size)
        data[at] = chance (256);
      return size;
    case 2:
      memmove (data + at, data + at + n, size - at - n);
      return size - n;
    case 3:
      return insert (data, size, at, (uint8_t const *)word, strlen (word));
    case 4:
      if (strlen (word) <= size - at)
        memcpy (data + at, word, strlen (word));
      return size;
    case 5:
      {
        size_t from = chance (other->size);
        size_t most = other->size - from;
        return insert (data, size, at, other->bytes + from, chance (most + 1));
      }
    default:
      {
        /* Whole blocks of another.  */
        size_t from = chance (other->size / 512 + 1) * 512;
        size_t most = other->size - (from < other->size ? from : other->size);
        return insert (data, size, at / 512 * 512, other->bytes + from,
                       most < 1024 ? most : 1024);
      }
    }
}

/* Let *RET be memory that is in a file, whatever becomes of us.  */
static uint8_t *
map_input (void)
{
  int fd = open ("fuzz-input", O_RDWR | O_CREAT | O_TRUNC, 0666);
  void *p = MAP_FAILED;
  if (0 <= fd && ftruncate (fd, INPUT_MAX) == 0)
    p = mmap (NULL, INPUT_MAX, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (p == MAP_FAILED)
    {
      perror ("fuzz-input");
      exit (2);
    }
  return p;
}

static unsigned long
run_for (struct target const *t, int seconds, struct seed const *seeds,
         size_t count)
{
  uint8_t *input = map_input ();
  time_t end = time (NULL) + seconds;
  unsigned long runs = 0;

  for (; time (NULL) < end; runs++)
    {
      struct seed const *s = &seeds[chance (count)];
      size_t size = s->size;
      memcpy (input, s->bytes, size);
      for (size_t i = chance (8); 0 < i; i--)
        size = mutate (input, size, &seeds[chance (count)]);
      if (t->repair && chance (8))
        t->repair (input, size);
      alarm (INPUT_TIME);
      /* A copy, so that what is read beyond its end is noticed.  */
      uint8_t *copy = ximemdup (input, size);
      t->run (copy, size);
      free (copy);
    }
  alarm (0);
  unlink ("fuzz-input");
  return runs;
}

int
main (int argc, char **argv)
{
  static struct seed seeds[SEEDS_MAX];

  set_program_name (argv[0]);
  struct target const *t = 2 < argc ? targets_find (argv[1]) : NULL;
  if (!t)
    {
      fprintf (stderr, "Usage: fuzz TARGET SECONDS DIRECTORY [SEED]\n"
                       "       fuzz TARGET FILE\n");
      return 2;
    }
  if (argc == 3)
    {
      struct seed s = read_file (argv[2]);
      t->run (s.bytes, s.size);
      return 0;
    }
  size_t count = read_seeds (argv[3], seeds);
  state = 4 < argc ? strtoul (argv[4], NULL, 10) : (unsigned long)time (NULL);
  printf ("%s: seed %ju\n", t->name, (uintmax_t)state);
  state = state * 2 + 1;
  fflush (stdout);
  /* What the targets say is of no interest.  */
  if (!freopen ("/dev/null", "w", stderr))
    return 2;
  printf ("%s: %lu inputs\n", t->name,
          run_for (t, atoi (argv[2]), seeds, count));
  return 0;
}
