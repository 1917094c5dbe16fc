/* A stream on a file or tape of another host, by rmt(8).

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef STREAM_REMOTE_H
#define STREAM_REMOTE_H

#include <stdbool.h>

#include "io/stream.h"

/* How to get at archives of other hosts.  */
struct remote_settings
{
  char const *rsh; /* as in struct rmt_host; NULL: there are no other hosts */
  char const *rmt; /* likewise, its command */
  /* RSH understands no names of its own making (as ssh does, by its
     configuration): look them up before it is run.  */
  bool looks_up;
  bool no_seek; /* read from the start to the end */
};

enum remote_fault
{
  REMOTE_NO_HOST,    /* it has no address */
  REMOTE_NO_SHELL,   /* the remote shell cannot be run */
  REMOTE_CANNOT_OPEN /* the file, or there is no rmt */
};

/* True if NAME is HOST:FILE or USER@HOST:FILE: a colon, with something but no
   slash before it.  */
bool stream_remote_name (char const *name);

/* Open the file NAME, one as above, with FLAGS as for open(2).  A file that
   there are bytes in can be read and written at an offset; a tape is read and
   written by record.  Return 0 and *RET, or an errno with *FAULT; for NO_HOST,
   0 is no errno but all that is known.  */
int stream_remote_open (struct remote_settings const *settings,
                        char const *name, int flags, struct stream **ret,
                        enum remote_fault *fault);

/* The part of NAME that is the host's name, allocated.  */
char *stream_remote_host (char const *name);

/* Close S in this process, without a word to the other host: it belongs to a
   child process now.  */
void stream_remote_abandon (struct stream *s);

#endif
