/* Build a tar archive, sane or not, from a description on stdin.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later

   Usage: mkarchive < DESCRIPTION > ARCHIVE

   Each line is a directive and words.  Words are separated by blanks; double
   quotes keep blanks in a word; the escapes \n \t \\ \" \xHH and \OOO (up to
   three octal digits) work everywhere.  Empty lines and lines that start with
   '#' do nothing.

     member NAME [KEY=VALUE]...   a header, and data padded to 512 bytes
       type=C        type flag (0); also \000
       data=TEXT     the data; its length is the size unless size= is given
       fill=N:TEXT   N bytes of data, TEXT repeated
       file=PATH     the data is that of the file PATH
       size=N        the size field (no data is made up)
       link=NAME     link target
       mode=OCTAL    0644, or 0755 for type 5
       uid=N gid=N uname=NAME gname=NAME   0 0 root root
       mtime=N       1000000000
       major=N minor=N
       prefix=TEXT
       magic=ustar|gnu|v7   ustar
       sum=N         a wrong checksum
       raw=FIELD:TEXT       put TEXT in the field, NUL-padded, after the rest
       base256=FIELD:N      put the decimal N there in base 256
                            (FIELD: name mode uid gid size mtime chksum
                            typeflag linkname magic version uname gname
                            devmajor devminor prefix, or OFFSET+LENGTH)
     pax KEY=VALUE...      an extended header (type x) with these records
     global KEY=VALUE...   likewise type g
     paxraw TEXT           TEXT for the records; globalraw likewise
     longname TEXT         a GNU L header, TEXT and a NUL; longlink is K
     longraw TYPE TEXT     a GNU header of that type, without the NUL
     align N               from here on, members of N bytes or more start their
                           data at a multiple of N, by a pax comment
     zeros N               N blocks of zeros
     bytes TEXT            TEXT as it is
     block TEXT            TEXT padded to 512 bytes
     noeof                 leave out the two zero blocks at the end
     record N              pad the archive to a multiple of N bytes  */

#include <config.h>

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base256.h"

enum
{
  BLOCK = 512,
  MAX_WORDS = 256
};

struct bytes
{
  char *text;
  size_t length;
};

struct field
{
  char const *name;
  size_t offset;
  size_t length;
};

/* POSIX.1-2017, pax: ustar Interchange Format.  */
static struct field const fields[] = {
  { "name", 0, 100 },     { "mode", 100, 8 },     { "uid", 108, 8 },
  { "gid", 116, 8 },      { "size", 124, 12 },    { "mtime", 136, 12 },
  { "chksum", 148, 8 },   { "typeflag", 156, 1 }, { "linkname", 157, 100 },
  { "magic", 257, 6 },    { "version", 263, 2 },  { "uname", 265, 32 },
  { "gname", 297, 32 },   { "devmajor", 329, 8 }, { "devminor", 337, 8 },
  { "prefix", 345, 155 },
};

struct builder
{
  unsigned long line;
  unsigned long long position; /* bytes written */
  unsigned long long align;    /* 0: none */
  unsigned long long record;
  bool no_eof;
};

static _Noreturn void
fail (struct builder const *b, char const *what, char const *which)
{
  fprintf (stderr, "mkarchive: line %lu: %s: %s\n", b->line, what, which);
  exit (1);
}

static void
put (struct builder *b, void const *p, size_t n)
{
  if (n && fwrite (p, 1, n, stdout) != n)
    fail (b, "write", strerror (errno));
  b->position += n;
}

static void
put_zeros (struct builder *b, unsigned long long n)
{
  static char const zeros[BLOCK];

  for (; n; n -= n < BLOCK ? n : BLOCK)
    put (b, zeros, n < BLOCK ? n : BLOCK);
}

static void
put_padded (struct builder *b, void const *p, size_t n)
{
  put (b, p, n);
  put_zeros (b, (BLOCK - n % BLOCK) % BLOCK);
}

static struct field
find_field (struct builder const *b, char const *name)
{
  for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
    if (strcmp (fields[i].name, name) == 0)
      return fields[i];

  struct field f = { name, 0, 0 };

  if (sscanf (name, "%zu+%zu", &f.offset, &f.length) != 2 || BLOCK < f.offset
      || BLOCK - f.offset < f.length)
    fail (b, "no such field", name);
  return f;
}

