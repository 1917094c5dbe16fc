/* What the command line asks for: plain data, const after parsing.

   Everything GNU tar's command line can express has its place here, so that
   a new behaviour needs no new plumbing.  Strings are the command line's, or
   live as long as the program.  Operations read this struct; layers below
   get small policy structs of their own.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef OPTIONS_H
#define OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#include "backupfile.h"
#include "member.h"
#include "reflink.h"
#include "report.h"

enum options_operation
{
  OPTIONS_NO_OPERATION,
  OPTIONS_CATENATE,
  OPTIONS_CREATE,
  OPTIONS_DELETE,
  OPTIONS_COMPARE,
  OPTIONS_APPEND,
  OPTIONS_TEST_LABEL,
  OPTIONS_LIST,
  OPTIONS_UPDATE,
  OPTIONS_EXTRACT
};

/* What stands in the way of an extracted file, and what to do about it.  */
enum options_overwrite
{
  OPTIONS_OVERWRITE_DEFAULT,   /* remove it; directories stay */
  OPTIONS_OVERWRITE_DIRS,      /* --overwrite-dir: likewise, all of them */
  OPTIONS_OVERWRITE_KEEP_DIRS, /* --no-overwrite-dir */
  OPTIONS_OVERWRITE_FILES,     /* --overwrite */
  OPTIONS_OVERWRITE_UNLINK,    /* -U */
  OPTIONS_OVERWRITE_KEEP,      /* -k: an error */
  OPTIONS_OVERWRITE_SKIP,      /* --skip-old-files: silent */
  OPTIONS_OVERWRITE_KEEP_NEWER /* --keep-newer-files */
};

enum options_sort
{
  OPTIONS_SORT_NONE,
  OPTIONS_SORT_NAME,
  OPTIONS_SORT_INODE
};

enum options_atime_preserve
{
  OPTIONS_ATIME_NO,
  OPTIONS_ATIME_REPLACE,
  OPTIONS_ATIME_SYSTEM
};

enum options_hole_detection
{
  OPTIONS_HOLES_DEFAULT,
  OPTIONS_HOLES_RAW,
  OPTIONS_HOLES_SEEK
};

enum options_set_mtime
{
  OPTIONS_MTIME_FILE,   /* the file's own */
  OPTIONS_MTIME_FORCE,  /* --mtime */
  OPTIONS_MTIME_CLAMP,  /* --clamp-mtime: the earlier of the two */
  OPTIONS_MTIME_COMMAND /* --set-mtime-command */
};

/* A choice whose default depends on the rest of the command line.  After
   parsing only 'seek' can still be OPTIONS_UNSET (decide by the archive).  */
enum options_choice
{
  OPTIONS_UNSET = -1,
  OPTIONS_NO = 0,
  OPTIONS_YES = 1
};

/* Details of OPTION_EXCLUDE_TAG.  Directories are left out because of a file
   in them: the tag stays (contents), the directory's member stays (under), or
   nothing does (all).  */
enum options_tag
{
  OPTIONS_TAG_CONTENTS = 0,
  OPTIONS_TAG_UNDER = 1,
  OPTIONS_TAG_ALL = 2,
  OPTIONS_TAG_SCOPE = 3,        /* mask of the above */
  OPTIONS_TAG_CACHEDIR = 1 << 2 /* a valid CACHEDIR.TAG; there is no text */
};

/* Details of OPTION_EXCLUDE_IGNORE.  */
enum options_ignore
{
  OPTIONS_IGNORE_RECURSIVE = 1 << 0, /* the patterns hold below, too */
  OPTIONS_IGNORE_VCS = 1 << 1 /* the files of version control systems, each
                                 in its own syntax; there is no text */
};

/* How names and patterns match; positional.  */
enum options_match
{
  OPTIONS_MATCH_WILDCARDS = 1 << 0,
  OPTIONS_MATCH_NO_WILDCARDS = 1 << 1, /* neither bit: the default of the
                                          place, excluding or including */
  OPTIONS_MATCH_ANCHORED = 1 << 2,
  OPTIONS_MATCH_NO_ANCHORED = 1 << 3,
  OPTIONS_MATCH_IGNORE_CASE = 1 << 4,
  OPTIONS_MATCH_NO_SLASH = 1 << 5, /* wildcards do not match '/' */
  OPTIONS_MATCH_NO_RECURSION = 1 << 6
};

