/* The operands one by one, with those that -T files stand for in their place.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gettext.h"
#include "quote.h"
#include "unquote.h"
#include "xalloc.h"

#include "file-name.h"
#include "operands.h"
#include "select/names.h"

#define _(msgid) gettext (msgid)

/* A -T file being read.  */
struct list
{
  struct list *outer; /* the one that asked for this one, or NULL */
  struct names *names;
  char *file;
  struct option_switches switches;
  /* As the list was asked for: option lines in it do not change how its names
     end, and whether it has option lines.  */
  struct option_switches initial;
  struct option_line line; /* operands of an option line, not all given */
  size_t line_next;
};

/* A -T file that was opened, and where that was asked for.  */
struct known_list
{
  dev_t dev;
  ino_t ino;
  char *from;
};

struct operands
{
  struct tar_options const *options;
  struct report *report;
  size_t next;       /* of the command line's operands */
  size_t last_name;  /* one more than the number of the last name's */
  size_t late;       /* the next that may be a directory after that */
  struct list *list; /* innermost, or NULL */
  struct known_list *known;
  size_t known_count;
  /* What -T files switched on and off for what follows them.  */
  struct option_switches set;
  struct option_switches cleared;
  char *buffer; /* a name, decoded */
  size_t buffer_size;
};

struct operands *
operands_new (struct tar_options const *options, struct report *r)
{
  struct operands *o = xzalloc (sizeof *o);

  o->options = options;
  o->report = r;
  for (size_t i = 0; i < options->operand_count; i++)
    if (options->operands[i].kind == OPTION_NAME
        || options->operands[i].kind == OPTION_FILES_FROM)
      o->last_name = i + 1;
  return o;
}

/* Add what changed from BEFORE to AFTER to *SET and *CLEARED.  */
static void
keep_change (unsigned before, unsigned after, unsigned *set, unsigned *cleared)
{
  unsigned on = after & ~before;
  unsigned off = before & ~after;

  *set = (*set | on) & ~off;
  *cleared = (*cleared | off) & ~on;
}

/* Leave the innermost list; its switches stay in force.  */
static void
leave_list (struct operands *o)
{
  struct list *list = o->list;

  o->list = list->outer;
  if (o->list)
    o->list->switches = list->switches;
  else
    {
      keep_change (list->initial.match, list->switches.match, &o->set.match,
                   &o->cleared.match);
      keep_change (list->initial.list_style, list->switches.list_style,
                   &o->set.list_style, &o->cleared.list_style);
    }
  names_close (list->names);
  options_line_free (&list->line);
  free (list->file);
  free (list);
}

void
operands_free (struct operands *o)
{
  while (o->list)
    leave_list (o);
  for (size_t i = 0; i < o->known_count; i++)
    free (o->known[i].from);
  free (o->known);
  free (o->buffer);
  free (o);
}

bool
operands_check (struct operands *o)
{
  for (size_t i = 0; i < o->options->operand_count; i++)
    {
      struct option_operand const *operand = &o->options->operands[i];
      if (operand->kind == OPTION_EXCLUDE_FROM
          && strcmp (operand->text, "-") != 0
          && faccessat (AT_FDCWD, operand->text, R_OK, AT_EACCESS) != 0)
        {
          report_error (o->report, errno, "%s", report_name (operand->text));
          return false;
        }
    }
  return true;
}

/* Return false if NAMES, asked for as FILE, was opened before.  */
static bool
is_new_list (struct operands *o, struct names const *names, char const *file)
{
  struct known_list list
      = { .from = o->list ? o->list->file : _ ("command line") };

  names_identity (names, &list.dev, &list.ino);
  for (size_t i = 0; i < o->known_count; i++)
    if (o->known[i].ino == list.ino && o->known[i].dev == list.dev)
      {
        report_error (o->report, 0,
                      _ ("%s: file list requested from %s already read from"
                         " %s"),
                      report_name_n (0, file), report_name_n (1, list.from),
                      o->known[i].from);
        return false;
      }
  list.from = xstrdup (list.from);
  o->known = xnrealloc (o->known, o->known_count + 1, sizeof *o->known);
  o->known[o->known_count++] = list;
  return true;
}

/* Start reading the -T file of OPERAND.  Return false after a fatal error.  */
static bool
enter_list (struct operands *o, struct option_operand const *operand)
{
  struct names *names = NULL;
  int error = names_open (operand->text, &names);

  if (error)
    {
      report_cannot (o->report, error, "stat", operand->text);
      return false;
    }
  if (!is_new_list (o, names, operand->text))
    {
      names_close (names);
      return true;
    }
  struct list *list = xzalloc (sizeof *list);
  *list = (struct list){
    .outer = o->list,
    .names = names,
    .file = xstrdup (operand->text),
    .switches = { operand->match, operand->list_style },
    .initial = { operand->match, operand->list_style },
  };
  o->list = list;
  return true;
}

/* Give TEXT as a name, decoded unless STYLE forbids.  */
static void
give_name (struct operands *o, char const *text, unsigned match, unsigned style,
           struct operand *ret)
{
  size_t size = strlen (text) + 1;

  while (o->buffer_size < size)
    o->buffer = x2realloc (o->buffer, &o->buffer_size);
  memcpy (o->buffer, text, size);
  if (!(style & OPTIONS_LIST_NO_UNQUOTE))
    unquote (o->buffer);
  /* "d/" is "d", but "/" is itself.  */
  o->buffer[file_name_length (o->buffer)] = '\0';
  *ret = (struct operand){ OPTION_NAME, o->buffer, match, 0 };
}

