/* Members to archive bytes, in any of the formats that can be written.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef WRITER_H
#define WRITER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "io/records.h"
#include "member.h"
#include "payload.h"

enum writer_note_kind
{
  WRITER_NOTE_NAME_TOO_LONG, /* not storable in this format; not dumped */
  WRITER_NOTE_LINK_TOO_LONG,
  WRITER_NOTE_RANGE,   /* value out of the field's range; not dumped */
  WRITER_NOTE_SHRANK,  /* count: bytes that were missing, padded with zeros */
  WRITER_NOTE_READ_ERROR /* of the payload: errnum; padded with zeros */
};

struct writer_note
{
  enum writer_note_kind kind;
  char const *name;
  char const *text;  /* RANGE: the value and its limits, as printed */
  off_t count;
  off_t size;
  int errnum;
};

struct writer_settings
{
  enum member_format format;
  bool numeric_owner; /* store no user and group names */
  bool posixly_correct;
  void (*note) (void *arg, struct writer_note const *note);
  void *note_arg;
};

struct writer;

/* A writer onto R, which stays the caller's.  Never NULL (xalloc).  */
struct writer *writer_new (struct records *r,
                           struct writer_settings const *settings);
void writer_free (struct writer *w);

/* Write M's headers, and M's data from P (NULL if it has none), padded to
   whole blocks; *RET_STORED false means that M cannot be stored in this format
   (a note said why) and nothing was written.  Return 0 or the errno of a
   write, after which the archive is unusable.  */
int writer_put (struct writer *w, struct member const *m, struct payload *p,
                bool *ret_stored);

/* Write the two end-of-archive blocks.  Return 0 or an errno.  */
int writer_finish (struct writer *w);

#endif
