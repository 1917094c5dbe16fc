/* Test the engine's answers to refusals, with made-up system calls.
   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "fake.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct row
{
  char const *name;
  enum reflink_mode mode;
  enum reflink_strategy strategy;
  off_t src_size; /* really */
  off_t src_off;
  off_t dst_off;
  off_t len;
  int flags;
  off_t unit;       /* of the made-up filesystem; 0: U */
  off_t known_size; /* what the source's size was, or 0: as it is */
  struct fate script[6];

  int err;
  enum reflink_where where;
  enum reflink_why why;
  int errnum;
  off_t shared;
  off_t copied;
  char const *log;
};

#define AUTO REFLINK_AUTO
#define ALWAYS REFLINK_ALWAYS
#define TAIL REFLINK_STRATEGY_TAIL
#define TRUNC REFLINK_STRATEGY_TRUNC
#define LAST REFLINK_LAST
#define NOWHERE REFLINK_AT_NONE

/* A refusal of one file, which is copied.  */
/* clang-format off */
#define COPIED(error)                                                         \
  { #error, AUTO, TAIL, 9*U, U, 0, 2*U, LAST, 0, 0, {{'c', error, 0}},        \
    0, NOWHERE, REFLINK_REFUSED, error, 0, 2*U, "c4096+8192@0 s0 r w8192@0 " }
/* clang-format on */

static struct row const rows[] = {
  /* clang-format off */
  { "whole units and a tail", AUTO, TAIL, 9*U, U, 0, 3*U+17, LAST, 0, 0, {{0}},
    0, NOWHERE, REFLINK_SHARED, 0, 3*U, 17, "c4096+12288@0 r w17@12288 " },
  { "rounded up and truncated", AUTO, TRUNC, 9*U, U, 0, 3*U+17, LAST, 0, 0,
    {{0}},
    0, NOWHERE, REFLINK_SHARED, 0, 3*U+17, 0, "c4096+16384@0 s12305 " },
  { "size fits: no truncation", AUTO, TRUNC, 9*U, U, 0, 3*U, LAST, 0, 0, {{0}},
    0, NOWHERE, REFLINK_SHARED, 0, 3*U, 0, "c4096+12288@0 " },
  { "no room to round up in the source", AUTO, TRUNC, 4*U+512, U, 0, 3*U+17,
    LAST, 0, 0, {{0}},
    0, NOWHERE, REFLINK_SHARED, 0, 3*U, 17, "c4096+12288@0 r w17@12288 " },
  { "ends at the source's end", AUTO, TAIL, 4*U+17, U, 0, 3*U+17, LAST, 0, 0,
    {{0}},
    0, NOWHERE, REFLINK_SHARED, 0, 3*U+17, 0, "c4096+12305@0 " },
  { "at the source's end, not the last of the file", AUTO, TAIL, 4*U+17, U, 0,
    3*U+17, 0, 0, 0, {{0}},
    0, NOWHERE, REFLINK_SHARED, 0, 3*U, 17, "c4096+12288@0 r w17@12288 " },
  { "a middle is never rounded up", AUTO, TRUNC, 9*U, U, 0, 3*U+17, 0, 0, 0,
    {{0}},
    0, NOWHERE, REFLINK_SHARED, 0, 3*U, 17, "c4096+12288@0 r w17@12288 " },
  { "head, middle, tail", AUTO, TAIL, 9*U, U-100, 3*U-100, 2*U+300, 0, 0, 0,
    {{0}},
    0, NOWHERE, REFLINK_SHARED, 0, 2*U, 300,
    "c4096+8192@12288 r w100@12188 r w200@20480 " },
  { "a head that leaves no unit", AUTO, TAIL, 9*U, U-100, U-100, U, 0, 0, 0,
    {{0}},
    0, NOWHERE, REFLINK_TOO_SMALL, 0, 0, U, "r w4096@3996 " },
  { "empty", AUTO, TRUNC, 9*U, U, 0, 0, LAST, 0, 0, {{0}},
    0, NOWHERE, REFLINK_TOO_SMALL, 0, 0, 0, "" },
  { "smaller than a unit", AUTO, TRUNC, 9*U, U, 0, U-1, LAST, 0, 0, {{0}},
    0, NOWHERE, REFLINK_TOO_SMALL, 0, 0, U-1, "r w4095@0 " },
  { "not aligned", AUTO, TAIL, 9*U, 512, 0, 2*U, LAST, 0, 0, {{0}},
    0, NOWHERE, REFLINK_UNALIGNED, 0, 0, 2*U, "r w8192@0 " },
  { "strategy write", AUTO, REFLINK_STRATEGY_WRITE, 9*U, U, 0, 2*U, LAST, 0, 0,
    {{0}},
    0, NOWHERE, REFLINK_BY_CHOICE, 0, 0, 2*U, "r w8192@0 " },
  { "mode never", REFLINK_NEVER, TAIL, 9*U, U, 0, 2*U, LAST, 0, 0, {{0}},
    0, NOWHERE, REFLINK_BY_CHOICE, 0, 0, 2*U, "r w8192@0 " },

