/* The command line and TAR_OPTIONS to struct tar_options.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include <argp.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gettext.h"
#include "progname.h"
#include "quotearg.h"
#include "root-uid.h"
#include "xalloc.h"

#include "format/pax-edits.h"
#include "parse.h"
#include "select/rename.h"

#define _(msgid) gettext (msgid)
#define N_(msgid) gettext_noop (msgid)

static char const *const group_headings[] = {
  [GROUP_OPERATION] = N_ ("What to do:"),
  [GROUP_MODIFIER] = N_ ("How to do it:"),
  [GROUP_NAMES] = N_ ("Names:"),
  [GROUP_MATCH] = N_ ("How names and exclusion patterns match:"),
  [GROUP_OVERWRITE] = N_ ("Existing files:"),
  [GROUP_OUTPUT] = N_ ("Where extracted files go:"),
  [GROUP_ATTRIBUTES] = N_ ("File attributes:"),
  [GROUP_XATTRS] = N_ ("Extended file attributes:"),
  [GROUP_DEVICE] = N_ ("Archives and devices:"),
  [GROUP_BLOCKING] = N_ ("Blocks and records:"),
  [GROUP_FORMAT] = N_ ("Archive formats:"),
  [GROUP_FORMAT_NAMES] = N_ ("FORMAT is one of:"),
  [GROUP_COMPRESSION] = N_ ("Compression:"),
  [GROUP_SELECTION] = N_ ("Which files:"),
  [GROUP_TRANSFORM] = N_ ("Changing names:"),
  [GROUP_REFLINK] = N_ ("Sharing blocks (reflinks):"),
  [GROUP_INFORMATION] = N_ ("What is shown:"),
  [GROUP_COMPATIBILITY] = N_ ("Compatibility:"),
  [GROUP_OTHER] = N_ ("Other options:"),
};

enum
{
  /* argp keys: an option's letter, or this plus the number of its row.  */
  KEY_ROWS = UCHAR_MAX + 1
};

/* The option tables in argp's form, and which row each key means.  */
struct vocabulary
{
  struct argp_option *options; /* ends with an empty one */
  size_t count;
  struct option_row const *by_letter[UCHAR_MAX + 1];
  struct option_row const **rows; /* by key - KEY_ROWS */
  size_t row_count;
};

static void
add_headings (struct vocabulary *v)
{
  for (size_t g = 0; g < sizeof group_headings / sizeof *group_headings; g++)
    if (group_headings[g])
      v->options[v->count++]
          = (struct argp_option){ .doc = group_headings[g], .group = g };
}

static void
add_row (struct vocabulary *v, struct option_row const *row,
         struct option_row const *meant)
{
  int flags = 0;

  if (row->flags & ROW_ALIAS)
    flags |= OPTION_ALIAS;
  if (row->flags & ROW_HIDDEN)
    flags |= OPTION_HIDDEN;
  if (meant->flags & ROW_ARG_OPTIONAL)
    flags |= OPTION_ARG_OPTIONAL;
  if (row->flags & ROW_TEXT)
    flags |= OPTION_DOC | OPTION_NO_TRANS;
  v->options[v->count++] = (struct argp_option){
    .name = row->name,
    .key
    = row->letter ? (unsigned char)row->letter : KEY_ROWS + (int)v->row_count,
    .arg = meant->argument,
    .flags = flags,
    .doc = row->help,
    .group = meant->group,
  };
  v->by_letter[(unsigned char)row->letter] = meant;
  v->rows[v->row_count++] = meant;
}

static void
add_table (struct vocabulary *v, struct option_row const *table)
{
  struct option_row const *meant = table;

  for (struct option_row const *row = table; row->name || row->letter; row++)
    {
      if (!(row->flags & ROW_ALIAS))
        meant = row;
      add_row (v, row, meant);
    }
}

static size_t
table_size (struct option_row const *table)
{
  size_t n = 0;

  while (table[n].name || table[n].letter)
    n++;
  return n;
}

static struct vocabulary *
vocabulary_new (bool names_only)
{
  struct vocabulary *v = xzalloc (sizeof *v);
  size_t most = (table_size (options_table_names) + table_size (options_table)
                 + sizeof group_headings / sizeof *group_headings + 1);

  v->options = xcalloc (most, sizeof *v->options);
  v->rows = xcalloc (most, sizeof *v->rows);
  add_headings (v);
  if (!names_only)
    add_table (v, options_table);
  add_table (v, options_table_names);
  return v;
}

