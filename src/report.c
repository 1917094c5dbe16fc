/* Diagnostics, warning classes and the worst exit status.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "report.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "argmatch.h"
#include "gettext.h"
#include "progname.h"
#include "quote.h"
#include "quotearg.h"
#include "xvasprintf.h"

#define _(msgid) gettext (msgid)

/* The keywords of --warning, in the order in which GNU tar 1.34 lists them,
   then those that came later.  The two tables run in parallel.  */
static char const *const class_keywords[] = { "all",
                                              "alone-zero-block",
                                              "bad-dumpdir",
                                              "cachedir",
                                              "contiguous-cast",
                                              "file-changed",
                                              "file-ignored",
                                              "file-removed",
                                              "file-shrank",
                                              "file-unchanged",
                                              "filename-with-nuls",
                                              "ignore-archive",
                                              "ignore-newer",
                                              "new-directory",
                                              "rename-directory",
                                              "symlink-cast",
                                              "timestamp",
                                              "unknown-cast",
                                              "unknown-keyword",
                                              "xdev",
                                              "decompress-program",
                                              "existing-file",
                                              "xattr-write",
                                              "record-size",
                                              "failed-read",
                                              "missing-zero-blocks",
                                              "empty-transform",
                                              NULL };

static enum report_class const class_values[]
    = { REPORT_ALL_CLASSES & ~REPORT_VERBOSE_CLASSES,
        REPORT_ALONE_ZERO_BLOCK,
        REPORT_BAD_DUMPDIR,
        REPORT_CACHEDIR,
        REPORT_CONTIGUOUS_CAST,
        REPORT_FILE_CHANGED,
        REPORT_FILE_IGNORED,
        REPORT_FILE_REMOVED,
        REPORT_FILE_SHRANK,
        REPORT_FILE_UNCHANGED,
        REPORT_FILENAME_WITH_NULS,
        REPORT_IGNORE_ARCHIVE,
        REPORT_IGNORE_NEWER,
        REPORT_NEW_DIRECTORY,
        REPORT_RENAME_DIRECTORY,
        REPORT_SYMLINK_CAST,
        REPORT_TIMESTAMP,
        REPORT_UNKNOWN_CAST,
        REPORT_UNKNOWN_KEYWORD,
        REPORT_XDEV,
        REPORT_DECOMPRESS_PROGRAM,
        REPORT_EXISTING_FILE,
        REPORT_XATTR_WRITE,
        REPORT_RECORD_SIZE,
        REPORT_FAILED_READ,
        REPORT_MISSING_ZERO_BLOCKS,
        REPORT_EMPTY_TRANSFORM };

/* Not ARGMATCH_VERIFY: without a text, that is C23 to clang.  */
_Static_assert(sizeof class_keywords / sizeof *class_keywords
                   == sizeof class_values / sizeof *class_values + 1,
               "a value for each keyword");

void
report_init (struct report *r)
{
  /* The last one is of a later version, and off there too.  That version has
     missing zero blocks off as well; but an archive that was cut off between
     two members must not pass for a whole one.  */
  unsigned off = REPORT_VERBOSE_CLASSES | REPORT_EMPTY_TRANSFORM;

  *r = (struct report){ .status = REPORT_SUCCESS,
                        .enabled = REPORT_ALL_CLASSES & ~off };
}

void
report_raise (struct report *r, enum report_status status)
{
  if (r->status < status)
    r->status = status;
}

/* Print one line, in one write so that lines of several processes do not
   mix.  */
static void
print_line (struct report const *r, int errnum, char const *format,
            va_list args)
{
  char *text = xvasprintf (format, args);

  report_make_room (r);
  fflush (stdout);
  if (errnum)
    fprintf (stderr, "%s: %s: %s\n", program_name, text, strerror (errnum));
  else
    fprintf (stderr, "%s: %s\n", program_name, text);
  free (text);
}

void
report_error (struct report *r, int errnum, char const *format, ...)
{
  va_list args;

  va_start (args, format);
  print_line (r, errnum, format, args);
  va_end (args);
  report_raise (r, REPORT_FAILURE);
}

bool
report_warning (struct report *r, enum report_class class, int errnum,
                char const *format, ...)
{
  if (class != REPORT_ALWAYS && !(r->enabled & class))
    return false;

  va_list args;

  va_start (args, format);
  print_line (r, errnum, format, args);
  va_end (args);
  return true;
}

void
report_cannot (struct report *r, int errnum, char const *call, char const *name)
{
  /* TRANSLATORS: %s after 'Cannot' is the name of a system call or a verb
     that looks like one: it stays English.  */
  report_error (r, errnum, _ ("%s: Cannot %s"), report_name (name), call);
}

void
report_cannot_warning (struct report *r, enum report_class class, int errnum,
                       char const *call, char const *name)
{
  report_warning (r, class, errnum, _ ("%s: Warning: Cannot %s"),
                  report_name (name), call);
}

void
report_unrecoverable (struct report *r)
{
  report_raise (r, REPORT_FAILURE);
  if (r->ended)
    return;
  report_error (r, 0, _ ("Error is not recoverable: exiting now"));
  r->ended = true;
}

void
report_finish (struct report *r)
{
  if (r->status == REPORT_FAILURE && !r->ended)
    report_error (r, 0,
                  _ ("Exiting with failure status due to previous errors"));
  r->ended = true;
}

bool
report_set_warning (struct report *r, char const *keyword)
{
  if (strcmp (keyword, "none") == 0)
    {
      r->enabled = 0;
      return true;
    }

  bool off = strncmp (keyword, "no-", 3) == 0;
  ptrdiff_t i = argmatch (keyword + (off ? 3 : 0), class_keywords,
                          (char const *)class_values, sizeof class_values[0]);

  if (i < 0)
    return false;
  if (off)
    r->enabled &= ~(unsigned)class_values[i];
  else
    r->enabled |= class_values[i];
  return true;
}

char const *const *
report_warning_keywords (void)
{
  return class_keywords;
}

char const *
report_name_n (int n, char const *name)
{
  /* Only slot 0 has a function that also obeys --quote-chars.  */
  if (n == 0)
    return quotearg_colon (name);
  return quotearg_n_style_colon (n, get_quoting_style (NULL), name);
}

char const *
report_quoted_n (int n, char const *name)
{
  return quote_n (n, name);
}
