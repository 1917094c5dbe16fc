/* Opening an archive: which file, through which filter.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "io/archive.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/command.h"
#include "io/filters.h"
#include "io/stream-file.h"
#include "io/stream-filter.h"

static bool
fail (struct archive_failure *failure, enum archive_fault fault, int errnum,
      char const *text)
{
  failure->fault = fault;
  failure->errnum = errnum;
  failure->text[0] = '\0';
  strncat (failure->text, text, sizeof failure->text - 1);
  return false;
}

static bool
is_standard (char const *name)
{
  return strcmp (name, "-") == 0;
}

/* A tar archive can begin with a name that looks like a compressor's magic, so
   look for a header first.  This is the checksum of POSIX, with blanks in place
   of the field itself; archives that have another one have no such names.  */
static bool
is_tar (char const *block, size_t length)
{
  enum
  {
    CHECKSUM_OFFSET = 148,
    CHECKSUM_SIZE = 8
  };
  if (length < RECORDS_BLOCK)
    return false;
  unsigned sum = CHECKSUM_SIZE * ' ';
  for (size_t i = 0; i < RECORDS_BLOCK; i++)
    if (i < CHECKSUM_OFFSET || CHECKSUM_OFFSET + CHECKSUM_SIZE <= i)
      sum += (unsigned char)block[i];

  char field[CHECKSUM_SIZE + 1] = "";
  memcpy (field, block + CHECKSUM_OFFSET, CHECKSUM_SIZE);
  char *end;
  unsigned long stored = strtoul (field, &end, 8);
  return end != field && stored == sum;
}

/* Read FILE, whose first bytes may be in R already, through ARGV.  */
static int
read_through (struct records *r, char *const *argv, size_t record_size,
              struct records **ret)
{
  struct stream *file = records_stream (r);
  char const *unread;
  size_t length;
  records_unread (r, &unread, &length);
  bool is_far = file->fd < 0;
  int err = 0;
  /* A file that was looked at with pread is still at its start.  */
  if (file->can_pread)
    {
      length = 0;
      err = is_far ? stream_seek (file, 0) : 0;
    }

  struct stream *filter;
  if (!err)
    err = stream_filter_new_reader (argv, file, unread, length, &filter);
  if (err)
    return err;
  records_free (r);
  int status;
  if (!is_far)
    stream_close (file, &status);
  *ret = records_new_reader (filter, record_size);
  return 0;
}

/* Put R through the programs of FILTER, the first that there is.  */
static bool
read_by_content (struct records *r, struct filter const *filter,
                 size_t record_size, struct records **ret,
                 struct archive_failure *failure)
{
  int err = ENOENT;
  for (int i = 0; filter->programs[i]; i++)
    {
      char program[16] = "";
      char decompress[] = "-d";
      strncat (program, filter->programs[i], sizeof program - 1);
      char *argv[] = { program, decompress, NULL };
      int e = read_through (r, argv, record_size, ret);
      if (!e)
        return true;
      if (i == 0)
        err = e;
    }
  return fail (failure, ARCHIVE_CANNOT_EXEC, err, filter->programs[0]);
}

/* Put R through the program that was asked for.  */
static bool
read_by_program (struct records *r, char const *program, size_t record_size,
                 struct records **ret, struct archive_failure *failure)
{
  char **argv;
  if (command_split (program, &argv) != 0)
    return fail (failure, ARCHIVE_BAD_PROGRAM, 0, program);
  char decompress[] = "-d";
  size_t count = 0;
  while (argv[count])
    count++;
  argv[count] = decompress;
  int err = read_through (r, argv, record_size, ret);
  if (err)
    fail (failure, ARCHIVE_CANNOT_EXEC, err, argv[0]);
  command_free (argv);
  return !err;
}

/* Put R through a filter if it needs one.  */
static bool
choose_filter (struct archive_settings const *settings, struct records *r,
               struct records **ret, struct archive_failure *failure)
{
  char const *bytes;
  size_t length;
  if (settings->program)
    return read_by_program (r, settings->program, settings->record_size, ret,
                            failure);
  int err = records_peek (r, RECORDS_BLOCK, &bytes, &length);
  if (err)
    return fail (failure, ARCHIVE_CANNOT_READ, err, "");
  struct filter const *filter
      = is_tar (bytes, length) ? NULL : filters_by_content (bytes, length);
  if (filter)
    return read_by_content (r, filter, settings->record_size, ret, failure);
  *ret = r;
  return true;
}

