/* The loop of every operation: source to sink.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef PUMP_H
#define PUMP_H

#include <stdbool.h>

#include "flow.h"

/* Put SOURCE's members into SINK until there are no more, or the sink has
   enough.  Return false after a fatal error of either, which was
   reported.  */
bool pump_run (struct member_source *source, struct member_sink *sink);

#endif
