/* What the writer tells, as GNU tar's messages.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef WRITER_NOTES_H
#define WRITER_NOTES_H

#include <stdbool.h>

#include "format/writer.h"
#include "report.h"

struct writer_notes
{
  struct report *report;
  bool ignore_failed_read;
  char const *file; /* name of the file being stored */
};

/* A writer_settings.note; ARG is a struct writer_notes.  */
void writer_notes_note (void *arg, struct writer_note const *note);

#endif
