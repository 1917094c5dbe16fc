/* What the parts of the command line parser share; for this directory only.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef PARSE_H
#define PARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "options.h"
#include "report.h"

struct argp_state;

/* The state of one parse.  */
struct options_parse
{
  struct tar_options *o;
  struct report *r;
  struct argp_state *state; /* for the help */
  bool from_environment;    /* parsing TAR_OPTIONS */
  unsigned match;           /* positional switches in force */
  unsigned list_style;
  size_t operand_alloc;
  bool failed;         /* something was wrong, and has been reported */
  bool done;           /* nothing to run (--show-defaults) */
  bool two_operations; /* for a message at the end */
  bool two_compressions;
  struct option_row const *overwrite; /* the policy for existing files */
  bool clamp_mtime;
  bool mtime_given;
  bool o_given;               /* -o: its meaning depends on the operation */
  char const *stdin_option;   /* the option that reads standard input */
  struct option_date *dates;  /* as given, the last first */
  bool backup_given;          /* --backup or --suffix */
  char const *backup_control; /* --backup=CONTROL; NULL: the environment's */
};

/* A date, to tell how it was taken.  */
struct option_date
{
  struct option_date *next;
  char const *option;
  char const *text;
  struct timespec date;
};

enum option_group
{
  GROUP_OPERATION = 1,
  GROUP_MODIFIER,
  GROUP_NAMES,
  GROUP_MATCH,
  GROUP_OVERWRITE,
  GROUP_OUTPUT,
  GROUP_ATTRIBUTES,
  GROUP_XATTRS,
  GROUP_DEVICE,
  GROUP_BLOCKING,
  GROUP_FORMAT,
  GROUP_FORMAT_NAMES,
  GROUP_FORMAT_MORE,
  GROUP_COMPRESSION,
  GROUP_SELECTION,
  GROUP_TRANSFORM,
  GROUP_REFLINK,
  GROUP_INFORMATION,
  GROUP_COMPATIBILITY,
  GROUP_OTHER
};

enum
{
  DEFAULT_CHECKPOINT = 10 /* records */
};

/* What an option does.  OFFSET is that of a field in struct tar_options.  */
enum option_action
{
  ACTION_TRUE,       /* bool field = true */
  ACTION_FALSE,      /* bool field = false */
  ACTION_COUNT,      /* int field += 1 */
  ACTION_VALUE,      /* int or enum field = VALUE */
  ACTION_CHOICE,     /* int or enum field = what DETAIL, a struct
                        option_choices, says of the argument, or VALUE if
                        there is none */
  ACTION_STRING,     /* char const * field = argument */
  ACTION_APPEND,     /* argument added to a char const ** field; the count is
                        the size_t field right after it */
  ACTION_OPERATION,  /* the operation is VALUE */
  ACTION_COMPRESS,   /* the compression program is DETAIL, or the argument */
  ACTION_SWITCH,     /* positional: set VALUE, clear CLEAR of the matching
                        switches */
  ACTION_LIST_STYLE, /* likewise of the -T switches */
  ACTION_OPERAND,    /* positional: an operand of kind VALUE */
  ACTION_PATTERNS,   /* an exclude operand per string of DETAIL, an array
                        that ends in NULL */
  ACTION_CALL,       /* HANDLE does it */
  ACTION_NOTHING     /* accepted, and of no consequence here */
};

/* The words an option takes; parallel arrays as for argmatch.  */
struct option_choices
{
  char const *const *words; /* ends in NULL */
  int const *values;
};

enum
{
  ROW_ALIAS = 1 << 0,  /* another name of the row before */
  ROW_HIDDEN = 1 << 1, /* not in --help */
  ROW_ARG_OPTIONAL = 1 << 2,
  ROW_TEXT = 1 << 3, /* no option; only part of --help */
  ROW_POSIX = 1 << 4 /* what --posix does as well */
};

/* One option.  Simple ones need no more than their row.  */
struct option_row
{
  char const *name; /* long; NULL if there is only the letter */
  char letter;      /* 0 if there is only the name */
  enum option_group group;
  enum option_action action;
  char const *argument; /* its name in the help; NULL: takes none */
  size_t offset;
  int value;
  unsigned clear; /* of ACTION_OPERAND: the operand's detail */
  void const *detail;
  bool (*handle) (struct options_parse *p, struct option_row const *row,
                  char const *argument);
  unsigned flags; /* mask of ROW_* */
  char const *help;
};

