/* Commands of users, which are run by the shell, and what they are told.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "shell.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "xalloc.h"

void
shell_tell_text (char const *name, char const *value)
{
  if (setenv (name, value, 1) != 0)
    xalloc_die ();
}

void
shell_tell_number (char const *name, char const *format, uintmax_t value)
{
  char text[32];
  snprintf (text, sizeof text, format, value);
  shell_tell_text (name, text);
}

/* FORMAT as GNU tar calls it.  */
static char const *
format_name (enum member_format format)
{
  static char const *const names[] = {
    [MEMBER_FORMAT_DEFAULT] = "gnu",   [MEMBER_FORMAT_V7] = "v7",
    [MEMBER_FORMAT_OLDGNU] = "oldgnu", [MEMBER_FORMAT_USTAR] = "ustar",
    [MEMBER_FORMAT_PAX] = "posix",     [MEMBER_FORMAT_GNU] = "gnu",
    [MEMBER_FORMAT_STAR] = "star",
  };
  return names[format];
}

void
shell_tell_facts (struct shell_facts const *f)
{
  shell_tell_text ("TAR_VERSION", PACKAGE_VERSION);
  shell_tell_text ("TAR_ARCHIVE", f->archive);
  shell_tell_number ("TAR_BLOCKING_FACTOR", "%ju", f->blocking_factor);
  shell_tell_text ("TAR_FORMAT", format_name (f->format));
}

void
shell_reset (mode_t mask)
{
  sigset_t none;

  umask (mask);
  signal (SIGPIPE, SIG_DFL);
  sigemptyset (&none);
  sigprocmask (SIG_SETMASK, &none, NULL);
}

void
shell_exec (char const *command, mode_t mask)
{
  shell_reset (mask);
  execl ("/bin/sh", "/bin/sh", "-c", command, (char *)NULL);
}
