/* What the writer tells, as GNU tar's messages.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "writer-notes.h"

#include "gettext.h"

#define _(msgid) gettext (msgid)

static void
note_shrank (struct writer_notes const *n, struct writer_note const *note)
{
  char const *file = report_name (n->file);
  intmax_t count = note->count;
  report_warning (n->report, REPORT_FILE_SHRANK, 0,
                  ngettext ("%s: File shrank by %jd byte;"
                            " padding with zeros",
                            "%s: File shrank by %jd bytes;"
                            " padding with zeros",
                            count),
                  file, count);
  if (!n->ignore_failed_read)
    report_raise (n->report, REPORT_DIFFERS);
}

static void
note_read_error (struct writer_notes const *n, struct writer_note const *note)
{
  char const *file = report_name (n->file);
  intmax_t at = note->count;
  intmax_t size = note->size;
  if (n->ignore_failed_read)
    report_warning (
        n->report, REPORT_FAILED_READ, note->errnum,
        _ ("%s: Warning: Read error at byte %jd, while reading %jd bytes"),
        file, at, size);
  else
    report_error (n->report, note->errnum,
                  _ ("%s: Read error at byte %jd, while reading %jd bytes"),
                  file, at, size);
}

void
writer_notes_note (void *arg, struct writer_note const *note)
{
  struct writer_notes const *n = arg;
  struct report *r = n->report;

  switch (note->kind)
    {
    case WRITER_NOTE_NAME_TOO_LONG:
      if (note->count)
        report_error (r, 0,
                      _ ("%s: file name is too long (max %jd); not dumped"),
                      report_name (note->name), (intmax_t)note->count);
      else
        report_error (
            r, 0, _ ("%s: file name is too long (cannot be split); not dumped"),
            report_name (note->name));
      break;
    case WRITER_NOTE_LINK_TOO_LONG:
      report_error (r, 0, _ ("%s: link name is too long; not dumped"),
                    report_name (note->name));
      break;
    case WRITER_NOTE_RANGE:
      report_error (r, 0, _ ("value %jd out of %s range %jd..%jd"), note->value,
                    note->limits->type, note->limits->min, note->limits->max);
      break;
    case WRITER_NOTE_TYPE:
      report_error (r, 0, _ ("%s: Unknown file type; file ignored"),
                    report_name (n->file));
      break;
    case WRITER_NOTE_NOT_SHARED:
      report_error (r, note->errnum, _ ("%s: Cannot reflink: %s"),
                    report_name (n->file), sharing_outcome_name (note->reason));
      break;
    case WRITER_NOTE_CONTINUATION_CUT:
      report_warning (r, REPORT_ALWAYS, 0,
                      _ ("%s: file name too long to be stored in a GNU"
                         " multivolume header, truncated"),
                      report_name (note->name));
      break;
    case WRITER_NOTE_SHRANK:
      note_shrank (n, note);
      break;
    case WRITER_NOTE_READ_ERROR:
      note_read_error (n, note);
      break;
    }
}
