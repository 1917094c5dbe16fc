/* Members of archives stored anew in another, aligned: -A with --align.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef REALIGN_H
#define REALIGN_H

#include <stdbool.h>

#include "input.h"
#include "io/records.h"
#include "options.h"
#include "report.h"

struct realign;

/* For storing in RECORDS, which stays the caller's.  O and R must outlive it.
   Never NULL (xalloc).  */
struct realign *realign_new (struct tar_options const *o, struct report *r,
                             struct records *records);
void realign_free (struct realign *a);

/* A struct input_source's global function; ARG is a struct realign.  */
void realign_global (void *arg, char const *header, char const *bytes,
                     size_t length);

/* Store all members of IN, which was opened with realign_global.  Set
   *RET_ERRNO if writing failed, which is for the caller to report; return false
   after that or another fatal error, which was reported.  */
bool realign_members (struct realign *a, struct input *in, int *ret_errno);

/* Tell what was shared, if that was asked for.  */
void realign_report (struct realign *a);

#endif
