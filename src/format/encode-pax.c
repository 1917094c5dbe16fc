/* Header blocks in pax format: what a ustar header cannot hold is said in the
   records of an extended header before it.

   Source: POSIX.1-2017 pax, "pax Interchange Format".  Where POSIX leaves a
   choice, it is the one GNU tar makes.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "format/encode.h"

#include <stdlib.h>
#include <string.h>

#include "format/align.h"
#include "format/carry.h"
#include "xalloc.h"
#include "xvasprintf.h"

enum
{
  NAME_SIZE = sizeof ((struct block_ustar *)NULL)->name,
  /* The owner names' last byte is NUL.  */
  OWNER_MAX = sizeof ((struct block_ustar *)NULL)->uname - 1
};

static bool
is_ascii (char const *s)
{
  for (; *s; s++)
    if ((unsigned char)*s & 0x80)
      return false;
  return true;
}

static bool
encode_pax_name (struct encoder *e)
{
  if ((NAME_SIZE < e->path.length && !e->path_is_dummy)
      || !is_ascii (e->path.text))
    pax_build_add (&e->records, "path", e->path.text, e->path.length);
  encode_string_field (e->header.ustar.name, NAME_SIZE, e->path);
  return true;
}

static bool
encode_pax_link (struct encoder *e)
{
  if (NAME_SIZE < e->link.length)
    pax_build_add (&e->records, "linkpath", e->link.text, e->link.length);
  encode_string_field (e->header.ustar.linkname, NAME_SIZE, e->link);
  return true;
}

static bool
encode_pax_number (struct encoder *e, struct encode_field const *field,
                   intmax_t value)
{
  if (number_fits_octal (value, field->size) || !field->keyword)
    return encode_octal (e, field, value);
  pax_build_add_number (&e->records, field->keyword, value);
  return encode_octal (e, field, 0);
}

static bool
encode_pax_mtime (struct encoder *e)
{
  struct encode_field const *field = &encode_mtime_field;
  struct timespec mtime = e->member->mtime;
  bool fits = number_fits_octal (mtime.tv_sec, field->size);
  if (!fits || mtime.tv_nsec)
    pax_build_add_time (&e->records, field->keyword, mtime);
  return encode_octal (e, field, fits ? mtime.tv_sec : 0);
}

static void
add_owner_name (struct encoder *e, char const *keyword, char const *name)
{
  size_t length = strlen (name);
  if (OWNER_MAX < length || !is_ascii (name))
    pax_build_add (&e->records, keyword, name, length);
}

/* Put TEMPLATE's name, or as much of it as fits, in B.  */
static void
put_name (struct encoder *e, union block *b, char const *template,
          intmax_t number)
{
  /* A sparse member's path is stored already.  */
  struct encode_buffer *name = &e->path_buffer;
  encode_names_expand (e, template, number, name);
  encode_string_field (b->ustar.name, NAME_SIZE,
                       (struct encode_string){ name->bytes, name->length });
}

/* Put SECONDS, or as near as it comes, in B.  */
static void
put_time (union block *b, intmax_t seconds)
{
  struct number_limits const *limits = &encode_mtime_field.limits;
  if (seconds < limits->min)
    seconds = limits->min;
  if (limits->max < seconds)
    seconds = limits->max;
  number_put_octal (seconds, b->ustar.mtime, sizeof b->ustar.mtime);
}

/* Put an extended header with RECORDS in the prelude.  It has the name and time
   of H, if they are given.  */
static void
put_header (struct encoder *e, char typeflag, struct pax_build const *records,
            struct pax_edits_header const *h, char const *template,
            intmax_t seconds)
{
  union block *b = encode_prelude_header (e, typeflag, records->length);
  bool is_global = typeflag == BLOCK_PAX_GLOBAL;
  if (is_global)
    e->global_count++;
  put_name (e, b, h && h->name ? h->name : template,
            is_global ? e->global_count : 0);
  put_time (b, h && h->has_time ? h->time : seconds);
  encode_checksum (b);
  encode_prelude_data (e, records->bytes, records->length);
}

/* Put the member's records in the prelude.  POSIX wants the process ID in the
   header's name, which makes every archive different.  */
static void
put_local_header (struct encoder *e)
{
  struct pax_edits const *edits = e->settings->pax_edits;
  char const *template = e->settings->posixly_correct ? "%d/PaxHeaders.%p/%f"
                                                      : "%d/PaxHeaders/%f";
  put_header (e, BLOCK_PAX_LOCAL, &e->records, edits ? &edits->local : NULL,
              template,
              e->settings->header_time ? *e->settings->header_time
                                       : e->member->mtime.tv_sec);
}

