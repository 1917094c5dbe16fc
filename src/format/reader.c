/* Archive bytes to members: finds headers, merges extended headers, skips what
   cannot be read.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "format/reader.h"

#include <stdlib.h>
#include <string.h>

#include "format/codec.h"
#include "format/extended.h"
#include "format/reader-member.h"
#include "format/reader-payload.h"
#include "format/sparse.h"
#include "intprops.h"
#include "minmax.h"
#include "xalloc.h"

struct reader
{
  struct records *records;
  struct reader_settings settings;
  struct codec_listener listener;

  struct extended extended;
  struct member member;
  struct reader_payload payload;
  off_t data_end;     /* where the next header is expected */
  off_t bytes_end;    /* likewise, before the padding */
  bool in_data;       /* between the member's header and that */
  bool in_map;        /* in a sparse map that the data begins with */
  off_t member_start; /* of the first header of the member at hand */
  bool in_headers;    /* between that and the member's own header */
  off_t zeros_start;  /* of the zero blocks met last */

  bool seen_header;
  bool seen_garbage;
  bool seen_member;
  bool skipping;    /* among blocks that are no headers */
  bool after_zeros; /* the last block was one of zeros */
  bool told_base64;
  bool ended; /* END was returned, or FATAL */
  enum reader_step end_step;
  bool pending_bad; /* tell bad_kind when the member is done with */
  enum reader_note_kind bad_kind;
};

/* --- Notes --- */

/* The number of the block that R is at, from 0.  */
static off_t
current_block (struct reader const *reader)
{
  return records_block (reader->records);
}

static void
send_note (struct reader *reader, struct reader_note *note)
{
  note->block = current_block (reader);
  reader->settings.note (reader->settings.note_arg, note);
}

static void
note_kind (struct reader *reader, enum reader_note_kind kind)
{
  send_note (reader, &(struct reader_note){ .kind = kind });
}

static void
ignore_note (void *arg, struct reader_note const *note)
{
  (void)arg;
  (void)note;
}

/* Hand on a note of the pax code.  */
static void
note_pax (void *arg, struct reader_note const *note)
{
  struct reader_note copy = *note;
  send_note (arg, &copy);
}

static void
note_trouble (void *arg, struct codec_trouble const *t)
{
  struct reader *reader = arg;
  if (t->number->is_base64 && !reader->told_base64)
    {
      reader->told_base64 = true;
      note_kind (reader, READER_NOTE_BASE64);
    }
  if (t->status != NUMBER_OK)
    send_note (reader, &(struct reader_note){ .kind = READER_NOTE_NUMBER,
                                              .status = t->status,
                                              .number = t->number,
                                              .limits = t->limits,
                                              .text = t->field,
                                              .text_length = t->size });
}

/* --- Ends --- */

static enum reader_step
end (struct reader *reader, enum reader_step step)
{
  reader->ended = true;
  reader->end_step = step;
  return step;
}

/* End after a failure of the records: an errno, or PAYLOAD_SHORT.  */
static enum reader_step
end_failed (struct reader *reader, int failure)
{
  if (failure == STREAM_STOPPED)
    return end (reader, READER_FATAL);
  if (failure == PAYLOAD_SHORT)
    note_kind (reader, READER_NOTE_UNEXPECTED_EOF);
  else
    send_note (reader, &(struct reader_note){ .kind = READER_NOTE_READ_ERROR,
                                              .errnum = failure });
  return end (reader, READER_FATAL);
}

/* The archive ends where a header was expected.  */
static enum reader_step
end_of_file (struct reader *reader)
{
  bool empty = !reader->seen_header && !reader->skipping;
  if (empty && records_failed (reader->records))
    /* What the filter says of its input is enough.  */
    return end (reader, READER_FATAL);
  /* GNU tar says nothing of a filter's empty output.  */
  if (empty && records_filtered (reader->records))
    return end (reader, READER_END);
  if (empty && !reader->after_zeros)
    note_kind (reader, READER_NOTE_NOT_TAR);
  else if (records_beyond_end (reader->records))
    return end_failed (reader, PAYLOAD_SHORT);
  note_kind (reader, READER_NOTE_END_OF_FILE);
  if (!empty && !reader->after_zeros && !reader->skipping)
    note_kind (reader, READER_NOTE_MISSING_END);
  return end (reader, READER_END);
}

/* --- Headers --- */

/* A block of zeros is at R's position.  Return READER_MEMBER if reading goes
   on.  */
