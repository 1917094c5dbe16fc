/* The targets for clang's libFuzzer; FUZZ_TARGET in the environment names
   one.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "targets.h"

#include <stdio.h>
#include <stdlib.h>

#include "progname.h"

size_t LLVMFuzzerMutate (uint8_t *data, size_t size, size_t max);
int LLVMFuzzerInitialize (int *argc, char ***argv);
int LLVMFuzzerTestOneInput (uint8_t const *data, size_t size);
size_t LLVMFuzzerCustomMutator (uint8_t *data, size_t size, size_t max,
                                unsigned seed);

static struct target const *
target (void)
{
  char const *name = getenv ("FUZZ_TARGET");
  struct target const *t = targets_find (name ? name : "archive");
  if (!t)
    {
      fprintf (stderr, "FUZZ_TARGET: no such target\n");
      exit (99);
    }
  return t;
}

int
LLVMFuzzerInitialize (int *argc, char ***argv)
{
  (void)argc;
  set_program_name ((*argv)[0]);
  return 0;
}

int
LLVMFuzzerTestOneInput (uint8_t const *data, size_t size)
{
  target ()->run (data, size);
  return 0;
}

size_t
LLVMFuzzerCustomMutator (uint8_t *data, size_t size, size_t max, unsigned seed)
{
  size_t n = LLVMFuzzerMutate (data, size, max);
  if (target ()->repair && seed % 8)
    target ()->repair (data, n);
  return n;
}
