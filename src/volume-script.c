/* The command that is run between volumes.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "volume-script.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gettext.h"
#include "xalloc.h"

#define _(msgid) gettext (msgid)

/* OUT, or another descriptor for it that has one digit, since shells need not
   understand "10>&".  What the user gave us is left alone.  */
static int
short_descriptor (int out)
{
  for (int fd = STDERR_FILENO + 1; 9 < out && fd <= 9; fd++)
    {
      int flags = fcntl (fd, F_GETFD);
      if ((flags < 0 || flags & FD_CLOEXEC) && dup2 (out, fd) == fd)
        {
          close (out);
          out = fd;
        }
    }
  return out;
}

/* The child, whose answer goes to OUT.  The environment is that of "Change
   Volume Scripts" in the GNU tar manual.  */
static _Noreturn void
exec_script (struct volume_script const *s, int out)
{
  out = short_descriptor (out);
  shell_tell_facts (&s->facts);
  shell_tell_text ("TAR_SUBCOMMAND", s->facts.subcommand);
  shell_tell_number ("TAR_VOLUME", "%ju", s->number);
  shell_tell_number ("TAR_FD", "%ju", out);
  shell_exec (s->command, s->facts.umask);
  _exit (127);
}

/* The first line that can be read from FD, which is closed; allocated, or NULL
   if it is empty.  */
static char *
read_line (int fd)
{
  FILE *f = fdopen (fd, "r");
  char *line = NULL;
  size_t size = 0;
  if (!f)
    xalloc_die ();
  ssize_t length = getline (&line, &size, f);
  if (0 < length && line[length - 1] == '\n')
    line[--length] = '\0';
  fclose (f);
  if (0 < length && *line)
    return line;
  free (line);
  return NULL;
}

bool
volume_script_run (struct volume_script const *s, struct report *r,
                   char **ret_name)
{
  int ends[2];
  int status;

  *ret_name = NULL;
  if (pipe (ends) != 0)
    {
      report_cannot (r, errno, "pipe", s->command);
      return false;
    }
  report_make_room (r);
  fflush (stdout);
  pid_t child = fork ();
  if (child == 0)
    {
      close (ends[0]);
      exec_script (s, ends[1]);
    }
  close (ends[1]);
  if (child < 0)
    {
      report_cannot (r, errno, "fork", s->command);
      close (ends[0]);
      return false;
    }
  /* Programs that the script leaves behind may have its end of the pipe: one
     line is enough.  */
  *ret_name = read_line (ends[0]);
  while (waitpid (child, &status, 0) < 0)
    if (errno != EINTR)
      {
        report_cannot (r, errno, "waitpid", s->command);
        status = -1;
        break;
      }
  if (status == 0)
    return true;
  report_error (r, 0, _ ("%s command failed"), report_quoted (s->command));
  free (*ret_name);
  *ret_name = NULL;
  return false;
}
