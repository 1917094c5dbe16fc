/* What layers below the operations get of the options.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "policies.h"

#include <string.h>

struct xattrs_settings
policies_xattrs (struct tar_options const *o)
{
  return (struct xattrs_settings){
    .xattrs = o->xattrs,
    .acls = o->acls,
    .selinux = o->selinux,
    .include = o->xattrs_include,
    .include_count = o->xattrs_include_count,
    .exclude = o->xattrs_exclude,
    .exclude_count = o->xattrs_exclude_count,
  };
}

idx_t
policies_unit (struct tar_options const *o, struct records const *r)
{
  enum
  {
    DEFAULT_ALIGN = 4096,
    /* Where a file system names more as its block size, as NFS does, it is
       what it likes to transfer at once.  */
    BLOCK_MAX = 128 * 1024
  };
  int fd;
  off_t offset;

  if (o->align)
    return o->align;
  if (!records_extent (r, &fd, &offset))
    return DEFAULT_ALIGN;
  off_t unit = reflink_unit (fd);
  bool is_sensible
      = DEFAULT_ALIGN < unit && unit <= BLOCK_MAX && (unit & (unit - 1)) == 0;
  return is_sensible ? unit : DEFAULT_ALIGN;
}

idx_t
policies_align (struct tar_options const *o, struct records const *r)
{
  return o->align_given ? policies_unit (o, r) : 0;
}

struct remote_settings
policies_remote (struct tar_options const *o)
{
  char const *rsh = o->rsh_command ? o->rsh_command : DEFAULT_RSH_COMMAND;

  return (struct remote_settings){ .rsh = o->force_local ? NULL : rsh,
                                   .rmt = o->rmt_command,
                                   .looks_up = !o->rsh_command,
                                   .no_seek = o->seek == OPTIONS_NO };
}

bool
policies_is_remote (struct tar_options const *o)
{
  return !o->force_local && stream_remote_name (o->archives[0]);
}

struct backup_policy
policies_backup (struct tar_options const *o, struct listing *listing)
{
  return (struct backup_policy){
    .type = o->backup,
    .suffix = o->backup_suffix,
    .follow_links = o->dereference && o->operation == OPTIONS_EXTRACT,
    .told = o->verbose ? listing_stream (listing) : NULL,
  };
}

enum holes_method
policies_holes (struct tar_options const *o)
{
  if (!o->sparse)
    return HOLES_IGNORE;
  return o->hole_detection == OPTIONS_HOLES_RAW ? HOLES_RAW : HOLES_SEEK;
}

static bool
xattr_selected (void const *arg, char const *name)
{
  return xattrs_selected (arg, name);
}

struct listing *
policies_listing (struct tar_options const *o,
                  struct xattrs_settings const *xattrs, int level, FILE *stream,
                  struct report *r)
{
  struct listing_settings const settings = {
    .level = level < LISTING_DETAILS ? level : LISTING_DETAILS,
    .full_time = o->full_time,
    .utc = o->utc,
    .numeric_owner = o->numeric_owner,
    .transformed = o->show_transformed_names,
    .block_number = o->block_number,
    .acls = o->acls,
    .selinux = o->selinux,
    .xattrs = o->xattrs,
    .xattr_selected = xattr_selected,
    .xattr_arg = xattrs,
    .stream = stream,
    .index_file = o->index_file,
  };

  return listing_new (&settings, r);
}

bool
policies_confirm (struct tar_options const *o, FILE *stream, struct report *r,
                  struct confirm **ret)
{
  bool taken
      = o->operation != OPTIONS_CREATE && strcmp (o->archives[0], "-") == 0;

  *ret = NULL;
  if (!o->interactive)
    return true;
  for (size_t i = 0; i < o->operand_count; i++)
    taken |= (o->operands[i].kind == OPTION_FILES_FROM
              && strcmp (o->operands[i].text, "-") == 0);
  /* A question that goes to a file is answered by nobody.  */
  if (o->index_file)
    stream
        = (o->operation == OPTIONS_CREATE && strcmp (o->archives[0], "-") == 0
               ? stderr
               : stdout);
  *ret = confirm_new (stream, taken, r);
  return *ret != NULL;
}

struct workdirs *
policies_workdirs (struct selection const *s)
{
  struct workdirs *w = workdirs_new ();

  policies_more_workdirs (w, s);
  return w;
}

void
policies_more_workdirs (struct workdirs *w, struct selection const *s)
{
  size_t count = selection_directory_count (s);

  for (size_t i = workdirs_count (w); i < count; i++)
    workdirs_add (w, selection_directory (s, i));
}
