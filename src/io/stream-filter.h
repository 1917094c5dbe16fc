/* A stream through a program that compresses or decompresses.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef STREAM_FILTER_H
#define STREAM_FILTER_H

#include <stdbool.h>
#include <stddef.h>

#include "io/stream.h"

/* A stream that reads the output of program ARGV, looked up in PATH, whose
   standard input is SOURCE's descriptor; before it, it reads the UNREAD_LENGTH
   bytes at UNREAD, which were read from SOURCE already.  A SOURCE without a
   descriptor is read by a child process from where it is, and taken over;
   else it is still the caller's, who may close it.  Return 0 or an errno, of
   not being able to run the program.  */
int stream_filter_new_reader (char *const *argv, struct stream *source,
                              char const *unread, size_t unread_length,
                              struct stream **ret);

/* A stream that writes to program ARGV, whose standard output is FD.  While it
   exists SIGPIPE is ignored, so that a program that ends early is an error of
   a write.  */
int stream_filter_new_writer (char *const *argv, int fd, struct stream **ret);

/* Likewise, but the output goes to TARGET, which has no descriptor; it is
   written by a child process, and taken over.  To a tape, all records have
   RECORD_SIZE bytes.  */
int stream_filter_new_far_writer (char *const *argv, struct stream *target,
                                  size_t record_size, struct stream **ret);

#endif
