/* Directories beneath an extraction root: resolved without ever leaving it,
   and kept open for the next member.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "fs/dirfd.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#if HAVE_LINUX_OPENAT2_H
#include <linux/openat2.h>
#endif

#include "fs/resolve.h"
#include "xalloc.h"

#ifndef O_PATH
#define O_PATH O_RDONLY
#endif

enum
{
  CACHE_SIZE = 32,
  OPEN_FLAGS = O_PATH | O_DIRECTORY | O_CLOEXEC
};

struct entry
{
  struct dirfd_dir dir; /* dir.fd -1: the entry is empty */
  char *path;           /* dir.path, owned */
  char *key;            /* the name asked for */
  size_t key_length;
  size_t key_alloc;
  bool by_links;           /* the name leads through symbolic links */
  unsigned long last_used; /* by T's clock */
};

struct dirfd
{
  struct dirfd_settings settings;
  bool no_openat2; /* the kernel or a sandbox refuses it */
  unsigned long clock;
  struct entry *last; /* used last; never NULL */
  struct entry entries[CACHE_SIZE];
};

struct dirfd *
dirfd_new (struct dirfd_settings const *settings)
{
  struct dirfd *t = xzalloc (sizeof *t);

  t->settings = *settings;
  for (size_t i = 0; i < CACHE_SIZE; i++)
    t->entries[i].dir.fd = -1;
  t->last = t->entries;
  return t;
}

static void
entry_close (struct entry *e)
{
  if (0 <= e->dir.fd)
    close (e->dir.fd);
  e->dir.fd = -1;
  free (e->path);
  e->path = NULL;
}

void
dirfd_free (struct dirfd *t)
{
  if (!t)
    return;
  for (size_t i = 0; i < CACHE_SIZE; i++)
    {
      entry_close (&t->entries[i]);
      free (t->entries[i].key);
    }
  free (t);
}

void
dirfd_flush (struct dirfd *t)
{
  for (size_t i = 0; i < CACHE_SIZE; i++)
    entry_close (&t->entries[i]);
}

void
dirfd_flush_links (struct dirfd *t)
{
  for (size_t i = 0; i < CACHE_SIZE; i++)
    if (t->entries[i].by_links)
      entry_close (&t->entries[i]);
}

static bool
entry_is (struct entry const *e, int number, char const *name, size_t length)
{
  return (0 <= e->dir.fd && e->dir.number == number && e->key_length == length
          && (length == 0 || memcmp (e->key, name, length) == 0));
}

static struct entry *
find (struct dirfd *t, int number, char const *name, size_t length)
{
  if (entry_is (t->last, number, name, length))
    return t->last;
  for (size_t i = 0; i < CACHE_SIZE; i++)
    if (entry_is (&t->entries[i], number, name, length))
      return &t->entries[i];
  return NULL;
}

/* The entry to use for another directory.  */
static struct entry *
oldest (struct dirfd *t)
{
  struct entry *e = t->entries;

  for (size_t i = 0; i < CACHE_SIZE; i++)
    {
      if (t->entries[i].dir.fd < 0)
        return &t->entries[i];
      if (t->entries[i].last_used < e->last_used)
        e = &t->entries[i];
    }
  return e;
}

/* NAME without empty components and ".".  */
static char *
tidy (char const *name, size_t length)
{
  char *path = xmalloc (length + 1);
  char *end = path;
  char const *limit = name + length;

  while (name < limit)
    {
      char const *slash = memchr (name, '/', (size_t)(limit - name));
      size_t n = (size_t)((slash ? slash : limit) - name);

      if (n && !(n == 1 && *name == '.'))
        {
          if (end != path)
            *end++ = '/';
          memcpy (end, name, n);
          end += n;
        }
      name += n + 1;
    }
  *end = '\0';
  return path;
}

/* Open NAME if no link is met and it has no "..", so that the name is also the
   path.  Return -1 otherwise.  */
static int
open_quickly (struct dirfd *t, int root, char const *name)
{
#if HAVE_LINUX_OPENAT2_H && defined SYS_openat2
  if (!t->no_openat2 && !strstr (name, ".."))
    {
      struct open_how how = { .flags = OPEN_FLAGS,
                              .resolve = (RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS
                                          | RESOLVE_NO_MAGICLINKS) };
      long fd = syscall (SYS_openat2, root, name, &how, sizeof how);

      if (0 <= fd)
        return (int)fd;
      /* Old kernels (before 5.6), proot, gVisor and seccomp filters.  */
      if (errno == ENOSYS || errno == EPERM || errno == EINVAL)
        t->no_openat2 = true;
    }
#else
  (void)t;
  (void)root;
  (void)name;
#endif
  return -1;
}

struct made_context
{
  struct dirfd_settings const *settings;
  int number;
};

static void
pass_made (void *arg, char const *path)
{
  struct made_context const *c = arg;

  if (c->settings->made)
    c->settings->made (c->settings->made_arg, c->number, path);
}

