/* What the parts of the comparing sink share.  For differ*.c only.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef DIFFER_PRIVATE_H
#define DIFFER_PRIVATE_H

#include <sys/stat.h>

#include "extents.h"
#include "fs/attributes.h"
#include "fs/differ.h"

struct differ
{
  struct differ_settings settings;
  struct report *report;
  struct attributes_settings owner_settings;
  struct attributes *owners; /* knows what owners' names mean here */
  char *buffer;              /* DIFFER_BUFFER bytes */
  struct differ_counts counts;
  struct extents_walk *walk; /* over the archive's extents; NULL: none yet */
  bool can_walk;             /* the archive has extents that can be asked for */
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

/* A comparison of data going on.  All of the file before POSITION is
   equal.  */
struct differ_comparison
{
  struct differ_item *i;
  int fd;
  off_t position;
  off_t shared; /* bytes that were not read because they are shared */
  bool apart;   /* nothing more of the file can be shown to be shared */
  bool owned;   /* a whole clone unit is not shared */
};

/* Compare the data of I's member with that of the regular file FD, whose size
   is as expected.  */
void differ_data (struct differ_item *i, int fd);

/* Whether LENGTH BYTES are those at C's position, which advances.  If not,
   that, or an error, was reported.  */
bool differ_bytes (struct differ_comparison *c, char const *bytes,
                   off_t length);

/* Compare the data that SEG, from payload_extent, describes, and which belongs
   at C's position.  What the archive and the file share is not read.  False
   as differ_bytes, or the archive failed, which its source will say.  True:
   go on, after C's position; nothing may have been done if C is apart.  */
bool differ_extent (struct differ_comparison *c,
                    struct payload_segment const *seg);

/* Note that LENGTH bytes at OFFSET of C's file may not be shared: a difference
   under `always' if there is a whole clone unit in them.  */
void differ_note_owned (struct differ_comparison *c, off_t offset,
                        off_t length);

#endif
