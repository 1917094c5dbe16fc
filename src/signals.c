/* The signals that ask for something while the archive is worked on.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "signals.h"

#include <signal.h>
#include <string.h>

/* A handler can do no more than set this: printing is not safe in it
   (signal-safety(7)).  */
static sig_atomic_t volatile caught;

int
signals_number (char const *name)
{
  static struct
  {
    char const *name;
    int number;
  } const signals[] = {
    { "HUP", SIGHUP },   { "QUIT", SIGQUIT }, { "INT", SIGINT },
    { "USR1", SIGUSR1 }, { "USR2", SIGUSR2 },
  };

  if (strncmp (name, "SIG", 3) == 0)
    name += 3;
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
    if (strcmp (name, signals[i].name) == 0)
      return signals[i].number;
  return 0;
}

static void
note (int signal)
{
  (void)signal;
  caught = 1;
}

void
signals_catch (int signal)
{
  struct sigaction action = { .sa_handler = note, .sa_flags = SA_RESTART };

  sigemptyset (&action.sa_mask);
  sigaction (signal, &action, NULL);
}

bool
signals_taken (void)
{
  if (!caught)
    return false;
  caught = 0;
  return true;
}

void
signals_wait (int signal)
{
  sigset_t wanted;
  sigset_t old;
  int number;

  sigemptyset (&wanted);
  sigaddset (&wanted, signal);
  sigprocmask (SIG_BLOCK, &wanted, &old);
  sigwait (&wanted, &number);
  sigprocmask (SIG_SETMASK, &old, NULL);
}
