/* Any bytes as what an incremental dump is restored, and made, with.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "targets.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dumpdir.h"
#include "fs/snapshot.h"
#include "minmax.h"
#include "payload.h"

/* A member's data in memory.  */
struct bytes
{
  struct payload base;
  uint8_t const *next;
};

enum
{
  /* Given at once, so that lists have to be put together.  */
  PIECE = 37
};

static int
next_bytes (struct payload *p, struct payload_segment *ret)
{
  struct bytes *b = (struct bytes *)p;
  *ret = (struct payload_segment){
    .length = MIN (p->remaining, PIECE),
    .bytes = (char const *)b->next,
  };
  b->next += ret->length;
  p->remaining -= ret->length;
  return 0;
}

static int
skip_bytes (struct payload *p, off_t length)
{
  struct bytes *b = (struct bytes *)p;
  if (p->remaining < length)
    return PAYLOAD_SHORT;
  b->next += length;
  p->remaining -= length;
  return 0;
}

/* The list of what was in a directory.  */
void
dumpdir_run (uint8_t const *data, size_t size)
{
  static struct payload_ops const ops
      = { .next = next_bytes, .skip = skip_bytes };
  struct bytes b = { { &ops, size }, data };
  struct dumpdir d = { 0 };
  unsigned found;
  char const *entry = NULL;
  size_t length = 0;

  if (dumpdir_read (&d, &b.base, size % 2, &found) == DUMPDIR_OK)
    while (dumpdir_next (&d, &entry))
      length += strlen (entry);
  if (size < length)
    __builtin_trap ();
  dumpdir_free (&d);
}

/* The file of -g.  */
void
snapshot_run (uint8_t const *data, size_t size)
{
  struct report report;
  struct snapshot s = { 0 };
  struct snapshot_file f = { "snapshot", targets_file (data, size) };
  struct snapshot_text text = { 0 };

  report_init (&report);
  if (snapshot_read (&f, &report, &s))
    {
      snapshot_begin (&text, s.start);
      for (idx_t i = 0; i < s.count; i++)
        if (s.dirs[i].contents)
          snapshot_add (&text, &s.dirs[i]);
    }
  snapshot_free (&s);
  free (text.bytes);
  snapshot_close (&f);
}
