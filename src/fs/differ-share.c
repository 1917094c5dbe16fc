/* Data that needs no reading: the file has the archive's own blocks.

   To call data equal that is not would be the worst of errors.  So nothing
   counts but what lib/extents.h vouches for; all else is read.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "fs/differ-private.h"

#include <string.h>

#include "minmax.h"
#include "xalloc.h"

/* D's walk, over FD's extents; NULL if they cannot be asked for.  */
static struct extents_walk *
walk_over (struct differ *d, int fd)
{
  if (!d->walk)
    {
      d->walk = xmalloc (sizeof *d->walk);
      d->can_walk = extents_walk_open (d->walk, fd) == 0;
    }
  return d->can_walk ? d->walk : NULL;
}

/* Start D's walk over the archive's bytes at SEG and those of the file FD.
   False if it could tell nothing: less than a block is never shared, and an
   open file is sooner read than asked where its only block is.  */
static bool
start_walk (struct differ *d, struct payload_segment const *seg, int fd)
{
  struct extents_walk *walk = walk_over (d, seg->fd);

  return walk && walk->space_a.block <= seg->length
         && extents_walk_next_file (walk, seg->fd_offset, fd, seg->offset,
                                    seg->length)
                == 0;
}

/* Compare LENGTH bytes by reading them; the archive's are at FD_OFFSET.  */
static bool
read_run (struct differ_comparison *c, off_t fd_offset, off_t length)
{
  struct payload *p = c->i->payload;

  while (length)
    {
      char const *bytes;
      size_t n;

      if (p->ops->window (p, fd_offset, MIN (length, DIFFER_BUFFER), &bytes, &n)
              != 0
          || !differ_bytes (c, bytes, n) || payload_skip (p, n) != 0)
        return false;
      fd_offset += n;
      length -= n;
    }
  return true;
}

void
differ_note_owned (struct differ_comparison *c, off_t offset, off_t length)
{
  if (c->i->d->settings.reflink != REFLINK_ALWAYS)
    return;

  off_t unit = reflink_unit (c->fd);
  off_t odd = offset % unit;

  c->owned |= (odd ? unit - odd : 0) + unit <= length;
}

bool
differ_extent (struct differ_comparison *c, struct payload_segment const *seg)
{
  struct differ *d = c->i->d;
  off_t unknown = 0;
  struct extents_run run;

  if (!start_walk (d, seg, c->fd))
    {
      c->apart = true;
      return true;
    }
  do
    {
      if (extents_walk_next (d->walk, &run) != 0)
        {
          c->apart = true;
          run = (struct extents_run){
            .offset = c->position - seg->offset + unknown,
          };
        }
      if (run.len && run.kind == EXTENTS_UNKNOWN)
        {
          unknown += run.len;
          continue;
        }
      if (unknown)
        {
          off_t start = run.offset - unknown;

          differ_note_owned (c, c->position, unknown);
          if (!read_run (c, seg->fd_offset + start, unknown))
            return false;
          unknown = 0;
        }
      if (payload_skip (c->i->payload, run.len) != 0)
        return false;
      c->position += run.len;
      c->shared += run.len;
    }
  while (run.len);
  return true;
}
