/* Test what the engine learns from one range for the next.
   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "fake.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct lesson
{
  char const *name;
  enum reflink_mode mode;
  off_t unit;
  struct fate script[3];
  off_t first_len;
  off_t second_len;
  char const *log; /* of the second range */
  bool possible;   /* before the second range */
  off_t unit_after;
};

/* clang-format off */
#define REMEMBERED(error)                                                     \
  { #error " is remembered", REFLINK_AUTO, U, {{'c', error, 0}}, U, U,        \
    "r w4096@0 ", false, U }
#define FORGOTTEN(error)                                                      \
  { #error " is not remembered", REFLINK_AUTO, U, {{'c', error, 0}}, U, U,    \
    "c0+4096@0 ", true, U }
/* clang-format on */

static struct lesson const lessons[] = {
  /* clang-format off */
  REMEMBERED (EXDEV), REMEMBERED (EOPNOTSUPP), REMEMBERED (ENOTTY),
  REMEMBERED (ENOSYS), REMEMBERED (EPERM),
  { "EXDEV is remembered, always", REFLINK_ALWAYS, U, {{'c', EXDEV, 0}}, U, U,
    "", true, U },
  FORGOTTEN (EINVAL), FORGOTTEN (EAGAIN), FORGOTTEN (ENOSPC),
  { "a larger unit is remembered", REFLINK_AUTO, Z, {{0}}, Z+U, 2*Z,
    "c0+262144@0 ", true, Z },
  { "a larger unit makes smaller files too small", REFLINK_AUTO, Z, {{0}},
    Z+U, 2*U, "r w8192@0 ", false, Z },
  { "a unit that has worked is not given up", REFLINK_AUTO, U,
    {{'c', 0, 0}, {'c', EINVAL, 0}},
    U, 2*Z, "c0+262144@0 c0+262144@0 ", true, U },
  { "a multiple of a larger unit proves nothing", REFLINK_AUTO, Z, {{0}},
    Z, Z+U, "c0+135168@0 c0+131072@0 r w4096@131072 ", true, Z },
  /* clang-format on */
};

static void
run_lesson (struct lesson const *l)
{
  int src = fake_file (9 * Z, 3);
  int first = fake_file (0, 0);
  int second = fake_file (0, 0);
  struct reflink_source source;
  struct reflink_pair *pair;
  struct reflink_result result;
  fake_begin (l->name, l->unit, l->script);
  if (reflink_source_init (&source, src) != 0
      || reflink_pair_new (l->mode, REFLINK_STRATEGY_TAIL, &source, first,
                           &fake_ops, &pair)
             != 0)
    abort ();

  reflink_range (pair, 0, first, 0, l->first_len, REFLINK_LAST, &result);
  if (reflink_possible (pair, 0, 0, l->second_len, REFLINK_LAST, NULL)
      != l->possible)
    fake_complain ("the next range's prospects are wrong");
  fake_clear_log ();
  reflink_range (pair, 0, second, 0, l->second_len, REFLINK_LAST, &result);
  fake_check (l->log);
  if (reflink_pair_unit (pair) != l->unit_after)
    fake_complain ("the unit is %jd", (intmax_t)reflink_pair_unit (pair));

  reflink_pair_free (pair);
  close (src);
  close (first);
  close (second);
}

int
main (void)
{
  int status = fake_usable ();
  if (status)
    return status;
  for (size_t i = 0; i < sizeof lessons / sizeof *lessons; i++)
    run_lesson (&lessons[i]);
  return fake_status ();
}
