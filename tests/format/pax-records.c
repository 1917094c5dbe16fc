/* The form of extended headers, and what their keywords do.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "format/pax-records.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/pax-keywords.h"
#include "xalloc.h"

static int failures;

static void
fail (char const *what)
{
  printf ("%s\n", what);
  failures++;
}

/* --- Form --- */

struct form_case
{
  char const *header;
  int records; /* good ones before the end */
  enum pax_records_status end;
};

static struct form_case const form_cases[] = {
  { "", 0, PAX_RECORDS_END },
  { "9 uid=12\n", 1, PAX_RECORDS_END },
  { "9 uid=12\n9 gid=12\n", 2, PAX_RECORDS_END },
  { "9\tuid=12\n", 1, PAX_RECORDS_END },
  { "9  uid=1\n", 1, PAX_RECORDS_END },
  { "5 =1\n", 1, PAX_RECORDS_END },
  { "7 a=\nb\n", 1, PAX_RECORDS_END },
  { "9 uid=12\nxx", 1, PAX_RECORDS_NO_LENGTH },
  { "uid=1\n", 0, PAX_RECORDS_NO_LENGTH },
  { "-1 uid=1\n", 0, PAX_RECORDS_NO_LENGTH },
  { "10 uid=1\n", 0, PAX_RECORDS_BAD_LENGTH },
  { "99999999999999999999999999999 a=1\n", 0, PAX_RECORDS_BAD_LENGTH },
  { "18446744073709551617 a=1\n", 0, PAX_RECORDS_BAD_LENGTH },
  { "8uid=12\n", 0, PAX_RECORDS_NO_BLANK },
  { "9", 0, PAX_RECORDS_BAD_LENGTH },
  { "1", 0, PAX_RECORDS_NO_BLANK },
  { "0 uid=1\n", 0, PAX_RECORDS_NO_EQUAL_SIGN },
  { "2 uid=12\n", 0, PAX_RECORDS_NO_EQUAL_SIGN },
  { "9 uid 12\n9 uid=12\n", 0, PAX_RECORDS_NO_EQUAL_SIGN },
  { "8 uid=12", 0, PAX_RECORDS_NO_NEWLINE },
  { "8 uid=12\n", 0, PAX_RECORDS_NO_NEWLINE },
};

static void
check_form (struct form_case const *c)
{
  /* In memory of its own, so that a sanitizer sees a read beyond it.  */
  size_t length = strlen (c->header);
  char *header = xmalloc (length + !length);
  memcpy (header, c->header, length);
  char const *cursor = header;
  struct pax_record r;
  int records = 0;
  enum pax_records_status status;
  while ((status = pax_records_next (&cursor, header + length, &r))
         == PAX_RECORDS_RECORD)
    records++;
  if (records != c->records || status != c->end)
    {
      printf ("'%s': %d records and status %u, not %d and %u\n", c->header,
              records, status, c->records, c->end);
      failures++;
    }
  free (header);
}

/* --- Keywords --- */

static enum reader_note_kind last_note;
static int notes;

static void
note (void *arg, struct reader_note const *n)
{
  (void)arg;
  last_note = n->kind;
  notes++;
}

/* Append the record KEYWORD=VALUE to HEADER, which holds LENGTH bytes and has
   room.  Return the new length.  */
static size_t
add_record (char *header, size_t length, char const *keyword, char const *value,
            size_t value_length)
{
  size_t body = strlen (keyword) + value_length + 3;
  size_t all = body + 1;
  while (snprintf (NULL, 0, "%zu", all) + body != all)
    all++;
  length += sprintf (header + length, "%zu %s=", all, keyword);
  memcpy (header + length, value, value_length);
  header[length + value_length] = '\n';
  return length + value_length + 1;
}

/* Apply KEYWORD=VALUE to M, which is made empty first.  */
static struct pax_extra
apply (struct member *m, char const *keyword, char const *value)
{
  char header[1000];
  size_t length = add_record (header, 0, keyword, value, strlen (value));
  struct pax_target target = { .member = m, .note = note };
  member_clear (m);
  notes = 0;
  pax_keywords_apply (header, length, &target);
  return target.extra;
}

struct time_case
{
  char const *value;
  time_t seconds;
  long nanoseconds;
};

static struct time_case const time_cases[] = {
  { "1", 1, 0 },
  { "1.", 1, 0 },
  { "1.5", 1, 500000000 },
  { "1.123456789999", 1, 123456789 },
  { "-1", -1, 0 },
  { "-1.5", -2, 500000000 },
  { "-0.5", -1, 500000000 },
  { "-0.0000000001", -1, 999999999 },
  { "-0.0000000000", 0, 0 },
  { "9223372036854775807", INT64_MAX, 0 },
  { "-9223372036854775808", INT64_MIN, 0 },
};

