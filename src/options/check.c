/* Conflicts, implications and defaults of options.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "argp.h"
#include "gettext.h"
#include "intprops.h"
#include "quote.h"
#include "root-uid.h"
#include "xalloc.h"

#include "format/align.h"
#include "format/pax-edits.h"
#include "parse.h"

#define _(msgid) gettext (msgid)

/* Not defined by config.h if they are not there.  */
#ifndef HAVE_POSIX_ACLS
#define HAVE_POSIX_ACLS 0
#endif
#ifndef HAVE_SELINUX
#define HAVE_SELINUX 0
#endif
#ifndef HAVE_XATTRS
#define HAVE_XATTRS 0
#endif

enum
{
  /* Bytes in a header's name, which ends with a NUL.  */
  LABEL_MAX = 99,
  VOLUME_LABEL_MAX = LABEL_MAX - (sizeof " Volume " - 1) - 10
};

/* -v switches on the warnings that are remarks rather.  */
bool
options_check_verbose (struct options_parse *p, struct option_row const *row,
                       char const *argument)
{
  (void)row;
  (void)argument;
  p->o->verbose++;
  p->r->enabled |= REPORT_VERBOSE_CLASSES;
  return true;
}

/* The options that say what to do with existing files exclude each other.  */
bool
options_check_overwrite (struct options_parse *p, struct option_row const *row,
                         char const *argument)
{
  (void)argument;
  if (p->overwrite && p->overwrite->value != row->value)
    return options_usage (p, _ ("'--%s' cannot be used with '--%s'"), row->name,
                          p->overwrite->name);
  p->overwrite = row;
  p->o->overwrite = row->value;
  return true;
}

bool
options_check_clamp (struct options_parse *p, struct option_row const *row,
                     char const *argument)
{
  (void)row;
  (void)argument;
  p->clamp_mtime = true;
  return true;
}

bool
options_check_utc (struct options_parse *p, struct option_row const *row,
                   char const *argument)
{
  (void)row;
  (void)argument;
  p->o->utc = true;
  return true;
}

bool
options_check_o (struct options_parse *p, struct option_row const *row,
                 char const *argument)
{
  (void)row;
  (void)argument;
  p->o_given = true;
  return true;
}

/* Tape drives by number and density: none are built in.  */
bool
options_check_density (struct options_parse *p, struct option_row const *row,
                       char const *argument)
{
  (void)row;
  (void)argument;
  options_usage (p, _ ("Options '-[0-7][lmh]' not supported by *this* tar"));
  /* For GNU tar it is argp that refuses them.  */
  exit (argp_err_exit_status);
}

/* Masks of operations.  */
#define ON(operation) (1u << OPTIONS_##operation)
enum
{
  ON_WRITE = ON (CREATE) | ON (APPEND) | ON (UPDATE),
  ON_READ = ON (LIST) | ON (EXTRACT) | ON (COMPARE) | ON (DELETE)
};

static bool
is_in (unsigned operations, struct tar_options const *o)
{
  return (operations >> o->operation) & 1;
}

/* The operation as it is called in messages: its letter, or its name.  */
static char const *
operation_name (struct tar_options const *o)
{
  static char const *const names[] = {
    [OPTIONS_CATENATE] = "-A",     [OPTIONS_CREATE] = "-c",
    [OPTIONS_DELETE] = "--delete", [OPTIONS_COMPARE] = "-d",
    [OPTIONS_APPEND] = "-r",       [OPTIONS_TEST_LABEL] = "--test-label",
    [OPTIONS_LIST] = "-t",         [OPTIONS_UPDATE] = "-u",
    [OPTIONS_EXTRACT] = "-x",
  };

  return names[o->operation];
}

/* What no operation can do, nor two at once.  */
static bool
check_conflicts (struct options_parse *p)
{
  if (p->two_operations)
    return options_usage (p, _ ("You may not specify more than one '-Acdtrux',"
                                " '--delete' or  '--test-label' option"));
  if (p->two_compressions)
    return options_usage (p, _ ("Conflicting compression options"));
  return true;
}

