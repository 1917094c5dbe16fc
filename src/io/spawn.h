/* Starting programs that we talk to by pipes.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef SPAWN_H
#define SPAWN_H

#include <sys/types.h>

/* Start PROGRAM, looked for in PATH, with the arguments ARGV and the given
   standard input and output.  SIGPIPE, which we or our parent may ignore, does
   what programs expect.  Return 0 or an errno.  */
int spawn_program (char const *program, char *const *argv, int in, int out,
                   pid_t *ret);

#endif
