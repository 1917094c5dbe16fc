/* The file of --listed-incremental: reading.

   Format 2 is a line with the version, then fields that end in NULs.  Formats 0
   and 1 are lines; they know no contents of directories, and names in them are
   quoted.  (GNU tar 1.34 itself cannot read these any more.)

   Source: the GNU tar manual, "Format of the Incremental Snapshot Files".

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "fs/snapshot.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "c-ctype.h"
#include "gettext.h"
#include "intprops.h"
#include "timespec.h"
#include "unquote.h"
#include "xalloc.h"

#define _(text) gettext (text)

enum
{
  /* As many digits as there can be, and a sign.  */
  FIELD_MAX = INT_BUFSIZE_BOUND (uintmax_t)
};

struct scan
{
  struct report *report;
  char const *name; /* of the file */
  char *at;
  char *begin;
  char *end; /* there is a NUL here, which is not in the file */
  uintmax_t line;
  struct snapshot *snapshot;
};

static bool
fatal (struct scan *s)
{
  report_unrecoverable (s->report);
  return false;
}

static struct snapshot_dir *
add_dir (struct snapshot *s)
{
  if (s->count == s->alloc)
    s->dirs = xpalloc (s->dirs, &s->alloc, 1, -1, sizeof *s->dirs);
  struct snapshot_dir *d = &s->dirs[s->count++];
  *d = (struct snapshot_dir){ .name = NULL };
  return d;
}

/* --- Format 2 --- */

/* A field that is a number.  */
struct field
{
  char const *name;
  bool is_signed;
  intmax_t min;
  uintmax_t max;
};

#define FIELD_OF(name, type)                                                   \
  {                                                                            \
    name, TYPE_SIGNED (type), TYPE_MINIMUM (type), TYPE_MAXIMUM (type)         \
  }

static struct field const nfs_field = { "nfs", false, 0, 1 };
static struct field const sec_field = FIELD_OF ("sec", time_t);
static struct field const nsec_field = { "nsec", true, 0, 999999999 };
static struct field const dev_field = FIELD_OF ("dev", dev_t);
static struct field const ino_field = FIELD_OF ("ino", ino_t);

static bool
unexpected_end (struct scan *s)
{
  report_error (s->report, 0, "%s: %s", report_name (s->name),
                _ ("Unexpected EOF in snapshot file"));
  return fatal (s);
}

/* TEXT, up to where S is, is no number for F because of ERR.  */
static bool
bad_field (struct scan *s, struct field const *f, char const *text, int err)
{
  intmax_t offset = s->at - s->begin;
  if (err == ERANGE && f->is_signed)
    report_error (s->report, err,
                  _ ("%s: byte %" PRIdMAX ": (valid range %" PRIdMAX
                     "..%" PRIuMAX ")\n\t%s %s"),
                  report_name (s->name), offset, f->min, f->max, f->name, text);
  else if (err == ERANGE)
    report_error (s->report, err,
                  _ ("%s: byte %" PRIdMAX ": (valid range %" PRIdMAX
                     "..%" PRIuMAX ")\n\t%s %s"),
                  report_name (s->name), offset, f->min, f->max, f->name, text);
  else
    report_error (s->report, err, _ ("%s: byte %" PRIdMAX ": %s %s"),
                  report_name (s->name), offset, f->name, text);
  return fatal (s);
}

/* Let TEXT be what the field at S begins with that can be a number, and leave S
   behind the NUL after it.  */
static bool
read_digits (struct scan *s, struct field const *f, char text[FIELD_MAX])
{
  size_t length = 0;
  while (true)
    {
      if (s->at == s->end)
        return unexpected_end (s);
      unsigned char c = *s->at++;
      text[length] = '\0';
      if (!c)
        return true;
      if (!(c_isdigit (c) || (length == 0 && c == '-')))
        {
          report_error (s->report, 0,
                        _ ("%s: byte %" PRIdMAX
                           ": %s %s followed by invalid byte 0x%02x"),
                        report_name (s->name), (intmax_t)(s->at - s->begin),
                        f->name, text, c);
          return fatal (s);
        }
      text[length++] = c;
      if (length == FIELD_MAX)
        {
          report_error (s->report, 0,
                        _ ("%s: byte %" PRIdMAX ": %s %.*s... too long"),
                        report_name (s->name), (intmax_t)(s->at - s->begin),
                        f->name, (int)length, text);
          return fatal (s);
        }
    }
}