/* What GNU tar looks at last.  */
static bool
check_operation (struct options_parse *p)
{
  struct tar_options *o = p->o;

  if (o->operation == OPTIONS_NO_OPERATION)
    return options_usage (p, _ ("You must specify one of the '-Acdtrux',"
                                " '--delete' or '--test-label' options"));
  if (o->operation == OPTIONS_CREATE && !o->names_given)
    return options_usage (p, _ ("Cowardly refusing to create an empty"
                                " archive"));
  if (is_in (ON (CATENATE) | ON (APPEND) | ON (UPDATE), o)
      && strcmp (o->archives[0], "-") == 0)
    return options_usage (p, _ ("Options '-Aru' are incompatible with"
                                " '-f -'"));
  return true;
}

/* What several volumes can be combined with.  */
static bool
check_volumes (struct options_parse *p)
{
  struct tar_options *o = p->o;

  if (o->info_script)
    o->multi_volume = true;
  if (!o->multi_volume)
    return o->archive_count <= 1
           || options_usage (p, _ ("Multiple archive files require '-M'"
                                   " option"));
  if (o->tape_length && o->tape_length < o->record_size)
    return options_usage (p, _ ("Volume length cannot be less than record"
                                " size"));
  if (TYPE_MAXIMUM (off_t) < o->tape_length)
    o->tape_length = 0;
  if (o->verify)
    return options_usage (p, _ ("Cannot verify multi-volume archives"));
  if (is_in (ON (CATENATE) | ON (DELETE), o))
    return options_usage (p, _ ("'%s' cannot be used with '%s'"),
                          "--multi-volume", operation_name (o));
  /* Where in its file data comes to lie is known only when it is written.  */
  if (o->align_given && is_in (ON_WRITE, o))
    return options_usage (p, _ ("'%s' cannot be used with '%s'"), "--align",
                          "--multi-volume");
  if (o->reflink == REFLINK_ALWAYS && is_in (ON_WRITE, o))
    return options_usage (p, _ ("'%s' cannot be used with '%s'"),
                          "--reflink=always", "--multi-volume");
  return true;
}

/* The archive: where it is, and how it is packed.  */
static bool
check_archive (struct options_parse *p)
{
  struct tar_options *o = p->o;

  if (is_in (ON_READ, o) && strcmp (o->archives[0], "-") == 0
      && p->stdin_option)
    return options_usage (p,
                          _ ("Options '%s' and '%s' both want standard"
                             " input"),
                          "-f", p->stdin_option);
  if (!check_volumes (p))
    return false;

  if (o->auto_compress && !o->compress_program && is_in (ON (CREATE), o))
    o->compress_program = options_suffix_program (o->archives[0]);
  if (o->compress_program && o->compress_option)
    {
      if (o->multi_volume)
        return options_usage (p, _ ("Cannot use multi-volume compressed"
                                    " archives"));
      if (o->verify)
        return options_usage (p, _ ("Cannot verify compressed archives"));
      if (is_in (ON (APPEND) | ON (UPDATE) | ON (DELETE), o))
        return options_usage (p, _ ("Cannot update compressed archives"));
      if (is_in (ON (CATENATE), o))
        return options_usage (p, _ ("Cannot concatenate compressed archives"));
    }
  return true;
}

/* What has a say in the format besides --format.  */
static void
imply_format (struct options_parse *p)
{
  struct tar_options *o = p->o;

  if (p->o_given && is_in (ON (CREATE), o))
    {
      o->format = MEMBER_FORMAT_V7;
      o->format_given = true;
    }
  /* What is not aligned can be shared by luck only.  But a format that was
     asked for comes first, so that --reflink can stand in TAR_OPTIONS.  */
  if (o->reflink != REFLINK_NEVER && is_in (ON_WRITE | ON (CATENATE), o)
      && !(o->multi_volume || o->info_script)
      && (!o->format_given || o->format == MEMBER_FORMAT_PAX))
    o->align_given = true;
}

