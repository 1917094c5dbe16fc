/* The compression programs, and what their output looks like.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef FILTERS_H
#define FILTERS_H

#include <stddef.h>

enum
{
  FILTERS_PROGRAMS = 2
};

/* Programs that understand a format, the best first; NULL ends the list.  Each
   decompresses standard input to standard output when called with -d.  */
struct filter
{
  char const *programs[FILTERS_PROGRAMS + 1];
};

/* The filter for what begins with the LENGTH bytes at BYTES, or NULL if they
   are in no format known here.  512 bytes are enough.  A tar archive whose
   first name looks compressed has to be recognised before.  */
struct filter const *filters_by_content (char const *bytes, size_t length);

#endif
