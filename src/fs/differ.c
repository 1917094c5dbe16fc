/* The sink of comparison: tells how members differ from the files on disk.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "fs/differ-private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#if HAVE_SYS_SYSMACROS_H
#include <sys/sysmacros.h>
#endif

#include "areadlink.h"
#include "gettext.h"
#include "long-name.h"
#include "stat-time.h"
#include "xalloc.h"

#define _(msgid) gettext (msgid)

struct differ *
differ_new (struct differ_settings const *settings, struct report *report)
{
  struct differ *d = xzalloc (sizeof *d);

  d->settings = *settings;
  d->report = report;
  d->owner_settings = (struct attributes_settings){
    .same_owner = true,
    .numeric_owner = settings->numeric_owner,
  };
  d->owners = attributes_new (&d->owner_settings, report);
  d->buffer = xmalloc (DIFFER_BUFFER);
  return d;
}

void
differ_free (struct differ *d)
{
  if (!d)
    return;
  attributes_free (d->owners);
  free (d->buffer);
  free (d->walk);
  free (d);
}

struct differ_counts const *
differ_get_counts (struct differ const *d)
{
  return &d->counts;
}

void
differ_say (struct differ_item const *i, char const *format, ...)
{
  FILE *stream = i->d->settings.stream;
  va_list arguments;

  report_make_room (i->d->report);
  fprintf (stream, "%s: ", report_name (i->name));
  va_start (arguments, format);
  vfprintf (stream, format, arguments);
  va_end (arguments);
  putc ('\n', stream);
  report_raise (i->d->report, REPORT_DIFFERS);
}

/* Report that NAME could not be looked at by CALL.  That it is not there is a
   difference, all else an error.  */
static void
cannot (struct differ_item const *i, char const *call, char const *name)
{
  struct report *r = i->d->report;
  int err = errno;

  if (err == ENOENT)
    {
      report_cannot_warning (r, REPORT_ALWAYS, err, call, name);
      report_raise (r, REPORT_DIFFERS);
    }
  else
    report_cannot (r, err, call, name);
}

/* Let *RET be the status of the file NAME.  False: reported.  */
static bool
get_status (struct differ_item const *i, char const *name, struct stat *ret)
{
  int flags = i->d->settings.dereference ? 0 : AT_SYMLINK_NOFOLLOW;
  char const *rest = name;
  int fd = long_name_begin (i->base_fd, &rest);
  bool ok = fd != -1 && fstatat (fd, rest, ret, flags) == 0;

  long_name_end (i->base_fd, fd);
  if (!ok)
    cannot (i, "stat", name);
  return ok;
}

static void
compare_mode (struct differ_item *i)
{
  if ((i->m->mode & 07777) != (i->st.st_mode & 07777))
    differ_say (i, _ ("Mode differs"));
}

/* Only pax headers tell fractions of seconds.  */
static bool
same_mtime (struct differ_item const *i)
{
  struct timespec file = get_stat_mtime (&i->st);

  return (file.tv_sec == i->m->mtime.tv_sec
          && (file.tv_nsec == i->m->mtime.tv_nsec
              || i->m->format != MEMBER_FORMAT_PAX));
}

static void
compare_metadata (struct differ_item *i)
{
  uid_t uid;
  gid_t gid;

  attributes_owner (i->d->owners, i->m, &uid, &gid);
  compare_mode (i);
  if (uid != i->st.st_uid)
    differ_say (i, _ ("Uid differs"));
  if (gid != i->st.st_gid)
    differ_say (i, _ ("Gid differs"));
  if (!same_mtime (i))
    differ_say (i, _ ("Mod time differs"));
}

/* Open I's file, which was a regular file a moment ago.  */
static int
open_file (struct differ_item const *i)
{
  struct differ_settings const *s = &i->d->settings;
  int flags = (O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
               | (s->dereference ? 0 : O_NOFOLLOW));
  char const *rest = i->name;
  int dir_fd = long_name_begin (i->base_fd, &rest);
  int fd = dir_fd == -1 ? -1 : openat (dir_fd, rest, flags | s->open_flags);

  /* O_NOATIME is for a file's owner: open(2).  */
  if (fd < 0 && errno == EPERM && s->open_flags)
    fd = openat (dir_fd, rest, flags);
  long_name_end (i->base_fd, dir_fd);
  return fd;
}

