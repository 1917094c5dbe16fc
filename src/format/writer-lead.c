/* What the volumes of an archive begin with.

   A record that the volume has no room for is written to the next.  GNU tar
   says there which file is continued: the first that has data in that record,
   or, with small records, the one whose header is in it.  So those that are in
   the record at hand have to be known until it is full.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "format/writer-lead.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "minmax.h"
#include "xalloc.h"

/* The data of a file, from START to END of the archive.  */
struct span
{
  char *name;
  off_t start;
  off_t end;
  off_t whole; /* bytes of the file */
};

struct writer_lead
{
  struct records *records;
  struct writer_settings const *settings;
  struct encoder const *main;
  /* Volumes change while another header is being written.  */
  struct encoder encoder;
  struct encode_buffer bytes;
  struct span *spans;
  idx_t count;
  idx_t alloc;
};

/* Forget the spans that are of no interest to a volume that begins at POSITION
   or later.  */
static void
forget (struct writer_lead *l, off_t position)
{
  idx_t i = 0;
  while (i < l->count && l->spans[i].start <= position
         && l->spans[i].end <= position)
    free (l->spans[i++].name);
  if (i == 0)
    return;
  l->count -= i;
  memmove (l->spans, l->spans + i, l->count * sizeof *l->spans);
}

void
writer_lead_begin (struct writer_lead *l, struct encode_string name,
                   off_t position, off_t size, off_t whole)
{
  forget (l, records_pending (l->records));
  if (l->count == l->alloc)
    l->spans = xpalloc (l->spans, &l->alloc, 1, -1, sizeof *l->spans);
  l->spans[l->count++] = (struct span){
    .name = ximemdup0 (name.text, name.length),
    .start = position,
    .end = position + size,
    .whole = whole,
  };
}

static void
append (struct writer_lead *l, void const *bytes, idx_t length)
{
  memcpy (encode_buffer_extend (&l->bytes, length), bytes, length);
}

/* Append a member that programs make of C's data if they know nothing of
   volumes.  */
static void
append_part (struct writer_lead *l, struct encode_continuation const *c,
             intmax_t number)
{
  struct encoder *e = &l->encoder;
  struct encode_buffer name = { .bytes = NULL };
  struct member part = {
    .type = MEMBER_REGULAR,
    .present = MEMBER_HAS_ATIME | MEMBER_HAS_CTIME,
    .mode = 0644,
    .size = c->left,
  };

  member_set_text (&part.stored_name, c->name.text, c->name.length);
  e->member = &part;
  encode_names_expand (e, "%d/GNUFileParts/%f.%n", number, &name);
  member_set_text (&part.stored_name, name.bytes, name.length);
  member_set_text (&part.name, name.bytes, name.length);
  free (name.bytes);
  if (l->settings->root_uname)
    {
      part.present |= MEMBER_HAS_UNAME;
      member_set_text (&part.uname, l->settings->root_uname,
                       strlen (l->settings->root_uname));
    }
  if (l->settings->root_gname)
    {
      part.present |= MEMBER_HAS_GNAME;
      member_set_text (&part.gname, l->settings->root_gname,
                       strlen (l->settings->root_gname));
    }
  if (l->settings->edit)
    l->settings->edit (l->settings->volume_arg, &part);
  /* A pax header can hold all of it.  */
  encode_member (e, &part, c->left, 0);
  append (l, e->prelude.bytes, e->prelude.length);
  append (l, e->header.bytes, BLOCK_SIZE);
  member_free (&part);
}

/* The name of C is longer than GNU's header has room for.  */
static void
note_cut (struct writer_lead *l, struct encode_continuation const *c)
{
  struct writer_note const note
      = { .kind = WRITER_NOTE_CONTINUATION_CUT, .name = c->name.text };
  if (l->settings->note)
    l->settings->note (l->settings->note_arg, &note);
}

/* A volume begins with byte POSITION of the archive.  */
static void
make_lead (void *arg, off_t position, char const **ret, size_t *ret_length)
{
  struct writer_lead *l = arg;
  struct encoder *e = &l->encoder;
  struct writer_volume volume = { .label = NULL };
  struct encode_continuation c;

  forget (l, position);
  l->settings->volume (l->settings->volume_arg, &volume);
  /* Nothing is continued if nothing is in other volumes; then a volume that
     says so could not be read alone.  */
  bool continues = l->count && position != 0;
  if (continues)
    {
      struct span const *s = l->spans;
      c.name = (struct encode_string){ s->name, strlen (s->name) };
      c.left = s->end - MAX (s->start, position);
      c.whole = s->whole;
    }
  struct encode_volume const v = {
    .label = volume.label,
    .continuation = continues ? &c : NULL,
    .now = volume.now,
    .directory = l->settings->temporary,
  };
  e->global_count = MAX (e->global_count, l->main->global_count);
  l->bytes.length = 0;
  if (encode_volume (e, &v))
    append (l, e->prelude.bytes, e->prelude.length);
  if (continues && e->policy == &encode_pax)
    append_part (l, &c, volume.number);
  else if (continues && sizeof e->header.ustar.name < c.name.length)
    note_cut (l, &c);

  for (idx_t i = 0; i < l->count; i++)
    {
      if (position <= l->spans[i].start)
        l->spans[i].start += l->bytes.length;
      l->spans[i].end += l->bytes.length;
    }
  *ret = l->bytes.bytes;
  *ret_length = l->bytes.length;
}

struct writer_lead *
writer_lead_new (struct records *r, struct writer_settings const *settings,
                 struct encoder const *main)
{
  struct writer_lead *l = xzalloc (sizeof *l);

  l->records = r;
  l->settings = settings;
  l->main = main;
  l->encoder.settings = settings;
  l->encoder.policy = main->policy;
  l->encoder.records.omit = main->records.omit;
  l->encoder.records.omit_arg = main->records.omit_arg;
  records_set_lead (r, make_lead, l);
  return l;
}

void
writer_lead_free (struct writer_lead *l)
{
  if (!l)
    return;
  for (idx_t i = 0; i < l->count; i++)
    free (l->spans[i].name);
  free (l->spans);
  free (l->bytes.bytes);
  encode_free (&l->encoder);
  free (l);
}
