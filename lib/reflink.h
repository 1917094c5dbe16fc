/* Share or copy one range of bytes between two file descriptors.
   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later

   This module is self-contained: it includes only config.h and system
   headers, never prints, exits or seeks, keeps no state outside the objects
   below, and knows nothing of archives.  Where FICLONERANGE does not exist
   it compiles to plain copying.

   Usage: one `struct reflink_source' describes where bytes come from; one
   `struct reflink_cache' per source remembers what each destination
   filesystem can do; `reflink_cache_find' gives the pair for the filesystem
   a file is on; `reflink_possible' says whether it is worth calling
   `reflink_range', which does the work.

   All offsets and lengths are in bytes.  A function returning `int' returns
   0 or an errno value.  */

#ifndef REFLINK_H
#define REFLINK_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum reflink_mode
{
  REFLINK_NEVER, /* copy */
  REFLINK_AUTO,  /* share what can be shared, copy the rest */
  REFLINK_ALWAYS /* a range with a whole unit that is not shared is an error */
};

/* How the last, partial unit of a file is finished.  */
enum reflink_strategy
{
  REFLINK_STRATEGY_AUTO,  /* by the type of the destination filesystem */
  REFLINK_STRATEGY_TAIL,  /* share the whole units, write the rest */
  REFLINK_STRATEGY_TRUNC, /* share rounded up, then truncate */
  REFLINK_STRATEGY_WRITE  /* share nothing */
};

/* What became of a range, or why it is (or would be) copied.  */
enum reflink_why
{
  REFLINK_SHARED,      /* every whole unit is shared */
  REFLINK_TOO_SMALL,   /* it holds no whole unit */
  REFLINK_UNALIGNED,   /* source and destination differ modulo the unit */
  REFLINK_UNSUPPORTED, /* this source and filesystem cannot: EXDEV, EPERM... */
  REFLINK_REFUSED,     /* this file cannot, now: EINVAL, EAGAIN, ENOSPC... */
  REFLINK_BY_CHOICE    /* mode `never', or strategy `write' */
};

/* Which side an error of `reflink_range' comes from.  */
enum reflink_where
{
  REFLINK_AT_NONE,        /* no error */
  REFLINK_AT_SOURCE,      /* reading; ENODATA: the source is too short */
  REFLINK_AT_DESTINATION, /* writing or truncating */
  REFLINK_AT_CLONE        /* mode `always' and the range cannot be shared;
                             `why' and `errnum' tell the reason */
};

/* The system calls that move data, so that tests can make them fail.  Each
   behaves as the system call named: a negative value and errno on failure.
   The names avoid those that a replacement library might #define.  */
struct reflink_ops
{
  int (*clone) (int src_fd, off_t src_off, off_t len, int dst_fd,
                off_t dst_off);
  int (*set_size) (int fd, off_t size);
  ssize_t (*read_at) (int fd, void *buf, size_t count, off_t offset);
  ssize_t (*write_at) (int fd, void const *buf, size_t count, off_t offset);
};

/* Where bytes come from.  The caller owns it; it must outlive the caches and
   pairs made from it.  The caller may change every member between calls (a
   program that stores many files into one archive does so per file): what
   has been learned is kept per DEV.  */
struct reflink_source
{
  int fd;     /* open for reading */
  dev_t dev;  /* its st_dev */
  off_t size; /* its size when last looked at; the engine looks again, and
                 updates this, when a decision hangs on it */

  /* Optional.  Gives some of the source's bytes at OFFSET, at most WANT of
     them, from memory: stores their address and number in *RET and *RET_LEN
     and returns 0.  *RET_LEN = 0 means that they are not in memory, and the
     engine reads them itself.  The bytes stay the caller's and must stay
     valid until the next call.  Returns an errno value on failure.  When
     null the engine always reads.  */
  int (*bytes) (void *arg, off_t offset, size_t want, char const **ret,
                size_t *ret_len);
  void *arg; /* for `bytes' */
};

/* What `reflink_range' did.  */
struct reflink_result
{
  off_t shared;             /* bytes of the range now shared */
  off_t copied;             /* bytes written */
  enum reflink_why why;     /* why the whole units are not shared, if so */
  int errnum;               /* errno of the refusal, or 0 */
  enum reflink_where where; /* side of the error returned */
};

/* Flags of `reflink_possible' and `reflink_range'.  */
enum
{
  /* The range ends the destination file: nothing lies past its end, and the
     file's size becomes dst_off + len exactly.  */
  REFLINK_LAST = 1
};

/* (source, destination filesystem): unit, strategy, and what was learned.  */
struct reflink_pair;

/* The pairs of one source, or of several with the same policy.  */
struct reflink_cache;

/* Fill *SOURCE from FD: its device and size, no `bytes'.  Returns the errno
   value of fstat.  Does not own FD.  */
