/* A stream on a file descriptor: a file, device, pipe or socket.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef STREAM_FILE_H
#define STREAM_FILE_H

#include <stdbool.h>

#include "io/stream.h"

/* A stream that reads (writes) FD from its current offset.  If IS_INHERITED,
   FD is standard input or output: it is left open at the end, with its offset
   after what was read.  Otherwise the stream owns FD, and closes it.  Return 0
   or an errno.  */
int stream_file_new_reader (int fd, bool is_inherited, struct stream **ret);
int stream_file_new_writer (int fd, bool is_inherited, struct stream **ret);

/* Forget S, which stream_file_new_reader made, without closing its file, which
   is returned.  */
int stream_file_release (struct stream *s);

#endif
