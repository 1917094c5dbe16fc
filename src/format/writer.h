/* Members to archive bytes, in any of the formats that can be written.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef WRITER_H
#define WRITER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#include "format/number.h"
#include "format/pax-edits.h"
#include "idx.h"
#include "io/records.h"
#include "member.h"
#include "payload.h"
#include "reflink.h"
#include "sharing.h"

enum writer_note_kind
{
  /* The member was refused, and nothing of it written.  */
  WRITER_NOTE_NAME_TOO_LONG, /* count: the limit, 0: it cannot be split */
  WRITER_NOTE_LINK_TOO_LONG, /* name: the link's target */
  WRITER_NOTE_RANGE,         /* value does not fit limits */
  WRITER_NOTE_TYPE,          /* the format has no such type of member */
  WRITER_NOTE_NOT_SHARED,    /* it must be (REFLINK_ALWAYS): reason, errnum */
  /* The member is continued under a name that was cut.  */
  WRITER_NOTE_CONTINUATION_CUT,
  /* The member's data was padded with zeros.  */
  WRITER_NOTE_SHRANK,    /* count: bytes that were missing, holes included */
  WRITER_NOTE_READ_ERROR /* errnum; count: offset in the data; size: bytes
                            that were to be read */
};

struct writer_note
{
  enum writer_note_kind kind;
  char const *name; /* as it would be stored */
  intmax_t value;
  struct number_limits const *limits;
  off_t count;
  off_t size;
  int errnum;
  enum sharing_outcome reason;
};

/* What is to be known of a volume other than the first.  */
struct writer_volume
{
  char const *label; /* NULL: none; valid until the next is asked for */
  intmax_t number;
  time_t now;
};

struct writer_settings
{
  enum member_format format;
  bool numeric_owner; /* store no user and group names */
  bool incremental;   /* GNU formats: store access and change times */
  bool posixly_correct;
  /* Pax only: data of at least this many bytes begins at a multiple of this in
     the archive's file; a power of two from ALIGN_MIN to ALIGN_MAX, or 0.  */
  idx_t align;
  /* Sharing the blocks of payloads' files with the archive's.  */
  enum reflink_mode reflink;
  enum reflink_strategy reflink_strategy;
  bool discard_data; /* nobody reads the archive: count data, do not read it */
  struct pax_edits const *pax_edits; /* pax: the user's changes, or NULL */
  char const *temporary; /* pax: the directory that global headers seem to be
                            in */
  time_t start; /* pax: when the archive is made, for its global header */
  /* Pax: the time of members' extended headers; NULL: the member's.  It lives
     as long as the writer.  */
  time_t const *header_time;
  pid_t pid; /* for names of pax headers and sparse members */
  /* What a name from outside becomes when its leading slashes and '..' are
     dropped: a part of it, or ".".  NULL: it stays as it is.  */
  char const *(*safe_name) (char const *name);
  /* The version of sparse members in pax format.  */
  unsigned sparse_major;
  unsigned sparse_minor;
  /* The names of user and group 0, which GNU's headers of long names bear;
     NULL: none.  They live as long as the writer.  */
  char const *root_uname;
  char const *root_gname;
  void (*note) (void *arg, struct writer_note const *note);
  void *note_arg;
  /* Unless NULL, there may be several volumes; it is called when one
     begins.  */
  void (*volume) (void *arg, struct writer_volume *ret);
  /* Pax: what continues a member in another volume looks like a member of its
     own, M.  Change it as other members are changed.  */
  void (*edit) (void *arg, struct member *m);
  void *volume_arg; /* of both */
  /* Called, unless NULL, when M can be stored and is about to be.  POSITION is
     where in the archive its headers are, but for that of a long link.  */
  void (*storing) (void *arg, struct member const *m, off_t position);
  void *storing_arg;
};

struct writer;

/* A writer onto R, which stays the caller's.  SETTINGS is copied.  Never NULL
   (xalloc).  */
struct writer *writer_new (struct records *r,
                           struct writer_settings const *settings);
void writer_free (struct writer *w);

/* Write M's headers, and M's data from P (NULL if it has none), padded to
   whole blocks; *RET_STORED false means that M cannot be stored in this format
   or as it must be (a note said why) and nothing of it is in the archive.
   Return 0 or the errno of a write, after which the archive is unusable.  */
int writer_put (struct writer *w, struct member const *m, struct payload *p,
                bool *ret_stored);

/* Pax only: the next member, a copy of one of another archive, keeps its LENGTH
   bytes of pax records, which live until it is put; its extended attributes,
   ACLs and the like are all among them.  Filler, and what says how data is
   stored, is made anew.  */
void writer_carry (struct writer *w, char const *records, size_t length);

/* Pax only: the next member, a directory, has a list of LENGTH bytes of what is
   in it, which live until it is put.  In other formats that is the data of a
   MEMBER_DUMPDIR.  */
void writer_list (struct writer *w, char const *list, size_t length);

/* What was shared so far, and what copied; it belongs to W.  */
struct sharing_counts const *writer_get_counts (struct writer const *w);

/* Give the archive, which is empty so far, the label LABEL, made NOW.
   DIRECTORY goes into the name of a pax global header, as GNU tar's $TMPDIR
   does.  Return 0 or an errno.  */
int writer_put_label (struct writer *w, char const *label, time_t now,
                      char const *directory);

/* Write the two end-of-archive blocks.  Return 0 or an errno.  */
int writer_finish (struct writer *w);

#endif
