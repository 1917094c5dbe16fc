/* One member's metadata to header blocks: what the formats share.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "format/encode.h"

#include <stdlib.h>
#include <string.h>

#include "xalloc.h"

#define FIELD(member)                                                          \
  offsetof (struct block_ustar, member),                                       \
      sizeof ((struct block_ustar *)NULL)->member

/* As many digits as leave room for a NUL.  */
#define OCTAL_8_MAX 07777777
#define OCTAL_12_MAX 077777777777

/* The type names are those of GNU tar's diagnostics.  */
static struct encode_field const mode_field
    = { FIELD (mode), { "mode_t", 0, OCTAL_8_MAX }, NULL };
static struct encode_field const uid_field
    = { FIELD (uid), { "uid_t", 0, OCTAL_8_MAX }, "uid" };
static struct encode_field const gid_field
    = { FIELD (gid), { "gid_t", 0, OCTAL_8_MAX }, "gid" };
static struct encode_field const size_field
    = { FIELD (size), { "off_t", 0, OCTAL_12_MAX }, "size" };
struct encode_field const encode_mtime_field
    = { FIELD (mtime), { "time_t", 0, OCTAL_12_MAX }, "mtime" };
/* The keywords are star's: star(5), "SCHILY.devmajor".  */
static struct encode_field const major_field
    = { FIELD (devmajor), { "major_t", 0, OCTAL_8_MAX }, "SCHILY.devmajor" };
static struct encode_field const minor_field
    = { FIELD (devminor), { "minor_t", 0, OCTAL_8_MAX }, "SCHILY.devminor" };

/* By enum member_type; 0: depends on the format or the member.  */
static char const typeflags[] = {
  [MEMBER_REGULAR] = 0,
  [MEMBER_CONTIGUOUS] = BLOCK_CONTIGUOUS,
  [MEMBER_HARD_LINK] = BLOCK_HARD_LINK,
  [MEMBER_SYMLINK] = BLOCK_SYMLINK,
  [MEMBER_CHARACTER] = BLOCK_CHARACTER,
  [MEMBER_BLOCK] = BLOCK_BLOCK,
  [MEMBER_DIRECTORY] = BLOCK_DIRECTORY,
  [MEMBER_FIFO] = BLOCK_FIFO,
  [MEMBER_DUMPDIR] = BLOCK_GNU_DUMPDIR,
  [MEMBER_VOLUME_LABEL] = BLOCK_GNU_VOLUME,
  [MEMBER_CONTINUATION] = BLOCK_GNU_CONTINUATION,
  [MEMBER_UNKNOWN] = 0,
};

struct encode_policy const *
encode_policy (enum member_format format)
{
  static struct encode_policy const *const policies[] = {
    [MEMBER_FORMAT_DEFAULT] = &encode_gnu,
    [MEMBER_FORMAT_V7] = &encode_v7,
    [MEMBER_FORMAT_OLDGNU] = &encode_oldgnu,
    [MEMBER_FORMAT_USTAR] = &encode_ustar,
    [MEMBER_FORMAT_PAX] = &encode_pax,
    [MEMBER_FORMAT_GNU] = &encode_gnu,
  };
  return format < sizeof policies / sizeof *policies ? policies[format] : NULL;
}

void
encode_free (struct encoder *e)
{
  free (e->prelude.bytes);
  free (e->trailer.bytes);
  free (e->name_buffer.bytes);
  free (e->path_buffer.bytes);
  pax_build_free (&e->records);
}

char *
encode_buffer_extend (struct encode_buffer *b, idx_t length)
{
  idx_t room = b->size - b->length;
  if (room < length)
    b->bytes = xpalloc (b->bytes, &b->size, length - room, -1, 1);
  char *end = b->bytes + b->length;
  b->length += length;
  return end;
}

void
encode_string_field (char *field, size_t size, struct encode_string s)
{
  memcpy (field, s.text, s.length < size ? s.length : size);
}

void
encode_checksum (union block *b)
{
  /* The checksum counts as blanks; it is six digits, a NUL and a blank (POSIX
     lets that be a blank and a NUL as well).  */
  memset (b->ustar.checksum, ' ', sizeof b->ustar.checksum);
  unsigned sum = 0;
  for (size_t i = 0; i < BLOCK_SIZE; i++)
    sum += (unsigned char)b->bytes[i];
  number_put_octal (sum, b->ustar.checksum, sizeof b->ustar.checksum - 1);
}

/* MAGIC is magic and version in one.  */
static void
put_magic (union block *b, char const *magic)
{
  memcpy (b->bytes + offsetof (struct block_ustar, magic), magic,
          sizeof b->ustar.magic + sizeof b->ustar.version);
}

union block *
encode_prelude_header (struct encoder *e, char typeflag, idx_t size)
{
  union block *b
      = (union block *)encode_buffer_extend (&e->prelude, BLOCK_SIZE);
  memset (b, 0, BLOCK_SIZE);
  number_put_octal (0644, b->ustar.mode, sizeof b->ustar.mode);
  number_put_octal (0, b->ustar.uid, sizeof b->ustar.uid);
  number_put_octal (0, b->ustar.gid, sizeof b->ustar.gid);
  number_put_octal (size, b->ustar.size, sizeof b->ustar.size);
  number_put_octal (0, b->ustar.mtime, sizeof b->ustar.mtime);
  b->ustar.typeflag = typeflag;
  put_magic (b, e->policy->magic);
  return b;
}

