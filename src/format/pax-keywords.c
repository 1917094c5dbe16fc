/* What the keywords of pax extended headers do to a member.

   Sources: POSIX.1-2017 pax, "pax Extended Header Keyword/Value Pairs"; the
   GNU tar manual, "Storing Sparse Files" and "Storing Extended Attributes";
   star(5); libarchive's tar(5).

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "format/pax-keywords.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "c-ctype.h"
#include "format/pax-records.h"
#include "xalloc.h"

struct keyword;
typedef void handler (struct pax_target *t, struct keyword const *k,
                      struct pax_record const *r);

struct keyword
{
  char const *name;
  bool is_prefix; /* of a family of keywords */
  handler *apply; /* NULL: known, and ignored */
  size_t field;   /* offset in struct member, or in struct pax_extra */
  unsigned bit;   /* in struct member.present */
  bool is_bulky;  /* see pax_keywords_within_bound */
};

enum
{
  /* Names, attributes and the like: no system allows more than 64 KiB for one
     of them.  */
  ORDINARY_MAX = 1024 * 1024,
  /* A directory of a million files, or a map of as many holes.  */
  BULKY_MAX = 64 * 1024 * 1024,
  /* A record that is ignored may be large, as there cannot be many such.  */
  BULKY_IGNORED = 64 * 1024
};

static struct number_limits const off_limits = { "off_t", 0, INT64_MAX };
static struct number_limits const id_limits = { "uid_t", 0, UINT32_MAX };
static struct number_limits const time_limits
    = { "time_t", INT64_MIN, INT64_MAX };
static struct number_limits const device_limits = { "major_t", 0, INT_MAX };

static void
note_value (struct pax_target *t, enum reader_note_kind kind,
            struct pax_record const *r, struct number_limits const *limits)
{
  struct reader_note note = {
    .kind = kind,
    .keyword = r->keyword,
    .keyword_length = r->keyword_length,
    .text = r->value,
    .text_length = r->value_length,
    .limits = limits,
  };
  t->note (t->note_arg, &note);
}

enum decimal
{
  DECIMAL_OK,
  DECIMAL_INVALID,
  DECIMAL_RANGE
};

/* Parse a decimal number at *P, before END, and move *P behind it.  The sign
   is separate so that "-0.5" is not lost.  */
static enum decimal
parse_decimal (char const **p, char const *end, bool *negative, intmax_t *ret)
{
  char const *q = *p;
  bool overflow = false;
  intmax_t value = 0;
  *negative = q < end && *q == '-';
  q += *negative;
  char const *digits = q;
  for (; q < end && c_isdigit (*q); q++)
    {
      int digit = *q - '0';
      overflow |= (__builtin_mul_overflow (value, 10, &value)
                   || __builtin_add_overflow (value, *negative ? -digit : digit,
                                              &value));
    }
  if (q == digits)
    return DECIMAL_INVALID;
  *p = q;
  *ret = value;
  return overflow ? DECIMAL_RANGE : DECIMAL_OK;
}

/* Set *RET to R's value, all of which has to be a number within LIMITS.
   Return false, after a note, if it is none.  */
static bool
decode_number (struct pax_target *t, struct pax_record const *r,
               struct number_limits const *limits, intmax_t *ret)
{
  char const *p = r->value;
  char const *end = p + r->value_length;
  bool negative;
  enum decimal status = parse_decimal (&p, end, &negative, ret);
  if (status == DECIMAL_INVALID || p != end)
    {
      note_value (t, READER_NOTE_PAX_VALUE, r, limits);
      return false;
    }
  if (status == DECIMAL_RANGE || *ret < limits->min || limits->max < *ret)
    {
      note_value (t, READER_NOTE_PAX_RANGE, r, limits);
      return false;
    }
  return true;
}

/* The field of the member, or of the extra, that K is about.  */
static void *
member_field (struct pax_target *t, struct keyword const *k)
{
  return (char *)t->member + k->field;
}

