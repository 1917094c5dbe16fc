/* Members to archive bytes.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "format/writer.h"

#include <stdlib.h>

#include "format/encode.h"
#include "format/writer-lead.h"
#include "format/writer-share.h"
#include "minmax.h"
#include "xalloc.h"

struct writer
{
  struct records *records;
  struct writer_settings settings;
  struct encoder encoder;
  bool started; /* what comes before all members was written */
  off_t origin; /* of the archive in its file, for alignment */
  struct writer_share *share;
  struct writer_lead *lead; /* NULL: there is one volume */
  struct sharing_counts counts;
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
  struct writer_share_settings const share
      = { .mode = settings->reflink,
          .strategy = settings->reflink_strategy,
          .least = settings->align };
  w->share = writer_share_new (&share, r, &w->counts);
  w->encoder.settings = &w->settings;
  w->encoder.policy = encode_policy (settings->format);
  if (!w->encoder.policy)
    abort ();
  if (settings->pax_edits)
    {
      w->encoder.records.omit = pax_edits_drop;
      w->encoder.records.omit_arg = settings->pax_edits;
    }
  if (settings->volume)
    w->lead = writer_lead_new (r, &w->settings, &w->encoder);
  return w;
}

void
writer_free (struct writer *w)
{
  if (!w)
    return;
  writer_share_free (w->share);
  writer_lead_free (w->lead);
  encode_free (&w->encoder);
  free (w);
}

static void
note (struct writer const *w, struct writer_note const *n)
{
  if (w->settings.note)
    w->settings.note (w->settings.note_arg, n);
}

/* How writing a member's data ended when no write failed.  */
struct outcome
{
  int trouble;  /* 0, or PAYLOAD_SHORT or the errno of a read */
  size_t tried; /* so many bytes were to be read */
  bool refused; /* the data must be shared and cannot be: REFUSAL */
  struct writer_share_refusal refusal;
};

/* Copy at least one of the next LEFT bytes of P, and no more than LIMIT of them
   if that is possible.  Set *RET to their number.  If that is 0, *OUTCOME tells
   the trouble.  Return 0 or the errno of a write.  */
static int
copy_some (struct writer *w, struct payload *p, off_t left, off_t limit,
           size_t *ret, struct outcome *outcome)
{
  *ret = 0;
  if (p->ops->fill)
    {
      char *space;
      size_t room;
      records_space (w->records, &space, &room);
      outcome->tried = MIN (room, limit);
      outcome->trouble = p->ops->fill (p, space, outcome->tried, ret);
      return outcome->trouble || !*ret ? 0 : records_filled (w->records, *ret);
    }

  struct payload_segment s;
  outcome->trouble = payload_next (p, &s);
  if (outcome->trouble || s.length == 0)
    return 0;
  *ret = MIN (s.length, left);
  return records_write (w->records, s.bytes, *ret);
}

/* Where M's file ended, if DONE bytes of its data were there.  */
static off_t
end_of_data (struct member const *m, off_t done)
{
  if (!m->is_sparse)
    return done;
  size_t i = 0;
  while (i < m->chunk_count && m->chunks[i].length <= done)
    done -= m->chunks[i++].length;
  return i < m->chunk_count ? m->chunks[i].offset + done : m->size;
}

/* Get *LEFT bytes of P into the archive, and leave in *LEFT how many were not
   to be had; then *OUTCOME tells why.  */
static int
put_data (struct writer *w, struct payload *p, off_t *left,
          struct outcome *outcome)
{
  while (*left)
    {
      struct writer_share_result step;
      size_t n = 0;
      int err = 0;
      switch (writer_share_next (w->share, p, *left, &step))
        {
        case WRITER_SHARE_COPY:
          err = copy_some (w, p, *left, step.length, &n, outcome);
          if (err || !n)
            return err;
          writer_share_copied (w->share, n);
          *left -= n;
          break;
        case WRITER_SHARE_SHARED:
          *left -= step.length;
          break;
        case WRITER_SHARE_BAD:
          outcome->trouble = step.errnum;
          outcome->tried = step.length;
          return 0;
        case WRITER_SHARE_REFUSED:
          outcome->refused = true;
          outcome->refusal = step.refusal;
          return 0;
        case WRITER_SHARE_FATAL:
          return step.errnum;
        }
    }
  return 0;
}

/* Tell that of SIZE bytes the last LEFT could not be had.  */
static void
note_missing (struct writer *w, off_t size, off_t left,
              struct outcome const *outcome)
{
  struct writer_note message = { .name = w->encoder.name.text };
  message.kind = WRITER_NOTE_SHRANK;
  message.count
      = w->encoder.member->size - end_of_data (w->encoder.member, size - left);
  if (outcome->trouble && outcome->trouble != PAYLOAD_SHORT)
    {
      message.kind = WRITER_NOTE_READ_ERROR;
      message.errnum = outcome->trouble;
      message.count = size - left;
      message.size = outcome->tried;
    }
  note (w, &message);
}

