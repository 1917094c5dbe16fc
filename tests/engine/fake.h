/* Made-up system calls for the engine.
   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

/* A clone that copies between two ordinary files.  It keeps to the kernel's
   rules, fails as a script says, and all calls are logged, so that a test
   shows the calls an answer is made of.  Run on any filesystem whose block
   size is 4096.  A failed set-up ends the program.  */

#ifndef FAKE_H
#define FAKE_H

#include <stdbool.h>
#include <sys/types.h>

#include "reflink.h"

enum
{
  U = 4096,
  Z = 128 * 1024 /* the unit of ZFS */
};

/* One call's fate: fail with ERRNUM after dealing with PARTIAL bytes.  With
   ERRNUM zero, deal with PARTIAL bytes only; a clone simply succeeds.  */
struct fate
{
  char call; /* 'c'lone, 's'et_size, 'r'ead, 'w'rite; 0 ends the script */
  int errnum;
  off_t partial;
};

/* For `struct reflink_ops'.  */
extern struct reflink_ops const fake_ops;

/* Begin the test NAME, on a filesystem that clones in multiples of UNIT, with
   SCRIPT (borrowed).  The log is empty then.  */
void fake_begin (char const *name, off_t unit, struct fate const *script);

/* Complain if the script was not played to its end, or the calls were others
   than LOG since fake_begin or fake_clear_log.  */
void fake_check (char const *log);

void fake_clear_log (void);

/* Print what is wrong with the current test and count it.  */
void fake_complain (char const *format, ...);

/* Return the exit status for main.  */
int fake_status (void);

/* Return EXIT_SUCCESS, or the status for a skipped test if the filesystem
   here will not do.  */
int fake_usable (void);

/* Return a new unlinked file of SIZE bytes that depend on SEED.  */
int fake_file (off_t size, unsigned int seed);

off_t fake_size (int fd);

#endif
