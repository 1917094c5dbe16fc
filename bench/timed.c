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
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common.h"

extern char **environ;

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
    common_die (dir < 0 ? argv[1] : argv[2]);
  if (syncfs (dir) < 0)
    common_die (argv[1]);

  char *words[] = { "sh", "-c", argv[3], NULL };
  struct rusage usage;
  int status;
  pid_t child;
  double start = common_now ();
  errno = posix_spawnp (&child, "sh", NULL, NULL, words, environ);
  if (errno)
    common_die ("sh");
  while (waitpid (child, &status, 0) < 0)
    if (errno != EINTR)
      common_die ("wait");
  if (syncfs (dir) < 0)
    common_die (argv[1]);
  double seconds = common_now () - start;

  getrusage (RUSAGE_CHILDREN, &usage);
  fprintf (result, "%.4f %ld\n", seconds, usage.ru_maxrss);
  if (fclose (result) != 0)
    common_die (argv[2]);
  return WIFEXITED (status) ? WEXITSTATUS (status) : EXIT_FAILURE;
}
