/* What an archive reader tells, as GNU tar's messages.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "reader-notes.h"

#include <inttypes.h>
#include <string.h>

#include "gettext.h"
#include "minmax.h"
#include "quote.h"
#include "quotearg.h"

#define _(msgid) gettext (msgid)
#define N_(msgid) msgid

enum
{
  /* More of a hostile value would only flood the terminal.  */
  TEXT_MAX = 200
};

/* N's text with control characters escaped.  */
static char const *
plain_text (struct reader_note const *n)
{
  return quotearg_n_style_mem (0, escape_quoting_style, n->text,
                               MIN (n->text_length, TEXT_MAX));
}

static char const *
plain_keyword (struct reader_note const *n)
{
  return quotearg_n_style_mem (1, escape_quoting_style, n->keyword,
                               MIN (n->keyword_length, TEXT_MAX));
}

/* Under -R, name the block before a message about it.  */
static void
say_block (struct reader_notes const *notes, struct reader_note const *n)
{
  if (!notes->listing)
    return;
  report_make_room (notes->report);
  fprintf (notes->listing, _ ("block %jd: "), (intmax_t)n->block);
}

static void
say_block_line (struct reader_notes const *notes, struct reader_note const *n,
                char const *what)
{
  if (notes->listing)
    {
      say_block (notes, n);
      fprintf (notes->listing, "%s\n", what);
    }
}

static void
not_tar (struct reader_notes const *notes, struct reader_note const *n)
{
  (void)n;
  report_error (notes->report, 0, _ ("This does not look like a tar archive"));
}

static void
skipping (struct reader_notes const *notes, struct reader_note const *n)
{
  say_block (notes, n);
  report_error (notes->report, 0, _ ("Skipping to next header"));
}

static void
lone_zero (struct reader_notes const *notes, struct reader_note const *n)
{
  report_warning (notes->report, REPORT_ALONE_ZERO_BLOCK, 0,
                  _ ("A lone zero block at %jd"), (intmax_t)n->block);
}

static void
after_zero (struct reader_notes const *notes, struct reader_note const *n)
{
  (void)n;
  report_warning (notes->report, REPORT_ALONE_ZERO_BLOCK, 0,
                  _ ("Data follows it; --ignore-zeros reads on"));
}

static void
zero_block (struct reader_notes const *notes, struct reader_note const *n)
{
  say_block_line (notes, n, _ ("** Block of NULs **"));
}

static void
end_of_file (struct reader_notes const *notes, struct reader_note const *n)
{
  say_block_line (notes, n, _ ("** End of File **"));
}

static void
missing_end (struct reader_notes const *notes, struct reader_note const *n)
{
  if (notes->is_file)
    report_warning (notes->report, REPORT_MISSING_ZERO_BLOCKS, 0,
                    _ ("Terminating zero blocks missing at %jd"),
                    (intmax_t)n->block);
}

static void
unexpected_eof (struct reader_notes const *notes, struct reader_note const *n)
{
  (void)n;
  report_error (notes->report, 0, _ ("Unexpected EOF in archive"));
  report_unrecoverable (notes->report);
}

static void
cut (struct reader_notes const *notes, struct reader_note const *n)
{
  (void)n;
  report_error (notes->report, 0, _ ("Unexpected EOF in archive"));
}

static void
read_error (struct reader_notes const *notes, struct reader_note const *n)
{
  if (n->block == 0)
    report_cannot (notes->report, n->errnum, "read", notes->archive);
  else
    report_error (notes->report, n->errnum, _ ("%s: Read error at byte %jd"),
                  report_name (notes->archive),
                  (intmax_t)n->block * RECORDS_BLOCK);
  report_unrecoverable (notes->report);
}

/* A number field of a header.  */
static void
number (struct reader_notes const *notes, struct reader_note const *n)
{
  char const *type = n->limits->type;
  size_t length = n->text_length;
  switch (n->status)
    {
    case NUMBER_BLANK:
      report_error (notes->report, 0,
                    _ ("Blanks in header where numeric %s value expected"),
                    type);
      break;
    case NUMBER_INVALID:
      while (length && n->text[length - 1] == '\0')
        length--;
      report_error (notes->report, 0,
                    _ ("Archive contains %s where numeric %s value expected"),
                    quote_mem (n->text, length), type);
      break;
    case NUMBER_HUGE:
      report_error (notes->report, 0,
                    _ ("Archive base-256 value is out of %s range"), type);
      break;
    case NUMBER_RANGE:
      report_error (notes->report, 0,
                    _ ("Archive value %s%ju is out of %s range %jd..%jd"),
                    n->number->negative ? "-" : "", n->number->magnitude, type,
                    n->limits->min, n->limits->max);
      break;
    case NUMBER_OK:
      break;
    }
}

