/* The records of pax extended headers: "LENGTH KEYWORD=VALUE\n".
   POSIX.1-2017 pax, "pax Extended Header".

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef PAX_RECORDS_H
#define PAX_RECORDS_H

#include <stddef.h>

/* One record, within the buffer it was found in.  The value can hold NULs; a
   newline follows it.  */
struct pax_record
{
  char const *keyword;
  size_t keyword_length;
  char const *value;
  size_t value_length;
};

enum pax_records_status
{
  PAX_RECORDS_RECORD,
  PAX_RECORDS_END, /* nothing, or NULs, are left */
  /* The rest of the header is of no use:  */
  PAX_RECORDS_NO_LENGTH,
  PAX_RECORDS_BAD_LENGTH, /* more than is left; ret->value is the digits, and
                             the keyword is set, maybe to nothing */
  PAX_RECORDS_NO_BLANK,
  PAX_RECORDS_NO_EQUAL_SIGN,
  PAX_RECORDS_NO_NEWLINE
};

/* Find the record at *CURSOR, before END, and move *CURSOR behind it.  */
enum pax_records_status pax_records_next (char const **cursor, char const *end,
                                          struct pax_record *ret);

#endif