static void
vocabulary_free (struct vocabulary *v)
{
  free (v->options);
  free (v->rows);
  free (v);
}

/* What argp's parser is given.  */
struct input
{
  struct options_parse *p;
  struct vocabulary *vocabulary;
};

static struct option_row const *
find_row (struct vocabulary const *v, int key)
{
  if (0 < key && key < KEY_ROWS)
    return v->by_letter[key];
  if (KEY_ROWS <= key && key - KEY_ROWS < v->row_count)
    return v->rows[key - KEY_ROWS];
  return NULL;
}

static error_t
parse_option (int key, char *argument, struct argp_state *state)
{
  struct input *input = state->input;
  struct options_parse *p = input->p;

  p->state = state;
  if (key == ARGP_KEY_ARG)
    {
      if (p->from_environment)
        options_usage (p, _ ("non-option arguments in TAR_OPTIONS"));
      else
        options_action_operand (p, OPTION_NAME, argument, NULL);
    }
  else
    {
      struct option_row const *row = find_row (input->vocabulary, key);
      if (!row)
        return ARGP_ERR_UNKNOWN;
      options_action_run (p, row, argument);
    }
  return p->failed ? EINVAL : 0;
}

static error_t
run_argp (struct options_parse *p, struct vocabulary *v, int argc, char **argv,
          unsigned flags)
{
  struct input input = { p, v };
  struct argp argp = {
    .options = v->options,
    .parser = parse_option,
    .args_doc = N_ ("[FILE]..."),
    .doc = N_ ("Store files in an archive, list and extract them; share blocks"
               " with it instead of copying where the file system can.\n"
               "\n"
               "Examples:\n"
               "  tar -cf archive.tar foo bar     # Make archive.tar from foo"
               " and bar.\n"
               "  tar -tvf archive.tar            # List archive.tar in"
               " detail.\n"
               "  tar -xf archive.tar             # Extract archive.tar.\n"
               "  tar --reflink -xf archive.tar   # The same, sharing"
               " blocks.\n"
               "\v"
               "Arguments that long options need or may have are those of"
               " their letters, too."),
    .help_filter = options_help_filter,
  };

  return argp_parse (&argp, argc, argv, flags | ARGP_IN_ORDER | ARGP_NO_HELP,
                     NULL, &input);
}

/* If the first argument is a bundle of letters without a dash, as in "tar xbf
   20 FILE", spell its options out: *ARGC and *ARGV become new ones, in one
   allocation.  */
static bool
expand_old_style (struct options_parse *p, struct vocabulary const *v,
                  int *argc, char ***argv)
{
  if (*argc < 2 || (*argv)[1][0] == '-')
    return true;

  char const *letters = (*argv)[1];
  size_t letter_count = strlen (letters);
  /* Each letter becomes a string of three bytes.  */
  size_t pointers = *argc + letter_count + 1;
  char **new_argv = xmalloc (pointers * sizeof *new_argv + 3 * letter_count);
  char *text = (char *)(new_argv + pointers);
  int from = 2;
  int to = 0;

  new_argv[to++] = (*argv)[0];
  for (; *letters; letters++)
    {
      struct option_row const *row = v->by_letter[(unsigned char)*letters];
      new_argv[to++] = text;
      *text++ = '-';
      *text++ = *letters;
      *text++ = '\0';
      if (row && row->argument && !(row->flags & ROW_ARG_OPTIONAL))
        {
          if (from == *argc)
            {
              free (new_argv);
              return options_usage (p,
                                    _ ("Old option '%c' requires an"
                                       " argument."),
                                    *letters);
            }
          new_argv[to++] = (*argv)[from++];
        }
    }
  while (from < *argc)
    new_argv[to++] = (*argv)[from++];
  new_argv[to] = NULL;
  options_own (p->o, new_argv);
  *argc = to;
  *argv = new_argv;
  return true;
}

static bool
parse_environment (struct options_parse *p, struct vocabulary *v, char *name)
{
  char const *text = getenv ("TAR_OPTIONS");
  char **words;
  size_t count;

  if (!text)
    return true;
  char const *wrong = options_words_split (text, &words, &count);
  if (wrong)
    return options_fatal (p, 0, _ ("cannot split TAR_OPTIONS: %s"), wrong);
  options_own (p->o, words);

  char **argv = xnmalloc (count + 2, sizeof *argv);
  options_own (p->o, argv);
  argv[0] = name;
  memcpy (argv + 1, words, (count + 1) * sizeof *argv);
  p->from_environment = true;
  error_t error = run_argp (p, v, count + 1, argv, ARGP_NO_EXIT);
  p->from_environment = false;
  if (error && !p->failed)
    {
      report_error (p->r, 0, _ ("error parsing TAR_OPTIONS"));
      report_raise (p->r, REPORT_USAGE);
      p->failed = true;
    }
  return !p->failed;
}

