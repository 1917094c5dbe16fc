/* The operations -r and -u: files to members behind those of an archive.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "append.h"

#include <stdlib.h>
#include <string.h>

#include "file-name.h"
#include "hash.h"
#include "input.h"
#include "storing.h"
#include "timespec.h"
#include "verify.h"
#include "xalloc.h"

/* A name that the archive has members of.  */
struct known
{
  char *name;
  struct timespec mtime; /* of the newest */
  bool has_fraction;     /* it is exact, not cut to seconds */
  bool is_directory;     /* the last one */
};

static size_t
hash_known (void const *entry, size_t slots)
{
  struct known const *k = entry;
  return hash_string (k->name, slots);
}

static bool
is_same (void const *a, void const *b)
{
  struct known const *x = a;
  struct known const *y = b;
  return strcmp (x->name, y->name) == 0;
}

static void
free_known (void *entry)
{
  struct known *k = entry;
  free (k->name);
  free (k);
}

static bool
is_directory (struct member const *m)
{
  return m->type == MEMBER_DIRECTORY || m->type == MEMBER_DUMPDIR;
}

/* NAME without slashes at its end, allocated.  */
static char *
plain_name (char const *name)
{
  return ximemdup0 (name, file_name_length (name));
}

/* Note member M of the archive in the table ARG.  */
static void
meet (void *arg, struct member const *m)
{
  Hash_table *table = arg;
  if (m->type == MEMBER_VOLUME_LABEL || m->type == MEMBER_CONTINUATION)
    return;
  struct known *k = xmalloc (sizeof *k);
  k->name = plain_name (member_text (&m->stored_name));
  struct known *there = hash_lookup (table, k);
  if (there)
    {
      free_known (k);
      k = there;
    }
  if (!there || timespec_cmp (k->mtime, m->mtime) < 0)
    {
      k->mtime = m->mtime;
      k->has_fraction = m->format == MEMBER_FORMAT_PAX;
    }
  k->is_directory = is_directory (m);
  if (!there && !hash_insert (table, k))
    xalloc_die ();
}

/* True if M, a file, is not in the archive, whose members are in the table ARG,
   or is newer than there.  A directory that is there is not stored again: what
   is in it is what matters.  */
static bool
is_news (void *arg, struct member const *m)
{
  struct known key = { .name = plain_name (member_text (&m->name)) };
  struct known const *k = hash_lookup (arg, &key);
  free (key.name);
  if (!k || k->is_directory != is_directory (m))
    return true;
  if (k->is_directory)
    return false;
  struct timespec mtime = m->mtime;
  if (!k->has_fraction)
    mtime.tv_nsec = 0;
  return 0 < timespec_cmp (mtime, k->mtime);
}

static bool
append_to (struct tar_options const *o, struct storing *s, struct input *in)
{
  Hash_table *table = NULL;
  bool updates = o->operation == OPTIONS_UPDATE;

  if (updates)
    {
      table = hash_initialize (0, NULL, hash_known, is_same, free_known);
      if (!table)
        xalloc_die ();
      storing_filter (s, is_news, table);
    }
  struct records *records = input_turn (in, updates ? meet : NULL, table);
  bool ok = records != NULL;
  if (ok)
    {
      struct volumes *volumes = input_volumes (in);
      if (volumes)
        volumes_write (volumes, records, storing_listing (s));
      storing_set_volumes (s, volumes);
      storing_continue (s, input_format (in));
      ok = storing_run (s, records, input_monitor (in));
    }
  if (table)
    hash_free (table);
  return ok;
}

bool
append_run (struct tar_options const *o, struct report *r)
{
  struct storing *s = storing_new (o, r);
  struct input *in = NULL;
  if (s && verify_possible (o, r))
    in = input_open_update (o, r, true, listing_stream (storing_listing (s)));
  bool ok = in && append_to (o, s, in);
  ok = input_close (in) && ok;
  ok = ok && storing_conclude (s);
  storing_free (s);
  return ok;
}
