/* What is done at checkpoints, each time some number of records is through.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "ui/checkpoint.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gettext.h"
#include "progname.h"
#include "xalloc.h"

#include "signals.h"
#include "ui/checkpoint-text.h"

#define _(msgid) gettext (msgid)

enum
{
  DEFAULT_WIDTH = 80
};

struct action
{
  void (*run) (struct checkpoint *c, struct action const *a);
  char *text; /* owned; what comes after '=', NULL if nothing does */
  unsigned seconds;
  int signal;
};

struct checkpoint
{
  struct checkpoint_settings settings;
  struct action *actions;
  FILE *terminal; /* NULL: not opened yet, or there is none */
  bool returned;  /* the last text there ended with a carriage return */
  bool tried_terminal;

  /* The checkpoint at hand.  */
  struct checkpoint_facts facts;
};

/* --- Actions --- */

/* The terminal, or NULL if there is none.  */
static FILE *
terminal (struct checkpoint *c)
{
  if (!c->tried_terminal)
    c->terminal = fopen ("/dev/tty", "we");
  c->tried_terminal = true;
  return c->terminal;
}

/* The number of columns to fill on STREAM.  */
static int
width_of (FILE *stream)
{
  char const *columns = getenv ("COLUMNS");
  long number = columns ? strtol (columns, NULL, 10) : 0;
  struct winsize size;

  if (0 < number && number < INT_MAX)
    return number;
  if (ioctl (fileno (stream), TIOCGWINSZ, &size) == 0 && size.ws_col)
    return size.ws_col;
  return DEFAULT_WIDTH;
}

static void
run_dot (struct checkpoint *c, struct action const *a)
{
  (void)a;
  fputc ('.', c->settings.listing);
  fflush (c->settings.listing);
}

static void
run_echo (struct checkpoint *c, struct action const *a)
{
  char const *format = a->text;

  if (!format)
    /* TRANSLATORS: %u is the number of a checkpoint, the same as in
       --checkpoint-action=echo=...  */
    format = c->facts.writing ? _ ("Write checkpoint %u")
                              : _ ("Read checkpoint %u");
  c->facts.width = width_of (stderr);
  c->facts.start = strlen (program_name) + 2;
  char *text = checkpoint_text (format, &c->facts);
  report_warning (c->settings.report, REPORT_ALWAYS, 0, "%s", text);
  free (text);
}

static void
run_ttyout (struct checkpoint *c, struct action const *a)
{
  FILE *out = terminal (c);
  if (!out)
    return;
  c->facts.width = width_of (out);
  c->facts.start = 0;
  char *text = checkpoint_text (a->text, &c->facts);
  size_t length = strlen (text);
  c->returned = length && text[length - 1] == '\r';
  fputs (text, out);
  fflush (out);
  free (text);
}

static void
run_bell (struct checkpoint *c, struct action const *a)
{
  FILE *out = terminal (c);
  (void)a;
  if (out)
    {
      fputc ('\a', out);
      fflush (out);
    }
}

static void
run_sleep (struct checkpoint *c, struct action const *a)
{
  (void)c;
  sleep (a->seconds);
}

static void
run_totals (struct checkpoint *c, struct action const *a)
{
  (void)a;
  totals_print_all (c->facts.totals);
}

static void
run_wait (struct checkpoint *c, struct action const *a)
{
  (void)c;
  signals_wait (a->signal);
}

/* The child: run COMMAND with what it may want to know.  */
static _Noreturn void
exec_command (struct checkpoint *c, char const *command)
{
  struct shell_facts const *f = c->settings.facts;

  shell_tell_facts (f);
  shell_tell_text ("TAR_SUBCOMMAND", f->subcommand);
  shell_tell_number ("TAR_CHECKPOINT", "%ju", c->facts.number);
  shell_exec (command, f->umask);
  _exit (127);
}

/* Its status does not matter, as with GNU tar.  */
static void
run_exec (struct checkpoint *c, struct action const *a)
{
  int status;

  fflush (stdout);
  fflush (c->settings.listing);
  pid_t pid = fork ();
  if (pid == 0)
    exec_command (c, a->text);
  if (pid < 0)
    report_cannot (c->settings.report, errno, "fork", a->text);
  else
    while (waitpid (pid, &status, 0) < 0 && errno == EINTR)
      continue;
}

