/* The archive as a stream of bytes: a file, a filter, stdin or stdout.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef STREAM_H
#define STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct stream;

/* The filter that the bytes come from ended badly; or there is no further
   volume, and who was asked for one has said why.  No errno is negative, and
   these are neither of records.h's nor of payload.h's numbers.  */
enum
{
  STREAM_FAILED = -2,
  STREAM_STOPPED = -3
};

struct stream_ops
{
  /* Read up to SIZE bytes at the current position into BUFFER; *RET 0 is end
     of file.  Short reads happen.  Return 0 or an errno.  At the end of a
     filter that failed, STREAM_FAILED; 'close' then tells the status.  */
  int (*read) (struct stream *s, void *buffer, size_t size, size_t *ret);

  /* Pass over LENGTH bytes, or fewer, and set *RET to their number; 0: they
     have to be read.  Return 0 or an errno.  NULL: there is no such way.  */
  int (*skip) (struct stream *s, off_t length, off_t *ret);

  /* Write all SIZE bytes.  Return 0 or an errno.  */
  int (*write) (struct stream *s, void const *buffer, size_t size);

  /* Likewise, and set *RET to the number of bytes that were written, which is
     less than SIZE after an error.  NULL: that cannot be told.  */
  int (*write_part) (struct stream *s, void const *buffer, size_t size,
                     size_t *ret);

  /* Close and free S, waiting for a filter's children.  Return 0 or an errno;
     *RET_STATUS is a child's wait status, 0 if all went well or there is no
     child.  */
  int (*close) (struct stream *s, int *ret_status);

  /* NULL, all four, if what is done with FD is enough; see stream_pread and so
     on.  */
  int (*pread) (struct stream *s, void *buffer, size_t size, off_t offset,
                size_t *ret);
  int (*pwrite) (struct stream *s, void const *buffer, size_t size,
                 off_t offset);
  int (*seek) (struct stream *s, off_t offset);
  int (*size) (struct stream *s, off_t *ret);
};

/* Kinds of stream embed this as their first member.  */
struct stream
{
  struct stream_ops const *ops;

  /* A file that pread works on: the archive's byte N is at START + N of FD.
     Then readers use stream_pread and never 'read'.  Only stream-file sets
     this, for a regular file or block device, and stream-remote.  */
  bool can_pread;
  /* Extents of FD may be cloned (a regular file).  */
  bool has_extents;
  int fd;      /* -1 if it is a conversation with another host */
  off_t start; /* known for whatever is written to a regular file */

  /* What a filter that decompresses reads, if that is a file; else -1.  Closed
     with the stream.  */
  int source_fd;

  off_t omitted; /* bytes of volumes so far that are no part of the archive:
                    what they begin with */

  bool by_record;     /* a tape, say: each read or write is one record */
  bool is_filter;     /* the bytes come from a program of ours */
  bool is_pipe;       /* somebody may be writing to the other end */
  bool shares_offset; /* FD was inherited: leave its offset after what was
                         read, as whoever reads on expects */
};

/* Functions for all kinds of streams; see struct stream_ops.  */
int stream_read (struct stream *s, void *buffer, size_t size, size_t *ret);
int stream_write (struct stream *s, void const *buffer, size_t size);
int stream_write_part (struct stream *s, void const *buffer, size_t size,
                       size_t *ret);
int stream_close (struct stream *s, int *ret_status);

/* A stream that is at its end and that nothing can be written to, in place of
   one that could not be had.  Never NULL.  */
struct stream *stream_new_closed (void);

/* Read up to SIZE bytes at byte OFFSET of the archive (not of the file).
   Retries EINTR.  Return 0 or an errno; *RET 0 is end of file.  */
int stream_pread (struct stream *s, void *buffer, size_t size, off_t offset,
                  size_t *ret);

/* Write all SIZE bytes at byte OFFSET of the archive.  Return 0 or an
   errno.  */
int stream_pwrite (struct stream *s, void const *buffer, size_t size,
                   off_t offset);

/* Make the archive SIZE bytes long, if it is a regular file.  Return 0 or an
   errno.  */
int stream_truncate (struct stream *s, off_t size);

/* Let 'write' go on at byte OFFSET of the archive.  Return 0 or an errno.  */
int stream_seek (struct stream *s, off_t offset);

/* Set *RET to the number of bytes the archive has now, for a stream that pread
   works on.  Return 0 or an errno.  */
int stream_size (struct stream *s, off_t *ret);

/* How far into its file a filter that decompresses has read: true, with *RET_AT
   of *RET_SIZE bytes, if that can be told.  */
bool stream_source (struct stream *s, off_t *ret_at, off_t *ret_size);

#endif
