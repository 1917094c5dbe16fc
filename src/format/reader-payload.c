/* The data of the member that the reader is at.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "format/reader-payload.h"

#include "minmax.h"

/* LENGTH bytes, no more than are left, were consumed.  */
static void
advance (struct reader_payload *p, off_t length)
{
  p->base.remaining -= length;
  while (length)
    {
      off_t step = MIN (length, p->chunk->length - p->done);
      p->done += step;
      length -= step;
      if (p->done == p->chunk->length)
        {
          p->chunk++;
          p->done = 0;
        }
    }
}

/* Remember a failure, for the reader to tell.  */
static int
fail (struct reader_payload *p, int failure)
{
  p->failure = failure;
  return failure;
}

static int
archive_next (struct payload *base, struct payload_segment *ret)
{
  struct reader_payload *p = (struct reader_payload *)base;
  *ret = (struct payload_segment){ .fd = -1 };
  if (p->failure)
    return p->failure;
  if (base->remaining == 0)
    return 0;
  size_t n;
  int err = records_peek (p->records, 1, &ret->bytes, &n);
  if (err)
    return fail (p, err);
  if (n == 0)
    return fail (p, PAYLOAD_SHORT);
  ret->offset = p->chunk->offset + p->done;
  ret->length = MIN (n, p->chunk->length - p->done);
  records_consume (p->records, ret->length);
  advance (p, ret->length);
  return 0;
}

static bool
archive_extent (struct payload *base, struct payload_segment *ret)
{
  struct reader_payload *p = (struct reader_payload *)base;
  *ret = (struct payload_segment){ .fd = -1 };
  if (base->remaining == 0
      || !records_extent (p->records, &ret->fd, &ret->fd_offset))
    return false;
  ret->offset = p->chunk->offset + p->done;
  ret->length = p->chunk->length - p->done;
  return true;
}

static int
archive_window (void *payload, off_t fd_offset, size_t want, char const **ret,
                size_t *ret_length)
{
  struct reader_payload *p = payload;
  int fd;
  off_t here = 0;
  records_extent (p->records, &fd, &here);
  off_t offset = records_position (p->records) + (fd_offset - here);
  int err = records_peek_at (p->records, offset, want, ret, ret_length);
  if (err)
    return fail (p, err);
  return *ret_length ? 0 : fail (p, PAYLOAD_SHORT);
}

static int
archive_skip (struct payload *base, off_t length)
{
  struct reader_payload *p = (struct reader_payload *)base;
  if (p->failure)
    return p->failure;
  int err = records_pass (p->records, length);
  if (err)
    return fail (p, err == RECORDS_SHORT ? PAYLOAD_SHORT : err);
  advance (p, length);
  return 0;
}

static struct payload_ops const archive_ops = {
  .next = archive_next,
  .extent = archive_extent,
  .window = archive_window,
  .skip = archive_skip,
};

void
reader_payload_start (struct reader_payload *p, struct records *r,
                      struct member const *m, off_t length)
{
  p->base.ops = &archive_ops;
  p->base.remaining = length;
  p->records = r;
  p->whole = (struct member_chunk){ .length = length };
  p->chunk = m->is_sparse ? m->chunks : &p->whole;
  p->done = 0;
  p->memory = NULL;
  p->failure = 0;
}

static int
memory_next (struct payload *base, struct payload_segment *ret)
{
  struct reader_payload *p = (struct reader_payload *)base;
  *ret = (struct payload_segment){
    .offset = p->whole.length - base->remaining,
    .length = base->remaining,
    .fd = -1,
  };
  ret->bytes = p->memory + ret->offset;
  base->remaining = 0;
  return 0;
}

static int
memory_skip (struct payload *base, off_t length)
{
  base->remaining -= length;
  return 0;
}

static struct payload_ops const memory_ops = {
  .next = memory_next,
  .skip = memory_skip,
};

void
reader_payload_start_memory (struct reader_payload *p, char const *bytes,
                             size_t length)
{
  *p = (struct reader_payload){
    .base = { .ops = &memory_ops, .remaining = length },
    .whole = { .length = length },
    .memory = bytes,
  };
}

static int
bad_next (struct payload *base, struct payload_segment *ret)
{
  (void)base;
  *ret = (struct payload_segment){ .fd = -1 };
  return PAYLOAD_BAD;
}

static int
bad_skip (struct payload *base, off_t length)
{
  (void)length;
  base->remaining = 0;
  return 0;
}

static struct payload_ops const bad_ops = {
  .next = bad_next,
  .skip = bad_skip,
};

void
reader_payload_start_bad (struct reader_payload *p)
{
  *p = (struct reader_payload){
    /* One byte, so that somebody tries to read it.  */
    .base = { .ops = &bad_ops, .remaining = 1 },
  };
}