static void *
extra_field (struct pax_target *t, struct keyword const *k)
{
  return (char *)&t->extra + k->field;
}

static void
apply_text (struct pax_target *t, struct keyword const *k,
            struct pax_record const *r)
{
  struct member_text *field = member_field (t, k);
  size_t length = strnlen (r->value, r->value_length);
  member_set_text (field, r->value, length);
  if (length)
    t->member->present |= k->bit;
  else
    t->member->present &= ~k->bit;
}

static void
apply_size (struct pax_target *t, struct keyword const *k,
            struct pax_record const *r)
{
  (void)k;
  intmax_t value;
  if (decode_number (t, r, &off_limits, &value))
    t->member->size = t->member->stored_size = value;
}

/* uid_t and gid_t are unsigned int wherever Linux runs.  */
static void
apply_id (struct pax_target *t, struct keyword const *k,
          struct pax_record const *r)
{
  intmax_t value;
  if (decode_number (t, r, &id_limits, &value))
    {
      unsigned *field = member_field (t, k);
      *field = value;
      t->member->present |= k->bit;
    }
}

static void
apply_device (struct pax_target *t, struct keyword const *k,
              struct pax_record const *r)
{
  intmax_t value;
  if (decode_number (t, r, &device_limits, &value))
    {
      unsigned *field = member_field (t, k);
      *field = value;
    }
}

static void
apply_time (struct pax_target *t, struct keyword const *k,
            struct pax_record const *r)
{
  char const *p = r->value;
  char const *end = p + r->value_length;
  bool negative;
  intmax_t seconds;
  enum decimal status = parse_decimal (&p, end, &negative, &seconds);
  if (status == DECIMAL_INVALID || (p < end && *p != '.'))
    {
      note_value (t, READER_NOTE_PAX_VALUE, r, &time_limits);
      return;
    }

  /* Digits beyond the ninth round down, towards the past.  */
  long nanoseconds = 0;
  bool rest = false;
  int digits = 0;
  for (p += p < end; p < end && c_isdigit (*p); p++)
    if (digits < 9)
      {
        nanoseconds = nanoseconds * 10 + (*p - '0');
        digits++;
      }
    else
      rest |= *p != '0';
  for (; digits < 9; digits++)
    nanoseconds *= 10;
  if (negative && (nanoseconds || rest))
    {
      nanoseconds = 1000000000 - nanoseconds - rest;
      if (__builtin_sub_overflow (seconds, 1, &seconds))
        status = DECIMAL_RANGE;
    }
  if (status == DECIMAL_RANGE)
    {
      note_value (t, READER_NOTE_PAX_RANGE, r, &time_limits);
      return;
    }
  struct timespec *field = member_field (t, k);
  *field = (struct timespec){ .tv_sec = seconds, .tv_nsec = nanoseconds };
  t->member->present |= k->bit;
}

static int
hex_digit (char c)
{
  return (c_isdigit (c)    ? c - '0'
          : c_isxdigit (c) ? c_tolower (c) - 'a' + 10
                           : -1);
}

/* The rest of the keyword is the attribute's name, in which GNU tar writes '='
   as %3D and '%' as %25.  */
static void
apply_xattr (struct pax_target *t, struct keyword const *k,
             struct pax_record const *r)
{
  /* The limit is Linux's XATTR_NAME_MAX.  */
  char name[256];
  size_t length = 0;
  char const *p = r->keyword + strlen (k->name);
  char const *end = r->keyword + r->keyword_length;
  while (p < end && *p)
    {
      if (length == sizeof name - 1)
        {
          note_value (t, READER_NOTE_UNKNOWN_KEYWORD, r, NULL);
          return;
        }
      if (*p == '%' && 3 <= end - p && 0 <= hex_digit (p[1])
          && 0 <= hex_digit (p[2]))
        {
          name[length++] = hex_digit (p[1]) << 4 | hex_digit (p[2]);
          p += 3;
        }
      else
        name[length++] = *p++;
    }
  name[length] = '\0';
  member_add_xattr (t->member, name, r->value, r->value_length);
  t->member->present |= MEMBER_HAS_XATTRS;
}

