/* Extract an archive with nothing but the system calls it takes.
   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

/* How fast could an extraction be?  `--list' writes down what is in an
   archive; `--run' makes it, with no archive reading, no checks and no
   safety: it is a yardstick for benchmarks, not a tool.  */

#include <config.h>

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <linux/fs.h>

#include "common.h"
#include "reflink.h"

enum
{
  BLOCK = 512,
  MAX_JOBS = 64,
  MAX_RECORDS = 1 << 20 /* of bytes in an extended header */
};

struct member
{
  char type; /* as in the header: '0', '1', '2', '5' */
  mode_t mode;
  struct timespec mtime;
  off_t size;
  off_t offset; /* of the data in the archive */
  char *name;
  char *link;
};

static void *
check (void *p)
{
  if (!p)
    common_die ("memory");
  return p;
}

/* --list: a list is a sequence of "TYPE MODE SECONDS NANOSECONDS SIZE
   OFFSET", NUL, name, NUL, link, NUL.  */

/* What extended headers say of the next member; null or negative: nothing.  */
struct extension
{
  char *name;
  char *link;
  off_t size;
  bool has_mtime;
  struct timespec mtime;
};

static intmax_t
number (unsigned char const *field, size_t size)
{
  uintmax_t n = 0;
  if (*field & 0x80)
    {
      for (size_t i = 1; i < size; i++)
        n = n << 8 | field[i];
      return n;
    }
  for (size_t i = 0; i < size && field[i]; i++)
    if ('0' <= field[i] && field[i] <= '7')
      n = n << 3 | (field[i] - '0');
  return n;
}

static void
parse_time (char const *text, struct extension *e)
{
  char *end;
  e->has_mtime = true;
  e->mtime.tv_sec = strtoimax (text, &end, 10);
  e->mtime.tv_nsec = 0;
  if (*end == '.')
    for (long scale = 100000000; *++end && scale; scale /= 10)
      e->mtime.tv_nsec += (*end - '0') * scale;
}

/* Take over what matters of the pax records in TEXT.  */
static void
parse_records (char *text, size_t size, struct extension *e)
{
  char *limit = text + size;
  while (text < limit)
    {
      char *keyword;
      uintmax_t len = strtoumax (text, &keyword, 10);
      char *equals = strchr (keyword, '=');
      if (len < 5 || (uintmax_t)(limit - text) < len || !equals)
        return;
      text[len - 1] = '\0';
      *equals++ = '\0';
      if (strcmp (keyword, " path") == 0)
        e->name = check (strdup (equals));
      else if (strcmp (keyword, " linkpath") == 0)
        e->link = check (strdup (equals));
      else if (strcmp (keyword, " size") == 0)
        e->size = strtoimax (equals, NULL, 10);
      else if (strcmp (keyword, " mtime") == 0)
        parse_time (equals, e);
      text += len;
    }
}

static void
take_extension (FILE *archive, char type, off_t size, struct extension *e)
{
  if (MAX_RECORDS < size)
    {
      errno = EFBIG;
      common_die ("extended header");
    }
  char *text = check (calloc (1, size + 1));
  if (fread (text, 1, size, archive) != (size_t)size)
    common_die ("extended header");
  if (type == 'L')
    e->name = check (strdup (text));
  else if (type == 'K')
    e->link = check (strdup (text));
  else if (type == 'x')
    parse_records (text, size, e);
  free (text);
}

/* Print the member with header H, and return the size of its data.  */
static off_t
list_member (unsigned char const *h, struct extension const *e, off_t offset)
{
  char name[257], link[101];
  if (memcmp (h + 257, "ustar\0", 6) == 0 && h[345])
    snprintf (name, sizeof name, "%.155s/%.100s", h + 345, h);
  else
    snprintf (name, sizeof name, "%.100s", h);
  snprintf (link, sizeof link, "%.100s", h + 157);
  char const *shown = e->name ? e->name : name;

  char type = h[156] == 0 || h[156] == '7' ? '0' : h[156];
  if (type == '0' && *shown && shown[strlen (shown) - 1] == '/')
    type = '5';
  off_t size = e->size < 0 ? number (h + 124, 12) : e->size;
  if (type == '1' || type == '2' || type == '5')
    size = 0;
  struct timespec mtime = { .tv_sec = number (h + 136, 12) };
  if (e->has_mtime)
    mtime = e->mtime;
  if (strchr ("0125", type))
    printf ("%c %jo %jd %ld %jd %jd%c%s%c%s%c", type,
            (uintmax_t)number (h + 100, 8) & 07777, (intmax_t)mtime.tv_sec,
            (long)mtime.tv_nsec, (intmax_t)size, (intmax_t)offset, 0, shown, 0,
            e->link ? e->link : link, 0);
  return size;
}

