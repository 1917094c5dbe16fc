/* Archive bytes to members: finds headers, merges extended headers, skips
   what cannot be read, and says what it met through a callback.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef READER_H
#define READER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "io/records.h"
#include "member.h"
#include "payload.h"

/* What the reader tells its caller besides members.  The reader itself prints
   nothing; reader-notes.c turns these into GNU tar's messages.  */
enum reader_note_kind
{
  READER_NOTE_NOT_TAR,        /* first block is no header */
  READER_NOTE_SKIPPING,       /* skipping to next header */
  READER_NOTE_LONE_ZERO,      /* block: its number */
  READER_NOTE_ZERO_BLOCK,     /* -i: blocks of zeros passed; for -R */
  READER_NOTE_END_BLOCKS,     /* the two zero blocks; for -R */
  READER_NOTE_MISSING_END,    /* archive ended without end blocks */
  READER_NOTE_UNEXPECTED_EOF, /* archive ended within a member */
  READER_NOTE_READ_ERROR,     /* errnum */
  READER_NOTE_RANGE,          /* a number field out of range: text, lo, hi */
  READER_NOTE_BAD_NUMBER,     /* text, type (mode_t, off_t ...) */
  READER_NOTE_UNKNOWN_KEYWORD,
  READER_NOTE_BAD_PAX,        /* malformed extended header: text */
  READER_NOTE_BAD_SPARSE,     /* sparse map cannot be read */
  READER_NOTE_TOO_LARGE       /* metadata beyond the bound */
  /* more as the reader needs them */
};

struct reader_note
{
  enum reader_note_kind kind;
  off_t block;
  int errnum;
  char const *name; /* the member, if known */
  char const *text; /* kind-dependent, for the message */
};

struct reader_settings
{
  bool ignore_zeros;    /* -i */
  char const *const *pax_delete; /* later: --pax-option */
  void (*note) (void *arg, struct reader_note const *note);
  void *note_arg;
};

enum reader_step
{
  READER_MEMBER,
  READER_END,
  READER_FATAL /* a note said why */
};

struct reader;

/* A reader on R, which stays the caller's.  Never NULL (xalloc).  */
struct reader *reader_new (struct records *r,
                           struct reader_settings const *settings);
void reader_free (struct reader *reader);

/* Skip what is left of the last member's data, and find the next.  On
   READER_MEMBER, *MEMBER and *PAYLOAD belong to the reader and stay valid
   until the next call.  Payload errors other than end of data mean that the
   next call ends the archive.  */
enum reader_step reader_next (struct reader *reader, struct member **member,
                              struct payload **payload);

#endif