  /* Refusals.  */
  { "EINVAL for the file", AUTO, TAIL, 9*U, U, 0, 2*U, LAST, 0, 0,
    {{'c', EINVAL, 0}},
    0, NOWHERE, REFLINK_REFUSED, EINVAL, 0, 2*U, "c4096+8192@0 s0 r w8192@0 "},
  { "EINVAL after a part was cloned", AUTO, TAIL, 9*U, U, 0, 2*U+9, LAST, 0, 0,
    {{'c', EINVAL, U}},
    0, NOWHERE, REFLINK_REFUSED, EINVAL, 0, 2*U+9,
    "c4096+8192@0 s0 r w8201@0 " },
  { "EINVAL after too much was cloned", AUTO, TRUNC, 9*U, U, 0, 2*U+9, LAST,
    0, 0, {{'c', EINVAL, 3*U}},
    0, NOWHERE, REFLINK_REFUSED, EINVAL, 0, 2*U+9,
    "c4096+12288@0 s0 s0 r w8201@0 " },
  { "EINVAL for a middle: rewritten in place", AUTO, TAIL, 9*U, U, U, 2*U, 0,
    0, 0, {{'c', EINVAL, U}},
    0, NOWHERE, REFLINK_REFUSED, EINVAL, 0, 2*U, "c4096+8192@4096 r w8192@4096 "
  },
  COPIED (EAGAIN), COPIED (ETXTBSY), COPIED (EBADF), COPIED (ENOLCK),
  { "EXDEV", AUTO, TAIL, 9*U, U, 0, 2*U, LAST, 0, 0, {{'c', EXDEV, 0}},
    0, NOWHERE, REFLINK_UNSUPPORTED, EXDEV, 0, 2*U,
    "c4096+8192@0 s0 r w8192@0 " },
  { "ENOSPC: cleared, then one plain write", AUTO, TAIL, 9*U, U, 0, 2*U, LAST,
    0, 0, {{'c', ENOSPC, U}},
    0, NOWHERE, REFLINK_REFUSED, ENOSPC, 0, 2*U, "c4096+8192@0 s0 r w8192@0 "},
  { "EDQUOT: the same", AUTO, TRUNC, 9*U, U, 0, 2*U+1,
    LAST, 0, 0, {{'c', EDQUOT, U}},
    0, NOWHERE, REFLINK_REFUSED, EDQUOT, 0, 2*U+1,
    "c4096+12288@0 s0 r w8193@0 " },
  { "ENOSPC twice: an ordinary write error", AUTO, TAIL, 9*U, U, 0, 2*U, LAST,
    0, 0, {{'c', ENOSPC, 0}, {'w', ENOSPC, 0}},
    ENOSPC, REFLINK_AT_DESTINATION, REFLINK_REFUSED, ENOSPC, 0, 0,
    "c4096+8192@0 s0 r w8192@0 " },
  { "EIO is hard", AUTO, TAIL, 9*U, U, 0, 2*U, LAST, 0, 0, {{'c', EIO, U}},
    EIO, REFLINK_AT_SOURCE, REFLINK_REFUSED, EIO, 0, 0, "c4096+8192@0 s0 " },
  { "EINTR is retried", AUTO, TRUNC, 9*U, U, 0, 2*U+1, LAST, 0, 0,
    {{'c', EINTR, 0}, {'c', EINTR, U}, {'s', EINTR, 0}},
    0, NOWHERE, REFLINK_SHARED, 0, 2*U+1, 0,
    "c4096+12288@0 c4096+12288@0 c4096+12288@0 s8193 s8193 " },
  { "EINTR in reading and writing", AUTO, TAIL, 9*U, U, 0, 100, LAST, 0, 0,
    {{'r', EINTR, 0}, {'w', EINTR, 0}},
    0, NOWHERE, REFLINK_TOO_SMALL, 0, 0, 100, "r r w100@0 w100@0 " },
  { "short reads and writes", AUTO, TAIL, 9*U, U, 0, 100, LAST, 0, 0,
    {{'r', 0, 60}, {'w', 0, 50}},
    0, NOWHERE, REFLINK_TOO_SMALL, 0, 0, 100, "r w60@0 w10@50 r w40@60 " },