void
encode_prelude_data (struct encoder *e, char const *bytes, idx_t length)
{
  idx_t rest = length % BLOCK_SIZE;
  idx_t padding = rest ? BLOCK_SIZE - rest : 0;
  char *to = encode_buffer_extend (&e->prelude, length + padding);
  memcpy (to, bytes, length);
  memset (to + length, 0, padding);
}

bool
encode_refuse_string (struct encoder *e, enum writer_note_kind kind,
                      struct encode_string s, idx_t limit)
{
  e->refusal
      = (struct writer_note){ .kind = kind, .name = s.text, .count = limit };
  return false;
}

bool
encode_octal (struct encoder *e, struct encode_field const *field,
              intmax_t value)
{
  if (number_fits_octal (value, field->size))
    {
      number_put_octal (value, e->header.bytes + field->offset, field->size);
      return true;
    }
  e->refusal = (struct writer_note){ .kind = WRITER_NOTE_RANGE,
                                     .name = e->name.text,
                                     .value = value,
                                     .limits = &field->limits };
  return false;
}

bool
encode_seconds (struct encoder *e)
{
  return e->policy->number (e, &encode_mtime_field, e->member->mtime.tv_sec);
}

/* The member's name as it is stored: a directory's ends in a slash.  */
static struct encode_string
stored_name (struct encoder *e, struct member const *m)
{
  char const *name = member_text (&m->name);
  struct encode_string s = { name, strlen (name) };
  bool is_directory = m->type == MEMBER_DIRECTORY || m->type == MEMBER_DUMPDIR;
  if (is_directory && !(s.length && name[s.length - 1] == '/'))
    {
      e->name_buffer.length = 0;
      char *to = encode_buffer_extend (&e->name_buffer, s.length + 2);
      memcpy (to, name, s.length);
      to[s.length] = '/';
      to[s.length + 1] = '\0';
      s.text = to;
      s.length++;
    }
  return s;
}

static bool
is_link (struct member const *m)
{
  return m->type == MEMBER_HARD_LINK || m->type == MEMBER_SYMLINK;
}

static bool
is_device (struct member const *m)
{
  return m->type == MEMBER_CHARACTER || m->type == MEMBER_BLOCK;
}

static bool
can_store_type (struct encode_policy const *policy, struct member const *m)
{
  if (m->is_sparse && !policy->sparse)
    return false;
  return policy->has_special_files
         || !(is_device (m) || m->type == MEMBER_FIFO);
}

static char
member_typeflag (struct encode_policy const *policy, struct member const *m)
{
  if (m->type == MEMBER_UNKNOWN)
    return m->typeflag;
  if (m->is_sparse)
    return policy->sparse_flag;
  return typeflags[m->type] ? typeflags[m->type] : policy->regular;
}

/* Store the owner's and group's names, of which the field's last byte is
   always NUL.  */
static void
encode_owner_names (struct encoder *e)
{
  struct member const *m = e->member;
  struct block_ustar *h = &e->header.ustar;
  if (!e->policy->has_owner_names || e->settings->numeric_owner)
    return;
  if (m->present & MEMBER_HAS_UNAME)
    memccpy (h->uname, member_text (&m->uname), '\0', sizeof h->uname - 1);
  if (m->present & MEMBER_HAS_GNAME)
    memccpy (h->gname, member_text (&m->gname), '\0', sizeof h->gname - 1);
}

static bool
encode_device (struct encoder *e)
{
  bool (*number) (struct encoder *, struct encode_field const *, intmax_t)
      = e->policy->number;
  if (is_device (e->member))
    return number (e, &major_field, e->member->device_major)
           && number (e, &minor_field, e->member->device_minor);
  return !e->policy->zero_devices
         || (number (e, &major_field, 0) && number (e, &minor_field, 0));
}

/* Everything in the header whose order matters to no one is stored here, the
   rest in the order in which GNU tar's pax records follow each other.  */
static bool
encode_fields (struct encoder *e)
{
  struct encode_policy const *policy = e->policy;
  struct member const *m = e->member;

  if (m->is_sparse)
    policy->sparse (e);
  if (is_link (m) && !policy->link (e))
    return false;
  if (!policy->name (e) || !policy->number (e, &mode_field, m->mode)
      || !policy->number (e, &uid_field, m->uid)
      || !policy->number (e, &gid_field, m->gid)
      || !policy->number (e, &size_field, e->size) || !policy->mtime (e)
      || !encode_device (e))
    return false;

  e->header.ustar.typeflag = member_typeflag (policy, m);
  if (policy->magic)
    put_magic (&e->header, policy->magic);
  encode_owner_names (e);
  if (policy->finish)
    policy->finish (e);
  encode_checksum (&e->header);
  return true;
}

bool
encode_member (struct encoder *e, struct member const *m, off_t size,
               off_t start)
{
  e->member = m;
  e->path = e->name = stored_name (e, m);
  e->path_is_dummy = false;
  e->link.text = is_link (m) ? member_text (&m->link) : "";
  e->link.length = strlen (e->link.text);
  e->size = size;
  e->start = start;
  e->prelude.length = 0;
  e->link_end = 0;
  e->trailer.length = 0;
  pax_build_clear (&e->records);
  memset (&e->header, 0, sizeof e->header);

  if (!can_store_type (e->policy, m))
    return encode_refuse_string (e, WRITER_NOTE_TYPE, e->name, 0);
  return encode_fields (e);
}
