/* Going from one volume of an archive to the next (-M).

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef VOLUMES_H
#define VOLUMES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "format/reader.h"
#include "format/writer.h"
#include "io/records.h"
#include "io/stream.h"
#include "monitor.h"
#include "options.h"
#include "report.h"
#include "ui/listing.h"

struct volumes;

/* The volumes of O's archive, of which the first is at hand; there may be only
   one.  LISTING is where the names of members go; all must outlive them.
   Return NULL, reported, if --volno-file has no volume number.  */
struct volumes *volumes_new (struct tar_options const *o, struct report *r,
                             FILE *listing);

/* Write --volno-file unless the run has ended before its time, and free V,
   which may be NULL.  */
void volumes_free (struct volumes *v);

/* The name of the volume at hand.  */
char const *volumes_name (struct volumes const *v);

/* Tell V that LABEL, which the options accept, is that of the first volume, as
   the others' must be then.  */
void volumes_set_label (struct volumes *v, char const *label);

/* Tell V that the archive is in FORMAT.  */
void volumes_set_format (struct volumes *v, enum member_format format);

/* Let MONITOR, which must outlive V's changes, know of each new volume.  */
void volumes_set_monitor (struct volumes *v, struct monitor *monitor);

/* Let RECORDS, the first volume, write to V's as it fills up.  LISTING lists
   their labels.  */
void volumes_write (struct volumes *v, struct records *records,
                    struct listing *listing);

/* For struct writer_settings: say what is to be known of a new volume, and
   change part of a continued member as all members are changed.  V is a struct
   volumes.  */
void volumes_begin (void *v, struct writer_volume *ret);
void volumes_edit_part (void *v, struct member *m);

/* Close *RECORDS, and make it the next volume, of which what volumes begin with
   has been read.  The reader stopped at PLACE; if that is in the data of
   PENDING, volumes that do not continue it are refused.  Return 0, or
   STREAM_STOPPED, reported, with *RECORDS NULL.  */
int volumes_read (struct volumes *v, enum reader_place place,
                  struct reader_pending const *pending,
                  struct records **records);

#endif