/* True if the archive is on another host.  */
static bool
is_remote (struct archive_settings const *settings)
{
  return settings->remote.rsh && stream_remote_name (settings->name);
}

/* Open an archive on another host with FLAGS.  */
static bool
open_remote (struct archive_settings const *settings, int flags,
             struct stream **ret, struct archive_failure *failure)
{
  static enum archive_fault const faults[] = {
    [REMOTE_NO_HOST] = ARCHIVE_NO_HOST,
    [REMOTE_NO_SHELL] = ARCHIVE_NO_SHELL,
    [REMOTE_CANNOT_OPEN] = ARCHIVE_CANNOT_OPEN,
  };
  enum remote_fault fault;
  int err = stream_remote_open (&settings->remote, settings->name, flags, ret,
                                &fault);
  if (!err)
    return true;
  char *host = stream_remote_host (settings->name);
  fail (failure, faults[fault], err, host);
  free (host);
  return false;
}

static bool
open_remote_reader (struct archive_settings const *settings,
                    struct records **ret, struct archive_failure *failure)
{
  struct stream *s;
  int status;

  if (!open_remote (settings, O_RDONLY, &s, failure))
    return false;
  struct records *r = records_new_reader (s, settings->record_size);
  if (choose_filter (settings, r, ret, failure))
    return true;
  records_free (r);
  stream_close (s, &status);
  return false;
}

bool
archive_open_reader (struct archive_settings const *settings,
                     struct records **ret, struct archive_failure *failure)
{
  if (is_remote (settings))
    {
      *failure = (struct archive_failure){ .name = settings->name };
      return open_remote_reader (settings, ret, failure);
    }
  bool is_stdin = is_standard (settings->name);
  *failure = (struct archive_failure){ .name = settings->name };
  int fd = (is_stdin
                ? STDIN_FILENO
                : openat (settings->is_relative ? settings->base_fd : AT_FDCWD,
                          settings->name, O_RDONLY | O_CLOEXEC | O_NOCTTY));
  if (fd < 0)
    return fail (failure, ARCHIVE_CANNOT_OPEN, errno, "");
  struct stream *file;
  int err = 0;
  if (isatty (fd))
    fail (failure, ARCHIVE_IS_TERMINAL, 0, "");
  else if ((err = stream_file_new_reader (fd, is_stdin, &file)) != 0)
    fail (failure, ARCHIVE_CANNOT_OPEN, err, "");
  else
    {
      struct records *r = records_new_reader (file, settings->record_size);
      if (choose_filter (settings, r, ret, failure))
        return true;
      records_free (r);
      fd = stream_file_release (file);
    }
  if (!is_stdin)
    close (fd);
  return false;
}

/* Write FD, or FAR if that is not NULL, through the program that was asked
   for.  */
static bool
write_by_program (struct archive_settings const *settings, int fd,
                  struct stream *far, struct stream **ret,
                  struct archive_failure *failure)
{
  /* Like GNU tar, run what only a shell understands with one.  */
  char const *program = settings->program;
  char shell[] = "sh";
  char option[] = "-c";
  char **words = NULL;
  char *shell_words[] = { shell, option, (char *)program, NULL };
  if (!command_needs_shell (program) && command_split (program, &words) != 0)
    return fail (failure, ARCHIVE_BAD_PROGRAM, 0, program);
  char **argv = words ? words : shell_words;
  int err = far ? stream_filter_new_far_writer (argv, far,
                                                settings->record_size, ret)
                : stream_filter_new_writer (argv, fd, ret);
  if (err)
    fail (failure, ARCHIVE_CANNOT_EXEC, err, argv[0]);
  command_free (words);
  return !err;
}

static bool
open_remote_writer (struct archive_settings const *settings,
                    struct stream **ret, struct archive_failure *failure)
{
  struct stream *far;
  struct stream *s;

  if (!open_remote (settings, O_WRONLY | O_CREAT | O_TRUNC, &far, failure))
    return false;
  s = far;
  if (settings->program && !write_by_program (settings, -1, far, &s, failure))
    {
      stream_remote_abandon (far);
      return false;
    }
  *ret = s;
  return true;
}