static void
set_field (struct builder const *b, char *header, char const *name,
           char const *text, size_t length)
{
  struct field f = find_field (b, name);

  memset (header + f.offset, 0, f.length);
  memcpy (header + f.offset, text, length < f.length ? length : f.length);
}

static void
set_octal (struct builder const *b, char *header, char const *name,
           unsigned long long value)
{
  char text[32];
  struct field f = find_field (b, name);

  snprintf (text, sizeof text, "%0*llo", (int)f.length - 1, value);
  set_field (b, header, name, text, strlen (text));
}

static void
set_base256 (struct builder const *b, char *header, char const *name,
             char const *number)
{
  struct field f = find_field (b, name);

  base256_put ((unsigned char *)header + f.offset, f.length, number);
}

static void
set_checksum (char *header, char const *wanted)
{
  unsigned sum = 0;

  memset (header + 148, ' ', 8);
  for (int i = 0; i < BLOCK; i++)
    sum += (unsigned char)header[i];
  if (wanted)
    sum = (unsigned)strtoul (wanted, NULL, 10);

  char text[8];

  snprintf (text, sizeof text, "%06o", sum & 0777777);
  memcpy (header + 148, text, 7);
}

static void
set_magic (struct builder const *b, char *header, char const *magic)
{
  if (strcmp (magic, "ustar") == 0)
    memcpy (header + 257, "ustar\00000", 8);
  else if (strcmp (magic, "gnu") == 0)
    memcpy (header + 257, "ustar  ", 8);
  else if (strcmp (magic, "v7") != 0)
    fail (b, "no such magic", magic);
}

/* The value of KEY= among the words, or NULL.  */
static char const *
get (struct bytes const *words, int count, char const *key, size_t *length)
{
  size_t n = strlen (key);

  for (int i = 0; i < count; i++)
    if (n < words[i].length && memcmp (words[i].text, key, n) == 0
        && words[i].text[n] == '=')
      {
        if (length)
          *length = words[i].length - n - 1;
        return words[i].text + n + 1;
      }
  return NULL;
}

static unsigned long long
get_number (struct bytes const *words, int count, char const *key, int base,
            unsigned long long otherwise)
{
  char const *text = get (words, count, key, NULL);

  return text ? strtoull (text, NULL, base) : otherwise;
}

static void
put_special (struct builder *b, char type, char const *name, char const *magic,
             struct bytes data)
{
  char header[BLOCK] = { 0 };

  set_field (b, header, "name", name, strlen (name));
  set_octal (b, header, "mode", 0644);
  set_octal (b, header, "uid", 0);
  set_octal (b, header, "gid", 0);
  set_octal (b, header, "size", data.length);
  set_octal (b, header, "mtime", 1000000000);
  header[156] = type;
  set_magic (b, header, magic);
  set_checksum (header, NULL);
  put (b, header, BLOCK);
  put_padded (b, data.text, data.length);
}

/* Append "LENGTH TEXT\n" to DATA; LENGTH counts itself.  */
static void
add_record (struct bytes *data, char const *text, size_t length)
{
  size_t total = length + 3;
  char digits[24];

  for (;;)
    {
      size_t n = (size_t)snprintf (digits, sizeof digits, "%zu ", total);

      if (n + length + 1 == total)
        break;
      total = n + length + 1;
    }

  size_t n = strlen (digits);

  data->text = realloc (data->text, data->length + total);
  if (!data->text)
    abort ();
  memcpy (data->text + data->length, digits, n);
  memcpy (data->text + data->length + n, text, length);
  data->text[data->length + total - 1] = '\n';
  data->length += total;
}

static void
put_pax (struct builder *b, char type, struct bytes const *words, int count)
{
  struct bytes data = { NULL, 0 };

  for (int i = 0; i < count; i++)
    add_record (&data, words[i].text, words[i].length);
  put_special (b, type, "PaxHeader", "ustar", data);
  free (data.text);
}

/* Let the data of the next member start at a multiple of b->align, by a pax
   header of whole blocks that holds nothing but a comment.  */
static void
put_filler (struct builder *b)
{
  if ((b->position + BLOCK) % b->align == 0)
    return;

  size_t length = (b->align - (b->position + 2 * BLOCK) % b->align) % b->align;

  if (!length)
    length = b->align;

  struct bytes data = { NULL, 0 };
  char *text = malloc (length);

  if (!text)
    abort ();
  memset (text, '.', length);
  memcpy (text, "comment=", 8);
  for (size_t n = length - 3; 8 <= n && data.length != length; n--)
    {
      data.length = 0;
      add_record (&data, text, n);
    }
  put_special (b, 'x', "PaxHeader", "ustar", data);
  free (data.text);
  free (text);
}