static void
list (char const *archive_name)
{
  FILE *archive = fopen (archive_name, "r");
  if (!archive)
    common_die (archive_name);
  unsigned char h[BLOCK];
  struct extension e = { .size = -1 };
  while (fread (h, 1, BLOCK, archive) == BLOCK && h[0])
    {
      off_t offset = ftello (archive);
      off_t size = number (h + 124, 12);
      if (strchr ("xgLK", h[156]) && h[156])
        take_extension (archive, h[156], size, &e);
      else
        {
          size = list_member (h, &e, offset);
          free (e.name);
          free (e.link);
          e = (struct extension){ .size = -1 };
        }
      if (fseeko (archive, offset + (size + BLOCK - 1) / BLOCK * BLOCK,
                  SEEK_SET)
          < 0)
        common_die (archive_name);
    }
  fclose (archive);
  if (fflush (stdout) != 0)
    common_die ("standard output");
}

/* --run */

enum how
{
  WRITE,
  TAIL,
  TRUNC
};

struct job
{
  struct member const *members;
  size_t n_members;
  enum how how;
  int archive;
  off_t archive_size;
  char const *bytes; /* the archive, mapped */
  int dest;
  off_t unit;
};

static void
set_times (int dir, struct member const *m, int flags)
{
  struct timespec times[2] = { { .tv_nsec = UTIME_OMIT }, m->mtime };
  if (utimensat (dir, m->name, times, flags) < 0)
    common_die (m->name);
}

static void
put (struct job const *job, struct member const *m, int fd, off_t skip)
{
  while (skip < m->size)
    {
      ssize_t n
          = pwrite (fd, job->bytes + m->offset + skip, m->size - skip, skip);
      if (n <= 0)
        common_die (m->name);
      skip += n;
    }
}

static void
make_file (struct job const *job, struct member const *m)
{
  int fd = openat (job->dest, m->name, O_WRONLY | O_CREAT | O_EXCL, m->mode);
  if (fd < 0)
    common_die (m->name);

  off_t part = m->size % job->unit;
  off_t cloned = m->size - part;
  if (job->how == WRITE || m->offset % job->unit != 0)
    cloned = 0;
  /* What is rounded up has to lie inside the archive.  */
  if (cloned && part && job->how == TRUNC
      && m->offset + cloned + job->unit <= job->archive_size)
    cloned += job->unit;
  if (cloned)
    {
      struct file_clone_range range = { .src_fd = job->archive,
                                        .src_offset = m->offset,
                                        .src_length = cloned };
      if (ioctl (fd, FICLONERANGE, &range) < 0)
        common_die (m->name);
    }
  if (m->size < cloned && ftruncate (fd, m->size) < 0)
    common_die (m->name);
  put (job, m, fd, cloned);
  struct timespec times[2] = { { .tv_nsec = UTIME_OMIT }, m->mtime };
  if (futimens (fd, times) < 0 || close (fd) < 0)
    common_die (m->name);
}

static void *
make_files (void *arg)
{
  struct job const *job = arg;
  for (size_t i = 0; i < job->n_members; i++)
    if (job->members[i].type == '0')
      make_file (job, &job->members[i]);
  return NULL;
}

/* Make all files, in N threads that take a stretch of the archive each.  */
static void
run_jobs (struct job const *whole, size_t n)
{
  struct job jobs[MAX_JOBS];
  pthread_t threads[MAX_JOBS];
  size_t share = (whole->n_members + n - 1) / n;
  for (size_t i = 0; i < n; i++)
    {
      size_t start = i * share;
      if (whole->n_members < start)
        start = whole->n_members;
      jobs[i] = *whole;
      jobs[i].members += start;
      jobs[i].n_members = whole->n_members - start;
      if (share < jobs[i].n_members)
        jobs[i].n_members = share;
    }
  for (size_t i = 1; i < n; i++)
    if ((errno = pthread_create (&threads[i], NULL, make_files, &jobs[i])))
      common_die ("pthread_create");
  make_files (&jobs[0]);
  for (size_t i = 1; i < n; i++)
    pthread_join (threads[i], NULL);
}

/* Directories first, as threads may need any of them; their times last, as
   making files moves them.  */
