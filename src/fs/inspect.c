/* A file's status to a member's metadata.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "fs/inspect.h"

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "areadlink.h"
#include "stat-time.h"
#include "xalloc.h"

enum
{
  /* Names kept.  Most trees have a few owners; any number of them costs only
     time.  */
  CACHE_SLOTS = 64
};

struct cached_name
{
  bool known;
  intmax_t id;
  char *name; /* NULL: there is none */
};

struct inspect
{
  bool names;
  struct cached_name users[CACHE_SLOTS];
  struct cached_name groups[CACHE_SLOTS];
};

struct inspect *
inspect_new (bool names)
{
  struct inspect *i = xzalloc (sizeof *i);
  i->names = names;
  return i;
}

void
inspect_free (struct inspect *i)
{
  if (!i)
    return;
  for (size_t k = 0; k < CACHE_SLOTS; k++)
    {
      free (i->users[k].name);
      free (i->groups[k].name);
    }
  free (i);
}

/* ID's slot in CACHE, emptied if it held another ID.  */
static struct cached_name *
cache_slot (struct cached_name *cache, uintmax_t id)
{
  struct cached_name *slot = &cache[id % CACHE_SLOTS];
  if (slot->known && slot->id != id)
    {
      free (slot->name);
      *slot = (struct cached_name){ 0 };
    }
  slot->id = id;
  return slot;
}

char const *
inspect_user (struct inspect *i, uid_t uid)
{
  struct cached_name *slot = cache_slot (i->users, uid);
  if (!slot->known)
    {
      struct passwd const *p = getpwuid (uid);
      slot->name = p ? xstrdup (p->pw_name) : NULL;
      slot->known = true;
    }
  return slot->name;
}

char const *
inspect_group (struct inspect *i, gid_t gid)
{
  struct cached_name *slot = cache_slot (i->groups, gid);
  if (!slot->known)
    {
      struct group const *g = getgrgid (gid);
      slot->name = g ? xstrdup (g->gr_name) : NULL;
      slot->known = true;
    }
  return slot->name;
}

static bool
set_type (struct stat const *st, struct member *m)
{
  static struct
  {
    mode_t format;
    enum member_type type;
  } const types[] = {
    { S_IFREG, MEMBER_REGULAR },   { S_IFDIR, MEMBER_DIRECTORY },
    { S_IFLNK, MEMBER_SYMLINK },   { S_IFIFO, MEMBER_FIFO },
    { S_IFCHR, MEMBER_CHARACTER }, { S_IFBLK, MEMBER_BLOCK },
  };
  for (size_t k = 0; k < sizeof types / sizeof *types; k++)
    if ((st->st_mode & S_IFMT) == types[k].format)
      {
        m->type = types[k].type;
        return true;
      }
  return false;
}

static void
set_owner_names (struct inspect *i, struct member *m)
{
  char const *user = inspect_user (i, m->uid);
  if (user && *user)
    {
      member_set_text (&m->uname, user, strlen (user));
      m->present |= MEMBER_HAS_UNAME;
    }
  char const *group = inspect_group (i, m->gid);
  if (group && *group)
    {
      member_set_text (&m->gname, group, strlen (group));
      m->present |= MEMBER_HAS_GNAME;
    }
}

bool
inspect_stat (struct inspect *i, struct stat const *st, struct member *m)
{
  if (!set_type (st, m))
    return false;
  m->mode = st->st_mode & 07777;
  m->uid = st->st_uid;
  m->gid = st->st_gid;
  if (m->type == MEMBER_REGULAR)
    m->size = m->stored_size = st->st_size;
  m->mtime = get_stat_mtime (st);
  m->atime = get_stat_atime (st);
  m->ctime = get_stat_ctime (st);
  m->present |= MEMBER_HAS_ATIME | MEMBER_HAS_CTIME;
  if (m->type == MEMBER_CHARACTER || m->type == MEMBER_BLOCK)
    {
      m->device_major = major (st->st_rdev);
      m->device_minor = minor (st->st_rdev);
    }
  if (i->names)
    set_owner_names (i, m);
  return true;
}

int
inspect_link (int fd, char const *name, off_t size_hint, struct member *m)
{
  char *target = areadlinkat_with_size (fd, name, size_hint);
  if (!target)
    return errno;
  member_set_text (&m->link, target, strlen (target));
  free (target);
  return 0;
}