static void
check_times (struct member *m)
{
  static char const *const invalid[] = { "", "abc", ".5", "1x", "--1", "+1" };
  static char const *const beyond[]
      = { "9223372036854775808", "-9223372036854775808.1",
          "999999999999999999999999" };
  for (size_t i = 0; i < sizeof time_cases / sizeof *time_cases; i++)
    {
      struct time_case const *c = &time_cases[i];
      apply (m, "mtime", c->value);
      if (notes || m->mtime.tv_sec != c->seconds
          || m->mtime.tv_nsec != c->nanoseconds)
        {
          printf ("mtime=%s: %jd.%09ld\n", c->value, (intmax_t)m->mtime.tv_sec,
                  m->mtime.tv_nsec);
          failures++;
        }
    }
  for (size_t i = 0; i < sizeof invalid / sizeof *invalid; i++)
    {
      apply (m, "mtime", invalid[i]);
      if (notes != 1 || last_note != READER_NOTE_PAX_VALUE)
        fail (invalid[i]);
    }
  for (size_t i = 0; i < sizeof beyond / sizeof *beyond; i++)
    {
      apply (m, "mtime", beyond[i]);
      if (notes != 1 || last_note != READER_NOTE_PAX_RANGE)
        fail (beyond[i]);
    }
}

static void
check_keywords (struct member *m)
{
  static char const *const silent[]
      = { "comment",    "charset",        "hdrcharset",   "GNU.pad",
          "SCHILY.dev", "LIBARCHIVE.pad", "SCHILY.fflags" };
  apply (m, "path", "name");
  if (strcmp (member_text (&m->stored_name), "name") != 0)
    fail ("path");
  apply (m, "uid", "4294967295");
  if (notes || m->uid != UINT32_MAX)
    fail ("uid");
  apply (m, "uid", "4294967296");
  if (last_note != READER_NOTE_PAX_RANGE || m->uid != 0)
    fail ("uid that is too large");
  apply (m, "size", "-1");
  if (last_note != READER_NOTE_PAX_RANGE || m->size != 0)
    fail ("negative size");
  apply (m, "uname", "");
  if (m->present & MEMBER_HAS_UNAME)
    fail ("empty uname");
  apply (m, "SCHILY.xattr.user.a%3Db%25c%", "v");
  if (m->xattr_count != 1 || strcmp (m->xattrs[0].name, "user.a=b%c%") != 0)
    fail ("name of an extended attribute");
  apply (m, "unheard.of", "v");
  if (notes != 1 || last_note != READER_NOTE_UNKNOWN_KEYWORD)
    fail ("unknown keyword");
  for (size_t i = 0; i < sizeof silent / sizeof *silent; i++)
    {
      apply (m, silent[i], "v");
      if (notes)
        fail (silent[i]);
    }
  struct pax_extra extra = apply (m, "GNU.sparse.map", "0,512,1024,512");
  if (notes || extra.bad_map || m->chunk_count != 2)
    fail ("sparse map");
  extra = apply (m, "GNU.sparse.map", "0,512,1024");
  if (last_note != READER_NOTE_PAX_ODD || !extra.bad_map)
    fail ("sparse map of an odd length");
}

/* --- Bounds --- */

/* Whether a header of COUNT records with values of LENGTH bytes is within
   bounds.  */
static bool
within (char const *keyword, size_t length, int count)
{
  char *header = xmalloc (count * (length + 100));
  char *value = xmalloc (length);
  size_t all = 0;
  memset (value, 'x', length);
  for (int i = 0; i < count; i++)
    all = add_record (header, all, keyword, value, length);
  /* As it is read: first a part, then the whole.  */
  struct pax_bound bound = { 0 };
  bool ok = pax_keywords_within_bound (&bound, header, all / 2 + 3)
            && pax_keywords_within_bound (&bound, header, all);
  free (header);
  free (value);
  return ok;
}

static void
check_bounds (void)
{
  size_t const mib = 1024 * 1024;
  if (!within ("path", mib - 100, 1) || within ("path", mib, 1))
    fail ("bound of a name");
  if (!within ("uid", 10, 40000) || within ("uid", 10, 80000))
    fail ("bound of many records");
  if (!within ("GNU.dumpdir", 32 * mib, 1)
      || within ("GNU.dumpdir", 64 * mib, 1))
    fail ("bound of a directory");
  if (!within ("unheard.of", 2 * mib, 1))
    fail ("bound of what is ignored");
}

int
main (void)
{
  struct member m = { 0 };
  for (size_t i = 0; i < sizeof form_cases / sizeof *form_cases; i++)
    check_form (&form_cases[i]);
  check_times (&m);
  check_keywords (&m);
  check_bounds ();
  member_free (&m);
  return failures != 0;
}
