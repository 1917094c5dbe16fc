/* A member's data, as segments: bytes in memory, or an extent of a file.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef PAYLOAD_H
#define PAYLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* LENGTH bytes of the member, starting at OFFSET of the *file* the member
   describes (holes of a sparse member are skipped, so OFFSET can jump).  */
struct payload_segment
{
  off_t offset;
  off_t length;
  char const *bytes; /* valid until the next call on the payload */
  int fd;            /* extent: the data lies at fd_offset of fd */
  off_t fd_offset;
};

struct payload;

/* What a provider implements.  All positions move forward only, but 'window'
   may be asked for any part of the segment 'extent' returned.  */
struct payload_ops
{
  /* Give the next bytes, at least one unless the data is finished
     (length 0), and consume them.  Return 0, an errno of the read,
     PAYLOAD_SHORT or PAYLOAD_BAD.  */
  int (*next) (struct payload *p, struct payload_segment *ret);

  /* If the unread rest of the current segment lies in a file that can be
     cloned from, describe it whole and consume nothing; else return false.
     NULL if there never is one.  */
  bool (*extent) (struct payload *p, struct payload_segment *ret);

  /* Bytes at FD_OFFSET of the extent's file: at least one, at most WANT.
     Nothing is consumed.  Return 0, an errno or PAYLOAD_SHORT.  This has the
     type of the reflink engine's byte source.  */
  int (*window) (void *payload, off_t fd_offset, size_t want,
                 char const **ret, size_t *ret_length);

  /* Consume LENGTH bytes unread.  Return 0, an errno or PAYLOAD_SHORT.  */
  int (*skip) (struct payload *p, off_t length);

  /* As 'next', but put the bytes, at most SIZE, in BUFFER and their number in
     *RET.  NULL if bytes are in memory anyway.  */
  int (*fill) (struct payload *p, char *buffer, size_t size, size_t *ret);
};

/* The source ended before the member did; or what it says of the member's data
   makes no sense, and the next member is all right.  No errno is negative.  */
enum
{
  PAYLOAD_SHORT = -1,
  PAYLOAD_BAD = -2
};

/* Providers embed this as their first member.  */
struct payload
{
  struct payload_ops const *ops;
  off_t remaining; /* bytes of data not consumed yet; holes not counted */
};

static inline int
payload_next (struct payload *p, struct payload_segment *ret)
{
  return p->ops->next (p, ret);
}

static inline bool
payload_extent (struct payload *p, struct payload_segment *ret)
{
  return p->ops->extent && p->ops->extent (p, ret);
}

/* Consume LENGTH bytes unread.  Return as payload_ops.skip does.  */
static inline int
payload_skip (struct payload *p, off_t length)
{
  return p->ops->skip (p, length);
}

#endif
