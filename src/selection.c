/* From options to members: which are wanted, and under which names.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gettext.h"
#include "quote.h"
#include "timespec.h"
#include "xalloc.h"

#include "fs/tags.h"
#include "naming.h"
#include "operands.h"
#include "select/exclusion.h"
#include "select/ignore.h"
#include "select/selector.h"
#include "selection.h"

#define _(msgid) gettext (msgid)

struct selection
{
  struct tar_options const *options;
  struct report *report;
  struct operands *operands;
  struct selector *selector;
  struct exclusion *exclusion;
  struct tags *tags;
  struct ignore *ignore;
  bool started; /* the member that -K names was met, or there is no -K */
  bool writes;  /* an archive, as -c does */
  char **directories;
  size_t directory_count;
  struct naming *naming;
};

static void
add_directory (struct selection *s, char const *path)
{
  s->directories = xnrealloc (s->directories, s->directory_count + 1,
                              sizeof *s->directories);
  s->directories[s->directory_count++] = xstrdup (path);
}

/* O's flags as select/ takes them; EXCLUDING tells the defaults.  */
static unsigned
match_flags (struct operand const *o, bool excluding)
{
  unsigned match = o->match;
  bool wildcards = excluding ? !(match & OPTIONS_MATCH_NO_WILDCARDS)
                             : match & OPTIONS_MATCH_WILDCARDS;
  bool anchored = excluding ? match & OPTIONS_MATCH_ANCHORED
                            : !(match & OPTIONS_MATCH_NO_ANCHORED);

  return ((wildcards ? EXCLUSION_WILDCARDS : 0)
          | (anchored ? EXCLUSION_ANCHORED : 0)
          | (match & OPTIONS_MATCH_IGNORE_CASE ? EXCLUSION_IGNORE_CASE : 0)
          | (match & OPTIONS_MATCH_NO_SLASH ? EXCLUSION_NO_SLASH : 0)
          | (match & OPTIONS_MATCH_NO_RECURSION ? 0 : EXCLUSION_LEADING));
}

static void
take_in_tag (struct selection *s, struct operand const *o)
{
  static enum tags_scope const scopes[] = {
    [OPTIONS_TAG_CONTENTS] = TAGS_CONTENTS,
    [OPTIONS_TAG_UNDER] = TAGS_UNDER,
    [OPTIONS_TAG_ALL] = TAGS_ALL,
  };
  bool is_cachedir = o->detail & OPTIONS_TAG_CACHEDIR;
  char const *file = is_cachedir ? "CACHEDIR.TAG" : o->text;

  /* The empty name is the directory's own, and no tag.  */
  if (*file)
    tags_add (s->tags, file, scopes[o->detail & OPTIONS_TAG_SCOPE],
              is_cachedir);
}

static void
take_in_ignore (struct selection *s, struct operand const *o)
{
  static struct
  {
    char const *file;
    enum ignore_syntax syntax;
    bool recursive;
  } const vcs[] = {
    { ".cvsignore", IGNORE_CVS, false },
    { ".gitignore", IGNORE_PLAIN, true },
    { ".bzrignore", IGNORE_BAZAAR, true },
    { ".hgignore", IGNORE_MERCURIAL, true },
  };

  if (!(o->detail & OPTIONS_IGNORE_VCS))
    ignore_add (s->ignore, o->text, IGNORE_PLAIN,
                o->detail & OPTIONS_IGNORE_RECURSIVE);
  else
    for (size_t i = 0; i < sizeof vcs / sizeof *vcs; i++)
      ignore_add (s->ignore, vcs[i].file, vcs[i].syntax, vcs[i].recursive);
}

/* Act on an operand that is no name.  Return false after a fatal error.  */
static bool
take_in (struct selection *s, struct operand const *o)
{
  if (o->kind == OPTION_DIRECTORY)
    add_directory (s, o->text);
  else if (o->kind == OPTION_EXCLUDE_TAG)
    take_in_tag (s, o);
  else if (o->kind == OPTION_EXCLUDE_IGNORE)
    take_in_ignore (s, o);
  else if (o->kind == OPTION_EXCLUDE)
    exclusion_add (s->exclusion, o->text, match_flags (o, true));
  else if (o->kind == OPTION_EXCLUDE_FROM)
    {
      int error
          = exclusion_add_file (s->exclusion, o->text, match_flags (o, true));
      if (error)
        {
          report_error (s->report, error, "%s", report_name (o->text));
          return false;
        }
    }
  return true;
}

