/* Options whose argument has a syntax of its own.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include <errno.h>
#include <grp.h>
#include <inttypes.h>
#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "argmatch.h"
#include "c-ctype.h"
#include "gettext.h"
#include "intprops.h"
#include "minmax.h"
#include "modechange.h"
#include "progname.h"
#include "quote.h"
#include "quotearg.h"
#include "xalloc.h"
#include "xstrtol.h"

#include "parse.h"
#include "format/align.h"
#include "signals.h"
#include "select/rename.h"

#define _(msgid) gettext (msgid)

/* ARGUMENT as a decimal number with one of SUFFIXES, at most MOST.  */
static bool
take_number (char const *argument, char const *suffixes, uintmax_t most,
             uintmax_t *ret)
{
  return (xstrtoumax (argument, NULL, 10, ret, suffixes) == LONGINT_OK
          && *ret <= most);
}

/* Multipliers GNU tar accepts after sizes ("Blocking" in its manual).  */
static char const size_suffixes[] = "bBcGgkKMmPTtw";

enum
{
  BLOCK = 512
};

bool
options_values_blocking (struct options_parse *p, struct option_row const *row,
                         char const *argument)
{
  uintmax_t blocks;

  (void)row;
  if (!take_number (argument, "", MIN (INT_MAX, PTRDIFF_MAX / BLOCK), &blocks)
      || blocks == 0)
    return options_usage (p, _ ("%s: Invalid blocking factor"),
                          report_name (argument));
  p->o->blocking_factor = blocks;
  p->o->record_size = blocks * BLOCK;
  return true;
}

bool
options_values_record_size (struct options_parse *p,
                            struct option_row const *row, char const *argument)
{
  uintmax_t size;

  (void)row;
  if (!take_number (argument, size_suffixes, MIN (PTRDIFF_MAX, SIZE_MAX),
                    &size))
    return options_usage (p, _ ("%s: Invalid record size"),
                          report_name (argument));
  if (size % BLOCK != 0)
    return options_usage (p, _ ("Record size must be a multiple of %d."),
                          BLOCK);
  if (size == 0)
    return options_fatal (p, 0, _ ("Invalid value for record_size"));
  p->o->record_size = size;
  p->o->blocking_factor = size / BLOCK;
  return true;
}

bool
options_values_tape_length (struct options_parse *p,
                            struct option_row const *row, char const *argument)
{
  uintmax_t length;
  size_t size = strlen (argument);
  /* Without a suffix the unit is 1024 bytes.  */
  bool has_suffix = size && !c_isdigit (argument[size - 1]);
  uintmax_t unit = has_suffix ? 1 : 1024;

  (void)row;
  if (!take_number (argument, size_suffixes, UINTMAX_MAX / unit, &length))
    return options_usage (p, _ ("%s: Invalid tape length"),
                          report_name (argument));
  p->o->tape_length = length * unit;
  p->o->multi_volume = true;
  return true;
}

/* Only 0 means something; GNU tar takes any number.  */
bool
options_values_level (struct options_parse *p, struct option_row const *row,
                      char const *argument)
{
  char *end;
  long level = strtol (argument, &end, 10);

  (void)row;
  if (*end)
    return options_usage (p, _ ("Invalid incremental level value"));
  /* As GNU tar has it, -1 is as good as none, and so is what is too large.  */
  p->o->level = level < -1 || INT_MAX < level ? -1 : (int)level;
  return true;
}

bool
options_values_strip (struct options_parse *p, struct option_row const *row,
                      char const *argument)
{
  uintmax_t count;

  (void)row;
  if (!take_number (argument, "", SIZE_MAX, &count))
    return options_usage (p, _ ("%s: Invalid number of elements"),
                          report_name (argument));
  p->o->strip_components = count;
  return true;
}

bool
options_values_occurrence (struct options_parse *p,
                           struct option_row const *row, char const *argument)
{
  (void)row;
  p->o->occurrence = 1;
  if (argument && !take_number (argument, "", UINTMAX_MAX, &p->o->occurrence))
    return options_fatal (p, 0, _ ("%s: Invalid number"),
                          report_name (argument));
  return true;
}

