/* What an archive reader tells, as GNU tar's messages.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef READER_NOTES_H
#define READER_NOTES_H

#include <stdbool.h>
#include <stdio.h>

#include "format/reader.h"
#include "report.h"

struct reader_notes
{
  struct report *report;
  char const *archive; /* its name, for read errors */
  bool is_file;        /* a missing end is worth a warning: the archive is no
                          pipe or filter */
  FILE *listing;       /* where -R says which block something is in; NULL
                          without -R */
};

/* Report NOTE.  This is a struct reader_settings' note function; ARG is a
   struct reader_notes.  After a note that ends the archive before its time,
   the last words are said, too.  */
void reader_notes_note (void *arg, struct reader_note const *note);

#endif