/* --- Their names --- */

static enum checkpoint_fault
take_text (char const *text, struct action *ret)
{
  ret->text = xstrdup (text);
  return CHECKPOINT_OK;
}

static enum checkpoint_fault
take_format (char const *text, struct action *ret)
{
  ret->text = checkpoint_text_unquote (text);
  return CHECKPOINT_OK;
}

static enum checkpoint_fault
take_seconds (char const *text, struct action *ret)
{
  unsigned long value;
  char *end;

  errno = 0;
  value = strtoul (text, &end, 10);
  if (*end || errno || UINT_MAX < value || strchr (text, '-'))
    return CHECKPOINT_BAD_TIMEOUT;
  ret->seconds = value;
  return CHECKPOINT_OK;
}

static enum checkpoint_fault
take_signal (char const *text, struct action *ret)
{
  ret->signal = signals_number (text);
  return ret->signal ? CHECKPOINT_OK : CHECKPOINT_BAD_SIGNAL;
}

/* Fill *RET, whose text is the caller's to free, with what ACTION means.  */
static enum checkpoint_fault
parse (char const *action, struct action *ret)
{
  static struct
  {
    char const *name; /* with '=' if something has to come after it */
    void (*run) (struct checkpoint *c, struct action const *a);
    enum checkpoint_fault (*take) (char const *text, struct action *ret);
  } const actions[] = {
    { ".", run_dot, NULL },
    { "dot", run_dot, NULL },
    { "bell", run_bell, NULL },
    { "echo", run_echo, NULL },
    { "echo=", run_echo, take_format },
    { "ttyout=", run_ttyout, take_format },
    { "sleep=", run_sleep, take_seconds },
    { "exec=", run_exec, take_text },
    { "totals", run_totals, NULL },
    { "wait=", run_wait, take_signal },
  };

  *ret = (struct action){ .text = NULL };
  for (size_t i = 0; i < sizeof actions / sizeof *actions; i++)
    {
      size_t length = strlen (actions[i].name);
      bool found
          = (actions[i].take ? strncmp (action, actions[i].name, length) == 0
                             : strcmp (action, actions[i].name) == 0);
      if (!found)
        continue;
      ret->run = actions[i].run;
      return (actions[i].take ? actions[i].take (action + length, ret)
                              : CHECKPOINT_OK);
    }
  return CHECKPOINT_UNKNOWN;
}

enum checkpoint_fault
checkpoint_check (char const *action)
{
  struct action a;
  enum checkpoint_fault fault = parse (action, &a);

  free (a.text);
  return fault;
}

/* --- Checkpoints --- */

struct checkpoint *
checkpoint_new (struct checkpoint_settings const *settings)
{
  struct checkpoint *c = xzalloc (sizeof *c);
  size_t count = settings->action_count ? settings->action_count : 1;

  c->settings = *settings;
  c->settings.action_count = count;
  c->actions = xcalloc (count, sizeof *c->actions);
  c->actions[0].run = run_echo;
  for (size_t i = 0; i < settings->action_count; i++)
    parse (settings->actions[i], &c->actions[i]);
  return c;
}

void
checkpoint_run (struct checkpoint *c, uintmax_t number, bool writing,
                struct totals const *totals)
{
  c->facts = (struct checkpoint_facts){
    .number = number,
    .writing = writing,
    .utc = c->settings.utc,
    .totals = totals,
  };
  for (size_t i = 0; i < c->settings.action_count; i++)
    c->actions[i].run (c, &c->actions[i]);
}

void
checkpoint_free (struct checkpoint *c)
{
  if (!c)
    return;
  /* What the cursor was left on is not to be mixed with what comes.  */
  if (c->terminal && c->returned)
    fprintf (c->terminal, "%*s\r", width_of (c->terminal), "");
  if (c->terminal)
    fclose (c->terminal);
  for (size_t i = 0; i < c->settings.action_count; i++)
    free (c->actions[i].text);
  free (c->actions);
  free (c);
}
