/* One member's metadata, and a mask that says which fields are known.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef MEMBER_H
#define MEMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>

/* What a member is.  Formats translate their type flags to and from this.  */
enum member_type
{
  MEMBER_REGULAR,
  MEMBER_CONTIGUOUS, /* treated as regular: no file system here has them */
  MEMBER_HARD_LINK,
  MEMBER_SYMLINK,
  MEMBER_CHARACTER,
  MEMBER_BLOCK,
  MEMBER_DIRECTORY,
  MEMBER_FIFO,
  MEMBER_DUMPDIR,      /* GNU 'D': a directory with its contents listed */
  MEMBER_VOLUME_LABEL, /* GNU 'V' */
  MEMBER_CONTINUATION, /* GNU 'M': continued from another volume */
  MEMBER_UNKNOWN       /* see typeflag; extracted as regular, with a warning */
};

/* The header a member was read from, or is to be written in.  */
enum member_format
{
  MEMBER_FORMAT_DEFAULT, /* not chosen yet */
  MEMBER_FORMAT_V7,
  MEMBER_FORMAT_OLDGNU,
  MEMBER_FORMAT_USTAR,
  MEMBER_FORMAT_PAX,
  MEMBER_FORMAT_GNU,
  MEMBER_FORMAT_STAR /* read only */
};

/* Bits of struct member.present: the fields that need not be there.  */
enum member_field
{
  MEMBER_HAS_UNAME = 1 << 0, /* uname is a name, not empty */
  MEMBER_HAS_GNAME = 1 << 1,
  MEMBER_HAS_ATIME = 1 << 2,
  MEMBER_HAS_CTIME = 1 << 3,
  MEMBER_HAS_ACL_ACCESS = 1 << 4,
  MEMBER_HAS_ACL_DEFAULT = 1 << 5,
  MEMBER_HAS_ACL = MEMBER_HAS_ACL_ACCESS | MEMBER_HAS_ACL_DEFAULT,
  MEMBER_HAS_SELINUX = 1 << 6, /* selinux */
  MEMBER_HAS_XATTRS = 1 << 7,  /* xattrs[0..xattr_count) */

  /* The number was given for certain (a pax record): it beats the name.  */
  MEMBER_UID_IS_EXACT = 1 << 8,
  MEMBER_GID_IS_EXACT = 1 << 9
};

/* One extended attribute.  NAME ends in NUL; VALUE is LENGTH bytes.  */
struct member_xattr
{
  char *name;
  char *value;
  size_t length;
};

/* Where data lies in a sparse member: LENGTH bytes at file offset OFFSET.  */
struct member_chunk
{
  off_t offset;
  off_t length;
};

/* A NUL-terminated string in a buffer that is used again for the next
   member.  text is NULL until the first member_set_text.  */
struct member_text
{
  char *text;
  size_t size; /* bytes allocated */
};

struct member
{
  unsigned present; /* mask of enum member_field */
  enum member_type type;
  enum member_format format;
  char typeflag; /* as stored, for diagnostics */

  struct member_text stored_name; /* as in the archive, or as given */
  struct member_text name;        /* after transformations */
  struct member_text link;        /* link target, likewise transformed */
  bool had_trailing_slash;        /* stored name ended in '/' */

  mode_t mode; /* permission bits only, 07777 */
  uid_t uid;
  gid_t gid;
  struct member_text uname;
  struct member_text gname;
  off_t size;         /* bytes of the file, holes counted */
  off_t continued_at; /* where in the file a continuation's data begins */
  off_t stored_size;  /* bytes of data in the archive (differs if sparse) */
  struct timespec mtime;
  struct timespec atime;
  struct timespec ctime;
  unsigned device_major;
  unsigned device_minor;

  bool is_sparse; /* chunks describe the data */
  struct member_chunk *chunks;
  size_t chunk_count;
  size_t chunk_alloc;

  struct member_text acl_access; /* text form, as SCHILY.acl.access */
  struct member_text acl_default;
  struct member_text selinux;
  struct member_xattr *xattrs;
  size_t xattr_count;
  size_t xattr_alloc;

  off_t header_block; /* number of the member's header block, from 0; the
                         first of its extended headers if it has any */
};

/* Set *T to LENGTH bytes of S and a NUL.  S may lie in T itself.  */
void member_set_text (struct member_text *t, char const *s, size_t length);

/* T's string, or "" if it was never set.  */
static inline char const *
member_text (struct member_text const *t)
{
  return t->text ? t->text : "";
}

/* Make *M empty, keeping its buffers for use again.  A struct member that is
   all zeros is empty.  */
void member_clear (struct member *m);

/* Free all that M owns (not M).  */
void member_free (struct member *m);

/* Make *TO a copy of *FROM that shares nothing with it.  TO is valid.  */
void member_copy (struct member *to, struct member const *from);

/* Add an extended attribute, copying NAME and VALUE.  An attribute of that
   name that is there already is replaced, if it is among the first 256.  */
void member_add_xattr (struct member *m, char const *name, char const *value,
                       size_t length);

/* Add a sparse chunk.  */
void member_add_chunk (struct member *m, off_t offset, off_t length);

/* True if members of this type can have data in the archive that belongs to
   them (regular, contiguous, dumpdir, continuation, unknown).  */
bool member_has_data (struct member const *m);

#endif
