/* Extraction of regular files: their data, shared with the archive or
   written.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "fs/place-private.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <unistd.h>

#include "gettext.h"
#include "write-all.h"
#include "xalloc.h"

#define _(msgid) gettext (msgid)

/* A file that is being filled.  */
struct filling
{
  struct place_item *i;
  int fd;
  mode_t created;            /* the mode it was created with */
  struct reflink_pair *pair; /* NULL: nothing is shared */
  off_t end;                 /* data ends here, so far */
  off_t copy_until;          /* it was decided to write up to here */
  bool is_old;               /* --overwrite: the file was there */
  struct stat old;           /* what it was, if so */

  struct sharing_tally tally;
};

/* How filling ended.  */
enum filled
{
  FILLED_WELL,
  FILLED_SHORT, /* the archive ended; its source will say so */
  FILLED_BADLY, /* reported, or will be; keep what there is */
  FILLED_REMOVE /* reported; what there is is wrong */
};

/* The reflink engine's byte source: what the archive has in memory.  */
static int
archive_bytes (void *arg, off_t offset, size_t want, char const **ret,
               size_t *ret_length)
{
  struct place *place = arg;
  struct payload *p = place->payload;
  int err = p->ops->window (p, offset, want, ret, ret_length);

  /* Too short: let the engine find out by itself.  */
  if (err == PAYLOAD_SHORT)
    {
      *ret_length = 0;
      err = 0;
    }
  return err;
}

/* Make the archive at FD the source of sharing.  */
static bool
set_source (struct place *p, int fd)
{
  if (p->source.fd != fd)
    {
      if (reflink_source_init (&p->source, fd) != 0)
        {
          p->source.fd = -1;
          return false;
        }
      p->source.bytes = archive_bytes;
      p->source.arg = p;
    }
  if (!p->cache
      && reflink_cache_new (p->settings.reflink, p->settings.reflink_strategy,
                            &p->source, &p->cache)
             != 0)
    xalloc_die ();
  return true;
}

/* Whether I's next data can be shared in principle; set up the source.  */
static bool
can_share (struct place_item *i, struct payload_segment *seg)
{
  return (i->place->settings.reflink != REFLINK_NEVER && i->payload
          && payload_extent (i->payload, seg)
          && set_source (i->place, seg->fd));
}

/* Remember that BYTES were written, and why.  */
static void
note_copied (struct filling *f, enum sharing_outcome outcome, off_t bytes,
             int errnum)
{
  if (f->i->m->is_sparse
      && (outcome == SHARING_UNALIGNED || outcome == SHARING_TOO_SMALL))
    outcome = SHARING_SPARSE;
  sharing_tally_copied (&f->tally, &f->i->place->counts, outcome, bytes,
                        errnum);
}

/* Report that F's data cannot be shared, though --reflink=always.  */
static enum filled
refuse (struct filling *f, enum sharing_outcome outcome, int errnum)
{
  report_error (f->i->place->report, errnum, _ ("%s: Cannot reflink: %s"),
                report_name (f->i->name), sharing_outcome_name (outcome));
  return FILLED_REMOVE;
}

/* Share SEG, the whole of a stretch of data.  *DONE is false if it is to be
   written instead.  */
static enum filled
share (struct filling *f, struct payload_segment const *seg, bool *done)
{
  struct place_item *i = f->i;
  struct place *p = i->place;
  int flags = seg->offset + seg->length == i->m->size ? REFLINK_LAST : 0;
  struct reflink_result result;
  enum reflink_why why;

  *done = reflink_possible (f->pair, seg->fd_offset, seg->offset, seg->length,
                            flags, &why);
  if (!*done)
    {
      int errnum
          = why == REFLINK_UNSUPPORTED ? reflink_pair_refusal (f->pair) : 0;

      f->copy_until = seg->offset + seg->length;
      note_copied (f, sharing_outcome_of (why, errnum), seg->length, errnum);
      return FILLED_WELL;
    }

  /* Clones make the kernel write out what is dirty of their range; for many
     of them once is cheaper.  */
  if (p->shares++ == 1)
    reflink_flush_source (p->cache);
  p->payload = i->payload;

  int err = reflink_range (f->pair, seg->fd_offset, f->fd, seg->offset,
                           seg->length, flags, &result);

  if (err && result.where == REFLINK_AT_CLONE)
    return refuse (f, sharing_outcome_of (result.why, result.errnum),
                   result.errnum);
  if (err && result.where == REFLINK_AT_DESTINATION)
    {
      report_cannot (p->report, err, "write", i->name);
      return FILLED_BADLY;
    }
  if (err && err != ENODATA)
    {
      report_cannot (p->report, err, "read", i->name);
      return FILLED_REMOVE;
    }
  sharing_tally_shared (&f->tally, &p->counts, result.shared);
  note_copied (f, sharing_outcome_of (result.why, result.errnum), result.copied,
               result.errnum);
  f->end = seg->offset + seg->length;
  err = payload_skip (i->payload, seg->length) ? PAYLOAD_SHORT : err;
  return err ? FILLED_SHORT : FILLED_WELL;
}