  /* Truncations that fail.  */
  { "failing truncation: cleared and copied", AUTO, TRUNC, 9*U, U, 0, 2*U+1,
    LAST, 0, 0, {{'s', ENOSPC, 0}},
    0, NOWHERE, REFLINK_REFUSED, ENOSPC, 0, 2*U+1,
    "c4096+12288@0 s8193 s0 r w8193@0 " },
  { "truncation fails with EPERM: not for the pair", AUTO, TRUNC, 9*U, U, 0,
    2*U+1, LAST, 0, 0, {{'s', EPERM, 0}},
    0, NOWHERE, REFLINK_REFUSED, EPERM, 0, 2*U+1,
    "c4096+12288@0 s8193 s0 r w8193@0 " },
  { "truncation fails again: an error", AUTO, TRUNC, 9*U, U, 0, 2*U+1, LAST, 0,
    0, {{'s', EIO, 0}, {'s', EIO, 0}},
    EIO, REFLINK_AT_DESTINATION, REFLINK_REFUSED, EIO, 0, 0,
    "c4096+12288@0 s8193 s0 " },
  { "clearing fails after EINVAL", AUTO, TAIL, 9*U, U, 0, 2*U, LAST, 0, 0,
    {{'c', EINVAL, U}, {'s', EIO, 0}},
    EIO, REFLINK_AT_DESTINATION, REFLINK_REFUSED, EINVAL, 0, 0,
    "c4096+8192@0 s0 " },

