/* Run a command and sync: how long, and how much memory.
   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

/* Prints seconds, until what the command wrote to DIR's file system is on its
   disk, and the peak of resident memory, in KiB, of the largest process.
   A process's peak counts from before its exec, so whoever starts it has to be
   small, as this is.  */

#include <config.h>

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static _Noreturn void
die (char const *what, int errnum)
{
  fprintf (stderr, "timed: %s: %s\n", what, strerror (errnum));
  exit (EXIT_FAILURE);
}

static double
now (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return t.tv_sec + t.tv_nsec / 1e9;
}

int
main (int argc, char **argv)
{
  if (argc != 4)
    {
      fputs ("Usage: timed DIR RESULT COMMAND\n", stderr);
      return EXIT_FAILURE;
    }

  int dir = open (argv[1], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  FILE *result = fopen (argv[2], "we");
  if (dir < 0 || !result)
    die (dir < 0 ? argv[1] : argv[2], errno);
  if (syncfs (dir) < 0)
    die (argv[1], errno);

  char *words[] = { "sh", "-c", argv[3], NULL };
  struct rusage usage;
  int status;
  pid_t child;
  double start = now ();
  int err = posix_spawnp (&child, "sh", NULL, NULL, words, environ);
  if (err)
    die ("sh", err);
  while (waitpid (child, &status, 0) < 0)
    if (errno != EINTR)
      die ("wait", errno);
  if (syncfs (dir) < 0)
    die (argv[1], errno);
  double seconds = now () - start;

  getrusage (RUSAGE_CHILDREN, &usage);
  fprintf (result, "%.4f %ld\n", seconds, usage.ru_maxrss);
  if (fclose (result) != 0)
    die (argv[2], errno);
  return WIFEXITED (status) ? WEXITSTATUS (status) : EXIT_FAILURE;
}