/* Write the next bytes.  */
static enum filled
write_next (struct filling *f)
{
  struct place_item *i = f->i;
  struct payload_segment seg;
  int err = payload_next (i->payload, &seg);

  if (err)
    return err == PAYLOAD_BAD ? FILLED_BADLY : FILLED_SHORT;
  if (seg.length == 0)
    return FILLED_SHORT;
  err = write_all (f->fd, seg.bytes, (size_t)seg.length, seg.offset);
  if (err)
    {
      report_cannot (i->place->report, err, "write", i->name);
      return FILLED_BADLY;
    }
  f->end = seg.offset + seg.length;
  return FILLED_WELL;
}

/* Whether a file of M's has a stretch of data of a clone unit or more.  */
static bool
has_whole_unit (struct member const *m, int fd)
{
  off_t unit = reflink_unit (fd);

  if (!m->is_sparse)
    return unit <= m->size;
  for (size_t n = 0; n < m->chunk_count; n++)
    if (unit <= m->chunks[n].length)
      return true;
  return false;
}

/* Nothing of F's data can be shared.  */
static enum filled
fill_without_sharing (struct filling *f)
{
  struct place *p = f->i->place;
  enum sharing_outcome outcome
      = (p->settings.reflink == REFLINK_NEVER ? SHARING_BY_CHOICE
         : f->is_old                          ? SHARING_OVERWRITTEN
                                              : SHARING_NO_EXTENTS);

  if (p->settings.reflink == REFLINK_ALWAYS && has_whole_unit (f->i->m, f->fd))
    return refuse (f, outcome, 0);
  note_copied (f, outcome, f->i->payload->remaining, 0);
  return FILLED_WELL;
}

/* Put all data where it belongs.  Holes are left out.  */
static enum filled
fill (struct filling *f)
{
  struct payload *p = f->i->payload; /* may be NULL */
  enum filled result = FILLED_WELL;
  struct payload_segment seg;

  if (p && 0 < p->remaining && !f->pair)
    result = fill_without_sharing (f);
  if (result == FILLED_WELL && f->is_old && ftruncate (f->fd, 0) != 0)
    {
      report_cannot (f->i->place->report, errno, "truncate", f->i->name);
      result = FILLED_BADLY;
    }
  while (result == FILLED_WELL && p && 0 < p->remaining)
    {
      bool done = false;

      if (f->pair && f->copy_until <= f->end && payload_extent (p, &seg))
        result = share (f, &seg, &done);
      if (result == FILLED_WELL && !done)
        result = write_next (f);
    }
  if (result == FILLED_WELL && f->end != f->i->m->size
      && ftruncate (f->fd, f->i->m->size) != 0)
    {
      report_cannot (f->i->place->report, errno, "truncate", f->i->name);
      result = FILLED_BADLY;
    }
  return result;
}

/* Whether ST is the archive that is being read.  */
static bool
is_archive (struct place const *p, struct stat const *st)
{
  return (p->settings.has_archive && p->settings.archive_dev == st->st_dev
          && p->settings.archive_ino == st->st_ino);
}

/* --overwrite: open the file that is there.  Return 0, an errno, or EEXIST if
   it is none to be written into.  */
static int
open_old (struct filling *f)
{
  struct place_item *i = f->i;
  int fd = openat (i->dir->fd, i->base,
                   O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);

  if (fd < 0)
    /* A symbolic link; a fifo without reader.  */
    return errno == ELOOP || errno == EMLINK || errno == ENXIO ? EEXIST : errno;

  int err = fstat (fd, &f->old) == 0 ? 0 : errno;

  if (err == 0 && (!S_ISREG (f->old.st_mode) || is_archive (i->place, &f->old)))
    err = EEXIST;
  if (err)
    {
      close (fd);
      return err;
    }
  f->fd = fd;
  f->is_old = true;
  /* What comes from the archive is not to run with the rights of what was
     there; root's writing would not clear these (write(2)).  */
  if (f->old.st_mode & (S_ISUID | S_ISGID))
    (void)!fchmod (fd, f->old.st_mode & 01777);
  return 0;
}