/* Only pax archives can hold a label of any length.  */
static bool
check_label (struct options_parse *p)
{
  struct tar_options *o = p->o;
  /* Volumes' numbers are added.  */
  size_t limit = o->multi_volume ? VOLUME_LABEL_MAX : LABEL_MAX;

  if (o->label && o->format != MEMBER_FORMAT_PAX && limit < strlen (o->label))
    return options_usage (
        p,
        ngettext ("%s: Volume label is too long (limit is %zu byte)",
                  "%s: Volume label is too long (limit is %zu bytes)", limit),
        report_name (o->label), limit);
  return true;
}

/* The format, and what only some formats can hold.  */
static bool
check_format (struct options_parse *p)
{
  struct tar_options *o = p->o;
  struct
  {
    bool given;
    char const *option;
  } const pax_only[] = {
    { o->pax_edits != NULL, "--pax-option" },
    { o->acls, "--acls" },
    { o->selinux, "--selinux" },
    { o->xattrs || o->xattrs_include_count || o->xattrs_exclude_count,
      "--xattrs" },
    { o->align_given, "--align" },
  };
  bool writes = is_in (ON_WRITE, o);

  if (o->xattrs_include_count || o->xattrs_exclude_count)
    o->xattrs = true;
  for (size_t i = 0; i < sizeof pax_only / sizeof *pax_only; i++)
    if (pax_only[i].given && writes)
      {
        if (!o->format_given)
          o->format = MEMBER_FORMAT_PAX;
        else if (o->format != MEMBER_FORMAT_PAX)
          return options_usage (p, _ ("%s can be used only on POSIX archives"),
                                pax_only[i].option);
      }
  if (writes && ALIGN_SAFE_MAX < o->align)
    report_warning (p->r, REPORT_ALWAYS, 0,
                    _ ("--align: with more than 512 KiB, extended headers can"
                       " become too large for some programs"));
  if (o->pax_edits && o->pax_edits->globals.length
      && is_in (ON (APPEND) | ON (UPDATE) | ON (CATENATE), o))
    return options_usage (p, _ ("can't update global extended header record"));
  if (o->format == MEMBER_FORMAT_DEFAULT)
    {
      bool given = o->format_given;
      options_values_format (p, NULL, DEFAULT_ARCHIVE_FORMAT);
      o->format_given = given;
    }
  if (o->hole_detection != OPTIONS_HOLES_DEFAULT)
    o->sparse = true;
  /* These need header fields that only GNU and pax headers have.  */
  bool wants_gnu = (o->incremental || o->multi_volume || o->sparse
                    || (o->label && writes));
  bool is_old
      = o->format == MEMBER_FORMAT_V7 || o->format == MEMBER_FORMAT_USTAR;
  if (is_old && wants_gnu)
    return options_usage (p, _ ("GNU features wanted on incompatible archive"
                                " format"));
  return check_label (p);
}

/* What goes with incremental dumps, and what does not.  */
static bool
check_incremental (struct options_parse *p)
{
  struct tar_options *o = p->o;
  size_t directories = 0;

  if (0 <= o->level && !o->listed_incremental)
    report_warning (p->r, REPORT_ALWAYS, 0,
                    _ ("--level is meaningless without --listed-incremental"));
  if (!o->listed_incremental)
    return true;
  o->incremental = true;
  if (o->newer_given)
    return options_usage (p, _ ("'%s' cannot be used with '%s'"),
                          "--listed-incremental", "--newer");
  for (size_t i = 0; i < o->operand_count; i++)
    directories += o->operands[i].kind == OPTION_DIRECTORY;
  if (1 < directories && is_in (ON (CREATE), o))
    return options_usage (p, _ ("Only one -C option is allowed with"
                                " --listed-incremental"));
  return true;
}

/* Tell of kinds of attributes that were asked for, and that this program was
   built without.  */
static void
warn_of_attributes (struct options_parse *p)
{
  struct tar_options const *o = p->o;
  struct
  {
    bool given;
    bool available;
    char const *message;
  } const kinds[] = {
    { o->acls, HAVE_POSIX_ACLS, _ ("POSIX ACL support is not available") },
    { o->selinux, HAVE_SELINUX, _ ("SELinux support is not available") },
    { o->xattrs, HAVE_XATTRS, _ ("XATTR support is not available") },
  };

  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (kinds[i].given && !kinds[i].available
        && is_in (ON_WRITE | ON (EXTRACT), o))
      report_warning (p->r, REPORT_ALWAYS, 0, "%s", kinds[i].message);
}

