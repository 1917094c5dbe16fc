/* Diagnostics, warning classes and the worst exit status.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef REPORT_H
#define REPORT_H

#include <stdbool.h>
#include <stdio.h>

/* Exit statuses, as GNU tar documents them ("Return codes" in its manual).
   Usage errors end the program with 64 (EX_USAGE), like argp does; but GNU
   tar reports most wrong combinations of options with 2.  */
enum report_status
{
  REPORT_SUCCESS = 0,
  REPORT_DIFFERS = 1,
  REPORT_FAILURE = 2,
  REPORT_USAGE = 64
};

/* One bit a class that --warning=KEYWORD switches.  The keyword table is in
   report.c.  REPORT_ALWAYS warnings belong to no class.  */
enum report_class
{
  REPORT_ALWAYS = 0,
  REPORT_ALONE_ZERO_BLOCK = 1 << 0,
  REPORT_BAD_DUMPDIR = 1 << 1,
  REPORT_CACHEDIR = 1 << 2,
  REPORT_CONTIGUOUS_CAST = 1 << 3,
  REPORT_FILE_CHANGED = 1 << 4,
  REPORT_FILE_IGNORED = 1 << 5,
  REPORT_FILE_REMOVED = 1 << 6,
  REPORT_FILE_SHRANK = 1 << 7,
  REPORT_FILE_UNCHANGED = 1 << 8,
  REPORT_FILENAME_WITH_NULS = 1 << 9,
  REPORT_IGNORE_ARCHIVE = 1 << 10,
  REPORT_IGNORE_NEWER = 1 << 11,
  REPORT_NEW_DIRECTORY = 1 << 12,
  REPORT_RENAME_DIRECTORY = 1 << 13,
  REPORT_SYMLINK_CAST = 1 << 14,
  REPORT_TIMESTAMP = 1 << 15,
  REPORT_UNKNOWN_CAST = 1 << 16,
  REPORT_UNKNOWN_KEYWORD = 1 << 17,
  REPORT_XDEV = 1 << 18,
  REPORT_DECOMPRESS_PROGRAM = 1 << 19,
  REPORT_EXISTING_FILE = 1 << 20,
  REPORT_XATTR_WRITE = 1 << 21,
  REPORT_RECORD_SIZE = 1 << 22,
  REPORT_FAILED_READ = 1 << 23,
  REPORT_MISSING_ZERO_BLOCKS = 1 << 24,
  REPORT_EMPTY_TRANSFORM = 1 << 25,
  REPORT_VERBOSE_CLASSES = REPORT_RENAME_DIRECTORY | REPORT_NEW_DIRECTORY
                           | REPORT_DECOMPRESS_PROGRAM | REPORT_EXISTING_FILE
                           | REPORT_RECORD_SIZE,
  REPORT_ALL_CLASSES = (1 << 26) - 1
};

struct report
{
  enum report_status status; /* the worst so far */
  unsigned enabled;          /* mask of enum report_class */
  bool ended;                /* the last words on the run have been said */

  /* Called before anything is written to the terminal; NULL: nothing needs to
     go out of the way.  */
  void (*make_room) (void *arg);
  void *make_room_arg;
};

/* Start with status 0 and the classes GNU tar enables by default.  */
void report_init (struct report *r);

/* Something is about to be written on the terminal, by other means than the
   functions below: what stands there and is not to stay is erased.  */
static inline void
report_make_room (struct report const *r)
{
  if (r->make_room)
    r->make_room (r->make_room_arg);
}

/* Raise the exit status to STATUS unless it is worse already.  */
void report_raise (struct report *r, enum report_status status);

/* Print "PROGRAM: FORMAT...[: strerror (ERRNUM)]" on stderr, after flushing
   stdout, and raise the exit status to 2.  ERRNUM 0 adds nothing.  */
void report_error (struct report *r, int errnum, char const *format, ...)
    __attribute__ ((format (printf, 3, 4)));

/* Likewise, but leave the exit status alone, and print only when CLASS is
   enabled (REPORT_ALWAYS: always).  Return true if it was printed.  */
bool report_warning (struct report *r, enum report_class class, int errnum,
                     char const *format, ...)
    __attribute__ ((format (printf, 4, 5)));

/* "NAME: Cannot CALL: strerror (ERRNUM)", exit status 2.  CALL is a verb such
   as "open"; NAME is quoted here.  */
void report_cannot (struct report *r, int errnum, char const *call,
                    char const *name);

/* The same as a warning of CLASS: "NAME: Warning: Cannot CALL: ...".  */
void report_cannot_warning (struct report *r, enum report_class class,
                            int errnum, char const *call, char const *name);

/* Print the line GNU tar ends with after a fatal error, "Error is not
   recoverable: exiting now", once, and raise the status to 2.  The caller then
   returns up to main.  */
void report_unrecoverable (struct report *r);

/* Print "Exiting with failure status due to previous errors" if GNU tar
   would: when the status is 2 and nothing fatal was said.  */
void report_finish (struct report *r);

/* Switch class(es) by the KEYWORD of --warning ("all", "none", "no-xdev",
   "file-changed", or an unambiguous abbreviation).  Return false if there is
   no such keyword; nothing is printed.  */
bool report_set_warning (struct report *r, char const *keyword);

/* The keywords of --warning without "no-", ending in NULL, for a message that
   lists them.  */
char const *const *report_warning_keywords (void);

/* NAME quoted for a diagnostic, as GNU tar quotes before a colon.  The result
   lives in gnulib's quotearg slots 0 to 3, taken in turn by N.  */
char const *report_name_n (int n, char const *name);
#define report_name(name) report_name_n (0, name)

/* NAME in quotation marks ('name' in the C locale), slot N.  */
char const *report_quoted_n (int n, char const *name);
#define report_quoted(name) report_quoted_n (0, name)

#endif
