/* Owner, mode, extended attributes and times of what was extracted.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "fs/attributes.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "filemode.h"
#include "gettext.h"
#include "hash-pjw.h"
#include "timespec.h"
#include "xalloc.h"

#define _(msgid) gettext (msgid)
#define N_(msgid) msgid

enum
{
  NAMES = 64, /* owners remembered; archives rarely have more */
  TOLD = 10,  /* files named for which the same thing was refused */
  SET_ID = S_ISUID | S_ISGID
};

/* A user or group name and what it means here.  */
struct known_name
{
  char *name; /* NULL: empty */
  bool is_known;
  unsigned id;
};

/* What can be refused.  Where it is because of the file system or of who we
   are, it is refused for every file: thousands of times, on a share.  */
enum refusal
{
  REFUSED_OWNER,
  REFUSED_MODE,
  REFUSED_TIMES,
  REFUSALS
};

struct refused
{
  int err; /* the first one */
  uintmax_t count;
};

struct attributes
{
  struct attributes_settings const *settings;
  struct report *report;
  struct xattrs_state xattrs;
  struct timespec now; /* no later than now */
  bool said_hint;
  struct refused refused[REFUSALS];
  struct known_name users[NAMES];
  struct known_name groups[NAMES];
};

struct attributes *
attributes_new (struct attributes_settings const *settings,
                struct report *report)
{
  struct attributes *a = xzalloc (sizeof *a);

  a->settings = settings;
  a->report = report;
  gettime (&a->now);
  return a;
}

void
attributes_free (struct attributes *a)
{
  if (!a)
    return;
  for (size_t i = 0; i < NAMES; i++)
    {
      free (a->users[i].name);
      free (a->groups[i].name);
    }
  free (a);
}

mode_t
attributes_mode (struct attributes const *a, struct member const *m)
{
  if (a->settings->same_permissions)
    return m->mode & 07777;
  return m->mode & 0777 & ~a->settings->umask;
}

mode_t
attributes_mode_mask (struct attributes const *a)
{
  return a->settings->same_permissions ? 07777 : 0777;
}

/* The slot of NAMES for NAME; *FRESH if it has to be filled in.  */
static struct known_name *
slot (struct known_name *names, char const *name, bool *fresh)
{
  struct known_name *k = &names[hash_pjw (name, NAMES)];

  *fresh = !k->name || strcmp (k->name, name) != 0;
  if (*fresh)
    {
      free (k->name);
      k->name = xstrdup (name);
      k->is_known = false;
    }
  return k;
}

static uid_t
user (struct attributes *a, char const *name, uid_t otherwise)
{
  bool fresh;
  struct known_name *k = slot (a->users, name, &fresh);

  if (fresh)
    {
      struct passwd const *p = getpwnam (name);

      k->is_known = p != NULL;
      if (p)
        k->id = p->pw_uid;
    }
  return k->is_known ? k->id : otherwise;
}

static gid_t
group (struct attributes *a, char const *name, gid_t otherwise)
{
  bool fresh;
  struct known_name *k = slot (a->groups, name, &fresh);

  if (fresh)
    {
      struct group const *g = getgrnam (name);

      k->is_known = g != NULL;
      if (g)
        k->id = g->gr_gid;
    }
  return k->is_known ? k->id : otherwise;
}

bool
attributes_owner (struct attributes *a, struct member const *m, uid_t *uid,
                  gid_t *gid)
{
  bool by_name = !a->settings->numeric_owner;

  if (!a->settings->same_owner)
    return false;
  *uid = (by_name && m->present & MEMBER_HAS_UNAME
                  && !(m->present & MEMBER_UID_IS_EXACT)
              ? user (a, member_text (&m->uname), m->uid)
              : m->uid);
  *gid = (by_name && m->present & MEMBER_HAS_GNAME
                  && !(m->present & MEMBER_GID_IS_EXACT)
              ? group (a, member_text (&m->gname), m->gid)
              : m->gid);
  return true;
}

/* Whether T's failure with ERRNUM is to be passed over in silence.  */
static bool
forgiven (struct attributes_target const *t, int errnum)
{
  return t->lenient && (errnum == EPERM || errnum == EACCES);
}

/* Whether to name a file for which KIND failed with ERR; if not, it is
   counted.  */
static bool
is_named (struct attributes *a, enum refusal kind, int err)
{
  struct refused *f = &a->refused[kind];

  if (f->count == 0)
    f->err = err;
  if (a->settings->name_all || f->err != err || ++f->count <= TOLD)
    return true;
  report_raise (a->report, REPORT_FAILURE);
  return false;
}

void
attributes_finish (struct attributes *a)
{
  static char const *const kinds[] = {
    [REFUSED_OWNER] = N_ ("%ju more: Cannot change ownership"),
    [REFUSED_MODE] = N_ ("%ju more: Cannot change mode"),
    [REFUSED_TIMES] = N_ ("%ju more: Cannot utime"),
  };

  for (int kind = 0; kind < REFUSALS; kind++)
    {
      struct refused *f = &a->refused[kind];

      if (TOLD < f->count)
        report_error (a->report, f->err, gettext (kinds[kind]),
                      f->count - TOLD);
      f->count = 0;
    }
}

