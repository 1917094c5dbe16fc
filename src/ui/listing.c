/* The lines that -t prints, and -v with other operations.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "filemode.h"
#include "gettext.h"
#include "intprops.h"
#include "inttostr.h"
#include "quote.h"
#include "quotearg.h"
#include "unlocked-io.h"
#include "xalloc.h"
#include "xvasprintf.h"

#include "ui/listing.h"

#define _(msgid) gettext (msgid)

struct listing
{
  struct listing_settings settings;
  struct report *report;
  FILE *stream;
  char const *prefix; /* of lines; NULL: none */
  FILE *index;        /* opened here; NULL if there is none */

  /* Columns grow as needed and never shrink, so that lines stay together.  */
  int owner_width; /* owner, group and size */
  int date_width;

  /* A line in the making.  */
  char *line;
  size_t length;
  size_t size;

  struct quoting_options *quoting;
  bool plain[UCHAR_MAX + 1]; /* bytes that are never quoted, wherever */
};

/* Find the bytes that come out of quoting as they are, if the style is one
   that looks at each byte alone.  Multibyte characters are left to it.  */
static void
find_plain (struct listing *l)
{
  if (get_quoting_style (l->quoting) != escape_quoting_style)
    return;
  for (int c = ' '; c < 0x7f; c++)
    {
      char in[] = { 'x', c, 'x' };
      char out[8];
      size_t length
          = quotearg_buffer (out, sizeof out, in, sizeof in, l->quoting);
      l->plain[c] = length == sizeof in && memcmp (in, out, length) == 0;
    }
}

struct listing *
listing_new (struct listing_settings const *settings, struct report *r)
{
  struct listing *l = xzalloc (sizeof *l);

  l->settings = *settings;
  l->report = r;
  l->stream = settings->stream;
  l->owner_width = 19;
  l->date_width = sizeof "YYYY-MM-DD HH:MM" - 1;
  if (settings->index_file)
    {
      l->index = fopen (settings->index_file, "we");
      if (!l->index)
        {
          report_cannot (r, errno, "open", settings->index_file);
          free (l);
          return NULL;
        }
      l->stream = l->index;
    }
  l->quoting = clone_quoting_options (NULL);
  find_plain (l);
  tzset ();
  return l;
}

static void
append (struct listing *l, char const *text, size_t length)
{
  if (length == 0)
    return;
  while (l->size - l->length < length)
    l->line = x2realloc (l->line, &l->size);
  memcpy (l->line + l->length, text, length);
  l->length += length;
}

static void
append_text (struct listing *l, char const *text)
{
  append (l, text, strlen (text));
}

static void
append_blanks (struct listing *l, int count)
{
  for (; 0 < count; count--)
    append (l, " ", 1);
}

/* Where in the file the data of a continued member begins.  */
static void
append_continued (struct listing *l, off_t at)
{
  char *text = xasprintf (_ ("--Continued at byte %jd--"), (intmax_t)at);
  append_text (l, text);
  free (text);
}

static void
append_quoted (struct listing *l, char const *name)
{
  char const *s = name;

  while (l->plain[(unsigned char)*s])
    s++;
  if (!*s)
    {
      append (l, name, s - name);
      return;
    }
  size_t room = 256;
  for (;;)
    {
      while (l->size - l->length < room)
        l->line = x2realloc (l->line, &l->size);
      size_t length = quotearg_buffer (l->line + l->length, room, name,
                                       SIZE_MAX, l->quoting);
      if (length < room)
        {
          l->length += length;
          return;
        }
      room = length + 1;
    }
}

static void
append_block (struct listing *l, off_t block)
{
  char buffer[INT_BUFSIZE_BOUND (off_t)];
  char text[100];

  if (!l->settings.block_number)
    return;
  snprintf (text, sizeof text, _ ("block %s: "), offtostr (block, buffer));
  append_text (l, text);
}

static void
print_line (struct listing *l)
{
  append (l, "\n", 1);
  report_make_room (l->report);
  fwrite (l->line, 1, l->length, l->stream);
  l->length = 0;
  if (l->settings.flush)
    fflush (l->stream);
}

