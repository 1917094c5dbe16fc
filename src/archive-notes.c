/* What goes wrong with an archive as a whole, as GNU tar's messages.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "archive-notes.h"

#include <errno.h>
#include <sys/wait.h>

#include "gettext.h"
#include "quotearg.h"

#define _(msgid) gettext (msgid)

enum
{
  /* What GNU tar's child process exits with.  */
  CANNOT_EXEC_STATUS = 2
};

void
archive_notes_open (struct report *r, struct archive_failure const *failure)
{
  switch (failure->fault)
    {
    case ARCHIVE_CANNOT_OPEN:
      report_cannot (r, failure->errnum, "open", failure->name);
      break;
    case ARCHIVE_NO_HOST:
      report_error (r, 0, _ ("Cannot connect to %s: resolve failed"),
                    failure->text);
      r->ended = true;
      break;
    case ARCHIVE_NO_SHELL:
      report_error (r, failure->errnum, _ ("Cannot execute remote shell"));
      report_cannot (r, EIO, "open", failure->name);
      break;
    case ARCHIVE_CANNOT_READ:
      report_cannot (r, failure->errnum, "read", failure->name);
      report_error (r, 0, _ ("At beginning of tape, quitting now"));
      break;
    case ARCHIVE_IS_TERMINAL:
      report_error (r, 0,
                    failure->for_writing
                        ? _ ("Refusing to write archive contents to terminal"
                             " (missing -f option?)")
                        : _ ("Refusing to read archive contents from terminal"
                             " (missing -f option?)"));
      break;
    case ARCHIVE_IS_COMPRESSED:
      report_error (r, 0, _ ("Cannot update compressed archives"));
      break;
    case ARCHIVE_CANNOT_EXEC:
      report_cannot (r, failure->errnum, "exec", failure->text);
      report_error (r, 0, _ ("Child returned status %d"), CANNOT_EXEC_STATUS);
      break;
    case ARCHIVE_BAD_PROGRAM:
      report_error (r, 0, _ ("cannot split string '%s': missing closing quote"),
                    quotearg_n_style (0, escape_quoting_style, failure->text));
      break;
    }
  report_unrecoverable (r);
}

bool
archive_notes_close (struct report *r, struct records *records,
                     char const *name)
{
  int status;
  /* What a filter could not give to another host, or get from there.  */
  char const *verb = !records_filtered (records)   ? "close"
                     : records_is_writer (records) ? "write"
                                                   : "read";
  int err = records_close (records, &status);
  if (err && !r->ended)
    report_cannot (r, err, verb, name);
  if (status && !r->ended)
    {
      if (WIFSIGNALED (status))
        report_error (r, 0, _ ("Child died with signal %d"), WTERMSIG (status));
      else
        report_error (r, 0, _ ("Child returned status %d"),
                      WEXITSTATUS (status));
      report_unrecoverable (r);
    }
  return !err && !status;
}