static enum reader_step
pass_zeros (struct reader *reader)
{
  if (!reader->after_zeros)
    reader->zeros_start = records_position (reader->records);
  reader->after_zeros = true;
  reader->skipping = false;
  reader->in_headers = false;
  extended_clear (&reader->extended);
  if (reader->settings.ignore_zeros)
    {
      note_kind (reader, READER_NOTE_ZERO_BLOCK);
      records_consume (reader->records, BLOCK_SIZE);
      return READER_MEMBER;
    }

  char const *bytes;
  size_t n;
  /* Both are read before anything is said; what is wrong with the second shows
     below.  */
  (void)records_peek (reader->records, 2 * BLOCK_SIZE, &bytes, &n);
  note_kind (reader, READER_NOTE_END_BLOCKS);
  records_consume (reader->records, BLOCK_SIZE);
  int err = records_peek (reader->records, BLOCK_SIZE, &bytes, &n);
  if (err)
    return end_failed (reader, err);
  bool another = BLOCK_SIZE <= n;
  if (another && codec_classify ((union block const *)bytes) == CODEC_ZERO)
    records_consume (reader->records, BLOCK_SIZE);
  else
    {
      note_kind (reader, READER_NOTE_LONE_ZERO);
      if (another)
        note_kind (reader, READER_NOTE_AFTER_ZERO);
    }
  return end (reader, READER_END);
}

/* A block that is no header, now consumed.  */
static void
pass_garbage (struct reader *reader)
{
  if (!reader->skipping)
    {
      if (!reader->seen_member && !reader->after_zeros)
        note_kind (reader, READER_NOTE_NOT_TAR);
      note_kind (reader, READER_NOTE_SKIPPING);
    }
  reader->skipping = true;
  reader->seen_garbage = true;
  reader->after_zeros = false;
  reader->in_headers = false;
  extended_clear (&reader->extended);
}

/* Read the sparse map of reader's member in a pax format: from the extended
   header, or from its *UNREAD bytes of data.  */
static enum sparse_status
read_pax_map (struct reader *reader, struct pax_extra const *extra,
              off_t *unread, int *ret_errno)
{
  struct member *m = &reader->member;
  if (extra->has_realsize)
    m->size = extra->realsize;
  if (!extra->has_version)
    return extra->bad_map ? SPARSE_MALFORMED : SPARSE_OK;
  if (extra->major != 1 || extra->minor != 0)
    return SPARSE_MALFORMED;
  m->chunk_count = 0;
  enum sparse_status status
      = sparse_read_pax (reader->records, m, unread, ret_errno);
  if (!extra->has_realsize && m->chunk_count)
    {
      struct member_chunk const *last = &m->chunks[m->chunk_count - 1];
      if (INT_ADD_WRAPV (last->offset, last->length, &m->size))
        return SPARSE_BAD;
    }
  return status;
}

/* Read the sparse map of reader's member, if it has one.  B is the header if it
   begins there, and is consumed.  Set *RET_UNREAD to the bytes of data after
   the map.  */
static enum sparse_status
read_map (struct reader *reader, union block const *b,
          struct pax_extra const *extra, off_t *ret_unread, int *ret_errno)
{
  struct member *m = &reader->member;
  enum sparse_status status = SPARSE_OK;
  if (b)
    {
      m->is_sparse = true;
      m->chunk_count = 0;
      status = sparse_read_old (b, reader->records, &reader->listener, m,
                                ret_errno);
      if (extra->has_star_realsize)
        m->size = extra->realsize;
    }
  else
    m->is_sparse
        = (extra->has_realsize || extra->has_map || extra->has_announced
           || extra->has_version)
          && (m->type == MEMBER_REGULAR || m->type == MEMBER_CONTIGUOUS);

  /* Blocks of a map in headers are no data; a map in the data is.  */
  reader->data_end = reader_member_end (m, records_position (reader->records));
  reader->bytes_end = reader->data_end - (-m->stored_size & (BLOCK_SIZE - 1));
  reader->in_data = true;
  reader->in_map = m->is_sparse;
  *ret_unread = m->stored_size;
  if (m->is_sparse && !b)
    status = read_pax_map (reader, extra, ret_unread, ret_errno);
  if (m->is_sparse && status == SPARSE_OK)
    status = sparse_check (m, *ret_unread, ret_unread);
  return status;
}

/* Start the payload of reader's member, whose header is consumed.  B is the
   header if there is a sparse map in it.  */
static enum reader_step
start_data (struct reader *reader, union block const *b,
            struct pax_extra const *extra)
{
  struct member *m = &reader->member;
  off_t length;
  int err = 0;
  enum sparse_status status = read_map (reader, b, extra, &length, &err);
  reader->in_map = false;
  if (status == SPARSE_ERROR || status == SPARSE_SHORT)
    return end_failed (reader, status == SPARSE_ERROR ? err : PAYLOAD_SHORT);