  /* Units and ends of file that are not what they seemed.  */
  { "a larger unit works", AUTO, TAIL, 9*Z, Z, 0, 2*Z+U, LAST, Z, 0, {{0}},
    0, NOWHERE, REFLINK_SHARED, 0, 2*Z, U,
    "c131072+266240@0 c131072+262144@0 r w4096@262144 " },
  { "a larger unit, not aligned to it", AUTO, TAIL, 9*Z, U, 0, 2*Z, LAST, Z, 0,
    {{0}},
    0, NOWHERE, REFLINK_REFUSED, EINVAL, 0, 2*Z,
    "c4096+262144@0 s0 r w131072@0 r w131072@131072 " },
  { "the source grew: no longer its end", AUTO, TAIL, 9*U, U, 0, 2*U+17, LAST,
    0, 3*U+17, {{0}},
    0, NOWHERE, REFLINK_SHARED, 0, 2*U, 17,
    "c4096+8209@0 c4096+8192@0 r w17@8192 " },
  { "no unaligned end on this filesystem", AUTO, TAIL, 3*U+17, U, 0, 2*U+17,
    LAST, 0, 0, {{'c', EINVAL, 0}},
    0, NOWHERE, REFLINK_SHARED, 0, 2*U, 17,
    "c4096+8209@0 c4096+8192@0 r w17@8192 " },
  { "the source shrank: its end, not zeros", AUTO, TAIL, 2*U, U, 0, 2*U, LAST,
    0, 9*U, {{0}},
    ENODATA, REFLINK_AT_SOURCE, REFLINK_REFUSED, EINVAL, 0, U,
    "c4096+8192@0 s0 r w4096@0 r " },
  { "the source shrank into the rounding", AUTO, TRUNC, 3*U+512, U, 0, 2*U+17,
    LAST, 0, 9*U, {{0}},
    0, NOWHERE, REFLINK_SHARED, 0, 2*U, 17,
    "c4096+12288@0 s0 c4096+8192@0 r w17@8192 " },
  { "the source was known to be too short", AUTO, TAIL, 2*U, U, 0, 2*U, LAST,
    0, 0, {{0}},
    ENODATA, REFLINK_AT_SOURCE, REFLINK_REFUSED, 0, 0, U, "r w4096@0 r " },
  { "reading fails", AUTO, TAIL, 9*U, U, 0, U+1, LAST, 0, 0, {{'r', EIO, 0}},
    EIO, REFLINK_AT_SOURCE, REFLINK_SHARED, 0, U, 0, "c4096+4096@0 r " },
  { "the tail does not fit", AUTO, TAIL, 9*U, U, 0, U+1, LAST, 0, 0,
    {{'w', ENOSPC, 0}},
    ENOSPC, REFLINK_AT_DESTINATION, REFLINK_SHARED, 0, U, 0,
    "c4096+4096@0 r w1@4096 " },

  /* Always.  */
  { "always: EINVAL", ALWAYS, TAIL, 9*U, U, 0, 2*U, LAST, 0, 0,
    {{'c', EINVAL, U}},
    EINVAL, REFLINK_AT_CLONE, REFLINK_REFUSED, EINVAL, 0, 0,
    "c4096+8192@0 s0 " },
  { "always: EXDEV", ALWAYS, TAIL, 9*U, U, 0, 2*U, LAST, 0, 0,
    {{'c', EXDEV, 0}},
    EXDEV, REFLINK_AT_CLONE, REFLINK_UNSUPPORTED, EXDEV, 0, 0,
    "c4096+8192@0 s0 " },
  { "always: ENOSPC", ALWAYS, TAIL, 9*U, U, 0, 2*U, LAST, 0, 0,
    {{'c', ENOSPC, 0}},
    ENOSPC, REFLINK_AT_CLONE, REFLINK_REFUSED, ENOSPC, 0, 0,
    "c4096+8192@0 s0 " },
  { "always: EAGAIN", ALWAYS, TAIL, 9*U, U, 0, 2*U, LAST, 0, 0,
    {{'c', EAGAIN, 0}},
    EAGAIN, REFLINK_AT_CLONE, REFLINK_REFUSED, EAGAIN, 0, 0,
    "c4096+8192@0 s0 " },
  { "always: not aligned", ALWAYS, TAIL, 9*U, 512, 0, 2*U, LAST, 0, 0, {{0}},
    EINVAL, REFLINK_AT_CLONE, REFLINK_UNALIGNED, 0, 0, 0, "" },
  { "always: failing truncation", ALWAYS, TRUNC, 9*U, U, 0, 2*U+1, LAST, 0, 0,
    {{'s', EIO, 0}},
    EIO, REFLINK_AT_CLONE, REFLINK_REFUSED, EIO, 0, 0,
    "c4096+12288@0 s8193 s0 " },
  { "always: no whole unit is copied", ALWAYS, TAIL, 9*U, 512, 0, U-1, LAST, 0,
    0, {{0}},
    0, NOWHERE, REFLINK_TOO_SMALL, 0, 0, U-1, "r w4095@0 " },
  { "always: the tail is copied", ALWAYS, TAIL, 9*U, U, 0, U+1, LAST, 0, 0,
    {{0}},
    0, NOWHERE, REFLINK_SHARED, 0, U, 1, "c4096+4096@0 r w1@4096 " },
  { "always: a source too short is no refusal", ALWAYS, TAIL, 2*U, U, 0, 2*U,
    LAST, 0, 9*U, {{0}},
    ENODATA, REFLINK_AT_SOURCE, REFLINK_REFUSED, EINVAL, 0, U,
    "c4096+8192@0 s0 r w4096@0 r " },

