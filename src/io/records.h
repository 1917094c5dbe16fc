/* The archive as blocks of 512 bytes, read and written in records.

   Reading gives a window on the archive: a pointer to bytes at the current
   position, so that headers and small data are not copied.  On a file that
   can be read at an offset, skipped bytes are never read.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef RECORDS_H
#define RECORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "stream.h"

enum
{
  RECORDS_BLOCK = 512 /* bytes in a block (POSIX ustar interchange format) */
};

struct records;

/* Take over S, to be read (or written) in records of RECORD_SIZE bytes, a
   multiple of 512.  Never NULL (xalloc).  */
struct records *records_new_reader (struct stream *s, size_t record_size);
struct records *records_new_writer (struct stream *s, size_t record_size);

/* Who is told how an archive gets on.  */
struct records_watcher
{
  /* COUNT records, one after the other, are about to be read, or are full and
     about to be written; BEFORE is the number of bytes before the first.
     See JUMPS.  */
  void (*records) (void *arg, off_t before, off_t count, bool writing);

  /* Reading from FD, which is no file, may take a while.  NULL: do not tell.
   */
  void (*waiting) (void *arg, int fd);
  void *arg;

  /* Records that records_skip jumps over are not read even if the archive is a
     file; else they count as if they were.  */
  bool jumps;
};

/* Let WATCHER, which is copied, watch R from its current position on.  */
void records_watch (struct records *r, struct records_watcher const *watcher);

/* Writing: what is written next starts a new record if the last one is full.
   Tell the watcher now, so that it speaks before what the caller has to say
   about it.  */
void records_begin (struct records *r);

/* Reading.  Let *RET point to bytes at the current position and *RET_LENGTH
   be their number: at least WANT unless the archive ends before, 0 at its
   end.  WANT is at most RECORDS_PEEK_MAX.  Consumes nothing; the bytes are
   valid until the next call on R.  Return 0 or an errno.  What a failed filter
   wrote is read like any other; see records_failed.  */
enum
{
  RECORDS_PEEK_MAX = 64 * 1024
};
int records_peek (struct records *r, size_t want, char const **ret,
                  size_t *ret_length);

/* Consume LENGTH bytes that records_peek showed.  */
void records_consume (struct records *r, size_t length);

/* Consume LENGTH bytes, which have been read or cloned some other way.  Return
   as records_skip does.  */
int records_pass (struct records *r, off_t length);

/* Consume LENGTH bytes, seen or not, without reading them if R can seek.
   Return 0, an errno, or RECORDS_SHORT if the archive ends before (it is then
   at its end).  */
enum
{
  RECORDS_SHORT = -1
};
int records_skip (struct records *r, off_t length);

/* Give all bytes to TAP as they are consumed or skipped, which reads them all;
   NULL: no more.  */
void records_tap (struct records *r,
                  void (*tap) (void *arg, char const *bytes, size_t length),
                  void *arg);

/* Bytes at byte OFFSET of the archive, for a seekable archive only.  The
   current position stays; the window moves.  Same results as records_peek,
   for any amount from 1 to WANT.  */
int records_peek_at (struct records *r, off_t offset, size_t want,
                     char const **ret, size_t *ret_length);

/* If the archive is a file that can be cloned from, set *RET_FD and
 *RET_OFFSET to where the current position lies, and return true.  */
bool records_extent (struct records const *r, int *ret_fd, off_t *ret_offset);

/* Current position, bytes from the archive's start.  */
off_t records_position (struct records const *r);

/* The number of the block that the current position is in, counted through all
   volumes, with what they begin with.  */
off_t records_block (struct records const *r);

/* The offset of the archive's first byte in its file; 0 if there is no
   file.  */
off_t records_origin (struct records const *r);

/* Bytes read (written) so far in whole records, as --totals counts them.  */
off_t records_total (struct records const *r);

/* True if the filter that the archive comes from ended badly; records_close
   tells how.  */
bool records_failed (struct records const *r);

/* True if the position is beyond the end of a seekable archive: it was cut
   short after something had been skipped.  */
bool records_beyond_end (struct records *r);

/* True if the archive comes through a filter.  */
bool records_filtered (struct records const *r);

/* True if the archive is being written.  */
bool records_is_writer (struct records const *r);

/* The descriptor and byte offset where the archive started, for those who have
   to read it another way; and the bytes read from it so far, from its start,
   as long as none was consumed.  */
