/* What is done at checkpoints, each time some number of records is through.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CHECKPOINT_H
#define CHECKPOINT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "report.h"
#include "shell.h"
#include "ui/totals.h"

enum checkpoint_fault
{
  CHECKPOINT_OK,
  CHECKPOINT_UNKNOWN,     /* no such action */
  CHECKPOINT_BAD_TIMEOUT, /* sleep=... */
  CHECKPOINT_BAD_SIGNAL   /* wait=... */
};

/* Look at ACTION, an argument of --checkpoint-action.  */
enum checkpoint_fault checkpoint_check (char const *action);

struct checkpoint_settings
{
  char const *const *actions; /* that checkpoint_check found right */
  size_t action_count;        /* 0: tell the number */
  FILE *listing;              /* where dots go */
  bool utc;

  struct shell_facts const *facts; /* what commands are told */
  struct report *report;
};

struct checkpoint;

/* Checkpoints under SETTINGS, which are copied; what they point to must
   outlive it.  Never NULL.  */
struct checkpoint *checkpoint_new (struct checkpoint_settings const *settings);

/* Do what is to be done at the checkpoint NUMBER, when an archive was WRITING
   or read.  TOTALS tells of what was done so far.  */
void checkpoint_run (struct checkpoint *c, uintmax_t number, bool writing,
                     struct totals const *totals);

/* Tidy up the terminal, and free C, which may be NULL.  */
void checkpoint_free (struct checkpoint *c);

#endif
