/* The loop of every operation: source to sink.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "pump.h"

bool
pump_run (struct member_source *source, struct member_sink *sink)
{
  struct member *m;
  struct payload *p;
  enum flow_step step;
  enum flow_wish wish = FLOW_MORE;

  while (wish == FLOW_MORE
         && (step = source->next (source, &m, &p)) != FLOW_END)
    wish = step == FLOW_MEMBER ? sink->put (sink, m, p) : FLOW_STOP;
  return wish != FLOW_STOP;
}
