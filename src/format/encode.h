/* One member's metadata to header blocks, in each format that is written.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef ENCODE_H
#define ENCODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "format/block.h"
#include "format/number.h"
#include "format/pax-build.h"
#include "format/writer.h"
#include "idx.h"
#include "member.h"

/* Bytes in memory that is used again.  */
struct encode_buffer
{
  char *bytes;
  idx_t length;
  idx_t size; /* bytes allocated */
};

/* A name as it is to be stored.  */
struct encode_string
{
  char const *text;
  idx_t length;
};

struct encode_policy;

/* Encodes one member after another.  */
struct encoder
{
  struct encode_policy const *policy;
  struct writer_settings const *settings;

  /* The member at hand.  */
  struct member const *member;
  struct encode_string name; /* a directory's ends in a slash */
  struct encode_string path; /* what stands in the header for NAME */
  bool path_is_dummy;        /* it may be cut */
  struct encode_string link; /* empty unless the member is a link */
  off_t size;                /* of its data in the archive */
  off_t start;               /* where its headers begin; see align */

  /* What it becomes: whole blocks that come first, the header, and whole
     blocks between it and the data.  */
  struct encode_buffer prelude;
  union block header;
  struct encode_buffer trailer;

  /* What is wrong with it if it was refused.  */
  struct writer_note refusal;

  /* Bytes of the prelude up to the end of a long link: GNU tar lists the member
     when these are written.  */
  idx_t link_end;
  intmax_t global_count; /* of global headers, so far */

  struct encode_buffer name_buffer;
  struct encode_buffer path_buffer;
  struct pax_build records; /* pax only */
  /* What is in a directory, see writer_list.  */
  char const *list;
  size_t list_length;
  /* Records that the member has already, see writer_carry.  */
  char const *carried;
  size_t carried_length;
};

/* A number in the header: its place, what fits in octal, and its keyword in a
   pax record.  */
struct encode_field
{
  size_t offset;
  size_t size;
  struct number_limits limits;
  char const *keyword;
};

/* What a format does in its own way.  Functions return false after they have
   set the encoder's refusal.  */
struct encode_policy
{
  char const *magic; /* 8 bytes: magic and version; NULL: none */
  char regular;      /* type flag of a regular file */
  bool has_owner_names;
  bool has_special_files;
  bool zero_devices; /* the device fields of other members are 0, not empty */
  bool has_times;    /* atime and ctime have fields, for incremental dumps */
  char sparse_flag;  /* type flag of a sparse file */
  /* Store the map of a sparse member, before anything else.  NULL if there
     cannot be one.  */
  void (*sparse) (struct encoder *e);
  bool (*name) (struct encoder *e);
  bool (*link) (struct encoder *e);
  bool (*number) (struct encoder *e, struct encode_field const *field,
                  intmax_t value);
  bool (*mtime) (struct encoder *e);
  void (*finish) (struct encoder *e); /* may be NULL */
};

/* The policies, by format; NULL for those that are not written.  */
struct encode_policy const *encode_policy (enum member_format format);

extern struct encode_policy const encode_v7;
extern struct encode_policy const encode_ustar;
extern struct encode_policy const encode_oldgnu;
extern struct encode_policy const encode_gnu;
extern struct encode_policy const encode_pax;

/* Fill E's prelude and header for M with SIZE bytes of data, which will begin
   at byte START of the archive's file.  False: M cannot be stored, see E's
   refusal, whose name is E's until the next call.  */
bool encode_member (struct encoder *e, struct member const *m, off_t size,
                    off_t start);

/* A member that goes on in a volume: LEFT bytes of data, of a file that has
   WHOLE bytes.  */
struct encode_continuation
{
  struct encode_string name;
  off_t left;
  off_t whole;
};

/* What a volume, or the only one, begins with.  */
struct encode_volume
{
  bool is_first;     /* what the user wants in a global header belongs here */
  char const *label; /* NULL: none */
  struct encode_continuation const *continuation; /* NULL: none */
  time_t now;
  char const *directory; /* part of the name of a pax global header */
};

/* Fill E's prelude with V.  In pax archives V's continuation has to be followed
   by a member.  False: there is nothing.  */
bool encode_volume (struct encoder *e, struct encode_volume const *v);

/* The same, for pax.  */
bool encode_pax_volume (struct encoder *e, struct encode_volume const *v);

/* Free what E owns.  */
void encode_free (struct encoder *e);

/* --- For the formats --- */

/* Copy as much of S as fits the SIZE bytes of FIELD, which are zeros.  */
void encode_string_field (char *field, size_t size, struct encode_string s);

/* Store VALUE in octal, or refuse.  */
bool encode_octal (struct encoder *e, struct encode_field const *field,
                   intmax_t value);

/* Store the modification time's seconds as the format stores numbers.  */
bool encode_seconds (struct encoder *e);
extern struct encode_field const encode_mtime_field;

/* Set E's refusal and return false.  LIMIT is the longest length allowed, or 0
   if no single length is the matter.  */
bool encode_refuse_string (struct encoder *e, enum writer_note_kind kind,
                           struct encode_string s, idx_t limit);

/* Append a header to the prelude, to be followed by SIZE bytes of data, and
   return it, all zeros but for mode 0644, owner and group 0, SIZE, type flag
   and the format's magic.  It is valid until the prelude grows.  */
union block *encode_prelude_header (struct encoder *e, char typeflag,
                                    idx_t size);

/* Append LENGTH bytes and zeros up to a whole block to the prelude.  */
void encode_prelude_data (struct encoder *e, char const *bytes, idx_t length);

/* Make room for LENGTH more bytes in B, and return where they go.  */
char *encode_buffer_extend (struct encode_buffer *b, idx_t length);

/* Set B to TEMPLATE, in which %d and %f stand for the directory and the file of
   the member's name as it was given, %p for the process ID, %n for NUMBER, and
   %% for itself; without slashes at its end.  A NUL follows it.  */
void encode_names_expand (struct encoder *e, char const *template,
                          intmax_t number, struct encode_buffer *b);

/* Put a sparse member's map in E's header and trailer, as old GNU tar does; or
   in its records and trailer, and set its path and size.  */
void encode_sparse_gnu (struct encoder *e);
void encode_sparse_pax (struct encoder *e);

/* Store B's checksum.  */
void encode_checksum (union block *b);

#endif