  reader->pending_bad = status != SPARSE_OK;
  if (reader->pending_bad)
    {
      reader->bad_kind = (status == SPARSE_BAD ? READER_NOTE_BAD_SPARSE
                                               : READER_NOTE_MALFORMED_SPARSE);
      m->chunk_count = 0;
      reader_payload_start_bad (&reader->payload);
    }
  else if (m->type == MEMBER_DUMPDIR && extra->dumpdir)
    reader_payload_start_memory (&reader->payload, extra->dumpdir,
                                 extra->dumpdir_length);
  else
    reader_payload_start (&reader->payload, reader->records, m, length);
  if (m->is_sparse)
    m->stored_size = length;
  return READER_MEMBER;
}

/* Make a member of header B at R's position, which has SIZE in its size field,
   and consume it.  */
static enum reader_step
start_member (struct reader *reader, union block const *window, off_t size)
{
  struct member *m = &reader->member;
  struct pax_target target = {
    .member = m,
    .note = note_pax,
    .note_arg = reader,
  };
  struct extended const *e = &reader->extended;

  m->size = m->stored_size = size;
  m->header_block
      = (e->has_name || e->has_link ? e->first_block : current_block (reader));
  codec_decode (window, &reader->listener, m);
  extended_apply (e, &target);
  reader_member_settle (m, &target.extra);

  if (m->typeflag != BLOCK_GNU_SPARSE)
    {
      records_consume (reader->records, BLOCK_SIZE);
      return start_data (reader, NULL, &target.extra);
    }
  /* The window moves when the blocks of the map are read.  */
  union block b = *window;
  records_consume (reader->records, BLOCK_SIZE);
  return start_data (reader, &b, &target.extra);
}

/* GNU tar stores a volume's label in the global header of pax archives, and
   lists it as a member: make one of it if that header, *B, has one.  */
static bool
start_label (struct reader *reader, union block const *b, off_t block)
{
  struct member *m = &reader->member;
  struct pax_target target = {
    .member = m,
    .note = ignore_note,
    .is_global = true,
  };
  /* Only to find it: everything else is for the members that follow, and is
     complained of then.  */
  pax_keywords_apply (reader->extended.global.bytes,
                      reader->extended.global.length, &target);
  member_clear (m);
  if (!target.extra.volume_label)
    return false;
  codec_decode (b, &reader->listener, m);
  member_set_text (&m->stored_name, target.extra.volume_label,
                   target.extra.volume_label_length);
  member_set_text (&m->name, target.extra.volume_label,
                   target.extra.volume_label_length);
  m->type = MEMBER_VOLUME_LABEL;
  m->format = MEMBER_FORMAT_PAX;
  m->mode = 0;
  m->header_block = block;
  reader->data_end = records_position (reader->records);
  reader_payload_start (&reader->payload, reader->records, m, 0);
  return true;
}

/* Take header *WINDOW, which has SIZE in its size field, at R's position.
   Return true and *RET_STEP if it leads to a member or the end.  */
static bool
take_header (struct reader *reader, union block const *window, off_t size,
             enum reader_step *ret_step)
{
  char typeflag = window->ustar.typeflag;
  reader->seen_header = true;
  reader->after_zeros = false;
  if (!reader->in_headers)
    reader->member_start = records_position (reader->records);
  /* A global header belongs to no member, unless it is among the headers of
     one, which go on being that behind it.  */
  reader->in_headers |= typeflag != BLOCK_PAX_GLOBAL;
  switch (typeflag)
    {
    case BLOCK_PAX_LOCAL:
    case BLOCK_SOLARIS_LOCAL:
    case BLOCK_PAX_GLOBAL:
    case BLOCK_GNU_LONG_NAME:
    case BLOCK_GNU_LONG_LINK:
      break;
    default:
      reader->seen_member = true;
      reader->skipping = false;
      *ret_step = start_member (reader, window, size);
      return true;
    }

  off_t block = current_block (reader);
  union block b = *window;
  int err = 0;
  records_consume (reader->records, BLOCK_SIZE);
  switch (extended_read (&reader->extended, reader->records, typeflag, size,
                         block, &err))
    {
    case EXTENDED_SHORT:
    case EXTENDED_ERROR:
      *ret_step = end_failed (reader, err ? err : PAYLOAD_SHORT);
      return true;
    case EXTENDED_TOO_LARGE:
      send_note (reader, &(struct reader_note){ .kind = READER_NOTE_TOO_LARGE,
                                                .count = size });
      *ret_step = end (reader, READER_FATAL);
      return true;
    default:
      break;
    }
  if (typeflag == BLOCK_PAX_GLOBAL && reader->settings.global)
    reader->settings.global (reader->settings.global_arg, b.bytes,
                             reader->extended.global.bytes,
                             reader->extended.global.length);
  if (typeflag == BLOCK_PAX_GLOBAL && start_label (reader, &b, block))
    {
      *ret_step = READER_MEMBER;
      return true;
    }
  return false;
}

/* --- The interface --- */