/* Take in all operands, for an operation that reads an archive.  */
static bool
take_in_all (struct selection *s)
{
  struct operand o;

  for (;;)
    switch (operands_next (s->operands, &o))
      {
      case OPERANDS_END:
        return true;
      case OPERANDS_FATAL:
        return false;
      case OPERANDS_ONE:
        if (o.kind == OPTION_NAME)
          selector_add (s->selector, o.text, match_flags (&o, false),
                        s->directory_count - 1);
        else if (!take_in (s, &o))
          return false;
        break;
      }
}

struct selection *
selection_new (struct tar_options const *options, struct report *r)
{
  struct selection *s = xzalloc (sizeof *s);
  enum options_operation operation = options->operation;

  s->options = options;
  s->writes = (operation == OPTIONS_CREATE || operation == OPTIONS_APPEND
               || operation == OPTIONS_UPDATE || operation == OPTIONS_CATENATE);
  s->report = r;
  s->operands = operands_new (options, r);
  s->selector = selector_new (options->occurrence);
  s->exclusion = exclusion_new ();
  s->tags = tags_new ();
  s->ignore = ignore_new ();
  s->started = !options->starting_file || !*options->starting_file;
  s->naming = naming_new (options, r, s->writes);
  add_directory (s, ".");
  if (!operands_check (s->operands) || (!s->writes && !take_in_all (s)))
    {
      selection_free (s);
      return NULL;
    }
  return s;
}

void
selection_free (struct selection *s)
{
  if (!s)
    return;
  operands_free (s->operands);
  selector_free (s->selector);
  exclusion_free (s->exclusion);
  tags_free (s->tags);
  ignore_free (s->ignore);
  naming_free (s->naming);
  for (size_t i = 0; i < s->directory_count; i++)
    free (s->directories[i]);
  free (s->directories);
  free (s);
}

char const *
selection_directory (struct selection const *s, size_t index)
{
  return s->directories[index];
}

size_t
selection_directory_count (struct selection const *s)
{
  return s->directory_count;
}

/* --- Reading --- */

/* True once the member that -K names was met; M, named NAME, may be it.  */
static bool
is_started (struct selection *s, char const *name)
{
  if (!s->started)
    {
      struct member_text plain = { .text = NULL };
      naming_plain (&plain, name);
      s->started
          = strcmp (member_text (&plain), s->options->starting_file) == 0;
      free (plain.text);
    }
  return s->started;
}

/* True if a file with these times is recent enough for -N.  */
static bool
is_recent (struct tar_options const *o, struct timespec mtime,
           struct timespec ctime)
{
  return (!o->newer_given || timespec_cmp (o->newer, mtime) <= 0
          || (!o->newer_is_mtime_only && timespec_cmp (o->newer, ctime) <= 0));
}

bool
selection_match (struct selection *s, struct member const *m,
                 size_t *ret_directory)
{
  char const *name = member_text (&m->stored_name);
  /* Without operands, the last -C counts.  */
  size_t directory = s->directory_count - 1;
  bool is_directory = m->type == MEMBER_DIRECTORY || m->type == MEMBER_DUMPDIR;
  bool is_always
      = (s->options->operation != OPTIONS_DELETE
         && (m->type == MEMBER_VOLUME_LABEL || m->type == MEMBER_CONTINUATION));
  bool taken
      = is_always
        || (is_started (s, name)
            && selector_match (s->selector, name, is_directory, &directory));

  if (taken && ret_directory)
    *ret_directory = directory;
  /* GNU tar looks at no status change time here.  */
  taken = taken
          && (is_always
              || (is_recent (s->options, m->mtime, m->mtime)
                  && !selection_excluded (s, name)));
  if (!taken && is_directory && s->options->show_omitted_dirs
      && s->options->operation != OPTIONS_DELETE)
    {
      struct member_text plain = { .text = NULL };
      naming_plain (&plain, name);
      report_warning (s->report, REPORT_ALWAYS, 0, _ ("%s: Omitting"),
                      report_name (member_text (&plain)));
      free (plain.text);
    }
  return taken;
}

bool
selection_exhausted (struct selection const *s)
{
  return s->options->occurrence && selector_exhausted (s->selector);
}

/* NAME matched nothing: if that may be because wildcards were taken for
   themselves, say so and return true.  */
