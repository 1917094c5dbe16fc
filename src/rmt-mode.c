/* How rmt(8) is told to open a file.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "rmt-mode.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "c-ctype.h"

struct flag
{
  char const *name; /* without "O_" */
  int value;
};

/* What POSIX has for open, but for what makes no sense for an archive.  */
static struct flag const flags[] = {
  { "APPEND", O_APPEND },       { "CREAT", O_CREAT },
#ifdef O_DSYNC
  { "DSYNC", O_DSYNC },
#endif
  { "EXCL", O_EXCL },
#ifdef O_LARGEFILE
  { "LARGEFILE", O_LARGEFILE },
#endif
  { "NOCTTY", O_NOCTTY },       { "NONBLOCK", O_NONBLOCK },
  { "RDONLY", O_RDONLY },       { "RDWR", O_RDWR },
#ifdef O_RSYNC
  { "RSYNC", O_RSYNC },
#endif
  { "SYNC", O_SYNC },           { "TRUNC", O_TRUNC },
  { "WRONLY", O_WRONLY },
};

/* The LENGTH characters at TEXT: a number.  */
static int
parse_number (char const *text, size_t length, int *ret)
{
  char *end;
  errno = 0;
  long n = strtol (text, &end, 10);
  if (!c_isdigit (*text) || end != text + length || errno || INT_MAX < n)
    return EINVAL;
  *ret = n;
  return 0;
}

/* The LENGTH characters at TEXT: a name, or a number.  */
static int
parse_word (char const *text, size_t length, int *ret)
{
  if (c_isdigit (*text))
    return parse_number (text, length, ret);
  if (2 < length && strncmp (text, "O_", 2) == 0)
    {
      text += 2;
      length -= 2;
    }
  for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
    if (strlen (flags[i].name) == length
        && strncmp (flags[i].name, text, length) == 0)
      {
        *ret = flags[i].value;
        return 0;
      }
  return EINVAL;
}

int
rmt_mode_parse (char const *text, int *ret)
{
  int number;
  size_t digits = strspn (text, "0123456789");
  size_t blanks = strspn (text + digits, " \t");

  *ret = 0;
  char next = text[digits + blanks];
  if (digits && blanks && next && next != '|')
    text += digits + blanks;
  for (;;)
    {
      text += strspn (text, " \t");
      size_t length = strcspn (text, "| \t");
      int err = parse_word (text, length, &number);
      if (err)
        return err;
      *ret |= number;
      text += length;
      text += strspn (text, " \t");
      if (*text == '\0')
        return 0;
      if (*text++ != '|')
        return EINVAL;
      /* One too many is forgiven.  */
      if (text[strspn (text, " \t")] == '\0')
        return 0;
    }
}
