/* Reading what a volume begins with: its label, and what it continues.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef VOLUME_START_H
#define VOLUME_START_H

#include <stdbool.h>
#include <sys/types.h>

#include "io/records.h"

struct volume_start
{
  bool has_block; /* there is anything at all */
  char *label;    /* NULL: none */
  /* The member that is continued; NULL: none.  LEFT bytes of its data are from
     here on; OFFSET is what the whole file has before.  */
  char *name;
  bool name_is_cut; /* set by volume_start_is_name */
  bool may_be_cut;  /* the header has no room for a longer one */
  off_t left;
  off_t offset;
};

/* Read what R begins with into *RET, and pass over it.  If WEAK, nothing needs
   to be continued: if something is, and it is no member that begins here
   anyway, that is left for those who read members.  Return 0 or an errno; in
   both cases, *RET is to be freed.  */
int volume_start_read (struct records *r, bool weak, struct volume_start *ret);

/* True if NAME may be the member that S continues.  */
bool volume_start_is_name (struct volume_start *s, char const *name);

/* Free what S owns.  */
void volume_start_free (struct volume_start *s);

#endif
