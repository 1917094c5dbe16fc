/* Incremental dumps (-g, -G) as -c makes them: the state of the last dump, what
   is to be stored, and the state for the next one.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef DUMPING_H
#define DUMPING_H

#include <stdbool.h>

#include "format/writer.h"
#include "fs/tags.h"
#include "fs/walk.h"
#include "fs/workdirs.h"
#include "options.h"
#include "report.h"

struct dumping;

/* Read the state of the last dump under O.  *RET is NULL if this is not to be
   an incremental dump.  False: a fatal error was reported.  */
bool dumping_new (struct tar_options const *o, struct report *r,
                  struct dumping **ret);

/* Free D, which may be NULL.  */
void dumping_free (struct dumping *d);

/* Look at all operands that WALK gives, which are in WORKDIRS: as settings for
   the walk have it, which tell what is left out, too.  What the walk is to
   store comes from dumping_next afterwards.  STORED is from struct
   survey_settings.  */
enum flow_step dumping_look (struct dumping *d,
                             struct walk_settings const *walk,
                             struct workdirs *workdirs,
                             char *(*stored) (void *arg, char const *name));
enum flow_step dumping_next (struct dumping *d, struct walk_operand *ret);

/* M, with data P, is about to be put in W, of FORMAT.  If it is a directory,
   give it the list of what is in it.  Return its data.  */
struct payload *dumping_list (struct dumping *d, struct writer *w,
                              enum member_format format, struct member *m,
                              struct payload *p);

/* The last file was stored, in whole.  */
void dumping_stored (struct dumping *d);

/* The archive is complete: save the state.  What goes wrong is reported.  */
void dumping_save (struct dumping *d);

#endif