/* All options.  Those of options_table_names are what -T files may contain,
   and what is positional.  Both end with a row without name and letter.  */
extern struct option_row const options_table[];
extern struct option_row const options_table_names[];

/* action.c.  Do what ROW says with ARGUMENT (NULL if there is none).
   Return false if that was refused, which has been reported.  */
bool options_action_run (struct options_parse *p, struct option_row const *row,
                         char const *argument);

/* Add an operand that ROW stands for.  */
void options_action_operand (struct options_parse *p,
                             enum option_operand_kind kind, char const *text,
                             struct option_row const *row);

/* Report a usage error: the message, then the hint to try --help.  Returns
   false, for callers to return.  */
bool options_usage (struct options_parse *p, char const *format, ...)
    __attribute__ ((format (printf, 2, 3)));

/* Report an error that GNU tar ends with "Error is not recoverable".  Returns
   false.  */
bool options_fatal (struct options_parse *p, int errnum, char const *format,
                    ...) __attribute__ ((format (printf, 3, 4)));

/* Let O own MEMORY, so that options_free frees it.  Part of parse.c. */
void options_own (struct tar_options *o, void *memory);

/* Note that OPTION reads standard input.  Return false, reported, if another
   does already.  */
bool options_take_stdin (struct options_parse *p, char const *option);

/* values.c: the handlers of options whose argument has a syntax of
   its own.  */
typedef bool option_handler (struct options_parse *p,
                             struct option_row const *row,
                             char const *argument);
option_handler options_values_blocking;
option_handler options_values_record_size;
option_handler options_values_tape_length;
option_handler options_values_level;
option_handler options_values_strip;
option_handler options_values_format;
option_handler options_values_sparse_version;
option_handler options_values_owner; /* row->offset: a struct option_owner */
option_handler options_values_mode;
option_handler options_values_quoting_style;
option_handler options_values_quote_chars; /* row->value: 1 adds, 0 removes */
option_handler options_values_transform;
option_handler options_values_warning;
option_handler options_values_totals;
option_handler options_values_checkpoint;
option_handler options_values_checkpoint_action;
option_handler options_values_one_top_level;
option_handler options_values_occurrence;
option_handler options_values_reflink;
option_handler options_values_align;

/* dates.c.  The dates of --mtime and -N.  */
option_handler options_dates_mtime;
option_handler options_dates_newer; /* row->value: 1 for --newer-mtime */

/* Tell how those dates were understood, as -v does.  */
void options_dates_tell (struct options_parse *p);

/* backup.c.  --backup and --suffix; and what comes of them and the
   environment.  */
option_handler options_backup_control;
option_handler options_backup_suffix;
bool options_backup_check (struct options_parse *p);

/* maps.c.  --group-map if row->value is 1, else --owner-map.  */
option_handler options_maps_read;

/* pax.c.  */
option_handler options_pax_option;

/* suffix.c.  The compression program that the name ARCHIVE ends in, or
   NULL.  */
char const *options_suffix_program (char const *archive);

/* The name proper of ARCHIVE without directories and suffixes, allocated; NULL
   if it has no suffix that archives have.  */
char *options_suffix_stem (char const *archive);

/* check.c.  Handlers of options that mean something only together with
   others.  */
option_handler options_check_verbose;
option_handler options_check_overwrite; /* row->value: the policy */
option_handler options_check_clamp;
option_handler options_check_utc;
option_handler options_check_o;
option_handler options_check_density; /* -0 to -7 */

/* Conflicts, implications and defaults, once all is parsed.
   Return false if something was wrong, which has been reported.  */
bool options_check (struct options_parse *p);

/* help.c.  --help, --usage, --version and --show-defaults.  The first
   three do not return.  */
option_handler options_help_help;
option_handler options_help_usage;
option_handler options_help_version;
option_handler options_help_defaults;
option_handler options_help_field_ranges;

/* argp's help filter: adds what follows the options.  */
char *options_help_filter (int key, char const *text, void *input);

/* words.c.  Split TEXT into words as a shell would, with quotes and
   backslashes, but no expansion.  *RET is one allocation, ending in NULL.
   Return NULL, or what is wrong with TEXT ("missing closing quote").  */
char const *options_words_split (char const *text, char ***ret,
                                 size_t *ret_count);

#endif
