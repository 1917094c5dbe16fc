/* One header block to a member's metadata, in all formats.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "format/codec.h"

#include <limits.h>
#include <string.h>

static struct number_limits const off_limits = { "off_t", 0, INT64_MAX };
static struct number_limits const mode_limits
    = { "mode_t", INTMAX_MIN, INTMAX_MAX };
static struct number_limits const uid_limits = { "uid_t", 0, UINT32_MAX };
static struct number_limits const gid_limits = { "gid_t", 0, UINT32_MAX };
static struct number_limits const time_limits
    = { "time_t", INT64_MIN, INT64_MAX };
static struct number_limits const major_limits
    = { "major_t", INT_MIN, INT_MAX };
static struct number_limits const minor_limits
    = { "minor_t", INT_MIN, INT_MAX };
static struct number_limits const checksum_limits = { "int", INT_MIN, INT_MAX };

/* The sum of B's bytes, taken as unsigned.  Eight at a time: each half of a
   pair of bytes adds to a 16-bit lane, which holds 64 * 2 * 255.  */
static unsigned
sum_unsigned (union block const *b)
{
  uint64_t const odd_bytes = UINT64_C (0x00ff00ff00ff00ff);
  uint64_t lanes = 0;
  for (size_t i = 0; i < BLOCK_SIZE; i += sizeof (uint64_t))
    {
      uint64_t word;
      memcpy (&word, b->bytes + i, sizeof word);
      lanes += (word & odd_bytes) + ((word >> 8) & odd_bytes);
    }
  return ((lanes & 0xffff) + (lanes >> 16 & 0xffff) + (lanes >> 32 & 0xffff)
          + (lanes >> 48));
}

/* The same, taken as signed.  */
static int
sum_signed (union block const *b)
{
  int sum = 0;
  for (size_t i = 0; i < BLOCK_SIZE; i++)
    sum += (signed char)b->bytes[i];
  return sum;
}

enum codec_class
codec_classify (union block const *b)
{
  int sum = sum_unsigned (b);
  if (sum == 0)
    return CODEC_ZERO;

  struct number stored;
  if (number_decode (b->ustar.checksum, sizeof b->ustar.checksum,
                     &checksum_limits, &stored)
      != NUMBER_OK)
    return CODEC_GARBAGE;

  /* The sum is made with blanks for the checksum itself (POSIX).  */
  int as_unsigned = 0;
  int as_signed = 0;
  for (size_t i = 0; i < sizeof b->ustar.checksum; i++)
    {
      as_unsigned += ' ' - (unsigned char)b->ustar.checksum[i];
      as_signed += ' ' - (signed char)b->ustar.checksum[i];
    }
  return (stored.value == sum + as_unsigned
                  || stored.value == sum_signed (b) + as_signed
              ? CODEC_HEADER
              : CODEC_GARBAGE);
}

/* star's own times field: octal digits and a blank (star(5)).  */
static bool
is_star_time (char const field[12])
{
  return '0' <= field[0] && field[0] <= '7' && field[11] == ' ';
}

enum member_format
codec_format (union block const *b)
{
  if (memcmp (b->ustar.magic, "ustar ", 6) == 0
      && memcmp (b->ustar.version, " ", 2) == 0)
    return MEMBER_FORMAT_GNU;
  if (memcmp (b->ustar.magic, "ustar", 6) != 0)
    return MEMBER_FORMAT_V7;
  if (memcmp (b->star.xmagic, "tar", 4) == 0
      || (b->star.prefix[130] == '\0' && is_star_time (b->star.atime)
          && is_star_time (b->star.ctime)))
    return MEMBER_FORMAT_STAR;
  return MEMBER_FORMAT_USTAR;
}

/* Decode FIELD, telling L what is odd about it.  Return false, and -1, if it
   has no value.  */
static bool
decode (char const *field, size_t size, struct number_limits const *limits,
        struct codec_listener const *l, intmax_t *ret)
{
  struct number number;
  enum number_status status = number_decode (field, size, limits, &number);
  if (status != NUMBER_OK || number.is_base64)
    {
      struct codec_trouble trouble = {
        .status = status,
        .field = field,
        .size = size,
        .limits = limits,
        .number = &number,
      };
      l->trouble (l->arg, &trouble);
    }
  *ret = status == NUMBER_OK ? number.value : -1;
  return status == NUMBER_OK;
}

bool
codec_offset (char const field[12], struct codec_listener const *l, off_t *ret)
{
  intmax_t value;
  bool ok = decode (field, 12, &off_limits, l, &value);
  *ret = value;
  return ok;
}

bool
codec_size (union block const *b, struct codec_listener const *l, off_t *ret)
{
  return codec_offset (b->ustar.size, l, ret);
}

