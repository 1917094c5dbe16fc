/* Sparse maps at the start of a member's data: GNU's pax format 1.0.

   The map is the number of chunks, and each chunk's offset and length, as
   decimal numbers each followed by a newline, padded to whole blocks (the GNU
   tar manual, "PAX Format, Version 1.0").

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "format/sparse.h"

#include <stdint.h>

#include "c-ctype.h"
#include "minmax.h"

struct map_reader
{
  struct records *records;
  struct member *member;
  off_t *unread;

  /* The block being read.  */
  char const *p;
  char const *end;
  bool have_block;
  int err;
};

/* Consume the current block, and look at the next.  */
static enum sparse_status
next_block (struct map_reader *mr)
{
  if (mr->have_block)
    {
      records_consume (mr->records, BLOCK_SIZE);
      *mr->unread -= MIN (*mr->unread, BLOCK_SIZE);
      mr->have_block = false;
    }
  if (*mr->unread == 0)
    return SPARSE_MALFORMED;
  size_t n;
  mr->err = records_peek (mr->records, BLOCK_SIZE, &mr->p, &n);
  if (mr->err)
    return SPARSE_ERROR;
  if (n < BLOCK_SIZE)
    return SPARSE_SHORT;
  mr->have_block = true;
  mr->end = mr->p + BLOCK_SIZE;
  return SPARSE_OK;
}

/* Read a number and the newline after it.  */
static enum sparse_status
next_number (struct map_reader *mr, off_t *ret)
{
  int64_t value = 0;
  bool has_digits = false;
  for (;;)
    {
      if (mr->p == mr->end)
        {
          enum sparse_status status = next_block (mr);
          if (status != SPARSE_OK)
            return status;
        }
      char c = *mr->p++;
      if (c == '\n' && has_digits)
        {
          *ret = value;
          return SPARSE_OK;
        }
      if (!c_isdigit (c) || __builtin_mul_overflow (value, 10, &value)
          || __builtin_add_overflow (value, c - '0', &value))
        return SPARSE_MALFORMED;
      has_digits = true;
    }
}

static enum sparse_status
read_map (struct map_reader *mr)
{
  off_t count;
  enum sparse_status status = next_number (mr, &count);
  if (status == SPARSE_OK && SPARSE_CHUNKS_MAX < count)
    return SPARSE_MALFORMED;
  for (; status == SPARSE_OK && count; count--)
    {
      off_t offset;
      off_t length;
      status = next_number (mr, &offset);
      if (status == SPARSE_OK)
        status = next_number (mr, &length);
      if (status == SPARSE_OK)
        member_add_chunk (mr->member, offset, length);
    }
  return status;
}

enum sparse_status
sparse_read_pax (struct records *r, struct member *m, off_t *unread,
                 int *ret_errno)
{
  struct map_reader mr = { .records = r, .member = m, .unread = unread };
  enum sparse_status status = read_map (&mr);
  if (mr.have_block)
    {
      records_consume (r, BLOCK_SIZE);
      *unread -= MIN (*unread, BLOCK_SIZE);
    }
  *ret_errno = mr.err;
  return status;
}

enum sparse_status
sparse_check (struct member *m, off_t stored, off_t *ret_length)
{
  off_t end = 0;
  off_t sum = 0;
  size_t kept = 0;
  for (size_t i = 0; i < m->chunk_count; i++)
    {
      struct member_chunk c = m->chunks[i];
      if (c.length == 0)
        continue;
      if (c.offset < end || m->size < c.offset || m->size - c.offset < c.length
          || stored - sum < c.length)
        return SPARSE_BAD;
      end = c.offset + c.length;
      sum += c.length;
      m->chunks[kept++] = c;
    }
  m->chunk_count = kept;
  *ret_length = sum;
  return SPARSE_OK;
}
