/* Comparing what is in a directory with the list of an incremental dump.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "fs/differ-private.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gettext.h"
#include "hash.h"
#include "long-name.h"
#include "xalloc.h"

#define _(msgid) gettext (msgid)

static size_t
hash_entry (void const *entry, size_t slots)
{
  char const *e = entry;
  return hash_string (e + 1, slots);
}

static bool
is_same (void const *a, void const *b)
{
  char const *x = a;
  char const *y = b;
  return strcmp (x + 1, y + 1) == 0;
}

/* The files and directories of LIST by their names.  */
static Hash_table *
index_list (struct dumpdir const *list)
{
  Hash_table *table = hash_initialize (0, NULL, hash_entry, is_same, NULL);
  char const *entry = NULL;
  if (!table)
    xalloc_die ();
  while (dumpdir_next (list, &entry))
    if (strchr ("YND", *entry) && !hash_insert (table, entry))
      xalloc_die ();
  return table;
}

/* True if the file E in the directory DIR is what ENTRY says.  */
static bool
is_listed (DIR *dir, struct dirent const *e, char const *entry)
{
  struct stat st;
  if (!entry)
    return false;
  /* It can be anything that was left out.  */
  if (*entry == DUMPDIR_UNCHANGED)
    return true;
  return (fstatat (dirfd (dir), e->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0
          && S_ISDIR (st.st_mode) == (*entry == DUMPDIR_DIRECTORY));
}

/* True if DIR has what is in TABLE, and nothing else.  */
static bool
matches (DIR *dir, Hash_table *table)
{
  struct dirent const *e;
  size_t met = 0;
  bool same = true;
  while (same && (e = readdir (dir)))
    if (strcmp (e->d_name, ".") != 0 && strcmp (e->d_name, "..") != 0)
      {
        size_t size = strlen (e->d_name) + 1;
        char *key = xmalloc (1 + size);
        *key = DUMPDIR_STORED;
        memcpy (key + 1, e->d_name, size);
        same = is_listed (dir, e, hash_lookup (table, key));
        free (key);
        met++;
      }
  return same && met == hash_get_n_entries (table);
}

bool
differ_list (struct differ *d, struct member const *m,
             struct dumpdir const *list, int number)
{
  struct differ_item i = { .d = d, .m = m, .name = member_text (&m->name) };
  if (!workdirs_open (d->settings.workdirs, number, d->report, &i.base_fd))
    return false;
  int flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
              | (d->settings.dereference ? 0 : O_NOFOLLOW);
  char const *rest = i.name;
  int dir_fd = long_name_begin (i.base_fd, &rest);
  int fd = dir_fd == -1 ? -1
                        : openat (dir_fd, rest, flags | d->settings.open_flags);
  long_name_end (i.base_fd, dir_fd);
  DIR *dir = 0 <= fd ? fdopendir (fd) : NULL;
  if (!dir)
    {
      int err = errno;
      if (0 <= fd)
        close (fd);
      /* That it is missing, or is something else, was told.  */
      if (err != ENOENT && err != ENOTDIR && err != ELOOP)
        report_cannot (d->report, err, "open", i.name);
      return true;
    }
  Hash_table *table = index_list (list);
  if (!matches (dir, table))
    differ_say (&i, _ ("Contents differ"));
  hash_free (table);
  closedir (dir);
  return true;
}
