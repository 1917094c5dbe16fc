/* What is fuzzed: functions that are given any bytes.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef TARGETS_H
#define TARGETS_H

#include <stddef.h>
#include <stdint.h>

struct target
{
  char const *name;
  void (*run) (uint8_t const *data, size_t size);
  /* Mend what mutations break and would keep the rest from being looked at;
     NULL: nothing.  */
  void (*repair) (uint8_t *data, size_t size);
};

/* The targets, up to one without a name.  */
extern struct target const targets[];

/* The target NAME, or NULL.  */
struct target const *targets_find (char const *name);

void archive_run (uint8_t const *data, size_t size);
void archive_repair (uint8_t *data, size_t size);
void dumpdir_run (uint8_t const *data, size_t size);
void snapshot_run (uint8_t const *data, size_t size);
void names_run (uint8_t const *data, size_t size);
void transform_run (uint8_t const *data, size_t size);
void pax_option_run (uint8_t const *data, size_t size);
void checkpoint_run_text (uint8_t const *data, size_t size);

/* DATA in a new memory file whose offset is 0.  Never fails.  */
int targets_file (uint8_t const *data, size_t size);

/* DATA as a string, which ends at its first NUL; allocated.  */
char *targets_string (uint8_t const *data, size_t size);

#endif
