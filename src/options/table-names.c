/* The options that choose names: all that is positional.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "gettext.h"

#include "parse.h"

#define N_(msgid) gettext_noop (msgid)

/* What --exclude-vcs leaves out: the metadata of version control systems that
   GNU tar's manual lists ("exclude" section).  */
static char const *const vcs_patterns[]
    = { "CVS",          "RCS",         "SCCS",           ".git",
        ".gitignore",   ".gitmodules", ".gitattributes", ".cvsignore",
        ".svn",         ".arch-ids",   "{arch}",         "=RELEASE-ID",
        "=meta-update", "=update",     ".bzr",           ".bzrignore",
        ".bzrtags",     ".hg",         ".hgignore",      ".hgtags",
        "_darcs",       NULL };

/* What --exclude-backups leaves out, likewise.  */
static char const *const backup_patterns[] = { ".#*", "*~", "#*#", NULL };

/* The two kinds of positional switches: bits set, bits cleared.  */
#define MATCH(set, reset)                                                      \
  ACTION_SWITCH, .value = (set), .clear = (reset) | (set)
#define LIST(set, reset)                                                       \
  ACTION_LIST_STYLE, .value = (set), .clear = (reset) | (set)

/* Directories left out for what is in them, and files of patterns there.  */
#define TAG(detail)                                                            \
  ACTION_OPERAND, .value = OPTION_EXCLUDE_TAG, .clear = (detail)
#define IGNORE(detail)                                                         \
  ACTION_OPERAND, .value = OPTION_EXCLUDE_IGNORE, .clear = (detail)

struct option_row const options_table_names[] = {
  { "add-file", 0, GROUP_NAMES, ACTION_OPERAND, N_ ("FILE"),
    .value = OPTION_NAME,
    .help = N_ ("archive FILE, even if its name starts with a dash") },
  { "directory", 'C', GROUP_NAMES, ACTION_OPERAND, N_ ("DIR"),
    .value = OPTION_DIRECTORY,
    .help = N_ ("take the names that follow relative to DIR") },
  { "exclude", 0, GROUP_NAMES, ACTION_OPERAND, N_ ("PATTERN"),
    .value = OPTION_EXCLUDE, .help = N_ ("leave out what matches PATTERN") },
  { "exclude-backups", 0, GROUP_NAMES, ACTION_PATTERNS,
    .detail = backup_patterns, .help = N_ ("leave out backup and lock files") },
  { "exclude-caches", 0, GROUP_NAMES,
    TAG (OPTIONS_TAG_CONTENTS | OPTIONS_TAG_CACHEDIR),
    .help = N_ ("of directories with a valid CACHEDIR.TAG, archive only that"
                " file") },
  { "exclude-caches-all", 0, GROUP_NAMES,
    TAG (OPTIONS_TAG_ALL | OPTIONS_TAG_CACHEDIR),
    .help = N_ ("leave out directories with a valid CACHEDIR.TAG") },
  { "exclude-caches-under", 0, GROUP_NAMES,
    TAG (OPTIONS_TAG_UNDER | OPTIONS_TAG_CACHEDIR),
    .help = N_ ("leave out what is in directories with a valid"
                " CACHEDIR.TAG") },
  { "exclude-from", 'X', GROUP_NAMES, ACTION_OPERAND, N_ ("FILE"),
    .value = OPTION_EXCLUDE_FROM,
    .help = N_ ("leave out what matches a line of FILE") },
  { "exclude-ignore", 0, GROUP_NAMES, IGNORE (0), .argument = N_ ("FILE"),
    .help = N_ ("in each directory, leave out what matches a line of FILE"
                " there") },
  { "exclude-ignore-recursive", 0, GROUP_NAMES,
    IGNORE (OPTIONS_IGNORE_RECURSIVE), .argument = N_ ("FILE"),
    .help = N_ ("the same, for the directories below as well") },
  { "exclude-tag", 0, GROUP_NAMES, TAG (OPTIONS_TAG_CONTENTS),
    .argument = N_ ("FILE"),
    .help = N_ ("of directories containing FILE, archive only that file") },
  { "exclude-tag-all", 0, GROUP_NAMES, TAG (OPTIONS_TAG_ALL),
    .argument = N_ ("FILE"),
    .help = N_ ("leave out directories containing FILE") },
  { "exclude-tag-under", 0, GROUP_NAMES, TAG (OPTIONS_TAG_UNDER),
    .argument = N_ ("FILE"),
    .help = N_ ("leave out what is in directories containing FILE") },
  { "exclude-vcs", 0, GROUP_NAMES, ACTION_PATTERNS, .detail = vcs_patterns,
    .help = N_ ("leave out the files of version control systems") },
  { "exclude-vcs-ignores", 0, GROUP_NAMES, IGNORE (OPTIONS_IGNORE_VCS),
    .help = N_ ("leave out what .gitignore and its like name") },
  { "files-from", 'T', GROUP_NAMES, ACTION_OPERAND, N_ ("FILE"),
    .value = OPTION_FILES_FROM, .help = N_ ("take names from FILE as well") },
  { "no-null", 0, GROUP_NAMES,
    LIST (0, OPTIONS_LIST_NULL | OPTIONS_LIST_VERBATIM),
    .help = N_ ("undo --null") },
  { "no-recursion", 0, GROUP_NAMES, MATCH (OPTIONS_MATCH_NO_RECURSION, 0),
    .help = N_ ("do not descend into directories") },
  { "no-unquote", 0, GROUP_NAMES, LIST (OPTIONS_LIST_NO_UNQUOTE, 0),
    .help = N_ ("a backslash in a name stands for itself") },
  { "no-verbatim-files-from", 0, GROUP_NAMES, LIST (0, OPTIONS_LIST_VERBATIM),
    .help = N_ ("lines of -T files may be options (default)") },
  { "null", 0, GROUP_NAMES, LIST (OPTIONS_LIST_NULL | OPTIONS_LIST_VERBATIM, 0),
    .help = N_ ("names in -T files end with a null byte; implies"
                " --verbatim-files-from") },
  { "recursion", 0, GROUP_NAMES, MATCH (0, OPTIONS_MATCH_NO_RECURSION),
    .help = N_ ("descend into directories (default)") },
  { "unquote", 0, GROUP_NAMES, LIST (0, OPTIONS_LIST_NO_UNQUOTE),
    .help = N_ ("backslash sequences in names are decoded (default)") },
  { "verbatim-files-from", 0, GROUP_NAMES, LIST (OPTIONS_LIST_VERBATIM, 0),
    .help = N_ ("lines of -T files are names, whatever they look like") },