static void
set_defaults (struct tar_options *o)
{
  *o = (struct tar_options){
    .blocking_factor = DEFAULT_BLOCKING,
    .record_size = (size_t)DEFAULT_BLOCKING * 512,
    .seek = OPTIONS_UNSET,
    .same_owner = OPTIONS_UNSET,
    .same_permissions = OPTIONS_UNSET,
    .level = -1,
    .sparse_major = 1,
    .check_device = true,
    .rmt_command = DEFAULT_RMT_COMMAND,
    .posixly_correct = getenv ("POSIXLY_CORRECT") != NULL,
    .is_root = geteuid () == ROOT_UID,
  };
  o->umask = umask (0);
  umask (o->umask);
  for (int i = 0; quoting_style_args[i]; i++)
    if (strcmp (quoting_style_args[i], DEFAULT_QUOTING_STYLE) == 0)
      set_quoting_style (NULL, i);
}

bool
options_parse (struct tar_options *o, int argc, char **argv, struct report *r)
{
  struct options_parse p = { .o = o, .r = r };
  struct vocabulary *v = vocabulary_new (false);

  set_defaults (o);
  bool ok = (parse_environment (&p, v, argv[0])
             && expand_old_style (&p, v, &argc, &argv)
             && run_argp (&p, v, argc, argv, 0) == 0 && !p.done
             && options_check (&p));
  vocabulary_free (v);
  return ok;
}

int
options_parse_line (char const *text, struct option_switches *switches,
                    char const *file, size_t line, struct option_line *ret,
                    struct report *r)
{
  char **words;
  size_t count;
  char const *wrong = options_words_split (text, &words, &count);

  *ret = (struct option_line){ .words = NULL };
  if (wrong)
    {
      report_error (r, 0, _ ("cannot split string '%s': %s"), text, wrong);
      return -2;
    }

  struct tar_options o = { .operands = NULL };
  struct options_parse p = { .o = &o,
                             .r = r,
                             .match = switches->match,
                             .list_style = switches->list_style };
  struct vocabulary *v = vocabulary_new (true);
  char **argv = xnmalloc (count + 2, sizeof *argv);

  argv[0] = (char *)program_name;
  memcpy (argv + 1, words, (count + 1) * sizeof *argv);
  error_t error = run_argp (&p, v, count + 1, argv, ARGP_SILENT | ARGP_NO_ERRS);
  free (argv);
  vocabulary_free (v);
  *ret = (struct option_line){ .operands = o.operands,
                               .count = o.operand_count,
                               .words = words };
  for (size_t i = 0; i < o.operand_count; i++)
    if (!o.operands[i].option && o.operands[i].kind == OPTION_NAME)
      error = EINVAL; /* words after the options, as in "-C dir file" */
  if (error && !p.failed)
    report_error (r, 0, _ ("%s:%zu: unrecognized option"), report_name (file),
                  line);
  if (error)
    {
      options_line_free (ret);
      return p.failed ? -2 : -1;
    }
  *switches = (struct option_switches){ p.match, p.list_style };
  return 0;
}

void
options_line_free (struct option_line *line)
{
  free (line->operands);
  free (line->words);
  *line = (struct option_line){ .words = NULL };
}

void
options_own (struct tar_options *o, void *memory)
{
  o->owned = xnrealloc (o->owned, o->owned_count + 1, sizeof *o->owned);
  o->owned[o->owned_count++] = memory;
}

void
options_free (struct tar_options *o)
{
  for (size_t i = 0; i < o->owned_count; i++)
    free (o->owned[i]);
  free (o->owned);
  free (o->operands);
  free (o->archives);
  free (o->owner_map);
  free (o->group_map);
  if (o->pax_edits)
    pax_edits_free (o->pax_edits);
  free (o->pax_edits);
  free (o->xattrs_include);
  free (o->xattrs_exclude);
  free (o->checkpoint_actions);
  free (o->mode);
  rename_rules_free (o->transform);
}