bool
archive_open_writer (struct archive_settings const *settings,
                     struct records **ret, struct archive_failure *failure)
{
  struct stream *s;
  bool ok = archive_open_volume (settings, &s, failure);
  if (ok)
    *ret = records_new_writer (s, settings->record_size);
  return ok;
}

bool
archive_open_volume (struct archive_settings const *settings,
                     struct stream **ret, struct archive_failure *failure)
{
  bool is_stdout = is_standard (settings->name);
  *failure
      = (struct archive_failure){ .name = settings->name, .for_writing = true };
  if (is_remote (settings))
    return open_remote_writer (settings, ret, failure);
  int fd = STDOUT_FILENO;
  if (!is_stdout)
    fd = open (settings->name,
               O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY,
               S_IRUSR | S_IWUSR | S_IRGRP | S_IWGRP | S_IROTH | S_IWOTH);
  if (fd < 0)
    return fail (failure, ARCHIVE_CANNOT_OPEN, errno, "");

  bool ok = true;
  if (isatty (fd))
    ok = fail (failure, ARCHIVE_IS_TERMINAL, 0, "");
  else if (settings->program)
    ok = write_by_program (settings, fd, NULL, ret, failure);
  else
    {
      int err = stream_file_new_writer (fd, is_stdout, ret);
      if (err)
        ok = fail (failure, ARCHIVE_CANNOT_OPEN, err, "");
    }
  /* A filter has a copy of it.  */
  if (!is_stdout && (!ok || settings->program))
    close (fd);
  return ok;
}

/* Look at R's beginning: true if the archive can be changed.  */
static bool
check_updatable (struct records *r, struct archive_failure *failure)
{
  char const *bytes;
  size_t length;
  struct stream const *s = records_stream (r);
  int err = s->is_pipe ? ESPIPE : 0;
  if (err)
    return fail (failure, ARCHIVE_CANNOT_OPEN, err, "");
  err = records_peek (r, RECORDS_BLOCK, &bytes, &length);
  if (!err && length && !s->can_pread)
    err = ESPIPE;
  if (err)
    return fail (failure, ARCHIVE_CANNOT_READ, err, "");
  if (!is_tar (bytes, length) && filters_by_content (bytes, length))
    return fail (failure, ARCHIVE_IS_COMPRESSED, 0, "");
  return true;
}

static bool
open_remote_update (struct archive_settings const *settings, bool create,
                    struct records **ret, struct archive_failure *failure)
{
  struct archive_settings all = *settings;
  struct stream *s;
  int status;

  all.remote.no_seek = false;
  if (!open_remote (&all, O_RDWR | (create ? O_CREAT : 0), &s, failure))
    return false;
  struct records *r = records_new_reader (s, settings->record_size);
  if (check_updatable (r, failure))
    {
      *ret = r;
      return true;
    }
  records_free (r);
  stream_close (s, &status);
  return false;
}

bool
archive_open_update (struct archive_settings const *settings, bool create,
                     struct records **ret, struct archive_failure *failure)
{
  *failure
      = (struct archive_failure){ .name = settings->name, .for_writing = true };
  if (is_remote (settings))
    return open_remote_update (settings, create, ret, failure);
  int fd = open (settings->name,
                 O_RDWR | (create ? O_CREAT : 0) | O_CLOEXEC | O_NOCTTY,
                 S_IRUSR | S_IWUSR | S_IRGRP | S_IWGRP | S_IROTH | S_IWOTH);
  if (fd < 0)
    return fail (failure, ARCHIVE_CANNOT_OPEN, errno, "");
  struct stream *s;
  int err = 0;
  if (isatty (fd))
    fail (failure, ARCHIVE_IS_TERMINAL, 0, "");
  else if ((err = stream_file_new_reader (fd, false, &s)) != 0)
    fail (failure, ARCHIVE_CANNOT_OPEN, err, "");
  else
    {
      struct records *r = records_new_reader (s, settings->record_size);
      if (check_updatable (r, failure))
        {
          *ret = r;
          return true;
        }
      records_free (r);
      stream_file_release (s);
    }
  close (fd);
  return false;
}
