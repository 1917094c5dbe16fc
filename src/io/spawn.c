/* Starting programs that we talk to by pipes.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "io/spawn.h"

#include <signal.h>
#include <spawn.h>
#include <unistd.h>

int
spawn_program (char const *program, char *const *argv, int in, int out,
               pid_t *ret)
{
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t defaults;

  int err = posix_spawn_file_actions_init (&actions);
  if (err)
    return err;
  err = posix_spawnattr_init (&attributes);
  if (err)
    {
      posix_spawn_file_actions_destroy (&actions);
      return err;
    }
  sigemptyset (&defaults);
  sigaddset (&defaults, SIGPIPE);
  posix_spawnattr_setsigdefault (&attributes, &defaults);
  posix_spawnattr_setflags (&attributes, POSIX_SPAWN_SETSIGDEF);
  err = posix_spawn_file_actions_adddup2 (&actions, in, STDIN_FILENO);
  if (!err)
    err = posix_spawn_file_actions_adddup2 (&actions, out, STDOUT_FILENO);
  if (!err)
    err = posix_spawnp (ret, program, &actions, &attributes, argv, environ);
  posix_spawnattr_destroy (&attributes);
  posix_spawn_file_actions_destroy (&actions);
  return err;
}