/* The letter that begins the line of each type.  */
static char
type_letter (enum member_type type)
{
  static char const letters[] = {
    [MEMBER_REGULAR] = '-',      [MEMBER_CONTIGUOUS] = 'C',
    [MEMBER_HARD_LINK] = 'h',    [MEMBER_SYMLINK] = 'l',
    [MEMBER_CHARACTER] = 'c',    [MEMBER_BLOCK] = 'b',
    [MEMBER_DIRECTORY] = 'd',    [MEMBER_FIFO] = 'p',
    [MEMBER_DUMPDIR] = 'd',      [MEMBER_VOLUME_LABEL] = 'V',
    [MEMBER_CONTINUATION] = 'M', [MEMBER_UNKNOWN] = '?',
  };

  return letters[type];
}

static bool
counts (struct listing const *l, struct member_xattr const *attribute)
{
  struct listing_settings const *s = &l->settings;

  return (!s->xattr_selected
          || s->xattr_selected (s->xattr_arg, attribute->name));
}

/* The mark for attributes that the mode does not tell.  */
static char
attribute_mark (struct listing const *l, struct member const *m)
{
  struct listing_settings const *s = &l->settings;

  if (s->acls && m->present & MEMBER_HAS_ACL)
    return '+';
  if (s->selinux && m->present & MEMBER_HAS_SELINUX)
    return '.';
  if (s->xattrs)
    for (size_t i = 0; i < m->xattr_count; i++)
      if (counts (l, &m->xattrs[i]))
        return '*';
  return ' ';
}

static void
append_mode (struct listing *l, struct member const *m)
{
  char mode[12]; /* as strmode wants it */

  strmode (m->mode & 07777, mode);
  mode[0] = type_letter (m->type);
  append (l, mode, 10);
  if (l->settings.acls || l->settings.selinux || l->settings.xattrs)
    append (l, (char[]){ attribute_mark (l, m) }, 1);
}

/* Put question marks where there are control characters in the line from START
   on.  */
static void
hide_controls (struct listing *l, size_t start)
{
  for (size_t i = start; i < l->length; i++)
    if ((unsigned char)l->line[i] < ' ' || l->line[i] == 0x7f)
      l->line[i] = '?';
}

/* Owner and group.  Control characters, which names cannot have, come from
   hostile archives only.  */
static void
append_owners (struct listing *l, struct member const *m)
{
  char buffer[INT_BUFSIZE_BOUND (uintmax_t)];
  bool numeric = l->settings.numeric_owner;

  if (!numeric && m->present & MEMBER_HAS_UNAME)
    append_text (l, member_text (&m->uname));
  else
    append_text (l, umaxtostr (m->uid, buffer));
  append (l, "/", 1);
  if (!numeric && m->present & MEMBER_HAS_GNAME)
    append_text (l, member_text (&m->gname));
  else
    append_text (l, umaxtostr (m->gid, buffer));
}

static void
append_owners_and_size (struct listing *l, struct member const *m)
{
  char size[2 * INT_BUFSIZE_BOUND (uintmax_t)];
  size_t start = l->length;

  append_owners (l, m);
  hide_controls (l, start);

  if (m->type == MEMBER_CHARACTER || m->type == MEMBER_BLOCK)
    sprintf (size, "%u,%u", m->device_major, m->device_minor);
  else
    sprintf (size, "%jd", (intmax_t)m->size);
  int width = l->length - start + 1 + strlen (size);
  if (l->owner_width < width)
    l->owner_width = width;
  append_blanks (l, 1 + l->owner_width - width);
  append_text (l, size);
}

static void
append_date (struct listing *l, struct timespec date)
{
  char text[100];
  struct tm tm;
  struct tm *broken_down
      = (l->settings.utc ? gmtime_r : localtime_r) (&date.tv_sec, &tm);
  int length;

  if (!broken_down)
    /* Out of the calendar's range: seconds since the epoch.  */
    length = sprintf (text, "%jd", (intmax_t)date.tv_sec);
  else
    length = sprintf (text, "%04jd-%02d-%02d %02d:%02d",
                      (intmax_t)tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday,
                      tm.tm_hour, tm.tm_min);
  if (l->settings.full_time)
    {
      if (broken_down)
        length += sprintf (text + length, ":%02d", tm.tm_sec);
      if (date.tv_nsec)
        {
          length += sprintf (text + length, ".%09ld", date.tv_nsec);
          while (text[length - 1] == '0')
            length--;
        }
    }
  if (l->date_width < length)
    l->date_width = length;
  append (l, text, length);
  append_blanks (l, l->date_width - length);
}

