/* What watches a run while it goes on: checkpoints, --totals=SIGNAL and the
   progress bar.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef MONITOR_H
#define MONITOR_H

#include <stdint.h>
#include <stdio.h>

#include "io/records.h"
#include "options.h"
#include "report.h"
#include "shell.h"
#include "ui/totals.h"

struct monitor;

/* OPERATION as commands are told of it: "-c".  */
char const *monitor_operation_name (enum options_operation operation);

/* Watch the run that O asks for.  LISTING is where the names of members go
   (NULL: standard output).  All must outlive the monitor.  Never NULL.  */
struct monitor *monitor_new (struct tar_options const *o, struct report *r,
                             FILE *listing);

/* Watch RECORDS, read or written, from its current position on.  Several
   archives may be watched, one after the other or in turn; checkpoints are
   counted through.  */
void monitor_watch (struct monitor *m, struct records *records);

/* The archive watched last is written in place from POSITION on; and has been
   written up to POSITION.  */
void monitor_begin_writing (struct monitor *m, off_t position);
void monitor_written (struct monitor *m, off_t position);

/* The archive that is read is in FORMAT.  */
void monitor_format (struct monitor *m, enum member_format format);

/* The volume at hand is the file NAME, which is kept, and has this NUMBER, from
   1 on.  */
void monitor_volume (struct monitor *m, char const *name, intmax_t number);

/* The volume at hand has been read: BYTES.  */
void monitor_leave (struct monitor *m, off_t bytes);

/* The volume at hand has no room for a record, which GNU tar counts here and in
   the next volume.  */
void monitor_full (struct monitor *m);

/* What commands of the user are told of the run; it belongs to M and is kept up
   to date.  */
struct shell_facts const *monitor_facts (struct monitor const *m);

/* The members are through: the bar goes away.  */
void monitor_finish (struct monitor *m);

/* Print what --totals asks for at the end: BYTES of KIND.  */
void monitor_totals (struct monitor *m, enum totals_kind kind, uintmax_t bytes);

/* M may be NULL.  */
void monitor_free (struct monitor *m);

#endif
