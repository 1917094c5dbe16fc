/* Extraction of hard links, as copies where the file system has no links.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "fs/place-private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#if HAVE_SYS_SYSMACROS_H
#include <sys/sysmacros.h>
#endif

#include "areadlink.h"
#include "file-name.h"
#include "stat-time.h"
#include "xalloc.h"

/* What a hard link is to be a link to.  */
struct link_target
{
  char *name; /* owned */
  char const *base;
  struct dirfd_dir *dir;
};

/* Find I's link target, which is beneath the root as I is.  Return 0, an errno
   or what dirfd_open returns.  */
static int
find_target (struct place_item *i, struct link_target *t)
{
  struct place *p = i->place;
  char const *name = member_text (&i->m->link);
  size_t length;

  if (!p->settings.absolute_names)
    {
      name = workdirs_below_top (p->settings.workdirs, name);
      name += strspn (name, "/");
    }
  free (t->name);
  t->name = ximemdup0 (name, (idx_t)file_name_length (name));

  char const *slash = strrchr (t->name, '/');

  t->base = slash ? slash + 1 : t->name;
  length = file_name_trim (t->name, (size_t)(t->base - t->name));
  if (!*t->base)
    return ENOENT;

  int err = dirfd_open (p->dirs, i->number, t->name, length, false, &t->dir);

  /* The parent has to stay open beside it: touch it.  */
  return err ? err : place_open_parent (i) ? 0 : ECANCELED;
}

/* Whether I's file is there and is the target T already.  */
static bool
is_linked (struct place_item *i, struct link_target const *t)
{
  struct stat a;
  struct stat b;

  return (fstatat (i->dir->fd, i->base, &a, AT_SYMLINK_NOFOLLOW) == 0
          && fstatat (t->dir->fd, t->base, &b, AT_SYMLINK_NOFOLLOW) == 0
          && a.st_dev == b.st_dev && a.st_ino == b.st_ino);
}

bool
place_is_linked (struct place_item *i)
{
  struct link_target t = { NULL, NULL, NULL };
  bool linked = find_target (i, &t) == 0 && is_linked (i, &t);

  free (t.name);
  return linked;
}

/* Whether ERR says that there can be no link in I's directory, though both
   files could be.  Android's policy and some servers say EACCES where they mean
   EPERM; sandboxes, EINVAL.  */
static bool
no_link_possible (struct place_item const *i, int err)
{
  return (err == EPERM || err == EMLINK || err == EXDEV || err == EOPNOTSUPP
          || err == ENOSYS || err == EINVAL
          || (err == EACCES
              && faccessat (i->dir->fd, ".", W_OK | X_OK, AT_EACCESS) == 0));
}

/* Fill FD with the SIZE bytes of SOURCE, shared if possible.  */
static int
copy_contents (int source, int fd, off_t size)
{
  struct reflink_source s;
  struct reflink_result result;
  struct reflink_pair *pair;
  int err = reflink_source_init (&s, source);

  if (err || size == 0)
    return err;
  err = reflink_pair_new (REFLINK_AUTO, REFLINK_STRATEGY_AUTO, &s, fd, NULL,
                          &pair);
  if (err)
    return err;
  err = reflink_range (pair, 0, fd, 0, size, REFLINK_LAST, &result);
  reflink_pair_free (pair);
  return err;
}

/* Make I's file a copy of the regular file open at SOURCE, like ST.  */
static void
copy_regular (struct place_item *i, int source, struct stat const *st)
{
  int fd;

  while (
      (fd = openat (i->dir->fd, i->base,
                    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600))
      < 0)
    if (!place_retry (i, errno))
      return;

  int err = copy_contents (source, fd, st->st_size);

  if (err)
    report_cannot (i->place->report, err, "write", i->name);
  else
    place_attributes (i, fd, 0600);
  if (close (fd) != 0 && err == 0)
    report_cannot (i->place->report, errno, "close", i->name);
}

/* Let M, which is to be a file like T, open at FD or -1, have T's extended
   attributes.  */
static void
copy_xattrs (struct place_item *i, struct link_target const *t, int fd,
             struct member *m)
{
  struct xattrs_settings const *s = &i->place->settings.attributes.xattrs;
  struct xattrs_target const from = { .fd = fd,
                                      .dir_fd = t->dir->fd,
                                      .base = t->base,
                                      .name = t->name,
                                      .is_link = m->type == MEMBER_SYMLINK };

  if (s->xattrs || s->acls || s->selinux)
    xattrs_read (s, i->place->report, &from, m);
}

/* Make I's file a copy of T, since no link can be made (LINK_ERRNO says
   why).  */
static void
copy_target (struct place_item *i, struct link_target const *t, int link_errno)
{
  struct stat st;

  if (fstatat (t->dir->fd, t->base, &st, AT_SYMLINK_NOFOLLOW) != 0)
    {
      place_fail (i, errno);
      return;
    }

  /* The copy is what the archive would have had for a file of its own.  */
  struct member m = { .type = (S_ISLNK (st.st_mode)    ? MEMBER_SYMLINK
                               : S_ISCHR (st.st_mode)  ? MEMBER_CHARACTER
                               : S_ISBLK (st.st_mode)  ? MEMBER_BLOCK
                               : S_ISFIFO (st.st_mode) ? MEMBER_FIFO
                                                       : MEMBER_REGULAR),
                      .mode = st.st_mode & 07777,
                      .uid = st.st_uid,
                      .gid = st.st_gid,
                      .size = st.st_size,
                      .mtime = get_stat_mtime (&st),
                      .device_major = major (st.st_rdev),
                      .device_minor = minor (st.st_rdev) };
  struct place_item copy = *i;
  char *target = NULL;
  int source = -1;

  copy.m = &m;
  copy.payload = NULL;
  copy.verb = "open";
  if (m.type == MEMBER_SYMLINK)
    target = areadlinkat_with_size (t->dir->fd, t->base, 64);
  else if (m.type == MEMBER_REGULAR && S_ISREG (st.st_mode))
    source = openat (t->dir->fd, t->base,
                     O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  copy_xattrs (i, t, source, &m);
  if (target)
    {
      member_set_text (&m.link, target, strlen (target));
      place_symlink (&copy);
      free (target);
    }
  else if (0 <= source)
    {
      copy_regular (&copy, source, &st);
      close (source);
    }
  else if (m.type == MEMBER_REGULAR || m.type == MEMBER_SYMLINK)
    place_fail (i, link_errno);
  else
    place_node (&copy);
  i->failed |= copy.failed;
  member_free (&m);
}

void
place_hard_link (struct place_item *i)
{
  struct link_target t = { NULL, NULL, NULL };
  int err;

  for (;;)
    {
      err = find_target (i, &t);
      if (err)
        break;
      if (linkat (t.dir->fd, t.base, i->dir->fd, i->base, 0) == 0)
        break;
      err = errno;
      /* A link that is newer is told of, as any other file.  */
      if (err == EEXIST
          && i->place->settings.conflict.choice != CONFLICT_KEEP_NEWER
          && is_linked (i, &t))
        {
          err = 0;
          break;
        }
      if (no_link_possible (i, err))
        {
          copy_target (i, &t, err);
          err = 0;
          break;
        }
      if (!place_retry (i, err))
        {
          err = 0;
          break;
        }
    }
  if (err && err != ECANCELED)
    place_fail (i, err);
  free (t.name);
}
