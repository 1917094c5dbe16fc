/* Members to archive bytes.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "format/writer.h"

#include <stdlib.h>

#include "format/encode.h"
#include "minmax.h"
#include "xalloc.h"

struct writer
{
  struct records *records;
  struct writer_settings settings;
  struct encoder encoder;
  off_t origin; /* of the archive in its file, for alignment */
};

struct writer *
writer_new (struct records *r, struct writer_settings const *settings)
{
  struct writer *w = xzalloc (sizeof *w);
  w->records = r;
  w->settings = *settings;
  /* Nothing can be aligned in a file where blocks are not: then look at the
     archive alone, which may be taken out of it.  */
  w->origin = records_origin (r);
  if (w->origin % BLOCK_SIZE != 0)
    w->origin = 0;
  w->encoder.settings = &w->settings;
  w->encoder.policy = encode_policy (settings->format);
  if (!w->encoder.policy)
    abort ();
  return w;
}

void
writer_free (struct writer *w)
{
  if (!w)
    return;
  encode_free (&w->encoder);
  free (w);
}

static void
note (struct writer const *w, struct writer_note const *n)
{
  if (w->settings.note)
    w->settings.note (w->settings.note_arg, n);
}

/* Copy at least one of the next LEFT bytes of P.  Set *RET to their number,
   *RET_PAYLOAD to what P returned, which is 0 unless *RET is 0, and *RET_TRIED
   to how many bytes were asked for.  Return 0 or the errno of a write.  */
static int
copy_some (struct writer *w, struct payload *p, off_t left, size_t *ret,
           int *ret_payload, size_t *ret_tried)
{
  *ret = 0;
  *ret_tried = 0;
  if (p->ops->fill)
    {
      char *space;
      size_t room;
      records_space (w->records, &space, &room);
      *ret_tried = MIN (room, left);
      *ret_payload = p->ops->fill (p, space, *ret_tried, ret);
      return *ret_payload || !*ret ? 0 : records_filled (w->records, *ret);
    }

  struct payload_segment s;
  *ret_payload = payload_next (p, &s);
  if (*ret_payload || s.length == 0)
    return 0;
  *ret = MIN (s.length, left);
  return records_write (w->records, s.bytes, *ret);
}

/* Write SIZE bytes of P, and zeros in place of those that cannot be had.  */
static int
write_data (struct writer *w, struct payload *p, off_t size)
{
  off_t left = size;
  if (w->settings.discard_data)
    {
      records_omit (w->records, size);
      left = 0;
    }
  while (left)
    {
      size_t n;
      size_t tried;
      int trouble;
      int err = copy_some (w, p, left, &n, &trouble, &tried);
      if (err)
        return err;
      left -= n;
      if (n)
        continue;

      struct writer_note message = { .name = w->encoder.name.text };
      message.kind = WRITER_NOTE_SHRANK;
      message.count = left;
      if (trouble && trouble != PAYLOAD_SHORT)
        {
          message.kind = WRITER_NOTE_READ_ERROR;
          message.errnum = trouble;
          message.count = size - left;
          message.size = tried;
        }
      note (w, &message);
      err = records_write_zeros (w->records, left);
      if (err)
        return err;
      left = 0;
    }
  return records_pad_block (w->records);
}

int
writer_put (struct writer *w, struct member const *m, struct payload *p,
            bool *ret_stored)
{
  struct encoder *e = &w->encoder;
  off_t size = p && member_has_data (m) ? p->remaining : 0;

  *ret_stored
      = encode_member (e, m, size, w->origin + records_position (w->records));
  if (!*ret_stored)
    {
      note (w, &e->refusal);
      return 0;
    }
  if (w->settings.storing)
    w->settings.storing (w->settings.storing_arg, m);

  int err = 0;
  if (e->prelude.length)
    err = records_write (w->records, e->prelude.bytes, e->prelude.length);
  if (!err)
    err = records_write (w->records, e->header.bytes, BLOCK_SIZE);
  if (!err && size)
    err = write_data (w, p, size);
  return err;
}

int
writer_finish (struct writer *w)
{
  return records_write_zeros (w->records, 2 * BLOCK_SIZE);
}
