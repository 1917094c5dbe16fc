/* The table of what is fuzzed, and what the targets share.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "targets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "xalloc.h"

struct target const targets[] = {
  { "archive", archive_run, archive_repair },
  { "dumpdir", dumpdir_run, NULL },
  { "snapshot", snapshot_run, NULL },
  { "names", names_run, NULL },
  { "transform", transform_run, NULL },
  { "pax-option", pax_option_run, NULL },
  { "checkpoint", checkpoint_run_text, NULL },
  { NULL, NULL, NULL },
};

struct target const *
targets_find (char const *name)
{
  for (struct target const *t = targets; t->name; t++)
    if (strcmp (t->name, name) == 0)
      return t;
  return NULL;
}

int
targets_file (uint8_t const *data, size_t size)
{
  int fd = memfd_create ("input", MFD_CLOEXEC);
  if (fd < 0 || write (fd, data, size) != (ssize_t)size
      || lseek (fd, 0, SEEK_SET) < 0)
    {
      perror ("memfd_create");
      _exit (99);
    }
  return fd;
}

char *
targets_string (uint8_t const *data, size_t size)
{
  return ximemdup0 (data, strnlen ((char const *)data, size));
}