/* Read F to *RET; a signed one is in two's complement there.  */
static bool
read_number (struct scan *s, struct field const *f, uintmax_t *ret)
{
  char text[FIELD_MAX];
  char *end;
  if (!read_digits (s, f, text))
    return false;
  errno = 0;
  if (!*text || strcmp (text, "-") == 0 || (*text == '-' && !f->is_signed))
    return bad_field (s, f, text, EINVAL);
  if (f->is_signed)
    {
      intmax_t value = strtoimax (text, &end, 10);
      if (errno || value < f->min || (0 <= value && f->max < (uintmax_t)value))
        return bad_field (s, f, text, ERANGE);
      *ret = value;
    }
  else
    {
      *ret = strtoumax (text, &end, 10);
      if (errno || f->max < *ret)
        return bad_field (s, f, text, ERANGE);
    }
  return true;
}

static bool
read_time (struct scan *s, struct timespec *ret)
{
  uintmax_t sec;
  uintmax_t nsec;
  if (!read_number (s, &sec_field, &sec)
      || !read_number (s, &nsec_field, &nsec))
    return false;
  *ret = make_timespec ((intmax_t)sec, nsec);
  return true;
}

/* Move S behind the string it is at.  */
static bool
read_string (struct scan *s, char const **ret)
{
  *ret = s->at;
  char *nul = memchr (s->at, '\0', s->end - s->at);
  if (!nul)
    return unexpected_end (s);
  s->at = nul + 1;
  return true;
}

static bool
bad_end (struct scan *s)
{
  report_error (s->report, 0,
                _ ("%s: byte %" PRIdMAX ": Missing record terminator"),
                report_name (s->name), (intmax_t)(s->at - s->begin));
  return fatal (s);
}

static bool
read_contents (struct scan *s, struct snapshot_dir *d)
{
  d->contents = s->at;
  while (s->at < s->end && *s->at)
    {
      char *nul = memchr (s->at, '\0', s->end - s->at);
      if (!nul)
        return unexpected_end (s);
      s->at = nul + 1;
    }
  if (s->at == s->end)
    return bad_end (s);
  s->at++;
  if (s->at == s->end)
    return bad_end (s);
  return *s->at++ == '\0' || bad_end (s);
}

static bool
read_record (struct scan *s)
{
  uintmax_t nfs;
  uintmax_t dev;
  uintmax_t ino;
  struct snapshot_dir *d = add_dir (s->snapshot);
  if (!read_number (s, &nfs_field, &nfs) || !read_time (s, &d->mtime)
      || !read_number (s, &dev_field, &dev)
      || !read_number (s, &ino_field, &ino) || !read_string (s, &d->name))
    return false;
  d->nfs = nfs;
  d->dev = dev;
  d->ino = ino;
  return read_contents (s, d);
}

static bool
read_fields (struct scan *s)
{
  if (!read_time (s, &s->snapshot->start))
    return false;
  while (s->at < s->end)
    if (!read_record (s))
      return false;
  return true;
}

/* --- Formats 0 and 1 --- */

static bool
bad_line (struct scan *s, char const *what, int err)
{
  report_error (s->report, err, "%s:%" PRIuMAX ": %s", report_name (s->name),
                s->line, what);
  return fatal (s);
}

/* The next line, without its newline; NULL at the end.  */
static char *
next_line (struct scan *s)
{
  if (s->at == s->end)
    return NULL;
  char *line = s->at;
  char *newline = memchr (line, '\n', s->end - line);
  s->at = newline ? newline + 1 : s->end;
  if (newline)
    *newline = '\0';
  s->line++;
  return line;
}

/* Read the number of F that *TEXT begins with, after a blank.  WHAT is bad if
   it is none.  */
static bool
read_word (struct scan *s, struct field const *f, char const *what, char **text,
           uintmax_t *ret)
{
  char *p = *text + (**text == ' ');
  if (!c_isdigit (*p) && !(f->is_signed && *p == '-' && c_isdigit (p[1])))
    return bad_line (s, what, EINVAL);
  errno = 0;
  if (f->is_signed)
    {
      intmax_t value = strtoimax (p, text, 10);
      if (errno || value < f->min || (0 <= value && f->max < (uintmax_t)value))
        return bad_line (s, what, ERANGE);
      *ret = value;
    }
  else
    {
      *ret = strtoumax (p, text, 10);
      if (errno || f->max < *ret)
        return bad_line (s, what, ERANGE);
    }
  return true;
}

