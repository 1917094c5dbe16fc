/* One member's metadata: buffers that are used again from member to member.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "member.h"

#include <stdlib.h>
#include <string.h>

#include "xalloc.h"

void
member_set_text (struct member_text *t, char const *s, size_t length)
{
  if (t->size <= length)
    {
      /* Another buffer, since S may lie in the old one.  Some room to grow
         spares the next members an allocation.  */
      size_t size = length < 128 ? 128 : length + length / 2 + 1;
      char *text = xmalloc (size);
      memcpy (text, s, length);
      free (t->text);
      t->text = text;
      t->size = size;
    }
  else if (length)
    memmove (t->text, s, length);
  t->text[length] = '\0';
}

static void
text_clear (struct member_text *t)
{
  if (t->text)
    t->text[0] = '\0';
}

static void
text_free (struct member_text *t)
{
  free (t->text);
  *t = (struct member_text){ 0 };
}

static void
text_copy (struct member_text *to, struct member_text const *from)
{
  if (from->text)
    member_set_text (to, from->text, strlen (from->text));
  else
    text_clear (to);
}

/* The texts of a member, for what is done to all of them alike.  */
enum
{
  MEMBER_TEXTS = 8
};

static void
member_texts (struct member *m, struct member_text *ret[MEMBER_TEXTS])
{
  ret[0] = &m->stored_name;
  ret[1] = &m->name;
  ret[2] = &m->link;
  ret[3] = &m->uname;
  ret[4] = &m->gname;
  ret[5] = &m->acl_access;
  ret[6] = &m->acl_default;
  ret[7] = &m->selinux;
}

static void
clear_xattrs (struct member *m)
{
  for (size_t i = 0; i < m->xattr_count; i++)
    {
      free (m->xattrs[i].name);
      free (m->xattrs[i].value);
    }
  m->xattr_count = 0;
}

void
member_clear (struct member *m)
{
  clear_xattrs (m);
  struct member kept = *m;
  *m = (struct member){
    .stored_name = kept.stored_name,
    .name = kept.name,
    .link = kept.link,
    .uname = kept.uname,
    .gname = kept.gname,
    .acl_access = kept.acl_access,
    .acl_default = kept.acl_default,
    .selinux = kept.selinux,
    .chunks = kept.chunks,
    .chunk_alloc = kept.chunk_alloc,
    .xattrs = kept.xattrs,
    .xattr_alloc = kept.xattr_alloc,
  };
  struct member_text *texts[MEMBER_TEXTS];
  member_texts (m, texts);
  for (int i = 0; i < MEMBER_TEXTS; i++)
    text_clear (texts[i]);
}

void
member_free (struct member *m)
{
  struct member_text *texts[MEMBER_TEXTS];
  member_texts (m, texts);
  for (int i = 0; i < MEMBER_TEXTS; i++)
    text_free (texts[i]);
  clear_xattrs (m);
  free (m->xattrs);
  free (m->chunks);
  *m = (struct member){ 0 };
}

void
member_copy (struct member *to, struct member const *from)
{
  member_clear (to);
  struct member kept = *to;
  *to = *from;
  to->chunks = kept.chunks;
  to->chunk_count = 0;
  to->chunk_alloc = kept.chunk_alloc;
  to->xattrs = kept.xattrs;
  to->xattr_count = 0;
  to->xattr_alloc = kept.xattr_alloc;

  struct member_text *own[MEMBER_TEXTS];
  struct member_text *copied[MEMBER_TEXTS];
  struct member source = *from;
  member_texts (&kept, own);
  member_texts (&source, copied);
  struct member_text *texts[MEMBER_TEXTS];
  member_texts (to, texts);
  for (int i = 0; i < MEMBER_TEXTS; i++)
    {
      *texts[i] = *own[i];
      text_copy (texts[i], copied[i]);
    }
  for (size_t i = 0; i < from->chunk_count; i++)
    member_add_chunk (to, from->chunks[i].offset, from->chunks[i].length);
  for (size_t i = 0; i < from->xattr_count; i++)
    member_add_xattr (to, from->xattrs[i].name, from->xattrs[i].value,
                      from->xattrs[i].length);
}

void
member_add_xattr (struct member *m, char const *name, char const *value,
                  size_t length)
{
  /* A hostile archive can have tens of thousands.  Whoever sets them in turn
     ends with the last value anyhow.  */
  size_t searched = m->xattr_count < 256 ? m->xattr_count : 256;
  size_t i = 0;
  while (i < searched && strcmp (m->xattrs[i].name, name) != 0)
    i++;
  if (i == searched)
    {
      i = m->xattr_count;
      if (m->xattr_alloc <= i)
        m->xattrs = x2nrealloc (m->xattrs, &m->xattr_alloc, sizeof *m->xattrs);
      m->xattrs[i].name = xstrdup (name);
      m->xattr_count++;
    }
  else
    free (m->xattrs[i].value);
  m->xattrs[i].value = xmalloc (length + 1);
  memcpy (m->xattrs[i].value, value, length);
  m->xattrs[i].value[length] = '\0';
  m->xattrs[i].length = length;
}

void
member_add_chunk (struct member *m, off_t offset, off_t length)
{
  if (m->chunk_alloc <= m->chunk_count)
    m->chunks = x2nrealloc (m->chunks, &m->chunk_alloc, sizeof *m->chunks);
  m->chunks[m->chunk_count++]
      = (struct member_chunk){ .offset = offset, .length = length };
}

bool
member_has_data (struct member const *m)
{
  switch (m->type)
    {
    case MEMBER_REGULAR:
    case MEMBER_CONTIGUOUS:
    case MEMBER_DUMPDIR:
    case MEMBER_CONTINUATION:
    case MEMBER_UNKNOWN:
      return true;
    default:
      return false;
    }
}