static struct bytes
read_file (struct builder const *b, char const *name)
{
  struct bytes data = { NULL, 0 };
  FILE *f = fopen (name, "rb");
  size_t n;

  if (!f)
    fail (b, name, strerror (errno));
  do
    {
      data.text = realloc (data.text, data.length + 65536);
      if (!data.text)
        abort ();
      n = fread (data.text + data.length, 1, 65536, f);
      data.length += n;
    }
  while (n);
  fclose (f);
  return data;
}

/* The data of a member; the caller frees it.  */
static struct bytes
member_bytes (struct builder const *b, struct bytes const *words, int count)
{
  struct bytes data = { NULL, 0 };
  size_t length;
  char const *text;

  if ((text = get (words, count, "file", NULL)))
    return read_file (b, text);
  if ((text = get (words, count, "fill", &length)))
    {
      char *end;

      data.length = strtoull (text, &end, 10);
      data.text = malloc (data.length + 1);
      if (*end != ':' || !end[1] || !data.text)
        fail (b, "bad fill", text);

      size_t n = length - (size_t)(end + 1 - text);

      for (size_t i = 0; i < data.length; i++)
        data.text[i] = end[1 + i % n];
    }
  else if ((text = get (words, count, "data", &length)))
    {
      data.text = malloc (length + 1);
      if (!data.text)
        abort ();
      memcpy (data.text, text, length);
      data.length = length;
    }
  return data;
}

/* Return whether the checksum was among them.  */
static bool
apply_overrides (struct builder const *b, char *header,
                 struct bytes const *words, int count)
{
  bool has_checksum = false;

  for (int i = 0; i < count; i++)
    {
      bool is_raw = strncmp (words[i].text, "raw=", 4) == 0;

      if (!is_raw && strncmp (words[i].text, "base256=", 8) != 0)
        continue;

      char *name = words[i].text + (is_raw ? 4 : 8);
      char *colon = strchr (name, ':');

      if (!colon)
        fail (b, "no colon", name);
      *colon = '\0';
      has_checksum |= strcmp (name, "chksum") == 0;
      if (is_raw)
        set_field (b, header, name, colon + 1,
                   words[i].length - (size_t)(colon + 1 - words[i].text));
      else
        set_base256 (b, header, name, colon + 1);
    }
  return has_checksum;
}

static void
put_member (struct builder *b, struct bytes const *words, int count)
{
  static char const *const texts[][3] = { { "link", "linkname", "" },
                                          { "uname", "uname", "root" },
                                          { "gname", "gname", "root" },
                                          { "prefix", "prefix", "" } };
  char header[BLOCK] = { 0 };
  struct bytes data = member_bytes (b, words, count);
  char const *type = get (words, count, "type", NULL);
  char const *magic = get (words, count, "magic", NULL);

  if (b->align && b->align <= data.length)
    put_filler (b);
  set_field (b, header, "name", words[0].text, words[0].length);
  set_octal (b, header, "mode",
             get_number (words, count, "mode", 8,
                         type && *type == '5' ? 0755 : 0644));
  set_octal (b, header, "uid", get_number (words, count, "uid", 10, 0));
  set_octal (b, header, "gid", get_number (words, count, "gid", 10, 0));
  set_octal (b, header, "size",
             get_number (words, count, "size", 10, data.length));
  set_octal (b, header, "mtime",
             get_number (words, count, "mtime", 10, 1000000000));
  header[156] = type ? *type : '0';
  set_magic (b, header, magic ? magic : "ustar");
  if (!magic || strcmp (magic, "v7") != 0)
    {
      set_octal (b, header, "devmajor",
                 get_number (words, count, "major", 10, 0));
      set_octal (b, header, "devminor",
                 get_number (words, count, "minor", 10, 0));
    }
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
    {
      size_t length = strlen (texts[i][2]);
      char const *text = get (words, count, texts[i][0], &length);

      set_field (b, header, texts[i][1], text ? text : texts[i][2], length);
    }
  if (!apply_overrides (b, header, words, count))
    set_checksum (header, get (words, count, "sum", NULL));
  put (b, header, BLOCK);
  put_padded (b, data.text, data.length);
  free (data.text);
}

