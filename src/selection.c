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
#include "xvasprintf.h"

#include "fs/tags.h"
#include "operands.h"
#include "select/exclusion.h"
#include "select/ignore.h"
#include "select/rename.h"
#include "select/safe-name.h"
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
  /* Told already: prefixes of names, and of targets of hard links.  */
  struct safe_name_prefixes *name_prefixes;
  struct safe_name_prefixes *link_prefixes;
  bool has_dropped; /* a prefix */
};

/* Set *T to NAME without trailing slashes; "/" stays.  */
static void
set_plain (struct member_text *t, char const *name)
{
  size_t length = strlen (name);

  while (1 < length && name[length - 1] == '/')
    length--;
  member_set_text (t, name, length);
}

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
  s->name_prefixes = safe_name_prefixes_new ();
  s->link_prefixes = safe_name_prefixes_new ();
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
  safe_name_prefixes_free (s->name_prefixes);
  safe_name_prefixes_free (s->link_prefixes);
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
      set_plain (&plain, name);
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
  bool taken
      = m->type == MEMBER_VOLUME_LABEL || m->type == MEMBER_CONTINUATION
        || (is_started (s, name)
            && selector_match (s->selector, name, is_directory, &directory)
            /* GNU tar looks at no status change time here.  */
            && is_recent (s->options, m->mtime, m->mtime)
            && !selection_excluded (s, name));

  if (taken && ret_directory)
    *ret_directory = directory;
  if (!taken && is_directory && s->options->show_omitted_dirs)
    {
      struct member_text plain = { .text = NULL };
      set_plain (&plain, name);
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
  return s->has_dropped;
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
  set_plain (&plain, name);
  bool excluded = exclusion_matches (s->exclusion, member_text (&plain));
  free (plain.text);
  return excluded;
}

/* Drop what leads out of the current directory from the front of *NAME, and
   tell so, once a prefix.  */
static void
drop_prefix (struct selection *s, struct member_text *name,
             struct safe_name_prefixes *told, char const *format)
{
  char const *text = member_text (name);
  size_t length = safe_name_prefix (text);

  if (length && !s->options->absolute_names)
    {
      char const *prefix = safe_name_prefixes_add (told, text, length);
      if (prefix)
        report_warning (s->report, REPORT_ALWAYS, 0, format, prefix);
      char const *suffix = safe_name_suffix (text);
      s->has_dropped = true;
      member_set_text (name, suffix, strlen (suffix));
    }
}

/* Put *NAME below the directory of --one-top-level, unless it is there.  */
static void
put_below (struct selection *s, struct member_text *name)
{
  char const *top = s->options->one_top_level_dir;
  char const *text = member_text (name);
  size_t length = strlen (top);

  while (1 < length && top[length - 1] == '/')
    length--;
  while (text[0] == '.' && text[1] == '/')
    {
      text += 2;
      text += strspn (text, "/");
    }
  if (strncmp (text, top, length) == 0
      && (!text[length] || text[length] == '/'))
    return;

  bool is_top = !*text || strcmp (text, ".") == 0;
  char *joined = xasprintf ("%.*s%s%s", (int)length, top, is_top ? "" : "/",
                            is_top ? "" : text);
  member_set_text (name, joined, strlen (joined));
  free (joined);
}

/* What *NAME becomes on extraction: fewer components, and a directory above
   them.  It does not matter to what is stored.  */
static void
move (struct selection *s, struct member_text *name)
{
  struct tar_options const *o = s->options;

  if (s->writes)
    return;
  if (o->strip_components)
    {
      char const *rest = rename_strip (member_text (name), o->strip_components);
      member_set_text (name, rest, strlen (rest));
    }
  if (o->one_top_level)
    put_below (s, name);
}

/* M has no name.  What is in a directory has names, as when the rule is
   s,^dir,,; a file that is missing must not go unnoticed.  */
static void
say_empty (struct selection *s, struct member const *m)
{
  bool is_loss = (m->type != MEMBER_DIRECTORY && m->type != MEMBER_DUMPDIR
                  && s->options->operation != OPTIONS_LIST);
  char const *stored = member_text (&m->stored_name);

  if (m->type != MEMBER_VOLUME_LABEL)
    report_warning (
        s->report, is_loss || !*stored ? REPORT_ALWAYS : REPORT_EMPTY_TRANSFORM,
        0, _ ("%s: transforms to empty name"), report_name (stored));
}

static void
edit_name (struct selection *s, struct member *m)
{
  char const *stored = member_text (&m->stored_name);
  char const *dropped = _ ("Removing leading `%s' from member names");

  set_plain (&m->name, stored);
  /* What is stored is what the rules make of it, as with GNU tar.  */
  if (s->writes)
    drop_prefix (s, &m->name, s->name_prefixes, dropped);
  rename_rules_apply (s->options->transform, RENAME_NAME, &m->name);
  if (!*member_text (&m->name))
    say_empty (s, m);
  if (!s->writes)
    drop_prefix (s, &m->name, s->name_prefixes, dropped);
  if (*stored)
    move (s, &m->name);
}

/* The target of a hard link is a member's name, and changes as that does.  */
static void
edit_hard_link (struct selection *s, struct member_text *link)
{
  rename_rules_apply (s->options->transform, RENAME_HARD_LINK, link);
  if (!*member_text (link))
    {
      report_warning (s->report, REPORT_ALWAYS, 0,
                      _ ("Substituting `.' for empty hard link target"));
      member_set_text (link, ".", 1);
    }
  drop_prefix (s, link, s->link_prefixes,
               _ ("Removing leading `%s' from hard link targets"));
  move (s, link);
}

void
selection_announce_links (struct selection *s, char const *name)
{
  struct member_text link = { .text = NULL };

  if (s->options->absolute_names || safe_name_prefix (name) == 0)
    return;
  member_set_text (&link, name, strlen (name));
  edit_hard_link (s, &link);
  free (link.text);
}

void
selection_edit (struct selection *s, struct member *m)
{
  /* Directories are stored, and shown, with a slash.  */
  if (s->writes)
    m->had_trailing_slash = m->type == MEMBER_DIRECTORY;
  edit_name (s, m);
  if (m->type == MEMBER_HARD_LINK)
    edit_hard_link (s, &m->link);
  else if (m->type == MEMBER_SYMLINK)
    rename_rules_apply (s->options->transform, RENAME_SYMLINK, &m->link);
}

bool
selection_is_safe (struct selection *s, struct member const *m)
{
  char const *name = member_text (&m->stored_name);

  if (s->options->absolute_names || !safe_name_has_dot_dot (name))
    return true;
  report_error (s->report, 0, _ ("%s: Member name contains '..'"),
                report_name (name));
  return false;
}
