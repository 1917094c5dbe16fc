/* What the volumes of an archive begin with.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef WRITER_LEAD_H
#define WRITER_LEAD_H

#include <sys/types.h>

#include "format/encode.h"
#include "format/writer.h"
#include "io/records.h"

struct writer_lead;

/* Tell R what its volumes begin with, by SETTINGS.  MAIN is the archive's own
   encoder.  All must outlive it.  Never NULL.  */
struct writer_lead *writer_lead_new (struct records *r,
                                     struct writer_settings const *settings,
                                     struct encoder const *main);

/* L may be NULL.  */
void writer_lead_free (struct writer_lead *l);

/* At byte POSITION of the archive SIZE bytes of data begin, of member NAME, a
   file of WHOLE bytes.  */
void writer_lead_begin (struct writer_lead *l, struct encode_string name,
                        off_t position, off_t size, off_t whole);

#endif