int reflink_source_init (struct reflink_source *source, int fd);

/* Return the clone unit in bytes of the filesystem FD is on, as far as it
   can be known without cloning: a positive number.  */
off_t reflink_unit (int fd);

/* Store in *RET a new cache; the caller frees it with `reflink_cache_free'.
   SOURCE is borrowed.  Returns ENOMEM or 0.  No system call.  */
int reflink_cache_new (enum reflink_mode mode, enum reflink_strategy strategy,
                       struct reflink_source *source,
                       struct reflink_cache **ret);

/* Free CACHE (may be null) and its pairs.  */
void reflink_cache_free (struct reflink_cache *cache);

/* Use OPS (borrowed, not copied) in pairs made from now on.  */
void reflink_cache_set_ops (struct reflink_cache *cache,
                            struct reflink_ops const *ops);

/* Store in *RET the pair for files on the filesystem DST_DEV (an st_dev).
   DST_FD is any descriptor on it, used only when DST_DEV is new to the cache
   (one fstatfs and one fstatvfs); else there is no system call.  The cache
   owns the pair.  Returns ENOMEM or 0.  */
int reflink_cache_find (struct reflink_cache *cache, dev_t dst_dev, int dst_fd,
                        struct reflink_pair **ret);

/* Write out what is dirty of the cache's source, once: a clone has to do it
   for its own range before it can share, and many small flushes cost more
   than one.  Worth calling before many ranges of one source are shared; not
   for one range.  Returns an errno value; the caller may ignore it, sharing
   and copying stay right.  */
int reflink_flush_source (struct reflink_cache *cache);

/* Store in *RET a new pair outside any cache; the caller frees it with
   `reflink_pair_free'.  SOURCE and OPS are borrowed; OPS may be null.
   DST_FD is any descriptor on the destination filesystem and is not kept.
   Returns ENOMEM or 0.  */
int reflink_pair_new (enum reflink_mode mode, enum reflink_strategy strategy,
                      struct reflink_source *source, int dst_fd,
                      struct reflink_ops const *ops, struct reflink_pair **ret);

/* Free PAIR (may be null), which must not be a cache's.  */
void reflink_pair_free (struct reflink_pair *pair);

/* Return PAIR's clone unit in bytes, as it is known by now.  */
off_t reflink_pair_unit (struct reflink_pair const *pair);

/* Return PAIR's strategy: never REFLINK_STRATEGY_AUTO.  */
enum reflink_strategy reflink_pair_strategy (struct reflink_pair const *pair);

/* Return the errno value with which a clone told that PAIR can never share,
   or 0: what is behind REFLINK_UNSUPPORTED.  */
int reflink_pair_refusal (struct reflink_pair const *pair);

/* Whether to call `reflink_range' for this range: part of it would be shared,
   or (mode `always') it must be refused.  When false the caller may as well
   write the bytes it has; *WHY then tells the reason.  When true *WHY is
   what is expected, REFLINK_SHARED or the reason of the refusal.  Arithmetic
   only, no system call.  WHY may be null.  */
bool reflink_possible (struct reflink_pair const *pair, off_t src_off,
                       off_t dst_off, off_t len, int flags,
                       enum reflink_why *why);

/* Make LEN bytes at DST_OFF of DST_FD those at SRC_OFF of the pair's source:
   share what can be shared, copy the rest.  DST_FD must be open for writing
   without O_APPEND (an O_APPEND file cannot be shared into, and Linux pwrite
   appends to it).  File offsets do not move.

   Returns 0: the range is right byte for byte and, with REFLINK_LAST, the
   file's size is DST_OFF + LEN.  Otherwise an errno value, with ret->where:

   - REFLINK_AT_SOURCE: the source cannot be read.  ENODATA: it ends before
     the range does; the bytes it still had have been copied.  EIO from the
     clone is reported here, and nothing is copied.
   - REFLINK_AT_DESTINATION: a write or a truncation failed.
   - REFLINK_AT_CLONE: mode `always', and the range has at least one whole
     unit and is not shared.  Nothing has been copied.  When ret->why is
     REFLINK_UNALIGNED, ret->errnum is 0 and EINVAL is returned.

   After an error the contents of the range are unspecified; with
   REFLINK_LAST nothing is left past its end, unless truncating failed.
   *RET is always filled in; in particular ret->errnum tells the errno of a
   refusal that was followed by a successful copy.

   A clone moves the destination's times and strips its set-id bits and
   security.capability: set them afterwards.  While it works, the file may
   hold up to one unit of the source past the range's end: keep it unreadable
   to others until then.  */
int reflink_range (struct reflink_pair *pair, off_t src_off, int dst_fd,
                   off_t dst_off, off_t len, int flags,
                   struct reflink_result *ret);

#endif
