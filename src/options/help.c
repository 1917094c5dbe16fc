/* --help, --usage, --version and --show-defaults.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>

#include "gettext.h"
#include "intprops.h"
#include "inttostr.h"
#include "quotearg.h"
#include "xalloc.h"
#include "xvasprintf.h"

#include "parse.h"

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

/* One line of --show-snapshot-field-ranges.  */
static void
print_range (char const *field, char const *least, char const *most)
{
  printf ("    %-15s => [ %s, %s ],\n", field, least, most);
}

bool
options_help_field_ranges (struct options_parse *p,
                           struct option_row const *row, char const *argument)
{
  char least[INT_BUFSIZE_BOUND (intmax_t)];
  char most[INT_BUFSIZE_BOUND (uintmax_t)];

  (void)row;
  (void)argument;
  puts (_ ("This tar's snapshot file field ranges are\n"
           "   (field name      => [ min, max ]):\n"));
  print_range ("nfs", "0", "1");
  print_range ("timestamp_sec", imaxtostr (TYPE_MINIMUM (time_t), least),
               imaxtostr (TYPE_MAXIMUM (time_t), most));
  print_range ("timestamp_nsec", "0", "999999999");
  print_range ("dev", imaxtostr (TYPE_MINIMUM (dev_t), least),
               umaxtostr (TYPE_MAXIMUM (dev_t), most));
  print_range ("ino", imaxtostr (TYPE_MINIMUM (ino_t), least),
               umaxtostr (TYPE_MAXIMUM (ino_t), most));
  putchar ('\n');
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
