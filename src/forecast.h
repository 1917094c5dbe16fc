/* What of an archive could be shared, if it were extracted.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef FORECAST_H
#define FORECAST_H

#include <sys/types.h>

#include "member.h"
#include "payload.h"
#include "sharing.h"

/* Add to COUNTS what would become of M, whose data is P (NULL if it has none),
   where blocks of UNIT bytes can be shared: all that are whole.  P may be
   consumed in part.  */
void forecast_member (struct sharing_counts *counts, struct member const *m,
                      struct payload *p, off_t unit);

#endif