/* How a -T file is read; positional.  */
enum options_list_style
{
  OPTIONS_LIST_NULL = 1 << 0,      /* NUL ends a name */
  OPTIONS_LIST_VERBATIM = 1 << 1,  /* a leading '-' is part of the name */
  OPTIONS_LIST_NO_UNQUOTE = 1 << 2 /* a backslash is part of the name */
};

enum option_operand_kind
{
  OPTION_NAME,           /* a file or member, from an argument or --add-file */
  OPTION_DIRECTORY,      /* -C */
  OPTION_FILES_FROM,     /* -T; "-" is standard input */
  OPTION_EXCLUDE,        /* --exclude: one pattern */
  OPTION_EXCLUDE_FROM,   /* -X: a file of patterns */
  OPTION_EXCLUDE_TAG,    /* a file that its directory is left out for */
  OPTION_EXCLUDE_IGNORE, /* a file of patterns in each directory */
  OPTION_SWITCH          /* a positional switch; it shows in the operands after
                            it, and stands here for messages only */
};

/* One of the things whose order on the command line matters, with the
   positional switches that were in force.  */
struct option_operand
{
  enum option_operand_kind kind;
  char const *text;
  unsigned detail;     /* of the two kinds that have some */
  unsigned match;      /* mask of enum options_match */
  unsigned list_style; /* mask of enum options_list_style */
  char const *option;  /* its long name, or "-C", for messages; NULL for a
                         plain argument */
};

/* An owner or group to store: ID always if HAS_ID, NAME if not NULL.  */
struct option_owner
{
  bool given;
  bool has_id;
  uintmax_t id;
  char const *name;
};

/* A line of --owner-map or --group-map.  */
struct option_owner_map
{
  uintmax_t from;
  struct option_owner to;
};

struct mode_change;  /* gnulib modechange.h */
struct pax_edits;    /* format/pax-edits.h */
struct rename_rules; /* select/rename.h */

struct tar_options
{
  enum options_operation operation;
  char operation_letter; /* as given, e.g. 'x'; 0 for a long option */

  /* Names.  */
  struct option_operand *operands;
  size_t operand_count;
  bool names_given;    /* an argument, --add-file or -T: what there is
                          to do is limited, even if -T is empty */
  bool absolute_names; /* -P */
  bool dereference;    /* -h */
  bool hard_dereference;
  bool one_file_system;
  enum options_sort sort;
  bool newer_given;         /* -N, --newer-mtime: */
  bool newer_is_mtime_only; /* else the change time counts as well */
  struct timespec newer;
  uintmax_t occurrence;           /* 0: all */
  char const *starting_file;      /* -K */
  bool same_order;                /* -s */
  struct rename_rules *transform; /* NULL: none */
  bool show_transformed_names;
  size_t strip_components;
  bool one_top_level;
  char const *one_top_level_dir; /* NULL: made from the archive's name */

  /* The archive.  */
  char const **archives; /* -f, at least one after parsing */
  size_t archive_count;
  bool force_local;
  char const *rmt_command;
  char const *rsh_command; /* NULL: the default */
  size_t blocking_factor;   /* blocks of 512 in a record */
  size_t record_size;       /* bytes: blocking_factor * 512 */
  bool read_full_records;   /* -B */
  bool ignore_zeros;        /* -i */
  enum options_choice seek; /* -n, --no-seek */
  bool multi_volume;        /* -M */
  uintmax_t tape_length;    /* bytes; 0: no limit */
  char const *info_script;  /* -F */
  char const *volno_file;
  char const *label; /* -V */

  /* Its format.  */
  enum member_format format; /* never MEMBER_FORMAT_DEFAULT after parsing */
  bool format_given;
  struct pax_edits *pax_edits; /* --pax-option; NULL: none */
  bool sparse;                 /* -S */
  unsigned sparse_major;
  unsigned sparse_minor;
  enum options_hole_detection hole_detection;
  size_t align;     /* bytes; 0: no alignment */
  bool align_given; /* with align 0: choose the size */

