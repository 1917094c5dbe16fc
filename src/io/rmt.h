/* The near side of rmt(8): one archive on another host.

   A request is a line, answered by "A" and a number, or by "E", an error
   number and a line that explains it.  The peer is not trusted: what is no
   answer, or promises more than was asked for, is EIO, and so is all that
   follows.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef RMT_H
#define RMT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct rmt;

/* How to get there.  */
struct rmt_host
{
  char const *rsh;     /* the remote shell: a program, with arguments or not */
  char const *command; /* what it runs there */
  char const *user;    /* NULL: whoever we are */
  char const *name;
};

/* Start the remote shell for HOST.  Return 0 and *RET, or an errno if it cannot
   be run; that it gets nowhere shows later.  */
int rmt_connect (struct rmt_host const *host, struct rmt **ret);

/* Open FILE, without newlines, as open(2) does with FLAGS.  Return 0 or an
   errno, as all below.  */
int rmt_open (struct rmt *m, char const *file, int flags);

/* Read up to SIZE bytes into BUFFER; *RET 0 is the end.  */
int rmt_read (struct rmt *m, void *buffer, size_t size, size_t *ret);

/* Write SIZE bytes; from a tape's point of view, one record.  *RET is how many
   were.  */
int rmt_write (struct rmt *m, void const *buffer, size_t size, size_t *ret);

/* Go to byte OFFSET of the file.  */
int rmt_seek (struct rmt *m, off_t offset);

/* Set *RET to the size of the file in bytes, and go to its end.  What is no
   file, as a tape, may have 0.  */
int rmt_size (struct rmt *m, off_t *ret);

/* True if it is a tape.  */
bool rmt_is_tape (struct rmt *m);

/* Close the file, end the connection and free M.  */
int rmt_close (struct rmt *m);

/* End the connection without a word, as a process does whose child uses it;
   free M.  */
void rmt_abandon (struct rmt *m);

#endif