bool
options_values_format (struct options_parse *p, struct option_row const *row,
                       char const *argument)
{
  static struct
  {
    char const *name;
    enum member_format format;
  } const formats[] = {
    { "v7", MEMBER_FORMAT_V7 },       { "oldgnu", MEMBER_FORMAT_OLDGNU },
    { "ustar", MEMBER_FORMAT_USTAR }, { "posix", MEMBER_FORMAT_PAX },
    { "pax", MEMBER_FORMAT_PAX },     { "gnu", MEMBER_FORMAT_GNU },
  };
  /* --posix and --old-archive are names of formats themselves.  */
  char const *name = argument ? argument : row->detail;

  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
    if (strcmp (name, formats[i].name) == 0)
      {
        p->o->format = formats[i].format;
        p->o->format_given = true;
        return true;
      }
  return options_usage (p, _ ("%s: Invalid archive format"),
                        report_name (name));
}

/* Read a number at *TEXT, maybe none, which is 0, and move it behind it.  */
static unsigned
take_part (char const **text)
{
  char *end;
  uintmax_t n = strtoumax (*text, &end, 10);
  *text = end;
  return MIN (n, UINT_MAX);
}

bool
options_values_sparse_version (struct options_parse *p,
                               struct option_row const *row,
                               char const *argument)
{
  (void)row;
  p->o->sparse = true;
  p->o->sparse_major = take_part (&argument);
  p->o->sparse_minor = 0;
  if (*argument == '.')
    {
      argument++;
      p->o->sparse_minor = take_part (&argument);
    }
  return !*argument || options_usage (p, _ ("Invalid sparse version value"));
}

/* The number TEXT.  Return false if it is none; *FITS says whether it is at
   most MOST.  */
static bool
take_id (char const *text, uintmax_t most, uintmax_t *ret, bool *fits)
{
  if (!*text || text[strspn (text, "0123456789")])
    return false;
  errno = 0;
  *ret = strtoumax (text, NULL, 10);
  *fits = errno == 0 && *ret <= most;
  return true;
}

/* The ID of the user (or group) NAME.  */
static bool
look_up (bool is_group, char const *name, uintmax_t *ret)
{
  if (is_group)
    {
      struct group const *group = getgrnam (name);
      if (group)
        *ret = group->gr_gid;
      return group != NULL;
    }
  struct passwd const *user = getpwnam (name);
  if (user)
    *ret = user->pw_uid;
  return user != NULL;
}

/* The name of the user (or group) ID, allocated, or NULL.  */
static char *
look_up_name (bool is_group, uintmax_t id)
{
  if (is_group)
    {
      struct group const *group = getgrgid (id);
      return group ? xstrdup (group->gr_name) : NULL;
    }
  struct passwd const *user = getpwuid (id);
  return user ? xstrdup (user->pw_name) : NULL;
}

/* --owner=NAME, --owner=ID, --owner=[NAME]:ID, and --group.  */
bool
options_values_owner (struct options_parse *p, struct option_row const *row,
                      char const *argument)
{
  struct option_owner *owner
      = (struct option_owner *)((char *)p->o + row->offset);
  bool is_group = row->value;
  uintmax_t most = is_group ? TYPE_MAXIMUM (gid_t) : TYPE_MAXIMUM (uid_t);
  char const *colon = strchr (argument, ':');
  bool fits = false;
  bool is_id;

  *owner = (struct option_owner){ .given = true };
  if (colon)
    {
      char const *id = colon + 1 + (colon[1] == '+');
      if (!take_id (id, most, &owner->id, &fits) || !fits)
        return options_fatal (p, 0, _ ("%s: Invalid owner or group ID"),
                              report_name (colon + 1));
      owner->has_id = true;
      char *name = colon == argument ? look_up_name (is_group, owner->id)
                                     : ximemdup0 (argument, colon - argument);
      options_own (p->o, name);
      owner->name = name;
    }
  else if (look_up (is_group, argument, &owner->id))
    {
      owner->has_id = true;
      owner->name = argument;
    }
  else if ((is_id = take_id (argument, most, &owner->id, &fits)) && fits)
    {
      owner->has_id = true;
      char *name = look_up_name (is_group, owner->id);
      options_own (p->o, name);
      owner->name = name;
    }
  else if (is_id)
    return options_fatal (p, 0, _ ("%s: Invalid owner or group ID"),
                          report_name (argument));
  else
    /* A name that nobody here has is stored all the same.  */
    owner->name = argument;
  return true;
}