static void
run (struct builder *b, struct bytes const *words, int count)
{
  static char const long_name[] = "././@LongLink";
  char const *verb = words[0].text;
  struct bytes first = 1 < count ? words[1] : (struct bytes){ "", 0 };
  unsigned long long number = strtoull (first.text, NULL, 0);
  struct bytes with_nul = { first.text, first.length + 1 };

  if (strcmp (verb, "member") == 0 && 1 < count)
    put_member (b, words + 1, count - 1);
  else if (strcmp (verb, "pax") == 0)
    put_pax (b, 'x', words + 1, count - 1);
  else if (strcmp (verb, "global") == 0)
    put_pax (b, 'g', words + 1, count - 1);
  else if (strcmp (verb, "paxraw") == 0 || strcmp (verb, "globalraw") == 0)
    put_special (b, *verb == 'p' ? 'x' : 'g', "PaxHeader", "ustar", first);
  else if (strcmp (verb, "longname") == 0)
    put_special (b, 'L', long_name, "gnu", with_nul);
  else if (strcmp (verb, "longlink") == 0)
    put_special (b, 'K', long_name, "gnu", with_nul);
  else if (strcmp (verb, "longraw") == 0 && 2 < count)
    put_special (b, *first.text, long_name, "gnu", words[2]);
  else if (strcmp (verb, "align") == 0)
    b->align = number;
  else if (strcmp (verb, "zeros") == 0)
    put_zeros (b, number * BLOCK);
  else if (strcmp (verb, "bytes") == 0)
    put (b, first.text, first.length);
  else if (strcmp (verb, "block") == 0)
    put_padded (b, first.text, first.length);
  else if (strcmp (verb, "noeof") == 0)
    b->no_eof = true;
  else if (strcmp (verb, "record") == 0)
    b->record = number;
  else
    fail (b, "bad directive", verb);
}

/* Read an escape at P (after the backslash); store its byte.  Return what
   follows.  */
static char const *
escape (char const *p, char *ret)
{
  if (*p == 'n' || *p == 't')
    {
      *ret = *p == 'n' ? '\n' : '\t';
      return p + 1;
    }
  if (*p == 'x')
    {
      unsigned value = 0;
      int n = 0;

      sscanf (p + 1, "%2x%n", &value, &n);
      *ret = (char)value;
      return p + 1 + n;
    }
  if ('0' <= *p && *p <= '7')
    {
      unsigned value = 0;

      for (int i = 0; i < 3 && '0' <= *p && *p <= '7'; i++)
        value = value * 8 + (unsigned)(*p++ - '0');
      *ret = (char)value;
      return p;
    }
  *ret = *p;
  return *p ? p + 1 : p;
}

/* Split LINE into words, in place of OUT (as long as LINE, and 2 more for each
   word).  Each word also gets a NUL.  */
static int
split (struct builder const *b, char const *line, char *out,
       struct bytes *words)
{
  int count = 0;
  bool in_word = false;
  bool in_quotes = false;

  for (char const *p = line; *p;)
    {
      if (!in_quotes && (*p == ' ' || *p == '\t' || *p == '\n'))
        {
          if (in_word)
            *out++ = '\0';
          in_word = false;
          p++;
          continue;
        }
      if (!in_word)
        {
          if (count == MAX_WORDS)
            fail (b, "too many words", line);
          words[count++] = (struct bytes){ out, 0 };
          in_word = true;
        }
      if (*p == '"')
        {
          in_quotes = !in_quotes;
          p++;
          continue;
        }

      char c = *p++;

      if (c == '\\')
        p = escape (p, &c);
      *out++ = c;
      words[count - 1].length++;
    }
  *out = '\0';
  return count;
}

int
main (void)
{
  struct builder b = { .record = BLOCK };
  struct bytes words[MAX_WORDS];
  char *line = NULL;
  size_t size = 0;

  while (0 <= getline (&line, &size, stdin))
    {
      char *copy = malloc (2 * strlen (line) + 2);

      if (!copy)
        abort ();
      b.line++;

      int count = *line == '#' ? 0 : split (&b, line, copy, words);

      if (count)
        run (&b, words, count);
      free (copy);
    }
  free (line);
  if (!b.no_eof)
    put_zeros (&b, 2 * BLOCK);
  if (b.record)
    put_zeros (&b, (b.record - b.position % b.record) % b.record);
  if (fclose (stdout) != 0)
    fail (&b, "write", strerror (errno));
  return 0;
}
