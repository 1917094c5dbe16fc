/* Several volumes read as one archive.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef STREAM_VOLUME_H
#define STREAM_VOLUME_H

#include "records.h"
#include "stream.h"

/* Where volumes come from.  */
struct stream_volume_source
{
  /* The volume *R is at its end, and so far the archive had DELIVERED bytes.
     Close *R, and make it the next volume, at the first byte that goes on with
     the archive; what volumes begin with is passed over.  Return 0, an errno,
     or STREAM_STOPPED after having told what is wrong; *R is NULL then.  */
  int (*next) (void *arg, off_t delivered, struct records **r);
  void *arg;
  /* No more is read at once than a record of this many bytes: who watches
     volumes counts what is wanted, not what is read ahead.  */
  size_t record_size;
};

/* A stream on FIRST, which it takes over, and the volumes that follow.  The
   next volume is asked for only when a byte of it is.  There are no extents,
   even where volumes are files.  Never NULL.  */
struct stream *
stream_volume_new_reader (struct records *first,
                          struct stream_volume_source const *source);

#endif