/* Whether the file has to be kept from others until its data is complete: a
   clone that is rounded up and then cut holds more than its own.  */
static bool
is_private (struct filling const *f, struct payload_segment const *seg)
{
  if (!f->pair)
    return f->i->place->expect_private;
  return (reflink_pair_strategy (f->pair) == REFLINK_STRATEGY_TRUNC
          && reflink_possible (f->pair, seg->fd_offset, seg->offset,
                               seg->length, REFLINK_LAST, NULL));
}

/* Make the file.  SEG is its first data if that can be shared, else NULL.
   False: reported.  */
static bool
open_file (struct filling *f, struct payload_segment const *seg)
{
  struct place_item *i = f->i;
  struct place *p = i->place;
  bool has_xattrs = xattrs_wanted (&p->settings.attributes.xattrs, i->m);
  int err;

  do
    {
      if (seg && i->dir->inherits_known)
        f->pair = i->dir->pair;
      f->created = (place_first_mode (i, seg && is_private (f, seg))
                    | (has_xattrs ? S_IWUSR : 0));
      f->fd = openat (i->dir->fd, i->base,
                      O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                      f->created);
      if (0 <= f->fd)
        return true;
      err = errno;
      if (err == EEXIST && p->settings.conflict.choice == CONFLICT_OVERWRITE)
        err = open_old (f);
      if (err == 0)
        return true;
    }
  while (place_retry (i, err));
  return false;
}

/* Find F's pair, for data SEG, and hide the file if need be.  */
static int
prepare_sharing (struct filling *f, struct payload_segment const *seg)
{
  struct place_item *i = f->i;
  struct place *p = i->place;
  struct stat st;
  int err;

  if (!i->dir->pair)
    {
      err = place_learn (i, f->fd, f->created, &st);
      if (err)
        return err;
      err = reflink_cache_find (p->cache, i->dir->dev, f->fd, &i->dir->pair);
      if (err)
        return err;
    }
  f->pair = i->dir->pair;
  p->expect_private = reflink_pair_strategy (f->pair) == REFLINK_STRATEGY_TRUNC;
  if (f->created & 077 && is_private (f, seg))
    {
      f->created &= 0700;
      if (fchmod (f->fd, f->created) != 0)
        return errno;
    }
  return 0;
}

/* Give F's file, filled with RESULT, its attributes.  */
static void
finish_attributes (struct filling *f, enum filled result)
{
  struct place_item *i = f->i;

  if (result == FILLED_REMOVE)
    return;
  if (result == FILLED_SHORT)
    {
      /* Who finds the file of an archive that was cut off is not to take it
         for the whole.  */
      if (!f->is_old && f->created & 077)
        fchmod (f->fd, f->created & 0700);
      return;
    }
  if (!f->is_old)
    {
      place_attributes (i, f->fd, f->created);
      return;
    }
  attributes_apply (i->place->attributes,
                    &(struct attributes_target){ .fd = f->fd,
                                                 .dir_fd = i->dir->fd,
                                                 .base = i->base,
                                                 .name = i->name,
                                                 .uid = f->old.st_uid,
                                                 .gid = f->old.st_gid,
                                                 .mode
                                                 = f->old.st_mode & 01777 },
                    i->m);
}

void
place_regular (struct place_item *i)
{
  struct filling f = { .i = i, .fd = -1 };
  struct payload_segment seg;
  bool sharing = can_share (i, &seg);
  enum filled result = FILLED_WELL;

  if (!open_file (&f, sharing ? &seg : NULL))
    return;
  if (f.is_old)
    f.pair = NULL;
  else if (sharing)
    {
      int err = prepare_sharing (&f, &seg);

      if (err)
        {
          report_cannot (i->place->report, err, "stat", i->name);
          result = FILLED_REMOVE;
        }
    }
  if (result == FILLED_WELL)
    result = fill (&f);
  finish_attributes (&f, result);
  if (close (f.fd) != 0 && result == FILLED_WELL)
    report_cannot (i->place->report, errno, "close", i->name);
  if (result == FILLED_REMOVE && !f.is_old)
    {
      unlinkat (i->dir->fd, i->base, 0);
      i->failed = true;
    }
  if (result == FILLED_WELL)
    sharing_tally_finish (&f.tally, &f.i->place->counts);
}