struct stream *records_stream (struct records *r);
void records_unread (struct records const *r, char const **ret,
                     size_t *ret_length);

/* Free R but not its stream.  */
void records_free (struct records *r);

/* Read a pipe or a filter's output to its end, so that its writer gets no
   SIGPIPE and a filter can tell that its input is damaged.  Nothing is done for
   a seekable archive or a terminal, and what seems to have no end is left.  */
void records_drain (struct records *r);

/* Writing.  Append LENGTH bytes, a multiple of 512 or followed by
   records_pad_block.  Return 0 or an errno.  */
int records_write (struct records *r, void const *bytes, size_t length);

/* Room for the next bytes in the buffer itself, so that they need not be
   copied: *RET_LENGTH bytes, at least one, at *RET.  */
void records_space (struct records *r, char **ret, size_t *ret_length);

/* The first LENGTH bytes of that room are filled: append them.  Return 0 or
   an errno.  */
int records_filled (struct records *r, size_t length);

/* Go on as if LENGTH bytes had been appended.  For an archive that is
   /dev/null.  */
void records_omit (struct records *r, off_t length);

/* Append zeros up to the next multiple of 512.  */
int records_pad_block (struct records *r);

/* Append LENGTH zeros.  */
int records_write_zeros (struct records *r, off_t length);

/* Where the next byte would be written: true, with *RET_FD and *RET_OFFSET, if
   the archive is a regular file, after writing out what is buffered.  The
   caller may write or clone there, and then calls records_written.  */
bool records_write_extent (struct records *r, int *ret_fd, off_t *ret_offset,
                           int *ret_errno);

/* LENGTH bytes were put in place by the caller at the offset that
   records_write_extent gave.  */
void records_written (struct records *r, off_t length);

/* Take back what was written from byte POSITION of the archive on.  What is
   there must end where writing has got to, or at most MORE bytes after that,
   where a clone may have failed; only for an archive that has extents, or that
   has not been written to so far.  */
int records_rewind (struct records *r, off_t position, off_t more);

/* Fill up the last record with zeros and write it out.  Return 0 or an
   errno.  */
int records_finish (struct records *r);

/* Writing an archive of several volumes.  */
struct records_volumes
{
  /* There are at most this many bytes in a volume, rounded up to whole records;
     0: as many as it has room for.  */
  off_t length;

  /* The volume on *S is full, and there is more.  Close *S, and make *S the
     next, which is empty.  Return 0, an errno, or STREAM_STOPPED after having
     told what is wrong; in both cases *S is still a stream.  */
  int (*change) (void *arg, struct stream **s);
  void *arg;
};

/* Write to volumes from now on, before anything was written.  A record that the
   volume has no room for goes to the next.  There are no extents.  After
   records_turn the bytes in the volume so far count, too; the update ends with
   that volume, which then is as long as what was written.  */
void records_set_volumes (struct records *r,
                          struct records_volumes const *volumes);

/* Let LEAD say what a new volume begins with, before the byte of the archive
   that was to have POSITION: whole blocks, which are valid until the next call.
   The archive's positions from there on move on by their length.  */
void records_set_lead (struct records *r,
                       void (*lead) (void *arg, off_t position,
                                     char const **ret, size_t *ret_length),
                       void *arg);

/* The position of the first byte that is buffered, not written yet.  */
off_t records_pending (struct records const *r);

/* Updating.  R reads an archive that archive_open_update opened.  Make it a
   writer that goes on at byte POSITION, where the archive ends (at its first
   end-of-archive block, or the end of file); records are counted from ORIGIN.
   The first two blocks written are held back until records_finish: up to then
   the archive ends where it did, whatever happens.  If R is closed without
   that, it is made as long as it was, and what was written behind its end is
   overwritten with zeros.  Return 0 or an errno.  */
int records_turn (struct records *r, off_t position, off_t origin);

/* For a reader that archive_open_update opened.  Write LENGTH bytes at byte
   OFFSET of the archive, where nothing will be read again; or make it SIZE
   bytes long.  Return 0 or an errno.  */
int records_put_at (struct records *r, off_t offset, void const *bytes,
                    size_t length);
int records_truncate (struct records *r, off_t size);

/* Close the stream and free R.  Return as stream_ops.close.  */
int records_close (struct records *r, int *ret_status);

#endif