enum taken
{
  TAKEN,  /* *ret is set */
  PASSED, /* nothing for the caller in it */
  FATAL
};

static enum taken
take (struct operands *o, struct option_operand const *operand,
      struct operand *ret)
{
  switch (operand->kind)
    {
    case OPTION_FILES_FROM:
      return enter_list (o, operand) ? PASSED : FATAL;

    case OPTION_SWITCH:
      return PASSED;

    case OPTION_NAME:
      give_name (o, operand->text, operand->match, operand->list_style, ret);
      return TAKEN;

    default:
      *ret = (struct operand){ operand->kind, operand->text, operand->match,
                               operand->detail };
      return TAKEN;
    }
}

/* True if for OPTIONS what follows the last name has no effect.  */
static bool
names_matter (struct tar_options const *options)
{
  return (options->operation == OPTIONS_CREATE
          || options->operation == OPTIONS_UPDATE);
}

/* True if TEXT is an option line.  */
static bool
is_option_line (char const *text, unsigned style)
{
  return !(style & OPTIONS_LIST_VERBATIM) && text[strspn (text, " \t")] == '-';
}

/* Read on in the innermost list.  */
static enum taken
take_from_list (struct operands *o, struct operand *ret)
{
  struct list *list = o->list;
  struct option_switches *switches = &list->switches;
  unsigned style = list->initial.list_style;
  char *text;
  bool has_nul;

  if (list->line_next < list->line.count)
    return take (o, &list->line.operands[list->line_next++], ret);

  int error
      = names_next (list->names, style & OPTIONS_LIST_NULL, &text, &has_nul);
  if (error)
    {
      report_cannot (o->report, error, "read", list->file);
      return FATAL;
    }
  if (has_nul)
    report_warning (o->report, REPORT_FILENAME_WITH_NULS, 0,
                    _ ("%s: file name read contains nul character"),
                    report_name (list->file));
  if (!text)
    {
      leave_list (o);
      return PASSED;
    }
  if (is_option_line (text, style))
    {
      options_line_free (&list->line);
      list->line_next = 0;
      int result = options_parse_line (text, switches, list->file,
                                       names_line (list->names), &list->line,
                                       o->report);
      return result == -2 ? FATAL : PASSED;
    }
  /* What is taken as it stands is not decoded either.  */
  style = (style & OPTIONS_LIST_VERBATIM ? OPTIONS_LIST_NO_UNQUOTE
                                         : switches->list_style);
  give_name (o, text, switches->match, style, ret);
  return TAKEN;
}

void
operands_report_late (struct operands *o)
{
  struct tar_options const *options = o->options;

  if (!names_matter (options))
    return;
  if (o->next < options->operand_count)
    report_error (o->report, 0,
                  _ ("The following options were used after any non-optional"
                     " arguments in archive create or update mode.  These"
                     " options are positional and affect only arguments that"
                     " follow them.  Please, rearrange them properly."));
  for (; o->next < options->operand_count; o->next++)
    {
      struct option_operand const *late = &options->operands[o->next];
      if (!late->option)
        continue;
      char const *dash = *late->option == '-' ? "" : "--";
      if (late->text)
        report_error (o->report, 0, _ ("%s%s %s has no effect"), dash,
                      late->option, quote (late->text));
      else
        report_error (o->report, 0, _ ("%s%s has no effect"), dash,
                      late->option);
    }
}

static enum taken
take_from_command_line (struct operands *o, struct operand *ret)
{
  struct option_operand operand = o->options->operands[o->next++];

  if (operand.kind == OPTION_SWITCH)
    o->set = o->cleared = (struct option_switches){ 0, 0 };
  operand.match = (operand.match | o->set.match) & ~o->cleared.match;
  operand.list_style
      = (operand.list_style | o->set.list_style) & ~o->cleared.list_style;
  return take (o, &operand, ret);
}

/* Give the next directory that follows the last name.  */
static bool
take_late_directory (struct operands *o, struct operand *ret)
{
  struct tar_options const *options = o->options;

  if (o->late < o->next)
    o->late = o->next;
  while (o->late < options->operand_count)
    {
      struct option_operand const *operand = &options->operands[o->late++];
      if (operand->kind == OPTION_DIRECTORY)
        {
          *ret = (struct operand){ operand->kind, operand->text, 0, 0 };
          return true;
        }
    }
  return false;
}

enum operands_step
operands_next (struct operands *o, struct operand *ret)
{
  struct tar_options const *options = o->options;
  bool has_late = names_matter (options);
  enum taken taken;

  do
    {
      if (o->list)
        taken = take_from_list (o, ret);
      else if (has_late && o->last_name <= o->next)
        return take_late_directory (o, ret) ? OPERANDS_ONE : OPERANDS_END;
      else if (o->next == options->operand_count)
        return OPERANDS_END;
      else
        taken = take_from_command_line (o, ret);
    }
  while (taken == PASSED);
  return taken == TAKEN ? OPERANDS_ONE : OPERANDS_FATAL;
}

bool
operands_default_wildcards (struct operands const *o)
{
  size_t count = o->options->operand_count;
  unsigned match = count ? o->options->operands[count - 1].match : 0;

  return !((match | o->set.match)
           & (OPTIONS_MATCH_WILDCARDS | OPTIONS_MATCH_NO_WILDCARDS));
}