static bool
read_line (struct scan *s, int version, char *line)
{
  uintmax_t sec = 0;
  uintmax_t nsec = 0;
  uintmax_t dev;
  uintmax_t ino;
  bool nfs = *line == '+';
  line += nfs;
  if (version == 1
      && (!read_word (s, &sec_field, _ ("Invalid modification time"), &line,
                      &sec)
          || !read_word (s, &nsec_field, _ ("Invalid modification time"), &line,
                         &nsec)))
    return false;
  if (!read_word (s, &dev_field, _ ("Invalid device number"), &line, &dev)
      || !read_word (s, &ino_field, _ ("Invalid inode number"), &line, &ino))
    return false;
  if (*line != ' ' || !line[1])
    return bad_line (s, _ ("Invalid inode number"), EINVAL);
  unquote (line + 1);
  *add_dir (s->snapshot) = (struct snapshot_dir){
    .name = line + 1,
    .dev = dev,
    .ino = ino,
    .nfs = nfs,
    .mtime = make_timespec ((intmax_t)sec, nsec),
  };
  return true;
}

/* LINE is the first one that has a time.  */
static bool
read_lines (struct scan *s, int version, char *line)
{
  char const *what = _ ("Invalid time stamp");
  uintmax_t sec;
  uintmax_t nsec = 0;
  if (!line)
    return unexpected_end (s);
  if (!read_word (s, &sec_field, what, &line, &sec)
      || (version == 1 && !read_word (s, &nsec_field, what, &line, &nsec)))
    return false;
  s->snapshot->start = make_timespec ((intmax_t)sec, nsec);
  while ((line = next_line (s)))
    if (!read_line (s, version, line))
      return false;
  return true;
}

/* --- The file --- */

/* Read all of F to memory.  Return 0 or an errno.  */
static int
read_file (struct snapshot_file const *f, char **ret, idx_t *ret_length)
{
  idx_t alloc = 0;
  idx_t length = 0;
  char *bytes = NULL;
  ssize_t n;
  do
    {
      if (alloc - length < 2)
        bytes = xpalloc (bytes, &alloc, 4096, -1, 1);
      n = pread (f->fd, bytes + length, alloc - length - 1, length);
      if (0 < n)
        length += n;
    }
  while (0 < n || (n < 0 && errno == EINTR));
  bytes[length] = '\0';
  *ret = bytes;
  *ret_length = length;
  return n < 0 ? errno : 0;
}

/* The format that the first line, LINE, tells; -1 if that makes no sense.  */
static int
find_version (char const *line)
{
  static char const prefix[] = "GNU tar-";
  if (strncmp (line, prefix, sizeof prefix - 1) != 0)
    return 0;
  char const *dash = strrchr (line + sizeof prefix - 1, '-');
  if (!dash)
    return -1;
  return atoi (dash + 1);
}

static bool
read_versions (struct scan *s)
{
  char *line = next_line (s);
  int version = find_version (line);
  switch (version)
    {
    case 0:
      return read_lines (s, 0, line);
    case 1:
      return read_lines (s, 1, next_line (s));
    case 2:
      return read_fields (s);
    case -1:
      report_error (s->report, 0, _ ("Bad incremental file format"));
      break;
    default:
      report_error (s->report, 0,
                    _ ("Unsupported incremental format version: %d"), version);
      break;
    }
  /* GNU tar ends with status 1 here, as if a dump had been made.  */
  s->report->ended = true;
  return false;
}

bool
snapshot_read (struct snapshot_file const *f, struct report *r,
               struct snapshot *ret)
{
  idx_t length;
  *ret = (struct snapshot){ .start = { TYPE_MINIMUM (time_t), 0 } };
  if (f->fd < 0)
    return true;
  int err = read_file (f, &ret->buffer, &length);
  if (err)
    {
      report_cannot (r, err, "read", f->name);
      report_unrecoverable (r);
      return false;
    }
  struct scan s = { .report = r,
                    .name = f->name,
                    .at = ret->buffer,
                    .begin = ret->buffer,
                    .end = ret->buffer + length,
                    .snapshot = ret };
  return length == 0 || read_versions (&s);
}