static enum member_type
type_of (char typeflag)
{
  switch (typeflag)
    {
    case BLOCK_OLD_REGULAR:
    case BLOCK_REGULAR:
    case BLOCK_GNU_SPARSE:
      return MEMBER_REGULAR;
    case BLOCK_HARD_LINK:
      return MEMBER_HARD_LINK;
    case BLOCK_SYMLINK:
      return MEMBER_SYMLINK;
    case BLOCK_CHARACTER:
      return MEMBER_CHARACTER;
    case BLOCK_BLOCK:
      return MEMBER_BLOCK;
    case BLOCK_DIRECTORY:
      return MEMBER_DIRECTORY;
    case BLOCK_FIFO:
      return MEMBER_FIFO;
    case BLOCK_CONTIGUOUS:
      return MEMBER_CONTIGUOUS;
    case BLOCK_GNU_DUMPDIR:
      return MEMBER_DUMPDIR;
    case BLOCK_GNU_CONTINUATION:
      return MEMBER_CONTINUATION;
    case BLOCK_GNU_VOLUME:
      return MEMBER_VOLUME_LABEL;
    default:
      return MEMBER_UNKNOWN;
    }
}

/* A name in two fields: PREFIX/NAME, or NAME if the prefix is empty.  */
static void
decode_name (union block const *b, size_t prefix_size, struct member_text *ret)
{
  char whole[sizeof b->ustar.prefix + 1 + sizeof b->ustar.name];
  size_t length = strnlen (b->ustar.prefix, prefix_size);
  memcpy (whole, b->ustar.prefix, length);
  if (length)
    whole[length++] = '/';
  size_t name_length = strnlen (b->ustar.name, sizeof b->ustar.name);
  memcpy (whole + length, b->ustar.name, name_length);
  member_set_text (ret, whole, length + name_length);
}

static void
decode_owner_names (union block const *b, struct member *m)
{
  size_t length = strnlen (b->ustar.uname, sizeof b->ustar.uname);
  if (length)
    {
      member_set_text (&m->uname, b->ustar.uname, length);
      m->present |= MEMBER_HAS_UNAME;
    }
  length = strnlen (b->ustar.gname, sizeof b->ustar.gname);
  if (length)
    {
      member_set_text (&m->gname, b->ustar.gname, length);
      m->present |= MEMBER_HAS_GNAME;
    }
}

static void
decode_device (union block const *b, struct codec_listener const *l,
               struct member *m)
{
  intmax_t value;
  decode (b->ustar.devmajor, sizeof b->ustar.devmajor, &major_limits, l,
          &value);
  m->device_major = value;
  decode (b->ustar.devminor, sizeof b->ustar.devminor, &minor_limits, l,
          &value);
  m->device_minor = value;
}

/* Decode atime and ctime, which are there if their fields are not empty.  Other
   writers put other things there, so that what is no time is no error.  */
static void
decode_times (char const atime[12], char const ctime[12], struct member *m)
{
  struct number n;
  if (atime[0] && number_decode (atime, 12, &time_limits, &n) == NUMBER_OK)
    {
      m->atime = (struct timespec){ .tv_sec = n.value };
      m->present |= MEMBER_HAS_ATIME;
    }
  if (ctime[0] && number_decode (ctime, 12, &time_limits, &n) == NUMBER_OK)
    {
      m->ctime = (struct timespec){ .tv_sec = n.value };
      m->present |= MEMBER_HAS_CTIME;
    }
}

void
codec_decode (union block const *b, struct codec_listener const *l,
              struct member *m)
{
  struct block_ustar const *h = &b->ustar;
  intmax_t value;

  m->format = codec_format (b);
  m->typeflag = h->typeflag;
  m->type = type_of (h->typeflag);
  decode (h->mode, sizeof h->mode, &mode_limits, l, &value);
  m->mode = value & 07777;
  decode (h->mtime, sizeof h->mtime, &time_limits, l, &value);
  m->mtime = (struct timespec){ .tv_sec = value };
  decode (h->uid, sizeof h->uid, &uid_limits, l, &value);
  m->uid = value;
  decode (h->gid, sizeof h->gid, &gid_limits, l, &value);
  m->gid = value;
  if (m->type == MEMBER_HARD_LINK || m->type == MEMBER_SYMLINK)
    member_set_text (&m->link, h->linkname,
                     strnlen (h->linkname, sizeof h->linkname));

  size_t prefix_size = 0;
  if (m->format == MEMBER_FORMAT_USTAR)
    prefix_size = sizeof h->prefix;
  else if (m->format == MEMBER_FORMAT_STAR)
    prefix_size
        = (m->typeflag == BLOCK_GNU_SPARSE ? sizeof b->star_sparse.prefix
                                           : sizeof b->star.prefix);
  decode_name (b, prefix_size, &m->stored_name);

  if (m->type == MEMBER_CONTINUATION
      && !codec_offset (b->gnu.offset, l, &m->continued_at))
    m->continued_at = 0;
  if (m->format == MEMBER_FORMAT_V7)
    return;
  decode_owner_names (b, m);
  if (m->type == MEMBER_CHARACTER || m->type == MEMBER_BLOCK)
    decode_device (b, l, m);
  if (m->format == MEMBER_FORMAT_GNU)
    decode_times (b->gnu.atime, b->gnu.ctime, m);
  else if (m->format == MEMBER_FORMAT_STAR)
    decode_times (b->star.atime, b->star.ctime, m);
}
