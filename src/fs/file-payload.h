/* The data of a file on disk.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef FILE_PAYLOAD_H
#define FILE_PAYLOAD_H

#include <sys/types.h>

#include "member.h"
#include "payload.h"

/* One for all files, one after another.  All zeros is valid.  */
struct file_payload
{
  struct payload payload;
  int fd;
  off_t position;                   /* in the file, of the next byte */
  off_t end;                        /* of the chunk that is being read */
  struct member_chunk const *chunk; /* the chunks after it, COUNT of them */
  size_t count;
  char *buffer; /* allocated when it is first needed */
};

/* The first SIZE bytes of FD, which stays the caller's.  FD may be -1 for data
   that will only be skipped.  */
void file_payload_start (struct file_payload *f, int fd, off_t size);

/* The data of sparse member M of FD.  M has to live as long.  */
void file_payload_start_sparse (struct file_payload *f, int fd,
                                struct member const *m);

/* Free what F owns.  */
void file_payload_free (struct file_payload *f);

#endif
