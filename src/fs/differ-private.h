/* What the parts of the comparing sink share.  For differ*.c only.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef DIFFER_PRIVATE_H
#define DIFFER_PRIVATE_H

#include <sys/stat.h>

#include "fs/attributes.h"
#include "fs/differ.h"

struct differ
{
  struct differ_settings settings;
  struct report *report;
  struct attributes_settings owner_settings;
  struct attributes *owners; /* knows what owners' names mean here */
  char *buffer;              /* DIFFER_BUFFER bytes */
};

enum
{
  DIFFER_BUFFER = 128 * 1024
};

/* A member being compared.  */
struct differ_item
{
  struct differ *d;
  struct member const *m;
  struct payload *payload; /* NULL: no data */
  int base_fd;             /* NAME is relative to it */
  char const *name;
  struct stat st; /* of the file */
};

/* Tell a difference: I's name, ": ", and FORMAT with what follows.  */
void differ_say (struct differ_item const *i, char const *format, ...)
    __attribute__ ((format (printf, 2, 3)));

/* Compare the data of I's member with that of the regular file FD, whose size
   is as expected.  */
void differ_data (struct differ_item *i, int fd);

#endif