struct reader *
reader_new (struct records *r, struct reader_settings const *settings)
{
  struct reader *reader = xzalloc (sizeof *reader);
  reader->records = r;
  reader->settings = *settings;
  reader->extended.edits = settings->pax_edits;
  reader->listener.trouble = note_trouble;
  reader->listener.arg = reader;
  return reader;
}

void
reader_free (struct reader *reader)
{
  if (!reader)
    return;
  member_free (&reader->member);
  extended_free (&reader->extended);
  free (reader);
}

/* Leave the last member: tell what was wrong with it, and skip what is left of
   its data.  Return READER_MEMBER if reading goes on.  */
static enum reader_step
leave_member (struct reader *reader)
{
  if (reader->pending_bad)
    {
      reader->pending_bad = false;
      send_note (reader,
                 &(struct reader_note){
                     .kind = reader->bad_kind,
                     .name = member_text (&reader->member.stored_name) });
    }
  int failure = reader->payload.failure;
  bool was_read = failure || reader->payload.base.remaining == 0;
  if (!failure)
    {
      off_t left = reader->data_end - records_position (reader->records);
      off_t unread = MIN (reader->payload.base.remaining, left);
      /* The padding by itself, like GNU tar: it may lie in a record of its
         own, which is then read.  */
      if (0 < unread)
        failure = records_skip (reader->records, unread);
      if (!failure && unread < left)
        failure = records_pass (reader->records, left - unread);
      if (failure == RECORDS_SHORT)
        failure = PAYLOAD_SHORT;
    }
  reader->payload.failure = 0;
  reader->in_headers = false;
  reader->in_data = false;
  member_clear (&reader->member);
  extended_clear (&reader->extended);
  if (failure == PAYLOAD_SHORT && was_read && reader->settings.cut_is_end)
    {
      note_kind (reader, READER_NOTE_CUT);
      note_kind (reader, READER_NOTE_END_OF_FILE);
      return end (reader, READER_END);
    }
  return failure ? end_failed (reader, failure) : READER_MEMBER;
}

enum reader_step
reader_next (struct reader *reader, struct member **member,
             struct payload **payload)
{
  if (reader->ended)
    return reader->end_step;
  enum reader_step step = leave_member (reader);
  *member = &reader->member;
  *payload = &reader->payload.base;
  while (step == READER_MEMBER)
    {
      char const *bytes;
      size_t n;
      int err = records_peek (reader->records, BLOCK_SIZE, &bytes, &n);
      if (err)
        return end_failed (reader, err);
      if (n < BLOCK_SIZE)
        return end_of_file (reader);

      union block const *b = (union block const *)bytes;
      enum codec_class class = codec_classify (b);
      off_t size;
      if (class == CODEC_HEADER && codec_size (b, &reader->listener, &size))
        {
          if (take_header (reader, b, size, &step))
            return step;
        }
      else if (class == CODEC_ZERO)
        step = pass_zeros (reader);
      else
        {
          records_consume (reader->records, BLOCK_SIZE);
          pass_garbage (reader);
        }
    }
  return step;
}

bool
reader_end (struct reader const *reader, off_t *ret, bool *ret_has_zeros)
{
  *ret_has_zeros = reader->after_zeros;
  *ret = (reader->after_zeros ? reader->zeros_start
                              : records_position (reader->records));
  if (reader->seen_header || reader->after_zeros)
    return true;
  char const *bytes;
  size_t n = 1;
  return (!reader->seen_garbage
          && records_peek (reader->records, 1, &bytes, &n) == 0 && n == 0);
}

void
reader_extent (struct reader const *reader, off_t *ret_start, off_t *ret_end)
{
  *ret_start = reader->member_start;
  *ret_end = reader->data_end;
}

enum reader_place
reader_place (struct reader const *reader, off_t at, struct reader_pending *ret)
{
  struct member const *m = &reader->member;
  if (!reader->in_data)
    return reader->in_headers ? READER_IN_HEADERS : READER_BETWEEN;
  if (reader->bytes_end <= at)
    return READER_BETWEEN;
  *ret = (struct reader_pending){
    .name = member_text (&m->stored_name),
    .left = reader->bytes_end - at,
    .whole = m->size,
    .before_data = reader->in_map,
  };
  if (m->type == MEMBER_CONTINUATION
      && INT_ADD_WRAPV (m->size, m->continued_at, &ret->whole))
    ret->whole = TYPE_MAXIMUM (off_t);
  return READER_IN_DATA;
}

bool
reader_is_bad (struct reader const *reader)
{
  return reader->pending_bad;
}

void
reader_pax_records (struct reader const *reader, char const **ret,
                    size_t *ret_length)
{
  struct extended const *e = &reader->extended;
  *ret = e->local.bytes;
  *ret_length = e->has_local ? e->local.length : 0;
}