/* --- Sparse members --- */

static void
apply_realsize (struct pax_target *t, struct keyword const *k,
                struct pax_record const *r)
{
  (void)k;
  intmax_t value;
  if (decode_number (t, r, &off_limits, &value))
    {
      t->extra.realsize = value;
      t->extra.has_realsize = true;
    }
}

/* Of a member with star's type flag 'S'.  */
static void
apply_star_realsize (struct pax_target *t, struct keyword const *k,
                     struct pax_record const *r)
{
  (void)k;
  intmax_t value;
  if (decode_number (t, r, &off_limits, &value))
    {
      t->extra.realsize = value;
      t->extra.has_star_realsize = true;
    }
}

static void
apply_sparse_name (struct pax_target *t, struct keyword const *k,
                   struct pax_record const *r)
{
  (void)k;
  t->extra.sparse_name = r->value;
  t->extra.sparse_name_length = strnlen (r->value, r->value_length);
}

static void
apply_version (struct pax_target *t, struct keyword const *k,
               struct pax_record const *r)
{
  intmax_t value;
  if (decode_number (t, r, &off_limits, &value))
    {
      uintmax_t *field = extra_field (t, k);
      *field = value;
      t->extra.has_version = true;
    }
}

static void
apply_numblocks (struct pax_target *t, struct keyword const *k,
                 struct pax_record const *r)
{
  (void)k;
  intmax_t value;
  if (decode_number (t, r, &off_limits, &value))
    {
      t->extra.announced = value;
      t->extra.has_announced = true;
      t->member->chunk_count = 0;
    }
}

/* True, after a note, if the map has as many chunks as were announced.  */
static bool
is_excess (struct pax_target *t, struct pax_record const *r)
{
  if (!t->extra.has_announced || t->member->chunk_count < t->extra.announced)
    return false;
  note_value (t, READER_NOTE_PAX_EXCESS, r, NULL);
  return true;
}

static void
apply_offset (struct pax_target *t, struct keyword const *k,
              struct pax_record const *r)
{
  (void)k;
  intmax_t value;
  if (is_excess (t, r))
    return;
  if (decode_number (t, r, &off_limits, &value))
    {
      t->extra.offset = value;
      t->extra.has_offset = true;
    }
  else
    t->extra.bad_map = true;
}

static void
apply_numbytes (struct pax_target *t, struct keyword const *k,
                struct pax_record const *r)
{
  (void)k;
  intmax_t value;
  if (is_excess (t, r))
    return;
  t->extra.has_map = true;
  if (decode_number (t, r, &off_limits, &value) && t->extra.has_offset)
    member_add_chunk (t->member, t->extra.offset, value);
  else
    t->extra.bad_map = true;
  t->extra.has_offset = false;
}

/* Format 0.1: OFFSET,LENGTH,OFFSET,LENGTH...  */
static void
apply_map (struct pax_target *t, struct keyword const *k,
           struct pax_record const *r)
{
  (void)k;
  char const *p = r->value;
  char const *end = p + r->value_length;
  intmax_t offset = 0;
  bool is_length = false;

  t->extra.has_map = true;
  t->member->chunk_count = 0;
  while (p < end)
    {
      char const *comma = memchr (p, ',', end - p);
      struct pax_record one = *r;
      one.value = p;
      one.value_length = (comma ? comma : end) - p;
      intmax_t value;
      if (is_excess (t, &one) || !decode_number (t, &one, &off_limits, &value))
        {
          t->extra.bad_map = true;
          return;
        }
      if (is_length)
        member_add_chunk (t->member, offset, value);
      offset = value;
      is_length = !is_length;
      p += one.value_length + 1;
    }
  if (is_length)
    {
      note_value (t, READER_NOTE_PAX_ODD, r, NULL);
      t->extra.bad_map = true;
    }
}