  /* Compression: a program with its arguments ("xz -T0"), run with -d to
     read.  NULL: none was asked for; what is read is still recognised by its
     contents.  */
  char const *compress_program;
  char const *compress_option; /* as given ("-z"), for messages; NULL when
                                  -a chose the program */
  bool auto_compress;          /* -a */

  /* Sharing blocks.  */
  enum reflink_mode reflink;
  enum reflink_strategy reflink_strategy;
  bool reflink_report;

  /* Attributes to store.  */
  struct option_owner owner;
  struct option_owner group;
  struct option_owner_map *owner_map;
  size_t owner_map_count;
  struct option_owner_map *group_map;
  size_t group_map_count;
  struct mode_change *mode; /* --mode; NULL: none */
  enum options_set_mtime set_mtime;
  struct timespec mtime;
  char const *mtime_command; /* --set-mtime-command */
  char const *mtime_format;  /* --set-mtime-format */
  bool numeric_owner;
  enum options_atime_preserve atime_preserve;
  bool acls;
  bool selinux;
  bool xattrs;
  char const **xattrs_include; /* patterns */
  size_t xattrs_include_count;
  char const **xattrs_exclude;
  size_t xattrs_exclude_count;
  bool check_links; /* -l */
  bool ignore_failed_read;
  bool remove_files;
  bool verify; /* -W */

  /* Incremental dumps.  */
  bool incremental; /* -G or -g */
  char const *listed_incremental;
  int level; /* -1: not given */
  bool check_device;

  /* Extraction.  */
  enum options_overwrite overwrite;
  bool recursive_unlink;
  bool keep_directory_symlink;
  enum backup_type backup;   /* --backup */
  char const *backup_suffix; /* never NULL after parsing */
  bool to_stdout;            /* -O */
  char const *to_command;
  bool ignore_command_error;
  bool touch; /* -m */
  enum options_choice same_owner;
  enum options_choice same_permissions;
  bool restore_root; /* the metadata of the directory extracted into, too */
  bool delay_directory_restore;

  /* Output.  */
  int verbose; /* how many -v */
  bool full_time;
  bool utc;
  bool block_number; /* -R */
  bool show_omitted_dirs;
  char const *index_file;
  bool totals;
  int totals_signal;    /* 0: none */
  uintmax_t checkpoint; /* records; 0: none */
  char const **checkpoint_actions;
  size_t checkpoint_action_count;
  bool interactive; /* -w */
  bool progress;
  bool restrict_; /* --restrict */

  /* From the environment.  */
  bool posixly_correct;
  bool is_root;
  mode_t umask;

  void **owned; /* what else options_free has to free */
  size_t owned_count;
};

/* Fill *O from the command line and TAR_OPTIONS.  Diagnostics go through R;
   the warning classes of --warning are switched there, and quoting styles in
   gnulib's default quoting options.  Return true if there is an operation to
   run.  Otherwise what was wrong has been reported, and the exit status is
   R's (0 after --show-defaults).  Does not return from --help, --usage and
   --version (status 0) and what argp refuses (status 64), but exits.  */
bool options_parse (struct tar_options *o, int argc, char **argv,
                    struct report *r);

/* Free what options_parse allocated.  */
void options_free (struct tar_options *o);

/* The positional switches of a -T file, which its option lines change.  */
struct option_switches
{
  unsigned match;      /* mask of enum options_match */
  unsigned list_style; /* mask of enum options_list_style */
};

/* What options_parse_line found.  It owns the array and the texts in it.  */
struct option_line
{
  struct option_operand *operands;
  size_t count;
  char **words; /* allocated; the texts point into them */
};

/* Parse an option line of a -T file, e.g. "-C dir" or "--exclude=*.o", under
   SWITCHES, which it may change.  FILE and LINE are for diagnostics.  Return 0
   and fill *RET, which options_line_free frees; or -1 if the line was refused,
   or -2 if the program has to stop, both reported.  */
int options_parse_line (char const *text, struct option_switches *switches,
                        char const *file, size_t line, struct option_line *ret,
                        struct report *r);
void options_line_free (struct option_line *line);

#endif
