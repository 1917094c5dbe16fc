/* Records written to several volumes.

   Only here is known what a volume has room for, and only in whole records: the
   record that does not fit goes to the next volume, behind what that begins
   with.  What it begins with is for the format to say.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "io/records.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "io/records-private.h"
#include "minmax.h"
#include "xalloc.h"

enum
{
  /* More volumes than this, one after the other, that nothing can be written to
     are no accident.  */
  EMPTY_MAX = 10
};

/* R is being updated, in its last volume so far.  Hold back the rest of the
   record that the archive ends in, so that what follows is whole records; but
   no more than there is room for.  */
static void
hold_record (struct records *r)
{
  off_t start = r->update.start;
  off_t rest = r->record_size - (start - r->origin) % r->record_size;
  if (r->volumes.length)
    rest = MIN (rest, MAX (r->volumes.length, r->update.old_size) - start);
  rest -= rest % RECORDS_BLOCK;
  r->volume_written = start;
  r->update.capacity = r->record_size;
  r->capacity = rest;
  r->update.held = r->buffer = xrealloc (r->update.held, MAX (rest, 1));
  r->update.buffer = xrealloc (r->update.buffer, r->record_size);
}

void
records_set_volumes (struct records *r, struct records_volumes const *volumes)
{
  r->volumes = *volumes;
  if (r->update.active)
    hold_record (r);
  else
    r->capacity = r->record_size;
}

void
records_set_lead (struct records *r,
                  void (*lead) (void *arg, off_t position, char const **ret,
                                size_t *ret_length),
                  void *arg)
{
  r->lead = lead;
  r->lead_arg = arg;
}

off_t
records_pending (struct records const *r)
{
  return r->position - r->length;
}

/* Write a record of LENGTH bytes to this volume.  If it has no room for all of
   it, return ENOSPC; *RET_DONE bytes, whole blocks, are in it.  */
static int
put (struct records *r, char const *bytes, size_t length, size_t *ret_done)
{
  *ret_done = 0;
  if (r->volumes.length && r->volumes.length <= r->volume_written)
    return ENOSPC;
  int err = stream_write_part (r->stream, bytes, length, ret_done);
  /* How tape drives tell that the tape is at its end: st(4).  */
  if (r->stream->by_record && (err == EIO || err == ENXIO))
    err = ENOSPC;
  size_t part = *ret_done % RECORDS_BLOCK;
  *ret_done -= part;
  r->volume_written += *ret_done;
  /* Only a file can end within a block, and its end can be cut off.  */
  if (err == ENOSPC && part)
    (void)stream_truncate (r->stream, r->volume_written);
  return err;
}

/* Whether another volume may be better than this one, which has no room for
   what is buffered.  */
static bool
is_worth_a_change (struct records *r)
{
  if (!r->volume_changed || r->volume_lead < r->volume_written)
    {
      r->volumes_empty = 0;
      return true;
    }
  /* A device that is not ready can be made ready; but no volume of this length
     would ever hold more than what it begins with.  */
  return r->volume_written == 0 && ++r->volumes_empty < EMPTY_MAX;
}

/* Begin the next volume, with the last REST bytes of the archive so far, BYTES:
   write whole records, and buffer what is left.  */
static int
begin (struct records *r, char const *bytes, size_t rest)
{
  off_t position = r->position - rest;
  char const *lead = "";
  size_t length = 0;

  if (!is_worth_a_change (r))
    return ENOSPC;
  int err = r->volumes.change (r->volumes.arg, &r->stream);
  if (err)
    return err;
  if (r->lead)
    r->lead (r->lead_arg, position, &lead, &length);
  r->volume_changed = true;
  r->volume_written = 0;
  r->volume_lead = length;
  r->origin = position;
  r->position += length;

  size_t size = length + rest;
  char *all = xmalloc (size);
  size_t at = 0;
  if (length)
    memcpy (all, lead, length);
  memcpy (all + length, bytes, rest);
  while (!err && r->record_size < size - at)
    {
      size_t n;
      err = put (r, all + at, r->record_size, &n);
      at += r->record_size;
    }
  if (!err)
    {
      r->length = size - at;
      memcpy (r->buffer, all + at, r->length);
    }
  free (all);
  return err;
}

/* If R was being updated, that ends with this volume.  What was behind the
   archive's end would seem to be its end.  */
static int
leave_updated (struct records *r)
{
  if (!r->update.active)
    return 0;
  int err = records_commit (r);
  return err ? err : stream_truncate (r->stream, r->volume_written);
}

/* Go on in the next volume that has room for anything: of what is buffered,
   DONE bytes are in this one.  */
static int
change (struct records *r, size_t done)
{
  /* What only filled up the record is of no use in another.  */
  size_t filler = MIN (r->volume_filler, r->length - done);
  r->length -= filler;
  r->position -= filler;
  /* What this volume was to begin with is of no use if it did not.  */
  if (r->volume_changed && r->volume_written == 0)
    done = r->volume_lead;
  size_t rest = r->length - done;
  char *bytes = xmemdup (r->buffer + done, rest);
  int err = leave_updated (r);
  if (!err)
    do
      err = begin (r, bytes, rest);
    while (err == ENOSPC && r->volume_written == 0
           && r->volumes_empty < EMPTY_MAX);
  free (bytes);
  return err;
}

int
records_flush_volume (struct records *r)
{
  if (!r->write_error && r->length)
    {
      size_t done;
      int err = put (r, r->buffer, r->length, &done);
      if (err == ENOSPC)
        err = change (r, done);
      else
        r->length = 0;
      r->write_error = err;
    }
  if (r->write_error)
    r->length = 0;
  return r->write_error;
}