  /* Hostile numbers.  */
  { "an end beyond all numbers", AUTO, TAIL, U, INT64_MAX - 100, 0, U, LAST, 0,
    0, {{0}},
    EOVERFLOW, REFLINK_AT_SOURCE, REFLINK_TOO_SMALL, 0, 0, 0, "" },
  { "a negative length", AUTO, TAIL, U, 0, 0, -1, LAST, 0, 0, {{0}},
    EOVERFLOW, REFLINK_AT_SOURCE, REFLINK_TOO_SMALL, 0, 0, 0, "" },
  { "a length beyond any file", AUTO, TRUNC, U, 0, 0, INT64_MAX - 1, LAST, 0,
    0, {{0}},
    ENODATA, REFLINK_AT_SOURCE, REFLINK_REFUSED, 0, 0, U, "r w4096@0 r " },
  /* clang-format on */
};

/* Whether LEN bytes at OFF_A of A are those at OFF_B of B.  */
static bool
equal (int a, off_t off_a, int b, off_t off_b, off_t len)
{
  char x, y;
  for (off_t i = 0; i < len; i++)
    if (pread (a, &x, 1, off_a + i) != 1 || pread (b, &y, 1, off_b + i) != 1
        || x != y)
      return false;
  return true;
}

/* A destination that is not finished by the range already holds bytes.  */
static int
make_destination (struct row const *row)
{
  return fake_file (row->flags & LAST ? 0 : row->dst_off + row->len + 2 * U, 7);
}

static void
check_contents (struct row const *row, int src, int dst)
{
  off_t end = row->dst_off + row->len;
  if (!equal (src, row->src_off, dst, row->dst_off, row->len))
    fake_complain ("the contents differ");
  if (row->flags & LAST)
    {
      if (fake_size (dst) != end)
        fake_complain ("the size is %jd", (intmax_t)fake_size (dst));
      return;
    }
  int before = make_destination (row);
  if (!equal (before, 0, dst, 0, row->dst_off)
      || !equal (before, end, dst, end, 2 * U))
    fake_complain ("bytes outside of the range changed");
  close (before);
}

static void
check_result (struct row const *row, int err, struct reflink_result const *r)
{
  if (err != row->err || r->where != row->where || r->why != row->why
      || r->errnum != row->errnum)
    fake_complain ("error %d at %d, why %d, errno %d", err, r->where, r->why,
                   r->errnum);
  if (r->shared != row->shared || r->copied != row->copied)
    fake_complain ("shared %jd, copied %jd", (intmax_t)r->shared,
                   (intmax_t)r->copied);
  fake_check (row->log);
}

static void
run_row (struct row const *row)
{
  int src = fake_file (row->src_size, 3);
  int dst = make_destination (row);
  struct reflink_source source;
  struct reflink_pair *pair;
  struct reflink_result result;
  if (reflink_source_init (&source, src) != 0)
    abort ();
  if (row->known_size)
    source.size = row->known_size;
  if (reflink_pair_new (row->mode, row->strategy, &source, dst, &fake_ops,
                        &pair)
      != 0)
    abort ();

  fake_begin (row->name, row->unit ? row->unit : U, row->script);
  int err = reflink_range (pair, row->src_off, dst, row->dst_off, row->len,
                           row->flags, &result);
  check_result (row, err, &result);
  if (err == 0)
    check_contents (row, src, dst);
  else if (row->where == REFLINK_AT_CLONE && row->flags & LAST
           && row->dst_off < fake_size (dst))
    fake_complain ("a refused file is not empty");

  reflink_pair_free (pair);
  close (src);
  close (dst);
}

int
main (void)
{
  int status = fake_usable ();
  if (status)
    return status;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    run_row (&rows[i]);
  return fake_status ();
}
