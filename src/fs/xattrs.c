/* Extended attributes, ACLs and SELinux contexts of what was extracted.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "fs/xattrs.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if HAVE_SYS_XATTR_H
#include <sys/xattr.h>
#endif
#if HAVE_POSIX_ACLS
#include <sys/acl.h>
#endif
#if HAVE_SELINUX
#include <selinux/selinux.h>
#endif

#include "attribute.h"
#include "gettext.h"
#include "quotearg.h"
#include "xalloc.h"
#include "xvasprintf.h"

#define _(msgid) gettext (msgid)

bool
xattrs_wanted (struct xattrs_settings const *s, struct member const *m)
{
  return ((s->xattrs && m->present & MEMBER_HAS_XATTRS) || s->acls
          || (s->selinux && m->present & MEMBER_HAS_SELINUX));
}

static bool
matches (char const *const *patterns, size_t count, char const *name)
{
  for (size_t i = 0; i < count; i++)
    if (fnmatch (patterns[i], name, 0) == 0)
      return true;
  return false;
}

bool
xattrs_selected (struct xattrs_settings const *s, char const *name)
{
  if (matches (s->exclude, s->exclude_count, name))
    return false;
  if (s->include_count)
    return matches (s->include, s->include_count, name);
  return strncmp (name, "user.", 5) == 0;
}

bool
xattrs_stored (struct xattrs_settings const *s, char const *name)
{
  return (!matches (s->exclude, s->exclude_count, name)
          && (s->include_count == 0
              || matches (s->include, s->include_count, name)));
}

/* A name of T for system calls that take no directory descriptor.  */
MAYBE_UNUSED static char *
proc_name (struct xattrs_target const *t)
{
  if (0 <= t->fd)
    return xasprintf ("/proc/self/fd/%d", t->fd);
  return xasprintf ("/proc/self/fd/%d/%s", t->dir_fd, t->base);
}

/* Warn of a failure; of one that means "not on this file system" only once,
   which *SAID remembers.  */
MAYBE_UNUSED static bool
worth_saying (int errnum, bool *said)
{
  if (errnum != EOPNOTSUPP && errnum != ENOSYS)
    return true;
  if (*said)
    return false;
  *said = true;
  return true;
}

#if HAVE_XATTRS && HAVE_SYS_XATTR_H

static void
set_xattr (struct xattrs_state *state, struct report *r,
           struct xattrs_target const *t, struct member_xattr const *x)
{
  int result;
  int err;

  if (0 <= t->fd)
    {
      result = fsetxattr (t->fd, x->name, x->value, x->length, 0);
      err = errno;
    }
  else
    {
      char *name = proc_name (t);

      result = lsetxattr (name, x->name, x->value, x->length, 0);
      err = errno;
      free (name);
    }
  if (result != 0 && worth_saying (err, &state->said_xattrs_unsupported))
    report_warning (r, REPORT_XATTR_WRITE, err,
                    _ ("%s: Cannot set '%s' extended attribute for file '%s'"),
                    t->is_link ? "lsetxattr" : "setxattrat",
                    quotearg_n_style (0, escape_quoting_style, x->name),
                    quotearg_n_style (1, escape_quoting_style, t->name));
}

static void
set_xattrs (struct xattrs_settings const *s, struct xattrs_state *state,
            struct report *r, struct xattrs_target const *t,
            struct member const *m)
{
  for (size_t i = 0; i < m->xattr_count; i++)
    {
      struct member_xattr const *x = &m->xattrs[i];
      /* Raw ACLs would fight with those that --acls sets.  */
      bool is_acl = strncmp (x->name, "system.posix_acl_", 17) == 0;

      if (xattrs_selected (s, x->name) && !(is_acl && s->acls))
        set_xattr (state, r, t, x);
    }
}

#else

static void
set_xattrs (struct xattrs_settings const *s, struct xattrs_state *state,
            struct report *r, struct xattrs_target const *t,
            struct member const *m)
{
  (void)s;
  (void)state;
  (void)r;
  (void)t;
  (void)m;
}

#endif

#if HAVE_POSIX_ACLS

static int
set_acl_file (struct xattrs_target const *t, acl_type_t type, acl_t acl)
{
  if (0 <= t->fd && type == ACL_TYPE_ACCESS)
    return acl_set_fd (t->fd, acl);

  char *name = proc_name (t);
  int result = acl_set_file (name, type, acl);
  int err = errno;

  free (name);
  errno = err;
  return result;
}

/* The archive's TEXT, in which star writes "user:NAME:PERMS:ID": entries whose
   name is unknown here become "user:ID:PERMS".  Return NULL if TEXT has no
   such entry; else the caller frees it.  */
