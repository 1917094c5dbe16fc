/* Test the cache of pairs, and a source that supplies its own bytes.
   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "fake.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct fate const no_script[] = { { 0 } };

/* Find the pair for DST_DEV.  DST_FD may be -1: a pair that is known costs
   no system call, so it is not looked at.  */
static struct reflink_pair *
find (struct reflink_cache *cache, dev_t dst_dev, int dst_fd)
{
  struct reflink_pair *pair;
  if (reflink_cache_find (cache, dst_dev, dst_fd, &pair) != 0)
    abort ();
  return pair;
}

static void
one_pair_for_each_filesystem (void)
{
  fake_begin ("one pair for each filesystem", U, no_script);
  int src = fake_file (U, 1);
  struct reflink_source source;
  struct reflink_cache *cache;
  if (reflink_source_init (&source, src) != 0
      || reflink_cache_new (REFLINK_AUTO, REFLINK_STRATEGY_AUTO, &source,
                            &cache)
             != 0)
    abort ();

  struct reflink_pair *first = find (cache, 1, src);
  struct reflink_pair *other = find (cache, 2, src);
  if (first == other)
    fake_complain ("two filesystems have one pair");
  if (find (cache, 1, -1) != first || find (cache, 2, -1) != other
      || find (cache, 2, -1) != other)
    fake_complain ("a pair is not found again");
  source.dev++;
  if (find (cache, 1, src) == first)
    fake_complain ("a source elsewhere has the same pair");
  reflink_cache_free (cache);
  close (src);
}

/* A file without a filesystem to ask still gets a pair that copies.  */
static void
a_bad_probe_is_no_error (void)
{
  fake_begin ("a bad probe is no error", U, no_script);
  int src = fake_file (U, 1);
  struct reflink_source source;
  struct reflink_cache *cache;
  if (reflink_source_init (&source, src) != 0
      || reflink_cache_new (REFLINK_AUTO, REFLINK_STRATEGY_AUTO, &source,
                            &cache)
             != 0)
    abort ();
  if (reflink_pair_unit (find (cache, 1, -1)) != U)
    fake_complain ("no default for the unit");
  reflink_cache_free (cache);
  close (src);
}

/* A window of bytes in memory, as a reader of archives has.  */
struct window
{
  char bytes[100];
  off_t start;
  int err;
};

static int
window_bytes (void *arg, off_t offset, size_t want, char const **ret,
              size_t *ret_len)
{
  struct window const *w = arg;
  off_t skip = offset - w->start;
  if (w->err)
    return w->err;
  *ret_len = 0;
  if (0 <= skip && skip < (off_t)sizeof w->bytes)
    {
      /* More than was wanted, at times: it must not be written.  */
      (void)want;
      *ret = w->bytes + skip;
      *ret_len = sizeof w->bytes - skip;
    }
  return 0;
}

static void
copy_through_window (char const *name, struct window *w, off_t len, int err,
                     char const *log)
{
  int src = fake_file (2 * U, 1);
  int dst = fake_file (0, 0);
  struct reflink_source source;
  struct reflink_pair *pair;
  struct reflink_result result;
  if (reflink_source_init (&source, src) != 0
      || pread (src, w->bytes, sizeof w->bytes, w->start) < 0)
    abort ();
  source.bytes = window_bytes;
  source.arg = w;
  if (reflink_pair_new (REFLINK_AUTO, REFLINK_STRATEGY_TAIL, &source, dst,
                        &fake_ops, &pair)
      != 0)
    abort ();

  fake_begin (name, U, no_script);
  if (reflink_range (pair, 0, dst, 0, len, REFLINK_LAST, &result) != err)
    fake_complain ("the error is wrong");
  fake_check (log);
  if (err == 0 && fake_size (dst) != len)
    fake_complain ("the size is wrong");
  for (off_t i = 0; err == 0 && i < len; i++)
    {
      char a, b;
      if (pread (src, &a, 1, i) != 1 || pread (dst, &b, 1, i) != 1 || a != b)
        {
          fake_complain ("the contents differ");
          break;
        }
    }
  if (err && result.where != REFLINK_AT_SOURCE)
    fake_complain ("the error is on the wrong side");

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
  one_pair_for_each_filesystem ();
  a_bad_probe_is_no_error ();
  copy_through_window ("a tail in memory is not read",
                       &(struct window){ .start = U }, U + 100, 0,
                       "c0+4096@0 w100@4096 ");
  copy_through_window ("no more is taken than was asked for",
                       &(struct window){ .start = U }, U + 60, 0,
                       "c0+4096@0 w60@4096 ");
  copy_through_window ("what is not in memory is read",
                       &(struct window){ .start = U }, U + 150, 0,
                       "c0+4096@0 w100@4096 r w50@4196 ");
  copy_through_window ("an error of the caller's is passed on",
                       &(struct window){ .err = EBADMSG }, 10, EBADMSG, "");
  return fake_status ();
}
