/* What the benchmarks have in common.
   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "common.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void
common_die (char const *what)
{
  fprintf (stderr, "%s: %s: %s\n", program_invocation_short_name, what,
           strerror (errno));
  exit (EXIT_FAILURE);
}

double
common_now (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return t.tv_sec + t.tv_nsec / 1e9;
}