static void
base64 (struct reader_notes const *notes, struct reader_note const *n)
{
  (void)n;
  report_warning (notes->report, REPORT_ALWAYS, 0,
                  _ ("Archive contains obsolescent base-64 headers"));
}

static void
bad_pax (struct reader_notes const *notes, struct reader_note const *n)
{
  static char const *const messages[] = {
    [READER_PAX_NO_LENGTH] = N_ ("Malformed extended header: missing length"),
    [READER_PAX_NO_BLANK]
    = N_ ("Malformed extended header: missing blank after length"),
    [READER_PAX_NO_EQUAL_SIGN]
    = N_ ("Malformed extended header: missing equal sign"),
    [READER_PAX_NO_NEWLINE] = N_ ("Malformed extended header: missing newline"),
  };
  if (n->pax_fault == READER_PAX_BAD_LENGTH)
    report_error (notes->report, 0,
                  _ ("Extended header length %s is out of range"),
                  plain_text (n));
  else
    report_error (notes->report, 0, "%s", _ (messages[n->pax_fault]));
}

static void
pax_value (struct reader_notes const *notes, struct reader_note const *n)
{
  report_error (notes->report, 0,
                _ ("Malformed extended header: invalid %s=%s"),
                plain_keyword (n), plain_text (n));
}

static void
pax_range (struct reader_notes const *notes, struct reader_note const *n)
{
  report_error (notes->report, 0,
                _ ("Extended header %s=%s is out of range %jd..%jd"),
                plain_keyword (n), plain_text (n), n->limits->min,
                n->limits->max);
}

static void
pax_excess (struct reader_notes const *notes, struct reader_note const *n)
{
  report_error (notes->report, 0, _ ("Malformed extended header: excess %s=%s"),
                plain_keyword (n), plain_text (n));
}

static void
pax_odd (struct reader_notes const *notes, struct reader_note const *n)
{
  report_error (
      notes->report, 0,
      _ ("Malformed extended header: invalid %s: odd number of values"),
      plain_keyword (n));
}

static void
unknown_keyword (struct reader_notes const *notes, struct reader_note const *n)
{
  report_warning (notes->report, REPORT_UNKNOWN_KEYWORD, 0,
                  _ ("Ignoring unknown extended header keyword %s"),
                  quote_mem (n->keyword, MIN (n->keyword_length, TEXT_MAX)));
}

static void
bad_sparse (struct reader_notes const *notes, struct reader_note const *n)
{
  report_error (notes->report, 0, _ ("%s: invalid sparse archive member"),
                report_name (n->name));
}

static void
malformed_sparse (struct reader_notes const *notes, struct reader_note const *n)
{
  report_error (notes->report, 0, _ ("%s: malformed sparse archive member"),
                report_name (n->name));
}

static void
too_large (struct reader_notes const *notes, struct reader_note const *n)
{
  report_error (notes->report, 0,
                _ ("Extended header of %jd bytes is too large"),
                (intmax_t)n->count);
  report_unrecoverable (notes->report);
}

typedef void handler (struct reader_notes const *notes,
                      struct reader_note const *n);

static handler *const handlers[] = {
  [READER_NOTE_NOT_TAR] = not_tar,
  [READER_NOTE_SKIPPING] = skipping,
  [READER_NOTE_LONE_ZERO] = lone_zero,
  [READER_NOTE_AFTER_ZERO] = after_zero,
  [READER_NOTE_ZERO_BLOCK] = zero_block,
  [READER_NOTE_END_BLOCKS] = zero_block,
  [READER_NOTE_END_OF_FILE] = end_of_file,
  [READER_NOTE_MISSING_END] = missing_end,
  [READER_NOTE_UNEXPECTED_EOF] = unexpected_eof,
  [READER_NOTE_CUT] = cut,
  [READER_NOTE_READ_ERROR] = read_error,
  [READER_NOTE_NUMBER] = number,
  [READER_NOTE_BASE64] = base64,
  [READER_NOTE_BAD_PAX] = bad_pax,
  [READER_NOTE_PAX_VALUE] = pax_value,
  [READER_NOTE_PAX_RANGE] = pax_range,
  [READER_NOTE_PAX_EXCESS] = pax_excess,
  [READER_NOTE_PAX_ODD] = pax_odd,
  [READER_NOTE_UNKNOWN_KEYWORD] = unknown_keyword,
  [READER_NOTE_BAD_SPARSE] = bad_sparse,
  [READER_NOTE_MALFORMED_SPARSE] = malformed_sparse,
  [READER_NOTE_TOO_LARGE] = too_large,
};

void
reader_notes_note (void *arg, struct reader_note const *note)
{
  handlers[note->kind](arg, note);
}