/* Return whether the owner is right now.  */
static bool
apply_owner (struct attributes *a, struct attributes_target const *t, uid_t uid,
             gid_t gid)
{
  int r = (0 <= t->fd
               ? fchown (t->fd, uid, gid)
               : fchownat (t->dir_fd, t->base, uid, gid, AT_SYMLINK_NOFOLLOW));
  int err = errno;

  if (r == 0)
    return true;
  if (forgiven (t, err) || !is_named (a, REFUSED_OWNER, err))
    return false;
  report_error (a->report, err,
                _ ("%s: Cannot change ownership to uid %lu, gid %lu"),
                report_name (t->name), (unsigned long)uid, (unsigned long)gid);
  /* EINVAL is the kernel's answer for an id that the user namespace has no
     number for (user_namespaces(7)): most often a container, and a user at a
     loss.  So is root who may not, in a container or on a share.  */
  if ((err == EINVAL || (err == EPERM && geteuid () == 0)) && !a->said_hint)
    {
      a->said_hint = true;
      report_warning (a->report, REPORT_ALWAYS, 0,
                      _ ("(--no-same-owner extracts files as yourself)"));
    }
  return false;
}

static void
apply_mode (struct attributes *a, struct attributes_target const *t,
            mode_t mode)
{
  int r;

  if (0 <= t->fd)
    r = fchmod (t->fd, mode);
  else
    {
      r = fchmodat (t->dir_fd, t->base, mode, AT_SYMLINK_NOFOLLOW);
      /* The C library needs /proc for that before Linux 6.6.  */
      if (r != 0 && (errno == EOPNOTSUPP || errno == ENOSYS))
        r = fchmodat (t->dir_fd, t->base, mode, 0);
    }

  int err = errno;
  char text[12];

  if (r == 0 || forgiven (t, err) || !is_named (a, REFUSED_MODE, err))
    return;

  strmode (mode, text);
  text[10] = '\0'; /* strmode adds a blank */
  report_error (a->report, err, _ ("%s: Cannot change mode to %s"),
                report_name (t->name), text + 1);
}

/* Print T's nanoseconds into TEXT as ".25", or nothing if there are none.  */
static void
print_fraction (char text[24], long ns)
{
  int n = snprintf (text, 24, ".%09ld", ns);

  while (0 < n && text[n - 1] == '0')
    n--;
  if (n == 1)
    n = 0;
  text[n] = '\0';
}

/* Warn of a time that cannot be right.  */
static void
check_time (struct attributes *a, char const *name, struct timespec t)
{
  if (0 <= t.tv_sec && timespec_cmp (t, a->now) <= 0)
    return;

  char text[80] = "";
  char fraction[24];
  struct tm tm;

  if (localtime_r (&t.tv_sec, &tm))
    strftime (text, sizeof text, "%Y-%m-%d %H:%M:%S", &tm);
  else
    snprintf (text, sizeof text, "%jd", (intmax_t)t.tv_sec);
  print_fraction (fraction, t.tv_nsec);
  if (t.tv_sec < 0)
    {
      report_warning (a->report, REPORT_TIMESTAMP, 0,
                      _ ("%s: implausibly old time stamp %s%s"),
                      report_name (name), text, fraction);
      return;
    }
  gettime (&a->now);
  if (timespec_cmp (t, a->now) <= 0)
    return;

  struct timespec ahead = timespec_sub (t, a->now);
  char ahead_fraction[24];

  print_fraction (ahead_fraction, ahead.tv_nsec);
  report_warning (a->report, REPORT_TIMESTAMP, 0,
                  _ ("%s: time stamp %s%s is %jd%s s in the future"),
                  report_name (name), text, fraction, (intmax_t)ahead.tv_sec,
                  ahead_fraction);
}

static void
apply_times (struct attributes *a, struct attributes_target const *t,
             struct member const *m)
{
  bool has_atime = a->settings->restore_atime && m->present & MEMBER_HAS_ATIME;
  struct timespec times[2] = { { 0, UTIME_NOW }, m->mtime };
  int r;

  if (has_atime)
    times[0] = m->atime;
  r = (0 <= t->fd ? futimens (t->fd, times)
                  : utimensat (t->dir_fd, t->base, times, AT_SYMLINK_NOFOLLOW));

  int err = errno;

  if (r == 0)
    {
      if (has_atime)
        check_time (a, t->name, m->atime);
      check_time (a, t->name, m->mtime);
    }
  /* Not every file system has times for symbolic links.  */
  else if (!forgiven (t, err)
           && !(t->is_link && (err == ENOSYS || err == EOPNOTSUPP))
           && is_named (a, REFUSED_TIMES, err))
    report_cannot (a->report, err, "utime", t->name);
}

void
attributes_apply (struct attributes *a, struct attributes_target const *t,
                  struct member const *m)
{
  mode_t mask = attributes_mode_mask (a);
  mode_t mode = (t->mode & ~mask) | (attributes_mode (a, m) & mask);
  uid_t uid;
  gid_t gid;

  /* Before the mode: chown(2) clears the set-id bits of programs.  */
  if (attributes_owner (a, m, &uid, &gid) && (uid != t->uid || gid != t->gid)
      && !apply_owner (a, t, uid, gid) && geteuid () == 0
      && m->type != MEMBER_DIRECTORY)
    /* Do not turn somebody's set-id program into root's.  */
    mode &= ~SET_ID;

  struct xattrs_target x = { .fd = t->fd,
                             .dir_fd = t->dir_fd,
                             .base = t->base,
                             .name = t->name,
                             .is_link = t->is_link,
                             .is_directory = m->type == MEMBER_DIRECTORY
                                             || m->type == MEMBER_DUMPDIR };
  bool has_more = xattrs_wanted (&a->settings->xattrs, m);

  /* Before the mode, which may take away the right to write.  */
  if (has_more)
    xattrs_apply (&a->settings->xattrs, &a->xattrs, a->report, &x, m);
  if (!t->is_link && mode != t->mode)
    apply_mode (a, t, mode);
  /* After the mode, which would change an ACL's mask.  */
  if (has_more)
    xattrs_apply_acls (&a->settings->xattrs, &a->xattrs, a->report, &x, m);
  if (!a->settings->touch)
    apply_times (a, t, m);
}
