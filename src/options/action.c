/* What the rows of the option tables do.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "argmatch.h"
#include "gettext.h"
#include "progname.h"
#include "quote.h"
#include "xalloc.h"
#include "xvasprintf.h"

#include "parse.h"

#define _(msgid) gettext (msgid)

bool
options_usage (struct options_parse *p, char const *format, ...)
{
  va_list args;

  va_start (args, format);
  char *text = xvasprintf (format, args);
  va_end (args);
  report_error (p->r, 0, "%s", text);
  free (text);
  fprintf (stderr,
           _ ("Try '%s --help' or '%s --usage' for more information.\n"),
           program_name, program_name);
  p->failed = true;
  return false;
}

bool
options_fatal (struct options_parse *p, int errnum, char const *format, ...)
{
  va_list args;

  va_start (args, format);
  char *text = xvasprintf (format, args);
  va_end (args);
  report_error (p->r, errnum, "%s", text);
  free (text);
  report_unrecoverable (p->r);
  p->failed = true;
  return false;
}

bool
options_take_stdin (struct options_parse *p, char const *option)
{
  if (p->stdin_option)
    return options_usage (p,
                          _ ("Options '%s' and '%s' both want standard"
                             " input"),
                          p->stdin_option, option);
  p->stdin_option = option;
  return true;
}

/* ROW's option as GNU tar names it in messages: the long name, save -C.  */
static char const *
row_option (struct option_row const *row)
{
  static char short_name[] = "-C";

  if (row->value == OPTION_DIRECTORY && row->action == ACTION_OPERAND)
    return short_name;
  return row->name;
}

void
options_action_operand (struct options_parse *p, enum option_operand_kind kind,
                        char const *text, struct option_row const *row)
{
  struct tar_options *o = p->o;

  if (o->operand_count == p->operand_alloc)
    o->operands
        = x2nrealloc (o->operands, &p->operand_alloc, sizeof *o->operands);
  o->operands[o->operand_count++] = (struct option_operand){
    .kind = kind,
    .text = text,
    .detail = row && row->action == ACTION_OPERAND ? row->clear : 0,
    .match = p->match,
    .list_style = p->list_style,
    .option = row ? row_option (row) : NULL,
  };
  if (kind == OPTION_NAME || kind == OPTION_FILES_FROM)
    o->names_given = true;
}

static bool
take_choice (struct options_parse *p, struct option_row const *row,
             char const *argument, int *field)
{
  if (!argument)
    {
      *field = row->value;
      return true;
    }
  struct option_choices const *choices = row->detail;

  if (!argument)
    {
      *field = row->value;
      return true;
    }
  ptrdiff_t i
      = argmatch (argument, choices->words, (char const *)choices->values,
                  sizeof *choices->values);

  if (0 <= i)
    {
      *field = choices->values[i];
      return true;
    }
  char *option = xasprintf ("--%s", row->name);
  argmatch_invalid (option, argument, i);
  argmatch_valid (choices->words, (char const *)choices->values,
                  sizeof *choices->values);
  free (option);
  report_raise (p->r, REPORT_FAILURE);
  p->failed = true;
  return false;
}

static void
append_string (void *field, char const *text)
{
  struct
  {
    char const **strings;
    size_t count;
  } list;

  memcpy (&list, field, sizeof list);
  list.strings = xnrealloc (list.strings, list.count + 1, sizeof *list.strings);
  list.strings[list.count++] = text;
  memcpy (field, &list, sizeof list);
}

static void
take_operation (struct options_parse *p, struct option_row const *row)
{
  struct tar_options *o = p->o;

  if (o->operation != OPTIONS_NO_OPERATION
      && o->operation != (enum options_operation)row->value)
    p->two_operations = true;
  /* "tar -tt" is "tar -tv".  */
  if (o->operation == OPTIONS_LIST && row->value == OPTIONS_LIST)
    o->verbose++;
  o->operation = row->value;
  o->operation_letter = row->letter;
}

static void
take_compression (struct options_parse *p, struct option_row const *row,
                  char const *argument)
{
  struct tar_options *o = p->o;
  char const *program = argument ? argument : row->detail;

  if (o->compress_program && strcmp (o->compress_program, program) != 0)
    p->two_compressions = true;
  o->compress_program = program;
  o->compress_option = row->name;
}

/* Positional options: what follows is seen with other eyes.  */
static void
take_positional (struct options_parse *p, struct option_row const *row,
                 char const *argument)
{
  unsigned *mask
      = row->action == ACTION_LIST_STYLE ? &p->list_style : &p->match;

  switch (row->action)
    {
    case ACTION_SWITCH:
    case ACTION_LIST_STYLE:
      *mask = (*mask & ~row->clear) | row->value;
      options_action_operand (p, OPTION_SWITCH, NULL, row);
      break;

    case ACTION_PATTERNS:
      options_action_operand (p, OPTION_SWITCH, NULL, row);
      for (char const *const *pattern = row->detail; *pattern; pattern++)
        options_action_operand (p, OPTION_EXCLUDE, *pattern, NULL);
      break;

    default:
      if (row->value == OPTION_FILES_FROM && strcmp (argument, "-") == 0)
        options_take_stdin (p, "-T");
      options_action_operand (p, row->value, argument, row);
    }
}

bool
options_action_run (struct options_parse *p, struct option_row const *row,
                    char const *argument)
{
  void *field = (char *)p->o + row->offset;

  if (row->flags & ROW_POSIX)
    {
      p->o->format = MEMBER_FORMAT_PAX;
      p->o->format_given = true;
    }
  switch (row->action)
    {
    case ACTION_TRUE:
    case ACTION_FALSE:
      *(bool *)field = row->action == ACTION_TRUE;
      return true;

    case ACTION_COUNT:
      ++*(int *)field;
      return true;

    case ACTION_VALUE:
      *(int *)field = row->value;
      return true;

    case ACTION_CHOICE:
      return take_choice (p, row, argument, field);

    case ACTION_STRING:
      *(char const **)field = argument;
      return true;

    case ACTION_APPEND:
      append_string (field, argument);
      return true;

    case ACTION_OPERATION:
      take_operation (p, row);
      return true;

    case ACTION_COMPRESS:
      take_compression (p, row, argument);
      return true;

    case ACTION_CALL:
      return row->handle (p, row, argument);

    case ACTION_NOTHING:
      return true;

    default:
      take_positional (p, row, argument);
      return true;
    }
}
