/* Where members come from and where they go.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef FLOW_H
#define FLOW_H

#include "member.h"
#include "payload.h"

enum flow_step
{
  FLOW_MEMBER, /* *member and *payload are the next member */
  FLOW_END,    /* no more; what was wrong has been reported */
  FLOW_FATAL   /* reported; nothing more can be had */
};

/* A member stays valid until the next call.  A payload that was not consumed
   is skipped by the source.  */
struct member_source
{
  enum flow_step (*next) (struct member_source *s, struct member **member,
                          struct payload **payload);
};

/* What a sink wants after a member.  A member that merely failed was reported,
   and that is FLOW_MORE.  */
enum flow_wish
{
  FLOW_MORE,
  FLOW_ENOUGH, /* the rest is not wanted */
  FLOW_STOP    /* reported; the run cannot go on */
};

/* Take one member, whose payload may be NULL.  The sink may edit the
   member.  */
struct member_sink
{
  enum flow_wish (*put) (struct member_sink *s, struct member *m,
                         struct payload *p);
};

#endif
