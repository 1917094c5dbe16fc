/* An archive being read, as operations see it: opened from the options, its
   members one by one, what is wrong reported.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef INPUT_H
#define INPUT_H

#include <stdbool.h>
#include <stdio.h>

#include "flow.h"
#include "io/records.h"
#include "monitor.h"
#include "options.h"
#include "report.h"

struct input;

/* Open the first archive of O, and watch it.  LISTING is where the names of
   members go (NULL: standard output), and where -R tells about blocks.  Return
   NULL, reported, if it cannot be opened.  O, R and LISTING must outlive
   it.  */
struct input *input_open (struct tar_options const *o, struct report *r,
                          FILE *listing);

/* The members; belongs to IN.  */
struct member_source *input_source (struct input *in);

/* The archive's blocks; belong to IN.  */
struct records *input_records (struct input *in);

/* What watches it; belongs to IN.  */
struct monitor *input_monitor (struct input *in);

/* Close the archive and free IN (which may be NULL).  After a fatal error
   nothing more is read; else a pipe is read to its end, and a compression
   program that failed is an error.  Return false if something was wrong,
   reported.  */
bool input_close (struct input *in);

#endif