/* M's name, with the slash that it had.  */
static void
append_name (struct listing *l, struct member const *m)
{
  char const *name
      = member_text (l->settings.transformed ? &m->name : &m->stored_name);
  size_t length = strlen (name);

  append_quoted (l, name);
  if (m->had_trailing_slash && (!length || name[length - 1] != '/'))
    append (l, "/", 1);
}

/* What follows the name in a long line.  */
static void
append_tail (struct listing *l, struct member const *m)
{
  switch (m->type)
    {
    case MEMBER_SYMLINK:
      append_text (l, " -> ");
      append_quoted (l, member_text (&m->link));
      break;

    case MEMBER_HARD_LINK:
      append_text (l, _ (" link to "));
      append_quoted (l, member_text (&m->link));
      break;

    case MEMBER_UNKNOWN:
      append_text (l, _ (" unknown file type "));
      append_text (l, quote ((char[]){ m->typeflag, '\0' }));
      break;

    case MEMBER_VOLUME_LABEL:
      append_text (l, _ ("--Volume Header--"));
      break;

    case MEMBER_CONTINUATION:
      append_continued (l, m->continued_at);
      break;

    default:
      break;
    }
}

/* An ACL's text on one line.  */
static void
append_acl (struct listing *l, char const *prefix, struct member_text const *t)
{
  char const *text = member_text (t);
  bool first = true;

  for (; *text; text += strspn (text, ",\n"))
    {
      size_t length = strcspn (text, ",\n");
      if (!first)
        append (l, ",", 1);
      append_text (l, prefix);
      append (l, text, length);
      hide_controls (l, l->length - length);
      text += length;
      first = false;
    }
}

/* The lines of attributes that follow a member's.  */
static void
print_details (struct listing *l, struct member const *m)
{
  struct listing_settings const *s = &l->settings;

  if (s->selinux && m->present & MEMBER_HAS_SELINUX)
    {
      append_text (l, "  s: ");
      append_quoted (l, member_text (&m->selinux));
      print_line (l);
    }
  if (s->acls && m->present & MEMBER_HAS_ACL)
    {
      append_text (l, "  a: ");
      append_acl (l, "", &m->acl_access);
      if (*member_text (&m->acl_access) && *member_text (&m->acl_default))
        append (l, ",", 1);
      append_acl (l, "default:", &m->acl_default);
      print_line (l);
    }
  for (size_t i = 0; s->xattrs && i < m->xattr_count; i++)
    if (counts (l, &m->xattrs[i]))
      {
        char buffer[INT_BUFSIZE_BOUND (uintmax_t)];
        append_text (l, "  x: ");
        append_text (l, umaxtostr (m->xattrs[i].length, buffer));
        append (l, " ", 1);
        append_quoted (l, m->xattrs[i].name);
        print_line (l);
      }
}

void
listing_member (struct listing *l, struct member const *m, off_t block)
{
  enum listing_level level = l->settings.level;

  if (level == LISTING_NOTHING)
    return;
  if (l->prefix)
    append_text (l, l->prefix);
  append_block (l, block);
  if (level == LISTING_NAMES)
    {
      append_name (l, m);
      print_line (l);
      return;
    }
  append_mode (l, m);
  append (l, " ", 1);
  append_owners_and_size (l, m);
  append (l, " ", 1);
  append_date (l, m->mtime);
  append (l, " ", 1);
  append_name (l, m);
  append_tail (l, m);
  print_line (l);
  if (level == LISTING_DETAILS)
    print_details (l, m);
}

void
listing_made_directory (struct listing *l, mode_t mode, char const *name)
{
  char const *text = _ ("Creating directory:");
  char bits[12]; /* as strmode wants it */

  if (l->settings.level < LISTING_LONG)
    return;
  strmode (mode & 07777, bits);
  bits[0] = 'd';
  append (l, bits, 10);
  append_blanks (l, l->owner_width + l->date_width + 2 - (int)strlen (text));
  append_text (l, text);
  append (l, " ", 1);
  append_quoted (l, name);
  print_line (l);
}

void
listing_set_prefix (struct listing *l, char const *prefix)
{
  l->prefix = prefix;
}

FILE *
listing_stream (struct listing *l)
{
  return l->stream;
}

void
listing_free (struct listing *l, struct report *r)
{
  if (!l)
    return;
  if (l->index)
    {
      bool failed = ferror (l->index);
      if (fclose (l->index) != 0 || failed)
        report_error (r, failed ? 0 : errno, _ ("%s: write error"),
                      report_name (l->settings.index_file));
    }
  free (l->quoting);
  free (l->line);
  free (l);
}