static void
note_refusal (struct writer *w, struct writer_share_refusal const *refusal)
{
  struct writer_note message = { .kind = WRITER_NOTE_NOT_SHARED,
                                 .name = w->encoder.name.text,
                                 .reason = refusal->reason,
                                 .errnum = refusal->errnum };
  note (w, &message);
}

/* Write SIZE bytes of P, and zeros in place of those that cannot be had.  If P
   must be shared and cannot be, take back the member, which began at position
   START, and set *RET_STORED to false.  */
static int
write_data (struct writer *w, struct payload *p, off_t size, off_t start,
            bool *ret_stored)
{
  struct outcome outcome = { 0 };
  off_t left = size;
  if (w->settings.discard_data)
    {
      records_omit (w->records, size);
      return records_pad_block (w->records);
    }
  int err = put_data (w, p, &left, &outcome);
  if (err)
    return err;
  if (outcome.refused)
    {
      note_refusal (w, &outcome.refusal);
      *ret_stored = false;
      return records_rewind (w->records, start, left);
    }
  if (left)
    {
      note_missing (w, size, left, &outcome);
      err = records_write_zeros (w->records, left);
      if (err)
        return err;
    }
  writer_share_end (w->share);
  return records_pad_block (w->records);
}

/* Write what comes before all members.  */
static int
start_archive (struct writer *w)
{
  struct encoder *e = &w->encoder;
  struct encode_volume const v = {
    .is_first = true,
    .now = w->settings.start,
    .directory = w->settings.temporary,
  };
  if (w->started)
    return 0;
  w->started = true;
  if (!encode_volume (e, &v))
    return 0;
  return records_write (w->records, e->prelude.bytes, e->prelude.length);
}

/* Write M's headers.  GNU tar lists it when its own is due; that makes a
   difference where what comes before can begin a new volume.  */
static int
put_headers (struct writer *w, struct member const *m)
{
  struct encoder *e = &w->encoder;
  off_t listed_at = records_position (w->records) + e->link_end;
  int err = 0;

  if (w->settings.storing && !w->lead)
    w->settings.storing (w->settings.storing_arg, m, listed_at);
  if (e->prelude.length)
    err = records_write (w->records, e->prelude.bytes, e->prelude.length);
  if (!err && w->settings.storing && w->lead)
    w->settings.storing (w->settings.storing_arg, m, listed_at);
  return err ? err : records_write (w->records, e->header.bytes, BLOCK_SIZE);
}

/* True if M can be continued in another volume.  */
static bool
has_file_data (struct member const *m)
{
  return (m->type == MEMBER_REGULAR || m->type == MEMBER_CONTIGUOUS
          || m->type == MEMBER_DUMPDIR);
}

int
writer_put (struct writer *w, struct member const *m, struct payload *p,
            bool *ret_stored)
{
  struct encoder *e = &w->encoder;
  off_t size = p && member_has_data (m) ? p->remaining : 0;
  int err = start_archive (w);
  if (err)
    return err;
  off_t at = records_position (w->records);
  struct writer_share_refusal refusal;

  *ret_stored = encode_member (e, m, size, w->origin + at);
  e->carried_length = e->list_length = 0;
  if (!*ret_stored)
    {
      note (w, &e->refusal);
      return 0;
    }
  if (size
      && !writer_share_begin (
          w->share, p, e->prelude.length + BLOCK_SIZE + e->trailer.length,
          m->is_sparse, &refusal))
    {
      note_refusal (w, &refusal);
      *ret_stored = false;
      return 0;
    }
  err = put_headers (w, m);
  if (!err && e->trailer.length)
    err = records_write (w->records, e->trailer.bytes, e->trailer.length);
  if (!err && w->lead && has_file_data (m))
    writer_lead_begin (w->lead, e->name, records_position (w->records), size,
                       m->size);
  if (!err && size)
    err = write_data (w, p, size, at, ret_stored);
  return err;
}

void
writer_carry (struct writer *w, char const *records, size_t length)
{
  w->encoder.carried = records;
  w->encoder.carried_length = length;
}

void
writer_list (struct writer *w, char const *list, size_t length)
{
  w->encoder.list = list;
  w->encoder.list_length = length;
}

struct sharing_counts const *
writer_get_counts (struct writer const *w)
{
  return &w->counts;
}

int
writer_put_label (struct writer *w, char const *label, time_t now,
                  char const *directory)
{
  struct encoder *e = &w->encoder;
  struct encode_volume const v = {
    .is_first = true, .label = label, .now = now, .directory = directory
  };

  encode_volume (e, &v);
  w->started = true;
  return records_write (w->records, e->prelude.bytes, e->prelude.length);
}

int
writer_finish (struct writer *w)
{
  int err = start_archive (w);
  return err ? err : records_write_zeros (w->records, 2 * BLOCK_SIZE);
}