static bool
warn_wildcards (struct selection *s, char const *name)
{
  if (!operands_default_wildcards (s->operands)
      || !selector_has_wildcards (name))
    return false;
  report_warning (s->report, REPORT_ALWAYS, 0,
                  _ ("Pattern matching characters used in file names"));
  report_warning (s->report, REPORT_ALWAYS, 0,
                  _ ("Use --wildcards to enable pattern matching, or"
                     " --no-wildcards to suppress this warning"));
  return true;
}

void
selection_warn_wildcards (struct selection *s)
{
  size_t position = 0;
  enum selector_miss miss;
  char const *name;

  while ((name = selector_next_missed (s->selector, &position, &miss)))
    if (warn_wildcards (s, name))
      return;
}

bool
selection_names (struct selection *s, char const *label)
{
  size_t directory;

  return selector_match (s->selector, label, false, &directory);
}

void
selection_report_unmatched (struct selection *s)
{
  size_t position = 0;
  enum selector_miss miss;
  char const *name;

  if (!s->started)
    {
      warn_wildcards (s, s->options->starting_file);
      report_error (s->report, 0, _ ("%s: Not found in archive"),
                    report_name (s->options->starting_file));
    }
  while ((name = selector_next_missed (s->selector, &position, &miss)))
    {
      if (miss == SELECTOR_WRONG_OCCURRENCE)
        {
          report_error (s->report, 0,
                        _ ("%s: Required occurrence not found in archive"),
                        report_name (name));
          continue;
        }
      warn_wildcards (s, name);
      report_error (s->report, 0, _ ("%s: Not found in archive"),
                    report_name (name));
    }
}

/* --- Writing --- */

enum selection_step
selection_next_name (struct selection *s, struct selection_name *ret)
{
  struct operand o;

  for (;;)
    switch (operands_next (s->operands, &o))
      {
      case OPERANDS_END:
        return SELECTION_END;
      case OPERANDS_FATAL:
        return SELECTION_FATAL;
      case OPERANDS_ONE:
        if (o.kind == OPTION_NAME)
          {
            *ret = (struct selection_name){
              .name = o.text,
              .directory = s->directory_count - 1,
              .recurse = !(o.match & OPTIONS_MATCH_NO_RECURSION),
            };
            return SELECTION_NAME;
          }
        if (!take_in (s, &o))
          return SELECTION_FATAL;
      }
}

bool
selection_has_dropped (struct selection const *s)
{
  return naming_has_dropped (s->naming);
}

bool
selection_has_transformed (struct selection const *s)
{
  return s->options->transform != NULL;
}

void
selection_report_late (struct selection *s)
{
  operands_report_late (s->operands);
}

static void
report_ignore (void *arg, char const *file, int error)
{
  struct selection *s = arg;

  if (error == EISDIR)
    report_error (s->report, error, "%s", report_name (file));
  else
    report_cannot (s->report, error, "open", file);
}

void
selection_begin_directory (struct selection *s, int fd)
{
  ignore_enter (s->ignore, fd, report_ignore, s);
}

void
selection_end_directory (struct selection *s)
{
  ignore_leave (s->ignore);
}

struct tags const *
selection_tags (struct selection const *s)
{
  return s->tags;
}

bool
selection_is_recent (struct selection *s, char const *name,
                     struct timespec mtime, struct timespec ctime)
{
  bool recent = is_recent (s->options, mtime, ctime);

  if (!recent && 0 < s->options->verbose)
    report_warning (s->report, REPORT_FILE_UNCHANGED, 0,
                    _ ("%s: file is unchanged; not dumped"),
                    report_name (name));
  return recent;
}

/* --- Both --- */

bool
selection_excluded (struct selection *s, char const *name)
{
  size_t length = strlen (name);

  if (s->writes && ignore_matches (s->ignore, name))
    return true;
  if (length < 2 || name[length - 1] != '/')
    return exclusion_matches (s->exclusion, name);
  struct member_text plain = { .text = NULL };
  naming_plain (&plain, name);
  bool excluded = exclusion_matches (s->exclusion, member_text (&plain));
  free (plain.text);
  return excluded;
}

void
selection_announce_links (struct selection *s, char const *name)
{
  naming_announce_links (s->naming, name);
}

void
selection_edit (struct selection *s, struct member *m)
{
  naming_edit (s->naming, m);
}

bool
selection_is_safe (struct selection *s, struct member const *m)
{
  return naming_is_safe (s->naming, m);
}