static bool
check_attributes (struct options_parse *p)
{
  struct tar_options *o = p->o;

  warn_of_attributes (p);

  if (p->clamp_mtime && !p->mtime_given)
    return options_usage (p, _ ("--clamp-mtime needs a date specified using"
                                " --mtime"));
  o->set_mtime = p->clamp_mtime   ? OPTIONS_MTIME_CLAMP
                 : p->mtime_given ? OPTIONS_MTIME_FORCE
                                  : OPTIONS_MTIME_FILE;
  if (o->mtime_command)
    o->set_mtime = OPTIONS_MTIME_COMMAND;
  if (0 < o->verbose || o->operation == OPTIONS_LIST)
    options_dates_tell (p);
  if (p->o_given && o->operation == OPTIONS_EXTRACT)
    o->same_owner = OPTIONS_NO;
  o->restore_root = (o->same_owner == OPTIONS_YES
                     || o->same_permissions == OPTIONS_YES
                     || o->overwrite == OPTIONS_OVERWRITE_DIRS
                     || o->overwrite == OPTIONS_OVERWRITE_FILES
                     || o->incremental);
  if (o->same_owner == OPTIONS_UNSET)
    o->same_owner = o->is_root;
  if (o->same_permissions == OPTIONS_UNSET)
    o->same_permissions = o->is_root;
  return true;
}

static bool
check_names (struct options_parse *p)
{
  struct tar_options *o = p->o;
  /* That there is no operation is told of by itself.  */
  bool reads_only = is_in ((ON_READ & ~ON (DELETE)) | ON (NO_OPERATION), o);
  char const *letter
      = o->operation == OPTIONS_DELETE ? "-D" : operation_name (o);

  if (o->occurrence)
    {
      if (!o->names_given)
        return options_usage (p, _ ("--occurrence is meaningless without a"
                                    " file list"));
      if (!is_in (ON_READ | ON (NO_OPERATION), o))
        return options_usage (p, _ ("'%s' cannot be used with '%s'"),
                              "--occurrence", operation_name (o));
    }
  if (o->starting_file && !reads_only)
    return options_usage (p, _ ("'%s' cannot be used with '%s'"),
                          "--starting-file", letter);
  if (o->same_order && !reads_only)
    return options_usage (p, _ ("'%s' cannot be used with '%s'"),
                          "--same-order", letter);
  if (o->verify && is_in (ON_READ & ~ON (DELETE), o))
    return options_usage (p, _ ("'%s' cannot be used with '%s'"), "--verify",
                          operation_name (o));
  if (o->one_top_level)
    {
      if (o->absolute_names)
        return options_usage (p, _ ("'%s' cannot be used with '%s'"),
                              "--one-top-level", "--absolute-names");
      if (!o->one_top_level_dir)
        {
          char *stem = options_suffix_stem (o->archives[0]);
          options_own (o, stem);
          o->one_top_level_dir = stem;
        }
      if (!o->one_top_level_dir)
        return options_usage (p, _ ("Cannot deduce top-level directory name;"
                                    " please set it explicitly with"
                                    " --one-top-level=DIR"));
    }
  return true;
}

bool
options_check (struct options_parse *p)
{
  struct tar_options *o = p->o;

  if (o->archive_count == 0)
    {
      char const *tape = getenv ("TAPE");
      o->archives = xmalloc (sizeof *o->archives);
      o->archives[o->archive_count++] = tape ? tape : DEFAULT_ARCHIVE;
    }
  if (o->checkpoint_action_count && !o->checkpoint)
    o->checkpoint = DEFAULT_CHECKPOINT;

  /* Times in UTC are of no use unless they are shown.  */
  if (o->utc && o->verbose < 2)
    o->verbose = 2;
  imply_format (p);
  return (check_conflicts (p) && check_names (p) && check_archive (p)
          && check_incremental (p) && check_format (p) && check_attributes (p)
          && check_operation (p) && options_backup_check (p));
}
