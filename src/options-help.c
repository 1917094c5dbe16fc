/* --help, --usage, --version and --show-defaults.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>

#include "gettext.h"
#include "inttostr.h"
#include "quotearg.h"
#include "xalloc.h"
#include "xvasprintf.h"

#include "options-parse.h"

#define _(msgid) gettext (msgid)

bool
options_help_defaults (struct options_parse *p, struct option_row const *row,
                       char const *argument)
{
  (void)row;
  (void)argument;
  printf ("--format=%s -f%s -b%d --quoting-style=%s --rmt-command=%s"
          " --rsh-command=%s\n",
          DEFAULT_ARCHIVE_FORMAT, DEFAULT_ARCHIVE, DEFAULT_BLOCKING,
          DEFAULT_QUOTING_STYLE, DEFAULT_RMT_COMMAND, DEFAULT_RSH_COMMAND);
  p->done = true;
  return true;
}

bool
options_help_help (struct options_parse *p, struct option_row const *row,
                   char const *argument)
{
  (void)row;
  (void)argument;
  argp_state_help (p->state, stdout, ARGP_HELP_STD_HELP);
  exit (EXIT_SUCCESS);
}

bool
options_help_usage (struct options_parse *p, struct option_row const *row,
                    char const *argument)
{
  (void)row;
  (void)argument;
  argp_state_help (p->state, stdout, ARGP_HELP_USAGE | ARGP_HELP_EXIT_OK);
  exit (EXIT_SUCCESS);
}

bool
options_help_version (struct options_parse *p, struct option_row const *row,
                      char const *argument)
{
  (void)p;
  (void)row;
  (void)argument;
  printf ("tar (%s, GNU tar compatible) %s\n", PACKAGE_NAME, PACKAGE_VERSION);
  puts (_ ("Copyright (C) 2026 The reflink-tar authors.\n"
           "License GPLv3+: GNU GPL version 3 or later"
           " <https://gnu.org/licenses/gpl.html>.\n"
           "This is free software: you are free to change and redistribute"
           " it.\n"
           "There is NO WARRANTY, to the extent permitted by law."));
  exit (EXIT_SUCCESS);
}

/* What follows the options in --help.  */
static char *
help_end (void)
{
  char *styles = xstrdup ("");

  for (int i = 0; quoting_style_args[i]; i++)
    {
      char *longer = xasprintf ("%s  %s\n", styles, quoting_style_args[i]);
      free (styles);
      styles = longer;
    }
  char *end = xasprintf (
      _ ("The styles of --quoting-style:\n\n%s\n"
         "*This* tar defaults to:\n"
         "--format=%s -f%s -b%d --quoting-style=%s --rmt-command=%s\n"
         "--rsh-command=%s\n"),
      styles, DEFAULT_ARCHIVE_FORMAT, DEFAULT_ARCHIVE, DEFAULT_BLOCKING,
      DEFAULT_QUOTING_STYLE, DEFAULT_RMT_COMMAND, DEFAULT_RSH_COMMAND);
  free (styles);
  return end;
}

char *
options_help_filter (int key, char const *text, void *input)
{
  (void)input;
  return key == ARGP_KEY_HELP_EXTRA ? help_end () : (char *)text;
}
