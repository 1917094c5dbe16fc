/* Pax extended header records, put together.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef PAX_BUILD_H
#define PAX_BUILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "idx.h"

enum pax_build_omission
{
  PAX_BUILD_ADD,
  PAX_BUILD_OMIT,
  PAX_BUILD_REPLACED /* another takes its place */
};

/* Records one after another.  All zeros is none.  */
struct pax_build
{
  char *bytes;
  idx_t length;
  idx_t size; /* bytes allocated */
  /* Whether a record of KEYWORD is not to be added; NULL: never.  */
  enum pax_build_omission (*omit) (void const *arg, char const *keyword);
  void const *omit_arg;
  bool replaced; /* one was not added, for PAX_BUILD_REPLACED */
};

/* Forget the records, keeping the memory.  */
static inline void
pax_build_clear (struct pax_build *b)
{
  b->length = 0;
  b->replaced = false;
}

/* Free what B owns.  */
void pax_build_free (struct pax_build *b);

/* The length of a record, in bytes.  */
idx_t pax_build_length (size_t keyword_length, size_t value_length);

/* Add "LENGTH KEYWORD=VALUE\n"; VALUE is VALUE_LENGTH bytes, any bytes.  */
void pax_build_add (struct pax_build *b, char const *keyword, char const *value,
                    size_t value_length);

/* Add the records in MORE.  */
void pax_build_append (struct pax_build *b, struct pax_build const *more);

/* As pax_build_add, but never omitted, with a value of VALUE_LENGTH times the
 * byte FILLER.  */
void pax_build_add_filler (struct pax_build *b, char const *keyword,
                           char filler, size_t value_length);

/* Add a decimal number.  */
void pax_build_add_number (struct pax_build *b, char const *keyword,
                           intmax_t value);

/* Add a time in seconds, with as many decimals as it takes.  */
void pax_build_add_time (struct pax_build *b, char const *keyword,
                         struct timespec value);

#endif
