/* What members are called: names changed as the options say.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "naming.h"

#include <stdlib.h>
#include <string.h>

#include "file-name.h"
#include "gettext.h"
#include "quotearg.h"
#include "xalloc.h"
#include "xvasprintf.h"

#include "select/rename.h"
#include "select/safe-name.h"

#define _(msgid) gettext (msgid)
#define N_(msgid) gettext_noop (msgid)

struct naming
{
  struct tar_options const *options;
  struct report *report;
  bool writes; /* an archive, as -c does */
  /* Told already: prefixes of names, and of targets of hard links.  */
  struct safe_name_prefixes *name_prefixes;
  struct safe_name_prefixes *link_prefixes;
  bool has_dropped; /* a prefix */
};

struct naming *
naming_new (struct tar_options const *o, struct report *r, bool writes)
{
  struct naming *n = xmalloc (sizeof *n);

  *n = (struct naming){
    .options = o,
    .report = r,
    .writes = writes,
    .name_prefixes = safe_name_prefixes_new (),
    .link_prefixes = safe_name_prefixes_new (),
  };
  return n;
}

void
naming_free (struct naming *n)
{
  if (!n)
    return;
  safe_name_prefixes_free (n->name_prefixes);
  safe_name_prefixes_free (n->link_prefixes);
  free (n);
}

bool
naming_has_dropped (struct naming const *n)
{
  return n->has_dropped;
}

void
naming_plain (struct member_text *t, char const *name)
{
  member_set_text (t, name, file_name_length (name));
}

/* Drop what leads out of the current directory from the front of *NAME, and
   tell so, once a prefix.  FORMAT is translated then only: to look it up for
   each member takes as long as all else that -t does with one.  */
static void
drop_prefix (struct naming *n, struct member_text *name,
             struct safe_name_prefixes *told, char const *format)
{
  char const *text = member_text (name);
  size_t length = safe_name_prefix (text);

  if (length && !n->options->absolute_names)
    {
      char const *prefix = safe_name_prefixes_add (told, text, length);
      if (prefix)
        report_warning (n->report, REPORT_ALWAYS, 0, _ (format),
                        quotearg_style (escape_quoting_style, prefix));
      char const *suffix = safe_name_suffix (text);
      n->has_dropped = true;
      member_set_text (name, suffix, strlen (suffix));
    }
}

/* Put *NAME below the directory of --one-top-level, unless it is there.  */
static void
put_below (struct naming *n, struct member_text *name)
{
  char const *top = n->options->one_top_level_dir;
  char const *text = member_text (name);
  size_t length = file_name_length (top);

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
move (struct naming *n, struct member_text *name)
{
  struct tar_options const *o = n->options;

  if (n->writes)
    return;
  if (o->strip_components)
    {
      char const *rest = rename_strip (member_text (name), o->strip_components);
      member_set_text (name, rest, strlen (rest));
    }
  if (o->one_top_level)
    put_below (n, name);
}

/* M has no name.  What is in a directory has names, as when the rule is
   s,^dir,,; a file that is missing must not go unnoticed.  */
static void
say_empty (struct naming *n, struct member const *m)
{
  bool is_loss = (m->type != MEMBER_DIRECTORY && m->type != MEMBER_DUMPDIR
                  && n->options->operation != OPTIONS_LIST);
  char const *stored = member_text (&m->stored_name);

  if (m->type != MEMBER_VOLUME_LABEL)
    report_warning (
        n->report, is_loss || !*stored ? REPORT_ALWAYS : REPORT_EMPTY_TRANSFORM,
        0, _ ("%s: transforms to empty name"), report_name (stored));
}

static void
edit_name (struct naming *n, struct member *m)
{
  char const *stored = member_text (&m->stored_name);
  char const *dropped = N_ ("Removing leading `%s' from member names");

  naming_plain (&m->name, stored);
  /* What is stored is what the rules make of it, as with GNU tar.  */
  if (n->writes)
    drop_prefix (n, &m->name, n->name_prefixes, dropped);
  rename_rules_apply (n->options->transform, RENAME_NAME, &m->name);
  if (!*member_text (&m->name))
    say_empty (n, m);
  if (!n->writes)
    drop_prefix (n, &m->name, n->name_prefixes, dropped);
  if (*stored)
    move (n, &m->name);
}

/* The target of a hard link is a member's name, and changes as that does.  */
static void
edit_hard_link (struct naming *n, struct member_text *link)
{
  rename_rules_apply (n->options->transform, RENAME_HARD_LINK, link);
  if (!*member_text (link))
    {
      report_warning (n->report, REPORT_ALWAYS, 0,
                      _ ("Substituting `.' for empty hard link target"));
      member_set_text (link, ".", 1);
    }
  drop_prefix (n, link, n->link_prefixes,
               N_ ("Removing leading `%s' from hard link targets"));
  move (n, link);
}

void
naming_announce_links (struct naming *n, char const *name)
{
  struct member_text link = { .text = NULL };

  if (n->options->absolute_names || safe_name_prefix (name) == 0)
    return;
  member_set_text (&link, name, strlen (name));
  edit_hard_link (n, &link);
  free (link.text);
}

void
naming_edit (struct naming *n, struct member *m)
{
  /* Directories are stored, and shown, with a slash.  */
  if (n->writes)
    m->had_trailing_slash = m->type == MEMBER_DIRECTORY;
  edit_name (n, m);
  if (m->type == MEMBER_HARD_LINK)
    edit_hard_link (n, &m->link);
  else if (m->type == MEMBER_SYMLINK)
    rename_rules_apply (n->options->transform, RENAME_SYMLINK, &m->link);
}

bool
naming_is_safe (struct naming *n, struct member const *m)
{
  char const *name = member_text (&m->stored_name);

  if (n->options->absolute_names || !file_name_has_dot_dot (name))
    return true;
  report_error (n->report, 0, _ ("%s: Member name contains '..'"),
                report_name (name));
  return false;
}