static void
make_all (struct job const *job, size_t n_jobs)
{
  struct member const *end = job->members + job->n_members;
  for (struct member const *m = job->members; m < end; m++)
    if (m->type == '5' && mkdirat (job->dest, m->name, m->mode) < 0
        && errno != EEXIST)
      common_die (m->name);
  run_jobs (job, n_jobs);
  for (struct member const *m = job->members; m < end; m++)
    if (m->type == '2')
      {
        if (symlinkat (m->link, job->dest, m->name) < 0)
          common_die (m->name);
        set_times (job->dest, m, AT_SYMLINK_NOFOLLOW);
      }
    else if (m->type == '1'
             && linkat (job->dest, m->link, job->dest, m->name, 0) < 0)
      common_die (m->name);
  for (struct member const *m = job->members; m < end; m++)
    if (m->type == '5')
      set_times (job->dest, m, 0);
}

static char *
read_field (FILE *file)
{
  char *text = NULL;
  size_t size = 0;
  if (getdelim (&text, &size, '\0', file) < 0)
    {
      free (text);
      return NULL;
    }
  return text;
}

static struct member *
read_list (char const *name, size_t *ret_n)
{
  FILE *file = fopen (name, "r");
  if (!file)
    common_die (name);
  struct member *members = NULL;
  size_t n = 0, room = 0;
  for (char *line; (line = read_field (file)); free (line))
    {
      if (n == room)
        {
          room = room ? 2 * room : 1024;
          members = check (realloc (members, room * sizeof *members));
        }
      struct member *m = &members[n++];
      uintmax_t mode;
      intmax_t seconds, size, offset;
      if (sscanf (line, "%c %jo %jd %ld %jd %jd", &m->type, &mode, &seconds,
                  &m->mtime.tv_nsec, &size, &offset)
          != 6)
        {
          errno = EINVAL;
          common_die (name);
        }
      m->mode = mode;
      m->mtime.tv_sec = seconds;
      m->size = size;
      m->offset = offset;
      m->name = check (read_field (file));
      m->link = check (read_field (file));
    }
  fclose (file);
  *ret_n = n;
  return members;
}

static void
run (enum how how, size_t n_jobs, char const *list_name,
     char const *archive_name, char const *dest_name)
{
  struct job job = { .how = how };
  struct stat st;
  job.members = read_list (list_name, &job.n_members);
  job.archive = open (archive_name, O_RDONLY | O_CLOEXEC);
  if (job.archive < 0 || fstat (job.archive, &st) < 0)
    common_die (archive_name);
  job.archive_size = st.st_size;
  job.bytes = mmap (NULL, st.st_size, PROT_READ, MAP_SHARED, job.archive, 0);
  if (job.bytes == MAP_FAILED)
    common_die (archive_name);
  job.dest = open (dest_name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (job.dest < 0)
    common_die (dest_name);
  job.unit = reflink_unit (job.dest);
  umask (0);

  double start = common_now ();
  make_all (&job, n_jobs);
  double made = common_now ();
  if (syncfs (job.dest) < 0)
    common_die ("syncfs");
  double synced = common_now ();
  printf ("extract %.3f s, sync %.3f s, together %.3f s\n", made - start,
          synced - made, synced - start);
}

static _Noreturn void
usage (void)
{
  fputs ("Usage: floor --list ARCHIVE > LIST\n"
         "       floor --run=write|tail|trunc [--jobs=N] LIST ARCHIVE"
         " DESTDIR\n",
         stderr);
  exit (EXIT_FAILURE);
}

int
main (int argc, char **argv)
{
  static struct option const options[]
      = { { "list", required_argument, NULL, 'l' },
          { "run", required_argument, NULL, 'r' },
          { "jobs", required_argument, NULL, 'j' },
          { NULL, 0, NULL, 0 } };
  static char const *const hows[] = { "write", "tail", "trunc" };
  int how = -1;
  long jobs = 1;
  int c;
  while ((c = getopt_long (argc, argv, "", options, NULL)) != -1)
    if (c == 'l')
      {
        list (optarg);
        return EXIT_SUCCESS;
      }
    else if (c == 'j')
      jobs = strtol (optarg, NULL, 10);
    else if (c == 'r')
      {
        for (int i = 0; i < 3; i++)
          if (strcmp (optarg, hows[i]) == 0)
            how = i;
      }
    else
      usage ();
  if (how < 0 || jobs < 1 || MAX_JOBS < jobs || argc - optind != 3)
    usage ();
  run (how, jobs, argv[optind], argv[optind + 1], argv[optind + 2]);
  return EXIT_SUCCESS;
}