static void
compare_regular (struct differ_item *i)
{
  if (!get_status (i, i->name, &i->st))
    return;
  if (!S_ISREG (i->st.st_mode))
    {
      differ_say (i, _ ("File type differs"));
      return;
    }
  compare_metadata (i);
  /* Of a sparse member, GNU tar tells first what is in the way.  */
  if (i->st.st_size != i->m->size && !i->m->is_sparse)
    {
      differ_say (i, _ ("Size differs"));
      return;
    }
  if (i->m->size == 0 && i->st.st_size == 0)
    return;

  int fd = open_file (i);

  if (fd < 0)
    {
      report_cannot (i->d->report, errno, "open", i->name);
      return;
    }
  differ_data (i, fd);
  if (close (fd) != 0)
    report_cannot (i->d->report, errno, "close", i->name);
}

static void
compare_unknown (struct differ_item *i)
{
  report_error (i->d->report, 0,
                _ ("%s: Unknown file type '%c', diffed as normal file"),
                report_name (i->name), i->m->typeflag);
  compare_regular (i);
}

static void
compare_hard_link (struct differ_item *i)
{
  char const *link = member_text (&i->m->link);
  struct stat target;

  if (get_status (i, i->name, &i->st) && get_status (i, link, &target)
      && (i->st.st_dev != target.st_dev || i->st.st_ino != target.st_ino))
    differ_say (i, _ ("Not linked to %s"), report_name_n (1, link));
}

static void
compare_symlink (struct differ_item *i)
{
  char const *rest = i->name;
  int dir_fd = long_name_begin (i->base_fd, &rest);
  char *target
      = dir_fd == -1
            ? NULL
            : areadlinkat_with_size (dir_fd, rest,
                                     strlen (member_text (&i->m->link)));

  long_name_end (i->base_fd, dir_fd);
  if (!target)
    {
      if (errno == ENOMEM)
        xalloc_die ();
      cannot (i, "readlink", i->name);
      return;
    }
  if (strcmp (target, member_text (&i->m->link)) != 0)
    differ_say (i, _ ("Symlink differs"));
  free (target);
}

static void
compare_directory (struct differ_item *i)
{
  if (!get_status (i, i->name, &i->st))
    return;
  if (!S_ISDIR (i->st.st_mode))
    differ_say (i, _ ("File type differs"));
  else
    compare_mode (i);
}

static void
compare_node (struct differ_item *i)
{
  mode_t type = (i->m->type == MEMBER_CHARACTER ? S_IFCHR
                 : i->m->type == MEMBER_BLOCK   ? S_IFBLK
                                                : S_IFIFO);

  if (!get_status (i, i->name, &i->st))
    return;
  if ((i->st.st_mode & S_IFMT) != type)
    differ_say (i, _ ("File type differs"));
  else if (type != S_IFIFO
           && (major (i->st.st_rdev) != i->m->device_major
               || minor (i->st.st_rdev) != i->m->device_minor))
    differ_say (i, _ ("Device number differs"));
  else
    compare_mode (i);
}

/* The rest of a file that another volume began.  */
static void
compare_continuation (struct differ_item *i)
{
  report_error (i->d->report, 0,
                _ ("%s: Cannot compare -- file is continued from another"
                   " volume"),
                report_name (i->name));
}

typedef void comparer (struct differ_item *i);

static comparer *const comparers[] = {
  [MEMBER_REGULAR] = compare_regular,
  [MEMBER_CONTIGUOUS] = compare_regular,
  [MEMBER_HARD_LINK] = compare_hard_link,
  [MEMBER_SYMLINK] = compare_symlink,
  [MEMBER_CHARACTER] = compare_node,
  [MEMBER_BLOCK] = compare_node,
  [MEMBER_DIRECTORY] = compare_directory,
  [MEMBER_FIFO] = compare_node,
  [MEMBER_DUMPDIR] = compare_directory,
  [MEMBER_VOLUME_LABEL] = NULL,
  [MEMBER_CONTINUATION] = compare_continuation,
  [MEMBER_UNKNOWN] = compare_unknown,
};

bool
differ_put (struct differ *d, struct member const *m, struct payload *p,
            int number)
{
  struct differ_item i
      = { .d = d, .m = m, .payload = p, .name = member_text (&m->name) };

  if (!comparers[m->type])
    return true;
  if (!workdirs_open (d->settings.workdirs, number, d->report, &i.base_fd))
    return false;
  comparers[m->type](&i);
  return true;
}
