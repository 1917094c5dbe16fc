/* Made-up system calls for the engine.
   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "fake.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum
{
  EXIT_SKIP = 77 /* what Autotest takes for a skipped test */
};

/* What the made-up calls work by; they have no other way to find it.  */
static char const *test_name;
static off_t fake_unit;
static struct fate const *next_fate;
static char log_text[1000];
static int failures;

static void
note (char const *format, ...)
{
  size_t len = strlen (log_text);
  va_list args;
  va_start (args, format);
  vsnprintf (log_text + len, sizeof log_text - len, format, args);
  va_end (args);
}

void
fake_complain (char const *format, ...)
{
  va_list args;
  va_start (args, format);
  printf ("%s: ", test_name);
  vprintf (format, args);
  putchar ('\n');
  va_end (args);
  failures++;
}

/* Return what is in store for CALL, or null.  */
static struct fate const *
fate_of (char call)
{
  if (next_fate->call != call)
    return NULL;
  return next_fate++;
}

static _Noreturn void
die (char const *what)
{
  perror (what);
  exit (EXIT_FAILURE);
}

static void
copy_bytes (int from, off_t from_off, int to, off_t to_off, off_t len)
{
  static char buffer[U];
  while (0 < len)
    {
      ssize_t n = pread (from, buffer, len < U ? len : U, from_off);
      if (n < 0 || pwrite (to, buffer, n, to_off) != n)
        die ("copying");
      if (n == 0)
        return;
      from_off += n;
      to_off += n;
      len -= n;
    }
}

off_t
fake_size (int fd)
{
  struct stat st;
  if (fstat (fd, &st) < 0)
    die ("fstat");
  return st.st_size;
}

static int
fake_clone (int src_fd, off_t src_off, off_t len, int dst_fd, off_t dst_off)
{
  note ("c%jd+%jd@%jd ", (intmax_t)src_off, (intmax_t)len, (intmax_t)dst_off);
  if (len == 0)
    fake_complain ("a length of zero");

  struct fate const *fate = fate_of ('c');
  if (fate && fate->errnum)
    {
      copy_bytes (src_fd, src_off, dst_fd, dst_off, fate->partial);
      errno = fate->errnum;
      return -1;
    }

  off_t size = fake_size (src_fd);
  bool at_end = src_off + len == size && fake_size (dst_fd) <= dst_off + len;
  if (src_off % fake_unit || dst_off % fake_unit || (len % fake_unit && !at_end)
      || size < src_off + len)
    {
      /* As Linux does, clone up to the end of file and then complain.  */
      if (size < src_off + len)
        copy_bytes (src_fd, src_off, dst_fd, dst_off, len);
      errno = EINVAL;
      return -1;
    }
  copy_bytes (src_fd, src_off, dst_fd, dst_off, len);
  return 0;
}

static int
fake_set_size (int fd, off_t size)
{
  note ("s%jd ", (intmax_t)size);
  struct fate const *fate = fate_of ('s');
  if (fate)
    {
      errno = fate->errnum;
      return -1;
    }
  return ftruncate (fd, size);
}

static ssize_t
fake_read_at (int fd, void *buf, size_t count, off_t offset)
{
  note ("r ");
  struct fate const *fate = fate_of ('r');
  if (fate && fate->errnum)
    {
      errno = fate->errnum;
      return -1;
    }
  return pread (fd, buf, fate ? (size_t)fate->partial : count, offset);
}

static ssize_t
fake_write_at (int fd, void const *buf, size_t count, off_t offset)
{
  note ("w%zu@%jd ", count, (intmax_t)offset);
  struct fate const *fate = fate_of ('w');
  if (fate && fate->errnum)
    {
      errno = fate->errnum;
      return -1;
    }
  return pwrite (fd, buf, fate ? (size_t)fate->partial : count, offset);
}

struct reflink_ops const fake_ops = { .clone = fake_clone,
                                      .set_size = fake_set_size,
                                      .read_at = fake_read_at,
                                      .write_at = fake_write_at };

int
fake_file (off_t size, unsigned int seed)
{
  char name[] = "fake-XXXXXX";
  int fd = mkstemp (name);
  if (fd < 0 || unlink (name) < 0)
    die (name);
  char *bytes = malloc (size + 1);
  if (!bytes)
    die ("malloc");
  for (off_t i = 0; i < size; i++)
    bytes[i] = 1 + (seed = seed * 1103515245 + 12345) % 255;
  if (write (fd, bytes, size) != size)
    die (name);
  free (bytes);
  return fd;
}

void
fake_begin (char const *name, off_t unit, struct fate const *script)
{
  test_name = name;
  fake_unit = unit;
  next_fate = script;
  fake_clear_log ();
}

void
fake_clear_log (void)
{
  log_text[0] = '\0';
}

void
fake_check (char const *log)
{
  if (strcmp (log_text, log) != 0)
    fake_complain ("calls: %s\n  instead of: %s", log_text, log);
  if (next_fate->call)
    fake_complain ("the script was not played to its end");
}

int
fake_status (void)
{
  return failures ? EXIT_FAILURE : EXIT_SUCCESS;
}

int
fake_usable (void)
{
  int probe = fake_file (0, 0);
  struct stat st;
  if (fstat (probe, &st) < 0)
    die ("fstat");
  bool usable = reflink_unit (probe) == U && st.st_blksize == U;
  close (probe);
  if (usable)
    return EXIT_SUCCESS;
  puts ("the block size here is not 4096");
  return EXIT_SKIP;
}
