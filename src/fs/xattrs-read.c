/* Extended attributes, ACLs and SELinux contexts of files that are stored.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "fs/xattrs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#if HAVE_SYS_XATTR_H
#include <sys/xattr.h>
#endif
#if HAVE_POSIX_ACLS
#include <acl/libacl.h>
#include <sys/acl.h>
#endif
#if HAVE_SELINUX
#include <selinux/selinux.h>
#endif

#include "attribute.h"
#include "xalloc.h"
#include "xvasprintf.h"

/* A buffer that grows.  */
struct buffer
{
  char *bytes;
  size_t size;
};

/* Some calls have no variant that takes a directory's descriptor.  */
static char *
proc_name (struct xattrs_target const *t)
{
  if (0 <= t->fd)
    return xasprintf ("/proc/self/fd/%d", t->fd);
  if (t->dir_fd == AT_FDCWD || *t->base == '/')
    return xstrdup (t->base);
  return xasprintf ("/proc/self/fd/%d/%s", t->dir_fd, t->base);
}

/* True if ERR says that there are no such things on this file.  */
static bool
is_nothing (int err)
{
  return err == EOPNOTSUPP || err == ENOSYS || err == ENODATA;
}

MAYBE_UNUSED static void
warn (struct report *r, int err, char const *call,
      struct xattrs_target const *t)
{
  if (!is_nothing (err))
    report_cannot_warning (r, REPORT_ALWAYS, err, call, t->name);
}

#if HAVE_XATTRS && HAVE_SYS_XATTR_H

/* The names of FILE's attributes, or if NAME is not NULL the value of that one,
   as listxattr and getxattr tell.  */
static ssize_t
ask (char const *file, bool follow, char const *name, char *bytes, size_t size)
{
  if (name)
    return (follow ? getxattr : lgetxattr) (file, name, bytes, size);
  return (follow ? listxattr : llistxattr) (file, bytes, size);
}

/* As 'ask', with B made large enough.  */
static ssize_t
fetch (char const *file, bool follow, char const *name, struct buffer *b)
{
  ssize_t n;
  do
    {
      if (b->size == 0)
        b->bytes = x2realloc (b->bytes, &b->size);
      n = ask (file, follow, name, b->bytes, b->size);
      if (0 <= n || errno != ERANGE)
        return n;
      n = ask (file, follow, name, NULL, 0);
      while (0 <= n && b->size < (size_t)n)
        b->bytes = x2realloc (b->bytes, &b->size);
    }
  while (0 <= n);
  return n;
}

static void
read_xattrs (struct xattrs_settings const *s, struct report *r,
             struct xattrs_target const *t, char const *file, struct member *m)
{
  struct buffer names = { 0 };
  struct buffer value = { 0 };
  ssize_t length = fetch (file, !t->is_link, NULL, &names);
  if (length < 0)
    warn (r, errno, "llistxattrat", t);
  for (char *name = names.bytes; name < names.bytes + length;
       name += strlen (name) + 1)
    {
      if (!xattrs_stored (s, name))
        continue;
      ssize_t n = fetch (file, !t->is_link, name, &value);
      if (n < 0)
        warn (r, errno, "lgetxattrat", t);
      else
        {
          member_add_xattr (m, name, value.bytes, n);
          m->present |= MEMBER_HAS_XATTRS;
        }
    }
  free (names.bytes);
  free (value.bytes);
}

#else

static void
read_xattrs (struct xattrs_settings const *s, struct report *r,
             struct xattrs_target const *t, char const *file, struct member *m)
{
  (void)s;
  (void)r;
  (void)t;
  (void)file;
  (void)m;
}

#endif

#if HAVE_POSIX_ACLS

/* Take the comments ("#effective:r--") out of TEXT, whose lines are LENGTH
   bytes.  Return their new length.  */
static size_t
without_comments (char *text, size_t length)
{
  char *to = text;
  bool in_comment = false;
  for (size_t i = 0; i < length; i++)
    {
      in_comment = text[i] != '\n' && (in_comment || text[i] == '\t');
      if (!in_comment)
        *to++ = text[i];
    }
  return to - text;
}

static void
read_acl (struct report *r, struct xattrs_target const *t, char const *file,
          acl_type_t type, struct member_text *ret)
{
  acl_t acl = acl_get_file (file, type);
  if (!acl)
    {
      warn (r, errno, "acl_get_file_at", t);
      return;
    }
  ssize_t length;
  char *text = acl_to_text (acl, &length);
  if (text)
    member_set_text (ret, text, without_comments (text, length));
  else
    warn (r, errno, "acl_to_text", t);
  acl_free (text);
  acl_free (acl);
}

static void
read_acls (struct report *r, struct xattrs_target const *t, char const *file,
           struct member *m)
{
  int extended = t->is_link ? 0 : acl_extended_file (file);
  if (extended < 0)
    warn (r, errno, "acl_extended_file", t);
  if (extended <= 0)
    return;
  read_acl (r, t, file, ACL_TYPE_ACCESS, &m->acl_access);
  if (t->is_directory)
    read_acl (r, t, file, ACL_TYPE_DEFAULT, &m->acl_default);
  m->present |= MEMBER_HAS_ACL;
}

#else

static void
read_acls (struct report *r, struct xattrs_target const *t, char const *file,
           struct member *m)
{
  (void)r;
  (void)t;
  (void)file;
  (void)m;
}

#endif

#if HAVE_SELINUX

static void
read_selinux (struct report *r, struct xattrs_target const *t, char const *file,
              struct member *m)
{
  char *context = NULL;
  int result = (t->is_link ? lgetfilecon : getfilecon) (file, &context);
  if (result < 0)
    warn (r, errno, "lgetfileconat", t);
  else if (context && *context)
    {
      member_set_text (&m->selinux, context, strlen (context));
      m->present |= MEMBER_HAS_SELINUX;
    }
  freecon (context);
}

#else

static void
read_selinux (struct report *r, struct xattrs_target const *t, char const *file,
              struct member *m)
{
  (void)r;
  (void)t;
  (void)file;
  (void)m;
}

#endif

void
xattrs_read (struct xattrs_settings const *s, struct report *r,
             struct xattrs_target const *t, struct member *m)
{
  if (!s->xattrs && !s->acls && !s->selinux)
    return;
  char *file = proc_name (t);
  if (s->acls)
    read_acls (r, t, file, m);
  if (s->selinux)
    read_selinux (r, t, file, m);
  if (s->xattrs)
    read_xattrs (s, r, t, file, m);
  free (file);
}
