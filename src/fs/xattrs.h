/* Extended attributes, ACLs and SELinux contexts of what was extracted.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef XATTRS_H
#define XATTRS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "member.h"
#include "report.h"

struct xattrs_settings
{
  bool xattrs;  /* --xattrs */
  bool acls;    /* --acls */
  bool selinux; /* --selinux */

  /* Shell patterns that names must match (none: only user.*), and must not
     match.  */
  char const *const *include;
  size_t include_count;
  char const *const *exclude;
  size_t exclude_count;
};

/* What has been said already, so that it is said once.  All zeros at
   first.  */
struct xattrs_state
{
  bool said_xattrs_unsupported;
  bool said_acls_unsupported;
  bool said_selinux_unsupported;
};

/* True if M has something that the settings ask to restore.  */
bool xattrs_wanted (struct xattrs_settings const *s, struct member const *m);

/* True if NAME passes the settings' patterns.  */
bool xattrs_selected (struct xattrs_settings const *s, char const *name);

/* True if NAME is to be stored: without patterns, any is.  */
bool xattrs_stored (struct xattrs_settings const *s, char const *name);

/* The file: FD, or if that is -1 BASE in DIR_FD, not followed if it is a
   link.  NAME is for messages.  */
struct xattrs_target
{
  int fd;
  int dir_fd;
  char const *base;
  char const *name;
  bool is_link;
  bool is_directory;
};

/* Set M's extended attributes and SELinux context on T, after its owner (a
   chown removes capabilities) but before its mode (user.* attributes need the
   right to write).  Failures are warnings, as in GNU tar.  */
void xattrs_apply (struct xattrs_settings const *s, struct xattrs_state *state,
                   struct report *r, struct xattrs_target const *t,
                   struct member const *m);

/* Set M's ACLs on T, after its mode (a chmod changes an ACL's mask).  */
void xattrs_apply_acls (struct xattrs_settings const *s,
                        struct xattrs_state *state, struct report *r,
                        struct xattrs_target const *t, struct member const *m);

/* Set in M what T has of what the settings ask for.  A file on which there can
   be no such thing has none; other failures are warnings.  */
void xattrs_read (struct xattrs_settings const *s, struct report *r,
                  struct xattrs_target const *t, struct member *m);

#endif
