/* Call the engine for one range of two files and print what it did.
   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "reflink.h"

static char const *const modes[] = { "never", "auto", "always", NULL };
static char const *const strategies[]
    = { "auto", "tail", "trunc", "write", NULL };
static char const *const whys[]
    = { "shared",  "too-small", "unaligned", "unsupported",
        "refused", "by-choice", NULL };
static char const *const wheres[]
    = { "none", "source", "destination", "clone", NULL };

static _Noreturn void
die (char const *what, int err)
{
  fprintf (stderr, "range: %s: %s\n", what, strerror (err));
  exit (2);
}

static _Noreturn void
usage (void)
{
  fputs ("Usage: range [--mode=MODE] [--strategy=STRATEGY] [--inner]"
         " [--append]\n             [--shrink=SIZE] SRC OFFSET LENGTH DST"
         " [OFFSET]\n"
         "--inner: the range does not end DST.  --shrink: truncate SRC after"
         " the engine\nhas seen its size.\n",
         stderr);
  exit (2);
}

static int
choice (char const *const *names, char const *name)
{
  for (int i = 0; names[i]; i++)
    if (strcmp (names[i], name) == 0)
      return i;
  usage ();
}

static off_t
number (char const *text)
{
  char *end;
  errno = 0;
  intmax_t n = strtoimax (text, &end, 10);
  if (errno || *end || end == text)
    usage ();
  return n;
}

static void
print_errno (char const *label, int err)
{
  static struct
  {
    int err;
    char const *name;
  } const names[] = {
    { EBADF, "EBADF" },   { EINVAL, "EINVAL" },         { EIO, "EIO" },
    { ENOSPC, "ENOSPC" }, { EOPNOTSUPP, "EOPNOTSUPP" }, { EXDEV, "EXDEV" },
    { EPERM, "EPERM" },   { ENODATA, "ENODATA" },       { EAGAIN, "EAGAIN" },
  };
  char const *name = "other";
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (names[i].err == err)
      name = names[i].name;
  printf ("%s=%s ", label, name);
}

struct job
{
  enum reflink_mode mode;
  enum reflink_strategy strategy;
  int flags;
  int append; /* O_APPEND or 0 */
  char const *shrink;
  char const *src;
  off_t src_off;
  off_t len;
  char const *dst;
  off_t dst_off;
};

static int
run (struct job const *job)
{
  int src = open (job->src, O_RDONLY | O_CLOEXEC);
  if (src < 0)
    die (job->src, errno);
  int dst = open (job->dst, O_WRONLY | O_CREAT | O_CLOEXEC | job->append, 0600);
  if (dst < 0)
    die (job->dst, errno);

  struct stat st;
  struct reflink_source source;
  struct reflink_cache *cache;
  struct reflink_pair *pair;
  int err = reflink_source_init (&source, src);
  if (!err)
    err = reflink_cache_new (job->mode, job->strategy, &source, &cache);
  if (!err && fstat (dst, &st) < 0)
    err = errno;
  if (!err)
    err = reflink_cache_find (cache, st.st_dev, dst, &pair);
  if (!err && job->shrink && truncate (job->src, number (job->shrink)) < 0)
    err = errno;
  if (err)
    die (job->src, err);

  struct reflink_result result;
  err = reflink_range (pair, job->src_off, dst, job->dst_off, job->len,
                       job->flags, &result);
  if (err)
    {
      print_errno ("error", err);
      printf ("where=%s ", wheres[result.where]);
    }
  printf ("%s ", whys[result.why]);
  if (result.errnum)
    print_errno ("errno", result.errnum);
  printf ("shared=%jd copied=%jd unit=%jd %s\n", (intmax_t)result.shared,
          (intmax_t)result.copied, (intmax_t)reflink_pair_unit (pair),
          strategies[reflink_pair_strategy (pair)]);

  reflink_cache_free (cache);
  close (src);
  close (dst);
  return err ? EXIT_FAILURE : EXIT_SUCCESS;
}

int
main (int argc, char **argv)
{
  static struct option const options[]
      = { { "mode", required_argument, NULL, 'm' },
          { "strategy", required_argument, NULL, 's' },
          { "inner", no_argument, NULL, 'i' },
          { "append", no_argument, NULL, 'a' },
          { "shrink", required_argument, NULL, 'k' },
          { NULL, 0, NULL, 0 } };
  struct job job = { .mode = REFLINK_AUTO, .flags = REFLINK_LAST };
  int c;
  while ((c = getopt_long (argc, argv, "+", options, NULL)) != -1)
    switch (c)
      {
      case 'm':
        job.mode = choice (modes, optarg);
        break;
      case 's':
        job.strategy = choice (strategies, optarg);
        break;
      case 'i':
        job.flags = 0;
        break;
      case 'a':
        job.append = O_APPEND;
        break;
      case 'k':
        job.shrink = optarg;
        break;
      default:
        usage ();
      }
  argc -= optind;
  argv += optind;
  if (argc < 4 || 5 < argc)
    usage ();
  job.src = argv[0];
  job.src_off = number (argv[1]);
  job.len = number (argv[2]);
  job.dst = argv[3];
  job.dst_off = argc == 5 ? number (argv[4]) : 0;
  return run (&job);
}
