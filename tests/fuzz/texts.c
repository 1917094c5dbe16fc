/* Any bytes as what a user gives: lists of names, and option values.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "targets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "format/pax-edits.h"
#include "options.h"
#include "select/names.h"
#include "select/rename.h"
#include "ui/checkpoint-text.h"
#include "ui/checkpoint.h"
#include "unquote.h"
#include "xalloc.h"

/* A -T file; its last byte decides whether names end with NULs.  */
void
names_run (uint8_t const *data, size_t size)
{
  char file[64];
  struct names *n;
  int fd = targets_file (data, size);
  bool nul_ends = size && data[size - 1] & 1;

  snprintf (file, sizeof file, "/proc/self/fd/%d", fd);
  if (names_open (file, &n) == 0)
    {
      char *name;
      bool has_nul;
      while (names_next (n, nul_ends, &name, &has_nul) == 0 && name)
        unquote (name);
      names_close (n);
    }
  close (fd);
}

/* The C library's regular expressions take exponential time and memory for
   some; they are not what is tested here.  */
static bool
is_harmless (char const *expression)
{
  size_t groups = 0;
  for (char const *p = expression; *p; p++)
    groups += *p == '(' || *p == '*' || *p == '+' || *p == '?';
  return strlen (expression) < 200 && groups < 8 && !strchr (expression, '{');
}

/* An expression of --transform, a NUL, and a name.  */
void
transform_run (uint8_t const *data, size_t size)
{
  char *expression = targets_string (data, size);
  size_t length = strlen (expression);
  char *name = targets_string (data + length, size - length);
  if (length < size)
    {
      free (name);
      name = targets_string (data + length + 1, size - length - 1);
    }
  if (is_harmless (expression) && strlen (name) < 200)
    {
      struct rename_trouble trouble;
      struct rename_rules *rules = rename_rules_new ();
      struct member_text text = { 0 };
      if (rename_rules_add (rules, expression, &trouble) == 0)
        for (int scope = RENAME_NAME; scope <= RENAME_SYMLINK; scope <<= 1)
          {
            member_set_text (&text, name, strlen (name));
            rename_rules_apply (rules, scope, &text);
          }
      free (text.text);
      rename_rules_free (rules);
    }
  free (expression);
  free (name);
}

/* A value of --pax-option.  */
void
pax_option_run (uint8_t const *data, size_t size)
{
  char *value = targets_string (data, size);
  char *option = xmalloc (strlen (value) + sizeof "--pax-option=");
  char program[] = "tar";
  char create[] = "-cf";
  char null[] = "/dev/null";
  char *argv[] = { program, create, null, option, null, NULL };
  struct report report;
  struct tar_options o;

  stpcpy (stpcpy (option, "--pax-option="), value);
  report_init (&report);
  if (options_parse (&o, 5, argv, &report) && o.pax_edits)
    {
      pax_edits_drop (o.pax_edits, "mtime");
      pax_edits_drop (o.pax_edits, value);
    }
  options_free (&o);
  free (option);
  free (value);
}

/* A checkpoint action, and what it prints.  */
void
checkpoint_run_text (uint8_t const *data, size_t size)
{
  struct totals totals;
  struct checkpoint_facts facts = { .totals = &totals };
  char *action = targets_string (data, size);

  totals_start (&totals);
  checkpoint_check (action);
  facts.number = size;
  facts.width = size % 200;
  facts.start = size % 100;
  facts.writing = size & 1;
  facts.utc = true;
  char *plain = checkpoint_text_unquote (action);
  char *text = checkpoint_text (plain, &facts);
  free (text);
  free (plain);
  free (action);
}