/* --- Others --- */

static void
apply_dumpdir (struct pax_target *t, struct keyword const *k,
               struct pax_record const *r)
{
  (void)k;
  t->extra.dumpdir = r->value;
  t->extra.dumpdir_length = r->value_length;
}

static void
apply_label (struct pax_target *t, struct keyword const *k,
             struct pax_record const *r)
{
  (void)k;
  t->extra.volume_label = r->value;
  t->extra.volume_label_length = strnlen (r->value, r->value_length);
}

#define IN_MEMBER(field) offsetof (struct member, field)
#define IN_EXTRA(field) offsetof (struct pax_extra, field)

/* The frequent ones first.  */
static struct keyword const keywords[] = {
  { "mtime", false, apply_time, IN_MEMBER (mtime), 0, false },
  { "atime", false, apply_time, IN_MEMBER (atime), MEMBER_HAS_ATIME, false },
  { "ctime", false, apply_time, IN_MEMBER (ctime), MEMBER_HAS_CTIME, false },
  { "path", false, apply_text, IN_MEMBER (stored_name), 0, false },
  { "comment", false, NULL, 0, 0, false },
  { "size", false, apply_size, 0, 0, false },
  { "linkpath", false, apply_text, IN_MEMBER (link), 0, false },
  { "uid", false, apply_id, IN_MEMBER (uid), MEMBER_UID_IS_EXACT, false },
  { "gid", false, apply_id, IN_MEMBER (gid), MEMBER_GID_IS_EXACT, false },
  { "uname", false, apply_text, IN_MEMBER (uname), MEMBER_HAS_UNAME, false },
  { "gname", false, apply_text, IN_MEMBER (gname), MEMBER_HAS_GNAME, false },
  { "SCHILY.xattr.", true, apply_xattr, 0, 0, false },
  { "SCHILY.acl.access", false, apply_text, IN_MEMBER (acl_access),
    MEMBER_HAS_ACL_ACCESS, false },
  { "SCHILY.acl.default", false, apply_text, IN_MEMBER (acl_default),
    MEMBER_HAS_ACL_DEFAULT, false },
  { "RHT.security.selinux", false, apply_text, IN_MEMBER (selinux),
    MEMBER_HAS_SELINUX, false },
  { "GNU.sparse.name", false, apply_sparse_name, 0, 0, false },
  { "GNU.sparse.size", false, apply_realsize, 0, 0, false },
  { "GNU.sparse.realsize", false, apply_realsize, 0, 0, false },
  { "GNU.sparse.major", false, apply_version, IN_EXTRA (major), 0, false },
  { "GNU.sparse.minor", false, apply_version, IN_EXTRA (minor), 0, false },
  { "GNU.sparse.numblocks", false, apply_numblocks, 0, 0, false },
  { "GNU.sparse.offset", false, apply_offset, 0, 0, true },
  { "GNU.sparse.numbytes", false, apply_numbytes, 0, 0, true },
  { "GNU.sparse.map", false, apply_map, 0, 0, true },
  { "GNU.dumpdir", false, apply_dumpdir, 0, 0, true },
  { "GNU.volume.label", false, apply_label, 0, 0, false },
  { "GNU.volume.", true, NULL, 0, 0, false },
  { "GNU.pad", false, NULL, 0, 0, false },
  { "SCHILY.realsize", false, apply_star_realsize, 0, 0, false },
  { "SCHILY.devmajor", false, apply_device, IN_MEMBER (device_major), 0,
    false },
  { "SCHILY.devminor", false, apply_device, IN_MEMBER (device_minor), 0,
    false },
  /* Nothing that could be restored is lost with the rest, or bsdtar writes it
     in another way as well.  */
  { "SCHILY.", true, NULL, 0, 0, false },
  { "LIBARCHIVE.", true, NULL, 0, 0, false },
  { "charset", false, NULL, 0, 0, false },
  { "hdrcharset", false, NULL, 0, 0, false },
};