bool
encode_pax_volume (struct encoder *e, struct encode_volume const *v)
{
  struct pax_edits const *edits = e->settings->pax_edits;
  struct encode_continuation const *c = v->continuation;
  bool has_edits = edits && edits->globals.length && v->is_first;
  if (!v->label && !c && !has_edits)
    return false;

  struct pax_build records = { 0 };
  if (v->label)
    pax_build_add (&records, "GNU.volume.label", v->label, strlen (v->label));
  if (c)
    {
      pax_build_add (&records, "GNU.volume.filename", c->name.text,
                     c->name.length);
      pax_build_add_number (&records, "GNU.volume.size", c->left);
      pax_build_add_number (&records, "GNU.volume.offset", c->whole - c->left);
    }
  if (has_edits)
    pax_build_append (&records, &edits->globals);
  if (edits)
    pax_build_append (&records, &edits->overrides);
  char *template = xasprintf ("%s/GlobalHead%s.%%n", v->directory,
                              e->settings->posixly_correct ? ".%p" : "");
  e->member = NULL;
  e->prelude.length = 0;
  put_header (e, BLOCK_PAX_GLOBAL, &records, edits ? &edits->global : NULL,
              template, v->now);
  pax_build_free (&records);
  free (template);
  return true;
}

/* Make the member's data begin on a boundary, if it is worth it.  This has to
   be the last record.  */
static void
add_padding (struct encoder *e)
{
  idx_t unit = e->settings->align;
  /* A map before the data is counted as data, too.  */
  idx_t map = e->trailer.length;
  if (!unit || e->size - map < unit)
    return;
  idx_t length = align_filler (e->start + map, e->records.length, unit);
  if (length)
    pax_build_add_filler (&e->records, ALIGN_KEYWORD, ALIGN_FILLER, length);
}

/* The keyword of attribute NAME: '=' would end it, and '%' begins what stands
   for another byte.  */
static void
add_xattr (struct encoder *e, struct member_xattr const *x)
{
  static char const prefix[] = "SCHILY.xattr.";
  char *keyword = xmalloc (sizeof prefix + 3 * strlen (x->name));
  char *end = stpcpy (keyword, prefix);
  for (char const *p = x->name; *p; p++)
    if (*p == '%' || *p == '=')
      end = stpcpy (end, *p == '%' ? "%25" : "%3D");
    else
      *end++ = *p;
  *end = '\0';
  pax_build_add (&e->records, keyword, x->value, x->length);
  free (keyword);
}

/* In GNU tar's order.  */
static void
add_attributes (struct encoder *e)
{
  struct member const *m = e->member;
  struct
  {
    enum member_field field;
    char const *keyword;
    struct member_text const *text;
    bool wanted;
  } const texts[] = {
    { MEMBER_HAS_ACL, "SCHILY.acl.access", &m->acl_access, true },
    { MEMBER_HAS_ACL, "SCHILY.acl.default", &m->acl_default,
      m->type == MEMBER_DIRECTORY },
    { MEMBER_HAS_SELINUX, "RHT.security.selinux", &m->selinux, true },
  };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    if (m->present & texts[i].field && texts[i].wanted)
      pax_build_add (&e->records, texts[i].keyword, member_text (texts[i].text),
                     strlen (member_text (texts[i].text)));
  if (m->present & MEMBER_HAS_XATTRS)
    for (size_t i = 0; i < m->xattr_count; i++)
      add_xattr (e, &m->xattrs[i]);
}

static void
encode_pax_finish (struct encoder *e)
{
  struct member const *m = e->member;
  if (m->present & MEMBER_HAS_ATIME)
    pax_build_add_time (&e->records, "atime", m->atime);
  if (m->present & MEMBER_HAS_CTIME)
    pax_build_add_time (&e->records, "ctime", m->ctime);
  if (e->list_length)
    pax_build_add (&e->records, "GNU.dumpdir", e->list, e->list_length);
  if (!e->settings->numeric_owner)
    {
      if (m->present & MEMBER_HAS_UNAME)
        add_owner_name (e, "uname", member_text (&m->uname));
      if (m->present & MEMBER_HAS_GNAME)
        add_owner_name (e, "gname", member_text (&m->gname));
    }
  /* Attributes come from nowhere but pax records: there may be very many, and
     those carried have them all.  */
  if (!e->carried_length)
    add_attributes (e);
  else
    carry_merge (&e->records, e->carried, e->carried_length, m->is_sparse);
  /* For these alone GNU tar makes no header.  */
  if ((e->records.length || e->records.replaced) && e->settings->pax_edits)
    pax_build_append (&e->records, &e->settings->pax_edits->overrides);
  add_padding (e);
  if (e->records.length)
    put_local_header (e);
}

struct encode_policy const encode_pax = {
  .magic = "ustar\00000",
  .regular = BLOCK_REGULAR,
  .sparse_flag = BLOCK_REGULAR,
  .has_owner_names = true,
  .has_special_files = true,
  .name = encode_pax_name,
  .link = encode_pax_link,
  .number = encode_pax_number,
  .mtime = encode_pax_mtime,
  .finish = encode_pax_finish,
  .sparse = encode_sparse_pax,
};
