/* The modification time that a command tells.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "mtime-command.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "file-name.h"
#include "gettext.h"
#include "parse-datetime.h"
#include "quote.h"
#include "shell.h"
#include "xalloc.h"
#include "xvasprintf.h"

#define _(msgid) gettext (msgid)

/* The child.  */
static _Noreturn void
exec_command (struct tar_options const *o, int base_fd, char const *name,
              int out)
{
  char *line = xasprintf ("%s \"$@\"", o->mtime_command);

  shell_reset (o->umask);

  if ((base_fd == AT_FDCWD || fchdir (base_fd) == 0)
      && 0 <= dup2 (out, STDOUT_FILENO))
    execl ("/bin/sh", "sh", "-c", line, "sh", name, (char *)NULL);
  _exit (127);
}

/* Read FD up to its end.  Return the first line; allocated.  */
static char *
read_line (int fd)
{
  FILE *in = fdopen (fd, "r");
  char *line = NULL;
  size_t size = 0;
  ssize_t length = in ? getline (&line, &size, in) : -1;

  if (length < 0)
    {
      free (line);
      line = xstrdup ("");
    }
  else if (line[length - 1] == '\n')
    line[length - 1] = '\0';
  /* A writer that is not done must not get a SIGPIPE.  */
  while (in && getc (in) != EOF)
    continue;
  if (in)
    fclose (in);
  else
    close (fd);
  return line;
}

/* Run the command; *RET is the first line that it prints, allocated.  */
static bool
run (struct tar_options const *o, int base_fd, char const *name,
     struct report *r, char **ret)
{
  char const *command = o->mtime_command;
  int ends[2];
  int status;

  if (pipe2 (ends, O_CLOEXEC) < 0)
    {
      report_cannot (r, errno, "pipe", command);
      return false;
    }
  fflush (stdout);
  pid_t pid = fork ();
  if (pid == 0)
    exec_command (o, base_fd, name, ends[1]);
  close (ends[1]);
  if (pid < 0)
    {
      report_cannot (r, errno, "fork", command);
      close (ends[0]);
      return false;
    }
  *ret = read_line (ends[0]);
  while (waitpid (pid, &status, 0) < 0 && errno == EINTR)
    continue;
  if (status == 0)
    return true;
  if (WIFSIGNALED (status))
    report_error (r, 0, _ ("%s: command %s died with signal %d"),
                  report_name (name), report_quoted_n (1, command),
                  WTERMSIG (status));
  else
    report_error (r, 0, _ ("%s: command %s returned status %d"),
                  report_name (name), report_quoted_n (1, command),
                  WEXITSTATUS (status));
  free (*ret);
  return false;
}

/* Read TEXT as FORMAT says, or any way that --mtime knows if it is NULL.  */
static bool
parse (char const *text, char const *format, struct timespec *ret)
{
  if (!format)
    return *text && parse_datetime (ret, text, NULL);

  struct tm tm = { .tm_mday = 1, .tm_isdst = -1 };
  char const *end = strptime (text, format, &tm);
  if (!end || end[strspn (end, " \t\r")])
    return false;
  /* mktime takes the time zone for the local one.  */
  long offset = tm.tm_gmtoff;
  bool has_zone = strstr (format, "%z") != NULL;
  *ret = (struct timespec){ .tv_sec
                            = has_zone ? timegm (&tm) - offset : mktime (&tm) };
  return true;
}

void
mtime_command_apply (struct tar_options const *o, int base_fd, struct member *m,
                     struct report *r)
{
  char *name = xstrdup (member_text (&m->stored_name));
  char *text;
  struct timespec time;

  name[file_name_length (name)] = '\0';
  if (run (o, base_fd, name, r, &text))
    {
      if (parse (text, o->mtime_format, &time))
        m->mtime = time;
      else
        report_error (r, 0, _ ("%s: command printed %s, which is no date"),
                      report_name (name), report_quoted_n (1, text));
      free (text);
    }
  free (name);
}