/* Open NAME, which is too long for one system call, part by part.  */
static int
open_by_parts (struct dirfd *t, int number, int root, char *name, bool create,
               int *ret_fd)
{
  int fd = openat (root, *name == '/' ? "/" : ".", OPEN_FLAGS);
  int err = fd < 0 ? errno : 0;

  for (char *p = name + strspn (name, "/"); err == 0 && *p;)
    {
      char *slash = p + strcspn (p, "/");
      char saved = *slash;

      *slash = '\0';
      int next = openat (fd, p, OPEN_FLAGS);
      if (next < 0 && errno == ENOENT && create
          && mkdirat (fd, p, t->settings.new_mode) == 0)
        {
          pass_made (&(struct made_context){ &t->settings, number }, name);
          next = openat (fd, p, OPEN_FLAGS);
        }
      err = next < 0 ? errno : 0;
      *slash = saved;
      close (fd);
      fd = next;
      p = slash + strspn (slash, "/");
    }
  *ret_fd = fd;
  return err;
}

/* -P: NAME may lead anywhere.  */
static int
open_unconfined (struct dirfd *t, int number, int root, char *name, bool create,
                 int *ret_fd)
{
  int fd = openat (root, name, OPEN_FLAGS);

  if (fd < 0 && errno == ENAMETOOLONG)
    return open_by_parts (t, number, root, name, create, ret_fd);
  if (fd < 0 && errno == ENOENT && create)
    {
      for (char *p = name + strspn (name, "/"); *p;)
        {
          char *slash = p + strcspn (p, "/");
          char saved = *slash;

          *slash = '\0';
          if (mkdirat (root, name, t->settings.new_mode) == 0)
            pass_made (&(struct made_context){ &t->settings, number }, name);
          *slash = saved;
          p = slash + strspn (slash, "/");
        }
      fd = openat (root, name, OPEN_FLAGS);
    }
  if (fd < 0)
    return errno;
  *ret_fd = fd;
  return 0;
}

/* What open_new found.  */
struct found
{
  int fd;
  char *path;
  bool by_links;
};

static int
open_new (struct dirfd *t, int number, char const *name, size_t length,
          bool create, struct found *ret)
{
  int root;

  if (!workdirs_open_root (t->settings.workdirs, number, t->settings.report,
                           &root))
    return DIRFD_FATAL;

  char *text = length ? ximemdup0 (name, (idx_t)length) : xstrdup (".");
  int err = 0;

  *ret = (struct found){ .fd = -1 };
  if (t->settings.unconfined)
    {
      ret->by_links = true;
      ret->path = length ? xstrdup (text) : xstrdup ("");
      err = open_unconfined (t, number, root, text, create, &ret->fd);
      if (err)
        free (ret->path);
    }
  else if (0 <= (ret->fd = open_quickly (t, root, text)))
    ret->path = tidy (name, length);
  else
    {
      struct made_context context = { &t->settings, number };
      struct resolve_request q = { .root = root,
                                   .name = name,
                                   .length = length,
                                   .create = create,
                                   .new_mode = t->settings.new_mode,
                                   .made = pass_made,
                                   .made_arg = &context };

      err = resolve_beneath (&q, &ret->fd, &ret->path);
      if (err == RESOLVE_OUTSIDE)
        err = DIRFD_OUTSIDE;
      else if (err == 0)
        {
          char *plain = tidy (name, length);

          ret->by_links = strcmp (plain, ret->path) != 0;
          free (plain);
        }
    }
  free (text);
  return err;
}

bool
dirfd_make_room (struct dirfd *t)
{
  bool any = false;

  for (size_t i = 0; i < CACHE_SIZE; i++)
    if (&t->entries[i] != t->last && 0 <= t->entries[i].dir.fd)
      {
        entry_close (&t->entries[i]);
        any = true;
      }
  return any;
}

int
dirfd_open (struct dirfd *t, int number, char const *name, size_t length,
            bool create, struct dirfd_dir **ret)
{
  struct entry *e = find (t, number, name, length);

  if (!e)
    {
      struct found found;
      int err = open_new (t, number, name, length, create, &found);

      if ((err == EMFILE || err == ENFILE) && dirfd_make_room (t))
        err = open_new (t, number, name, length, create, &found);
      if (err)
        return err;

      /* Only now that the directory is open may the entry change its key: a
         key without its directory would send the next member to the wrong
         place.  */
      e = oldest (t);
      entry_close (e);
      if (e->key_alloc < length)
        {
          free (e->key);
          e->key_alloc = 2 * length;
          e->key = xmalloc (e->key_alloc);
        }
      if (length)
        memcpy (e->key, name, length);
      e->key_length = length;
      e->path = found.path;
      e->by_links = found.by_links;
      e->dir = (struct dirfd_dir){ .fd = found.fd,
                                   .number = number,
                                   .path = found.path };
    }
  e->last_used = ++t->clock;
  t->last = e;
  *ret = &e->dir;
  return 0;
}