static struct keyword const *
find_keyword (struct pax_record const *r)
{
  for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
    {
      struct keyword const *k = keywords + i;
      size_t length = strlen (k->name);
      if ((k->is_prefix ? length < r->keyword_length
                        : length == r->keyword_length)
          && memcmp (k->name, r->keyword, length) == 0)
        return k;
    }
  return NULL;
}

static void
note_fault (struct pax_target *t, enum pax_records_status status,
            struct pax_record const *r)
{
  static enum reader_pax_fault const faults[] = {
    [PAX_RECORDS_NO_LENGTH] = READER_PAX_NO_LENGTH,
    [PAX_RECORDS_BAD_LENGTH] = READER_PAX_BAD_LENGTH,
    [PAX_RECORDS_NO_BLANK] = READER_PAX_NO_BLANK,
    [PAX_RECORDS_NO_EQUAL_SIGN] = READER_PAX_NO_EQUAL_SIGN,
    [PAX_RECORDS_NO_NEWLINE] = READER_PAX_NO_NEWLINE,
  };
  struct reader_note note = {
    .kind = READER_NOTE_BAD_PAX,
    .pax_fault = faults[status],
  };
  if (status == PAX_RECORDS_BAD_LENGTH)
    {
      note.text = r->value;
      note.text_length = r->value_length;
    }
  t->note (t->note_arg, &note);
}

static bool
is_dropped (struct pax_target const *t, struct pax_record const *r)
{
  if (!t->edits)
    return false;
  char *keyword = ximemdup0 (r->keyword, r->keyword_length);
  bool dropped = pax_edits_drop (t->edits, keyword) != PAX_BUILD_ADD;
  free (keyword);
  return dropped;
}

void
pax_keywords_apply (char const *bytes, size_t length, struct pax_target *target)
{
  /* Without records there may be no memory for them either.  */
  if (length == 0)
    return;
  char const *cursor = bytes;
  char const *end = bytes + length;
  struct pax_record r;
  enum pax_records_status status;

  while ((status = pax_records_next (&cursor, end, &r)) == PAX_RECORDS_RECORD)
    {
      struct keyword const *k = find_keyword (&r);
      if (is_dropped (target, &r))
        continue;
      if (k && k->apply)
        k->apply (target, k, &r);
      else if (!k && !target->is_global)
        note_value (target, READER_NOTE_UNKNOWN_KEYWORD, &r, NULL);
    }
  if (status != PAX_RECORDS_END)
    note_fault (target, status, &r);

  struct pax_extra const *e = &target->extra;
  if (e->sparse_name)
    member_set_text (&target->member->stored_name, e->sparse_name,
                     e->sparse_name_length);
}

bool
pax_keywords_within_bound (struct pax_bound *bound, char const *bytes,
                           size_t length)
{
  char const *cursor = bytes + bound->cursor;
  char const *end = bytes + length;
  struct pax_record r;
  enum pax_records_status status;

  if (BULKY_MAX < length)
    return false;
  for (;;)
    {
      char const *start = cursor;
      status = pax_records_next (&cursor, end, &r);
      struct keyword const *k = NULL;
      if (status == PAX_RECORDS_RECORD || status == PAX_RECORDS_BAD_LENGTH)
        k = find_keyword (&r);
      else
        r.keyword_length = 0;
      size_t size = (status == PAX_RECORDS_RECORD ? cursor : end) - start;
      bool is_ignored = !k || !k->apply;
      bool is_bulky
          = ((k && k->is_bulky)
             || (is_ignored && r.keyword_length && BULKY_IGNORED <= size));
      if (status != PAX_RECORDS_RECORD)
        /* The rest of a record that was not read in full, or garbage.  */
        return bound->counted + (is_bulky ? 0 : size) <= ORDINARY_MAX;
      bound->cursor = cursor - bytes;
      if (!is_bulky)
        bound->counted += size;
    }
}
