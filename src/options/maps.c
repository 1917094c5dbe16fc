/* The options --owner-map and --group-map.

   A line is "FROM TO", quoted as in a shell if need be.  FROM is a name or +ID;
   TO is NAME, +ID, or [NAME]:ID.  What is a name alone must be known.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include <errno.h>
#include <grp.h>
#include <inttypes.h>
#include <pwd.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gettext.h"
#include "intprops.h"
#include "xalloc.h"
#include "xvasprintf.h"

#include "parse.h"

#define _(msgid) gettext (msgid)

/* A map that is being read.  */
struct map_file
{
  struct options_parse *p;
  char const *name;
  size_t line;
  bool is_group;
  bool is_bad;
};

/* Report an error of the line at hand.  Return false.  */
static bool __attribute__ ((format (printf, 2, 3)))
refuse (struct map_file *f, char const *format, ...)
{
  va_list args;
  va_start (args, format);
  char *message = xvasprintf (format, args);
  va_end (args);
  report_error (f->p->r, 0, "%s:%zu: %s", report_name (f->name), f->line,
                message);
  free (message);
  f->is_bad = true;
  return false;
}

/* The ID that TEXT is, of which a plus sign may be the first character.  */
static bool
take_id (struct map_file *f, char const *text, uintmax_t *ret)
{
  if (!*text)
    {
      /* "NAME:" is ID 0 to GNU tar.  */
      *ret = 0;
      return true;
    }
  uintmax_t most = f->is_group ? TYPE_MAXIMUM (gid_t) : TYPE_MAXIMUM (uid_t);
  char const *digits = text + (*text == '-');
  if (!*digits || digits[strspn (digits, "0123456789")])
    return refuse (
        f, f->is_group ? _ ("invalid GID: %s") : _ ("invalid UID: %s"), text);
  errno = 0;
  *ret = strtoumax (digits, NULL, 10);
  if (*text == '-' || errno || most < *ret)
    return refuse (f,
                   f->is_group ? _ ("GID out of range: %s")
                               : _ ("UID out of range: %s"),
                   text);
  return true;
}

/* The ID of NAME, or the one that is meant by +ID.  */
static bool
take_name (struct map_file *f, char const *name, uintmax_t *ret)
{
  if (name[0] == '+' && name[1])
    return take_id (f, name + 1, ret);
  if (*name == '+')
    return take_id (f, name, ret);
  struct passwd const *user = f->is_group ? NULL : getpwnam (name);
  struct group const *group = f->is_group ? getgrnam (name) : NULL;
  if (!user && !group)
    return refuse (f,
                   f->is_group ? _ ("can't obtain GID of %s")
                               : _ ("can't obtain UID of %s"),
                   name);
  *ret = user ? user->pw_uid : group->gr_gid;
  return true;
}

/* The name that ID has here, allocated, or NULL.  */
static char *
name_of (struct map_file *f, uintmax_t id)
{
  struct passwd const *user = f->is_group ? NULL : getpwuid (id);
  struct group const *group = f->is_group ? getgrgid (id) : NULL;
  return (user    ? xstrdup (user->pw_name)
          : group ? xstrdup (group->gr_name)
                  : NULL);
}

/* Take TO: NAME, +ID, or [NAME]:ID.  */
static bool
take_target (struct map_file *f, char const *to, struct option_owner *ret)
{
  char const *colon = strchr (to, ':');
  *ret = (struct option_owner){ .given = true, .has_id = true };
  if (!(colon ? take_id (f, colon + 1 + (colon[1] == '+'), &ret->id)
              : take_name (f, to, &ret->id)))
    return false;
  char *name = (colon && colon != to  ? ximemdup0 (to, colon - to)
                : colon || *to == '+' ? name_of (f, ret->id)
                                      : xstrdup (to));
  if (name)
    options_own (f->p->o, name);
  ret->name = name;
  return true;
}

/* Cut LINE where a comment begins: at a # that is not quoted.  */
static void
cut_comment (char *line)
{
  char quote = 0;
  for (char *c = line; *c; c++)
    if (*c == '\\' && quote != '\'' && c[1])
      c++;
    else if (quote ? *c == quote : *c == '"' || *c == '\'')
      quote = quote ? 0 : *c;
    else if (!quote && *c == '#')
      *c = '\0';
}

/* Take LINE into MAP, and add 1 to *COUNT if there is something in it.  Return
   false, reported, if tar has to stop.  */
static bool
take_line (struct map_file *f, char *line, struct option_owner_map *map,
           size_t *count)
{
  char **words;
  size_t word_count;
  cut_comment (line);
  char const *wrong = options_words_split (line, &words, &word_count);
  if (wrong)
    return options_fatal (f->p, 0, _ ("%s:%zu: cannot split line: %s"),
                          report_name (f->name), f->line, wrong);
  if (word_count == 2)
    *count += (take_name (f, words[0], &map->from)
               && take_target (f, words[1], &map->to));
  else if (word_count)
    refuse (f, _ ("malformed line"));
  free (words);
  return true;
}

bool
options_maps_read (struct options_parse *p, struct option_row const *row,
                   char const *argument)
{
  struct tar_options *o = p->o;
  struct map_file f = { .p = p, .name = argument, .is_group = row->value };
  struct option_owner_map **maps = row->value ? &o->group_map : &o->owner_map;
  size_t *count = row->value ? &o->group_map_count : &o->owner_map_count;
  size_t alloc = *count;
  FILE *stream = fopen (argument, "re");
  if (!stream)
    {
      report_cannot (p->r, errno, "open", argument);
      report_unrecoverable (p->r);
      p->failed = true;
      return false;
    }

  char *line = NULL;
  size_t size = 0;
  bool ok = true;
  while (ok && 0 <= getline (&line, &size, stream))
    {
      f.line++;
      if (alloc <= *count)
        *maps = x2nrealloc (*maps, &alloc, sizeof **maps);
      ok = take_line (&f, line, &(*maps)[*count], count);
    }
  free (line);
  fclose (stream);
  return ok
         && (!f.is_bad || options_fatal (p, 0, _ ("errors reading map file")));
}