  { "anchored", 0, GROUP_MATCH,
    MATCH (OPTIONS_MATCH_ANCHORED, OPTIONS_MATCH_NO_ANCHORED),
    .help = N_ ("a pattern matches from the start of a name only") },
  { "ignore-case", 0, GROUP_MATCH, MATCH (OPTIONS_MATCH_IGNORE_CASE, 0),
    .help = N_ ("capital and small letters are the same") },
  { "no-anchored", 0, GROUP_MATCH,
    MATCH (OPTIONS_MATCH_NO_ANCHORED, OPTIONS_MATCH_ANCHORED),
    .help = N_ ("a pattern matches after any '/' as well (default for"
                " exclusion)") },
  { "no-ignore-case", 0, GROUP_MATCH, MATCH (0, OPTIONS_MATCH_IGNORE_CASE),
    .help = N_ ("capital and small letters differ (default)") },
  { "no-wildcards", 0, GROUP_MATCH,
    MATCH (OPTIONS_MATCH_NO_WILDCARDS, OPTIONS_MATCH_WILDCARDS),
    .help = N_ ("patterns are plain strings") },
  { "no-wildcards-match-slash", 0, GROUP_MATCH,
    MATCH (OPTIONS_MATCH_NO_SLASH, 0),
    .help = N_ ("wildcards do not match '/'") },
  { "wildcards", 0, GROUP_MATCH,
    MATCH (OPTIONS_MATCH_WILDCARDS, OPTIONS_MATCH_NO_WILDCARDS),
    .help = N_ ("patterns have wildcards (default for exclusion)") },
  { "wildcards-match-slash", 0, GROUP_MATCH, MATCH (0, OPTIONS_MATCH_NO_SLASH),
    .help = N_ ("wildcards match '/' (default for exclusion)") },
  { 0 }
};
