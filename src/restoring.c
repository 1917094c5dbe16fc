/* Lists of incremental archives for the operations that read.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "restoring.h"

#include <stdio.h>

#include "gettext.h"
#include "quotearg.h"

#define _(msgid) gettext (msgid)
#define N_(msgid) gettext_noop (msgid)

/* The wording of GNU tar, as far as it notices.  */
static char const *const faults[] = {
  [DUMPDIR_TOO_LARGE] = N_ ("%s: Malformed dumpdir: too large"),
  [DUMPDIR_UNTERMINATED] = N_ ("%s: Malformed dumpdir: no end"),
  [DUMPDIR_TRAILING] = N_ ("%s: Malformed dumpdir: data after the end"),
  [DUMPDIR_NAME] = N_ ("%s: Malformed dumpdir: not a name of a file"),
  [DUMPDIR_OUTSIDE] = N_ ("%s: Malformed dumpdir: a name contains '..'"),
  [DUMPDIR_DUPLICATE_X] = N_ ("Malformed dumpdir: 'X' duplicated"),
  [DUMPDIR_UNUSED_X] = N_ ("Malformed dumpdir: 'X' never used"),
  [DUMPDIR_EMPTY_FROM] = N_ ("Malformed dumpdir: empty name in 'R'"),
  [DUMPDIR_EMPTY_TO] = N_ ("Malformed dumpdir: empty name in 'T'"),
  [DUMPDIR_NO_R] = N_ ("Malformed dumpdir: 'T' not preceded by 'R'"),
};

bool
restoring_read (struct dumpdir *d, struct member const *m, struct payload *p,
                bool anywhere, struct report *r)
{
  char const *name = member_text (&m->name);
  unsigned found;
  enum dumpdir_fault fault = dumpdir_read (d, p, anywhere, &found);
  switch (fault)
    {
    case DUMPDIR_OK:
      return true;

    case DUMPDIR_READ:
      /* The reader will tell.  */
      break;

    case DUMPDIR_NO_T:
      if (found)
        report_error (r, 0,
                      _ ("Malformed dumpdir: expected '%c' but found"
                         " %#3o"),
                      DUMPDIR_TO, found);
      else
        report_error (r, 0,
                      _ ("Malformed dumpdir: expected '%c' but found"
                         " end of data"),
                      DUMPDIR_TO);
      break;

    case DUMPDIR_LETTER:
      report_error (r, 0, _ ("%s: Malformed dumpdir: unknown entry %#3o"),
                    report_name (name), found);
      break;

    default:
      report_error (r, 0, _ (faults[fault]), report_name (name));
      break;
    }
  return false;
}

void
restoring_print (struct dumpdir const *d, struct listing *l, struct report *r)
{
  FILE *stream = listing_stream (l);
  char const *entry = NULL;
  report_make_room (r);
  while (dumpdir_next (d, &entry))
    fprintf (stream, "%c %s\n", *entry, quotearg (entry + 1));
  putc ('\n', stream);
}
