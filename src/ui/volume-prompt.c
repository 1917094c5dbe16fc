/* Asking for the next volume of an archive.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "ui/volume-prompt.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gettext.h"
#include "ui/answers.h"
#include "xalloc.h"

#define _(msgid) gettext (msgid)

struct volume_prompt
{
  struct report *report;
  bool restricted; /* no shell */
  FILE *answers;
  char *line;
  size_t size;
};

struct volume_prompt *
volume_prompt_new (bool stdin_is_taken, bool restricted, struct report *r)
{
  FILE *answers = answers_open (stdin_is_taken, r);

  if (!answers)
    return NULL;
  struct volume_prompt *p = xmalloc (sizeof *p);
  *p = (struct volume_prompt){ .report = r,
                               .restricted = restricted,
                               .answers = answers };
  return p;
}

void
volume_prompt_free (struct volume_prompt *p)
{
  if (!p)
    return;
  answers_close (p->answers);
  free (p->line);
  free (p);
}

/* Let the user have a shell, as one that is logged in to.  */
static void
run_shell (struct volume_prompt const *p)
{
  char const *shell = getenv ("SHELL");
  if (!shell)
    shell = "/bin/sh";
  fflush (stdout);
  pid_t child = fork ();

  if (child < 0)
    report_cannot (p->report, errno, "fork", shell);
  else if (child == 0)
    {
      execlp (shell, "-sh", "-i", (char *)NULL);
      report_cannot (p->report, errno, "exec", shell);
      report_unrecoverable (p->report);
      _exit (REPORT_FAILURE);
    }
  else
    while (waitpid (child, NULL, 0) < 0 && errno == EINTR)
      continue;
}

static void
print_help (struct volume_prompt const *p)
{
  fputs (_ (" n name        Give a new file name for the next (and subsequent)"
            " volume(s)\n"
            " q             Abort tar\n"
            " y or newline  Continue operation\n"),
         stderr);
  if (!p->restricted)
    fputs (_ (" !             Spawn a subshell\n"), stderr);
  fputs (_ (" ?             Print this list\n"), stderr);
}

static void
print_invalid (void)
{
  fputs (_ ("Invalid input. Type ? for help.\n"), stderr);
}

/* The name in an answer after its 'n', or NULL.  */
static char const *
given_name (char const *answer)
{
  char const *name = answer + strspn (answer, " \t");

  if (*name)
    return name;
  fputs (_ ("File name not specified. Try again.\n"), stderr);
  return NULL;
}

/* Read an answer.  False: there is none.  */
static bool
read_answer (struct volume_prompt *p)
{
  ssize_t length = getline (&p->line, &p->size, p->answers);

  if (length <= 0)
    return false;
  if (p->line[length - 1] == '\n')
    p->line[length - 1] = '\0';
  return true;
}

bool
volume_prompt_ask (struct volume_prompt *p, intmax_t number, char const *name,
                   char **ret_name)
{
  *ret_name = NULL;
  for (;;)
    {
      char const *given;

      report_make_room (p->report);
      fflush (stdout);
      fprintf (stderr, _ ("%cPrepare volume #%jd for %s and hit return: "),
               '\a', number, report_quoted (name));
      fflush (stderr);
      if (!read_answer (p))
        {
          report_error (p->report, 0, _ ("EOF where user reply was expected"));
          return false;
        }
      switch (p->line[0])
        {
        case '\0':
        case 'y':
        case 'Y':
          return true;
        case 'n':
          given = given_name (p->line + 1);
          if (!given)
            break;
          *ret_name = xstrdup (given);
          return true;
        case 'q':
          report_error (p->report, 0, _ ("No new volume; exiting.\n"));
          return false;
        case '?':
          print_help (p);
          break;
        case '!':
          if (!p->restricted)
            run_shell (p);
          else
            print_invalid ();
          break;
        default:
          print_invalid ();
          break;
        }
    }
}