bool
options_values_mode (struct options_parse *p, struct option_row const *row,
                     char const *argument)
{
  (void)row;
  free (p->o->mode);
  p->o->mode = mode_compile (argument);
  if (!p->o->mode)
    return options_fatal (p, 0, _ ("Invalid mode given on option"));
  return true;
}

bool
options_values_quoting_style (struct options_parse *p,
                              struct option_row const *row,
                              char const *argument)
{
  (void)row;
  for (int i = 0; quoting_style_args[i]; i++)
    if (strcmp (argument, quoting_style_args[i]) == 0)
      {
        set_quoting_style (NULL, i);
        return true;
      }
  return options_fatal (p, 0,
                        _ ("Unknown quoting style '%s'. Try '%s"
                           " --quoting-style=help' to get a list."),
                        argument, program_name);
}

bool
options_values_quote_chars (struct options_parse *p,
                            struct option_row const *row, char const *argument)
{
  (void)p;
  for (; *argument; argument++)
    set_char_quoting (NULL, *argument, row->value);
  return true;
}

bool
options_values_transform (struct options_parse *p, struct option_row const *row,
                          char const *argument)
{
  (void)row;
  if (!p->o->transform)
    p->o->transform = rename_rules_new ();
  struct rename_trouble trouble;
  if (rename_rules_add (p->o->transform, argument, &trouble) == 0)
    return true;
  switch (trouble.problem)
    {
    case RENAME_BAD_REGEX:
      return options_usage (p, _ ("Invalid transform expression: %s"),
                            trouble.detail);
    case RENAME_BAD_REFERENCE:
      return options_usage (p, _ ("Invalid transform replacement: back"
                                  " reference out of range"));
    case RENAME_BAD_FLAG:
      return options_usage (p, _ ("Unknown flag in transform expression: %s"),
                            trouble.detail);
    case RENAME_BAD_SCOPE:
      return options_usage (p, _ ("Unknown transform flag: %s"),
                            trouble.detail);
    default:
      return options_usage (p, _ ("Invalid transform expression"));
    }
}

bool
options_values_warning (struct options_parse *p, struct option_row const *row,
                        char const *argument)
{
  (void)row;
  if (report_set_warning (p->r, argument))
    return true;
  char const *word = argument + (strncmp (argument, "no-", 3) == 0 ? 3 : 0);
  char const *const *words = report_warning_keywords ();
  ptrdiff_t why = argmatch (word, words, NULL, 0);
  argmatch_invalid ("--warning", word, why);
  fputs (_ ("Valid arguments are:"), stderr);
  for (; *words; words++)
    fprintf (stderr, "\n  - %s", quote (*words));
  putc ('\n', stderr);
  report_raise (p->r, REPORT_FAILURE);
  p->failed = true;
  return false;
}

bool
options_values_totals (struct options_parse *p, struct option_row const *row,
                       char const *argument)
{
  (void)row;
  if (argument)
    {
      p->o->totals_signal = signals_number (argument);
      if (!p->o->totals_signal)
        return options_fatal (p, 0, _ ("Unknown signal name: %s"), argument);
      signals_catch (p->o->totals_signal);
    }
  else
    p->o->totals = true;
  return true;
}

bool
options_values_one_top_level (struct options_parse *p,
                              struct option_row const *row,
                              char const *argument)
{
  (void)row;
  p->o->one_top_level = true;
  p->o->one_top_level_dir = argument && *argument ? argument : NULL;
  return true;
}

bool
options_values_reflink (struct options_parse *p, struct option_row const *row,
                        char const *argument)
{
  if (argument)
    {
      struct option_row choice = *row;
      choice.action = ACTION_CHOICE;
      return options_action_run (p, &choice, argument);
    }
  p->o->reflink = REFLINK_AUTO;
  return true;
}

bool
options_values_align (struct options_parse *p, struct option_row const *row,
                      char const *argument)
{
  uintmax_t size = 0;

  (void)row;
  if (argument
      && (!take_number (argument, size_suffixes, ALIGN_MAX, &size)
          || size < ALIGN_MIN || size & (size - 1)))
    return options_usage (p, _ ("%s: Invalid alignment"),
                          report_name (argument));
  p->o->align_given = true;
  p->o->align = size;
  return true;
}
