/* Opening an archive: which file, through which filter.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef ARCHIVE_H
#define ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>

#include "io/records.h"
#include "io/stream-remote.h"

struct archive_settings
{
  char const *name;    /* a file's; "-": standard input or output */
  char const *program; /* a compression program and its arguments, as in
                          "xz -T0"; NULL: when reading, go by the contents */
  size_t record_size;  /* bytes, a multiple of 512 */
  bool is_relative;    /* to the directory that base_fd is; for readers */
  int base_fd;
  struct remote_settings remote;
};

enum archive_fault
{
  ARCHIVE_CANNOT_OPEN,
  ARCHIVE_CANNOT_READ,
  ARCHIVE_NO_HOST,       /* text: its name */
  ARCHIVE_NO_SHELL,      /* the remote shell cannot be run */
  ARCHIVE_IS_TERMINAL,   /* no place for an archive */
  ARCHIVE_IS_COMPRESSED, /* it cannot be changed in place */
  ARCHIVE_CANNOT_EXEC,   /* text: the program */
  ARCHIVE_BAD_PROGRAM    /* text: a command line with a quote missing */
};

/* Why an archive could not be opened.  */
struct archive_failure
{
  enum archive_fault fault;
  int errnum;       /* 0 for IS_TERMINAL and BAD_PROGRAM */
  char const *name; /* the archive's, as in the settings */
  bool for_writing;
  char text[256]; /* see above; cut off if it is longer */
};

/* Open an archive to be read.  One that is compressed is recognised by its
   contents and read through a program, even on standard input.  Return true
   and *RET, or false and *FAILURE.  */
bool archive_open_reader (struct archive_settings const *settings,
                          struct records **ret,
                          struct archive_failure *failure);

/* Create an archive, or empty the one that is there, and open it to be
   written.  */
bool archive_open_writer (struct archive_settings const *settings,
                          struct records **ret,
                          struct archive_failure *failure);

/* Likewise, as a stream.  */
bool archive_open_volume (struct archive_settings const *settings,
                          struct stream **ret, struct archive_failure *failure);

/* Open an archive to be read and then changed, see records_turn; if CREATE, it
   is created if there is none.  There is no filter, and no standard output.  */
bool archive_open_update (struct archive_settings const *settings, bool create,
                          struct records **ret,
                          struct archive_failure *failure);

#endif