static char *
by_number (char const *text)
{
  size_t length = strlen (text);
  char *copy = xasprintf ("%s,", text);
  char *result = xmalloc (2 * length + 2); /* no entry grows but by a "\n" */
  char *end = result;
  bool changed = false;

  *end = '\0';
  for (char *p = copy; *p;)
    {
      char *entry = p;
      char *colon[3];
      int colons = 0;

      p += strcspn (p, ",\n");
      *p++ = '\0';
      for (char *q = entry; *q && colons < 3; q++)
        if (*q == ':')
          colon[colons++] = q;
      if (colons == 3)
        {
          *colon[0] = *colon[1] = *colon[2] = '\0';
          end += sprintf (end, "%s:%s:%s\n", entry, colon[2] + 1, colon[1] + 1);
          changed = true;
        }
      else
        end += sprintf (end, "%s\n", entry);
    }
  free (copy);
  if (changed)
    return result;
  free (result);
  return NULL;
}

static void
set_acl (struct xattrs_state *state, struct report *r,
         struct xattrs_target const *t, acl_type_t type, char const *text)
{
  acl_t acl = acl_from_text (text);

  if (!acl)
    {
      int err = errno;
      char *numbers = by_number (text);

      if (numbers)
        acl = acl_from_text (numbers);
      free (numbers);
      if (!acl)
        {
          report_cannot_warning (r, REPORT_ALWAYS, err, "acl_from_text",
                                 t->name);
          return;
        }
    }
  if (set_acl_file (t, type, acl) != 0
      && worth_saying (errno, &state->said_acls_unsupported))
    report_warning (r, REPORT_XATTR_WRITE, errno,
                    _ ("%s: Cannot set POSIX ACLs for file '%s'"),
                    "acl_set_file_at",
                    quotearg_style (escape_quoting_style, t->name));
  acl_free (acl);
}

/* T has no ACL of TYPE in the archive: it keeps none that it has inherited.  */
static void
remove_acl (struct xattrs_target const *t, acl_type_t type)
{
#if HAVE_SYS_XATTR_H
  char const *attribute
      = (type == ACL_TYPE_ACCESS ? "system.posix_acl_access"
                                 : "system.posix_acl_default");
  /* Failures mean that there is none.  */
  if (0 <= t->fd)
    {
      (void)!fremovexattr (t->fd, attribute);
      return;
    }
  char *name = proc_name (t);
  (void)!lremovexattr (name, attribute);
  free (name);
#else
  (void)t;
  (void)type;
#endif
}

static void
set_acls (struct xattrs_state *state, struct report *r,
          struct xattrs_target const *t, struct member const *m)
{
  bool has_acl = m->present & MEMBER_HAS_ACL;
  char const *access = has_acl ? member_text (&m->acl_access) : "";
  char const *inherit = has_acl ? member_text (&m->acl_default) : "";

  if (*access)
    set_acl (state, r, t, ACL_TYPE_ACCESS, access);
  else
    remove_acl (t, ACL_TYPE_ACCESS);
  if (!t->is_directory)
    return;
  if (*inherit)
    set_acl (state, r, t, ACL_TYPE_DEFAULT, inherit);
  else
    remove_acl (t, ACL_TYPE_DEFAULT);
}

#else

static void
set_acls (struct xattrs_state *state, struct report *r,
          struct xattrs_target const *t, struct member const *m)
{
  (void)state;
  (void)r;
  (void)t;
  (void)m;
}

#endif

#if HAVE_SELINUX

static void
set_selinux (struct xattrs_state *state, struct report *r,
             struct xattrs_target const *t, struct member const *m)
{
  char const *context = member_text (&m->selinux);
  int result;
  int err;

  if (0 <= t->fd)
    {
      result = fsetfilecon (t->fd, context);
      err = errno;
    }
  else
    {
      char *name = proc_name (t);

      result = lsetfilecon (name, context);
      err = errno;
      free (name);
    }
  if (result != 0 && worth_saying (err, &state->said_selinux_unsupported))
    report_warning (r, REPORT_XATTR_WRITE, err,
                    _ ("%s: Cannot set SELinux context for file '%s'"),
                    t->is_link ? "lsetfileconat" : "setfileconat",
                    quotearg_style (escape_quoting_style, t->name));
}

#else

static void
set_selinux (struct xattrs_state *state, struct report *r,
             struct xattrs_target const *t, struct member const *m)
{
  (void)state;
  (void)r;
  (void)t;
  (void)m;
}

#endif

void
xattrs_apply (struct xattrs_settings const *s, struct xattrs_state *state,
              struct report *r, struct xattrs_target const *t,
              struct member const *m)
{
  if (s->xattrs && m->present & MEMBER_HAS_XATTRS)
    set_xattrs (s, state, r, t, m);
  if (s->selinux && m->present & MEMBER_HAS_SELINUX)
    set_selinux (state, r, t, m);
}

void
xattrs_apply_acls (struct xattrs_settings const *s, struct xattrs_state *state,
                   struct report *r, struct xattrs_target const *t,
                   struct member const *m)
{
  if (s->acls && !t->is_link)
    set_acls (state, r, t, m);
}
