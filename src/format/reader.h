/* Archive bytes to members: finds headers, merges extended headers, skips
   what cannot be read, and says what it met through a callback.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef READER_H
#define READER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "format/number.h"
#include "io/records.h"
#include "member.h"
#include "payload.h"

/* What the reader tells its caller besides members.  The reader itself prints
   nothing; reader-notes.c turns these into GNU tar's messages.  The comments
   name the fields of struct reader_note that are set, besides kind and
   block.  */
enum reader_note_kind
{
  READER_NOTE_NOT_TAR,          /* the archive does not begin with a header */
  READER_NOTE_SKIPPING,         /* skipping to next header */
  READER_NOTE_LONE_ZERO,        /* one zero block, which ends the archive */
  READER_NOTE_AFTER_ZERO,       /* data follows that zero block */
  READER_NOTE_ZERO_BLOCK,       /* -i: a block of zeros was passed; for -R */
  READER_NOTE_END_BLOCKS,       /* the two zero blocks; for -R */
  READER_NOTE_END_OF_FILE,      /* no more blocks; for -R */
  READER_NOTE_MISSING_END,      /* archive ended without end blocks */
  READER_NOTE_UNEXPECTED_EOF,   /* archive ended within a member */
  READER_NOTE_CUT,              /* likewise, under cut_is_end */
  READER_NOTE_READ_ERROR,       /* errnum */
  READER_NOTE_NUMBER,           /* header field: status, text, number, limits */
  READER_NOTE_BASE64,           /* a number in that notation; said once */
  READER_NOTE_BAD_PAX,          /* malformed extended header: pax_fault, text */
  READER_NOTE_PAX_VALUE,        /* value that is none: keyword, text */
  READER_NOTE_PAX_RANGE,        /* out of range: keyword, text, limits */
  READER_NOTE_PAX_EXCESS,       /* more than announced: keyword, text */
  READER_NOTE_PAX_ODD,          /* odd number of values: keyword */
  READER_NOTE_UNKNOWN_KEYWORD,  /* keyword */
  READER_NOTE_BAD_SPARSE,       /* sparse map that makes no sense: name */
  READER_NOTE_MALFORMED_SPARSE, /* sparse map that cannot be read: name */
  READER_NOTE_TOO_LARGE         /* metadata beyond the bound: count is the size
                                   of the header's data, in bytes */
};

/* What is wrong with the form of an extended header.  */
enum reader_pax_fault
{
  READER_PAX_NO_LENGTH,
  READER_PAX_BAD_LENGTH, /* text: the digits */
  READER_PAX_NO_BLANK,
  READER_PAX_NO_EQUAL_SIGN,
  READER_PAX_NO_NEWLINE
};

struct reader_note
{
  enum reader_note_kind kind;
  off_t block; /* number of the block after the one that it is about; for
                  ZERO_BLOCK and END_BLOCKS, of that block */
  int errnum;
  char const *name; /* the member */
  char const *text; /* not NUL-terminated, and may hold NULs */
  size_t text_length;
  char const *keyword; /* likewise */
  size_t keyword_length;
  enum number_status status;
  struct number const *number;
  struct number_limits const *limits;
  enum reader_pax_fault pax_fault;
  off_t count;
};

struct reader_settings
{
  bool ignore_zeros; /* -i */
  /* Where the archive ends in data that was being read, it ends as one without
     end blocks does.  */
  bool cut_is_end;
  struct pax_edits const *pax_edits; /* the user's changes, or NULL */
  void (*note) (void *arg, struct reader_note const *note);
  void *note_arg;
  /* Unless NULL, called for each global pax header: its header block, and its
     LENGTH bytes of records.  */
  void (*global) (void *arg, char const *header, char const *bytes,
                  size_t length);
  void *global_arg;
};

enum reader_step
{
  READER_MEMBER,
  READER_END,
  READER_FATAL /* a note said why, or who gives volumes did */
};

/* Where a reader stops for want of bytes.  */
enum reader_place
{
  READER_BETWEEN,    /* members */
  READER_IN_HEADERS, /* of a member */
  READER_IN_DATA
};

/* The member whose data it stops in.  */
struct reader_pending
{
  char const *name;
  off_t left;       /* bytes of data in the archive that are not there yet */
  off_t whole;      /* bytes of the file */
  bool before_data; /* LEFT includes a sparse map */
};

struct reader;

/* A reader on R, which stays the caller's.  Never NULL (xalloc).  */
struct reader *reader_new (struct records *r,
                           struct reader_settings const *settings);
void reader_free (struct reader *reader);

/* Skip what is left of the last member's data, and find the next.  On
   READER_MEMBER, *MEMBER and *PAYLOAD belong to the reader and stay valid
   until the next call.  MEMBER's name is its stored_name.  When a function of
   the payload fails, nobody else need report it: the next call says what was
   wrong, and goes on if the archive can be read on.  */
enum reader_step reader_next (struct reader *reader, struct member **member,
                              struct payload **payload);

/* Once reader_next returned READER_END: where the archive's members end, its
   first end-of-archive block if it has one (*RET_HAS_ZEROS), or the end of
   file.  Return false if it is no tar archive: no header was found in what is
   not empty.  */
bool reader_end (struct reader const *reader, off_t *ret, bool *ret_has_zeros);

/* Where the member that reader_next returned last lies, with its own extended
   headers (not global ones) and the padding of its data.  Bytes from the
   archive's start.  */
void reader_extent (struct reader const *reader, off_t *ret_start,
                    off_t *ret_end);

/* Where the reader is if the archive has had AT bytes so far and it wants more;
 *RET is set if that is in data.  */
enum reader_place reader_place (struct reader const *reader, off_t at,
                                struct reader_pending *ret);

/* Whether the data of the member that reader_next returned last cannot be made
   out.  A note tells so when the member is left.  */
bool reader_is_bad (struct reader const *reader);

/* The pax records that the member reader_next returned last has in its own
   header, as they are there; *RET_LENGTH 0: none.  Valid as the member is.  */
void reader_pax_records (struct reader const *reader, char const **ret,
                         size_t *ret_length);

#endif
