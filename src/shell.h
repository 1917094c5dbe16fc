/* Commands of users, which are run by the shell, and what they are told.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef SHELL_H
#define SHELL_H

#include <stdint.h>
#include <sys/types.h>

#include "member.h"

/* What commands are told of a run: whoever makes one keeps it up to date.  */
struct shell_facts
{
  char const *archive;    /* the volume at hand */
  intmax_t volume;        /* its number, from 1 on */
  char const *subcommand; /* as "-x" */
  enum member_format format;
  size_t blocking_factor;
  mode_t umask; /* the user's, whatever the run's is meanwhile */
};

/* All functions below are for a child that was forked to run a command.  */

/* Put NAME into the environment; a number is written as FORMAT, of printf,
   says.  Ends the process if there is no memory.  */
void shell_tell_text (char const *name, char const *value);
void shell_tell_number (char const *name, char const *format, uintmax_t value);

/* Tell what all commands are told: $TAR_VERSION, $TAR_ARCHIVE,
   $TAR_BLOCKING_FACTOR, and $TAR_FORMAT, as "gnu".  */
void shell_tell_facts (struct shell_facts const *f);

/* Make the process what commands expect: with UMASK, no signal blocked, and
   SIGPIPE not ignored.  */
void shell_reset (mode_t umask);

/* Become /bin/sh running COMMAND, after shell_reset.  Returns only if that
   failed, with errno set.  */
void shell_exec (char const *command, mode_t umask);

#endif
