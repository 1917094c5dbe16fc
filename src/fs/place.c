/* The sink of extraction: makes each member a file beneath its root.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "fs/place.h"
#include "fs/place-private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#if HAVE_SYS_SYSMACROS_H
#include <sys/sysmacros.h>
#endif

#include "file-name.h"
#include "gettext.h"
#include "xalloc.h"
#include "xvasprintf.h"

#define _(msgid) gettext (msgid)

static void
made_directory (void *arg, int number, char const *path)
{
  struct place *place = arg;

  deferred_add (place->deferred, number, path)->made = true;
  if (place->settings.made)
    place->settings.made (place->settings.made_arg, place->new_mode, path);
}

struct place *
place_new (struct place_settings const *settings, struct report *report)
{
  struct place *p = xzalloc (sizeof *p);

  p->settings = *settings;
  p->report = report;
  p->attributes = attributes_new (&p->settings.attributes, report);
  p->deferred = deferred_new ();
  p->new_mode = 0700 | (0777 & ~settings->attributes.umask);
  p->dirs = dirfd_new (
      &(struct dirfd_settings){ .workdirs = settings->workdirs,
                                .report = report,
                                .unconfined = settings->absolute_names,
                                .new_mode = p->new_mode,
                                .made = made_directory,
                                .made_arg = p });
  p->source.fd = -1;
  umask (0);
  return p;
}

void
place_free (struct place *p)
{
  if (!p)
    return;
  reflink_cache_free (p->cache);
  dirfd_free (p->dirs);
  deferred_free (p->deferred);
  attributes_free (p->attributes);
  free (p->name.text);
  free (p->path.text);
  free (p);
}

struct sharing_counts const *
place_get_counts (struct place const *p)
{
  return &p->counts;
}

bool
place_open_parent (struct place_item *i)
{
  size_t length = file_name_trim (i->name, (size_t)(i->base - i->name));
  int err
      = dirfd_open (i->place->dirs, i->number, i->name, length, true, &i->dir);

  return err == 0 || place_fail (i, err);
}

bool
place_fail (struct place_item *i, int err)
{
  struct report *r = i->place->report;
  char const *name = *i->name ? i->name : ".";

  i->failed = true;
  if (err == DIRFD_FATAL)
    i->place->must_stop = true;
  else if (err == DIRFD_OUTSIDE)
    report_error (r, 0,
                  _ ("%s: Cannot %s: A link leads out of the extraction"
                     " directory"),
                  report_name (name), i->verb);
  else if (i->m->type == MEMBER_SYMLINK)
    report_error (r, err, _ ("%s: Cannot create symlink to %s"),
                  report_name (name),
                  report_quoted_n (1, member_text (&i->m->link)));
  else if (i->m->type == MEMBER_HARD_LINK)
    report_error (r, err, _ ("%s: Cannot hard link to %s"), report_name (name),
                  report_quoted_n (1, member_text (&i->m->link)));
  else
    report_cannot (r, err, i->verb, name);
  return false;
}

char *
place_join (char const *dir, char const *base)
{
  size_t length = strlen (dir);
  char const *slash = length && dir[length - 1] != '/' ? "/" : "";

  return xasprintf ("%s%s%s", dir, slash, base);
}

char const *
place_path (struct place_item *i)
{
  struct member_text *path = &i->place->path;
  char *text = place_join (i->dir->path, i->base);

  member_set_text (path, text, strlen (text));
  free (text);
  return path->text;
}

bool
place_retry (struct place_item *i, int err)
{
  struct place *p = i->place;
  bool was_directory;

  if ((err == EMFILE || err == ENFILE) && dirfd_make_room (p->dirs))
    return true;
  if (err != EEXIST)
    return place_fail (i, err);

  struct conflict c = { .policy = &p->settings.conflict,
                        .report = p->report,
                        .m = i->m,
                        .name = i->name,
                        .dir_fd = i->dir->fd,
                        .base = i->base };
  enum conflict_result result = conflict_resolve (&c, &was_directory, &err);

  if (result == CONFLICT_DONE)
    return false;
  if (was_directory)
    {
      if (result == CONFLICT_RETRY)
        deferred_forget (p->deferred, i->number, place_path (i));
      dirfd_flush (p->dirs);
    }
  else if (result == CONFLICT_RETRY)
    dirfd_flush_links (p->dirs);
  if (result == CONFLICT_ERROR)
    return err ? place_fail (i, err) : false;
  return place_open_parent (i);
}

mode_t
place_first_mode (struct place_item *i, bool private)
{
  struct attributes *a = i->place->attributes;
  mode_t mode = attributes_mode (a, i->m) & 0777;
  uid_t uid;
  gid_t gid;

  if (private)
    return mode & 0700;
  if (attributes_owner (a, i->m, &uid, &gid)
      && !(i->dir->inherits_known && uid == i->dir->uid && gid == i->dir->gid))
    mode &= 0707 | (mode & 07) << 3;
  return mode;
}

int
place_learn (struct place_item *i, int fd, mode_t created, struct stat *st)
{
  struct dirfd_dir *d = i->dir;

  if (d->inherits_known && (created & ~d->mode_honoured) == 0)
    {
      st->st_dev = d->dev;
      st->st_uid = d->uid;
      st->st_gid = d->gid;
      st->st_mode = created;
      return 0;
    }
  if ((0 <= fd ? fstat (fd, st)
               : fstatat (d->fd, i->base, st, AT_SYMLINK_NOFOLLOW))
      != 0)
    return errno;
  d->inherits_known = true;
  if (d->dev != st->st_dev)
    d->pair = NULL;
  d->dev = st->st_dev;
  d->uid = st->st_uid;
  d->gid = st->st_gid;
  if ((st->st_mode & 07777) == created)
    d->mode_honoured |= created;
  return 0;
}

void
place_attributes (struct place_item *i, int fd, mode_t created)
{
  bool is_link = i->m->type == MEMBER_SYMLINK;
  struct stat st;
  int err = place_learn (i, fd, is_link ? 0 : created, &st);

  if (err)
    {
      report_cannot (i->place->report, err, "stat", i->name);
      return;
    }
  attributes_apply (i->place->attributes,
                    &(struct attributes_target){ .fd = fd,
                                                 .dir_fd = i->dir->fd,
                                                 .base = i->base,
                                                 .name = i->name,
                                                 .is_link = is_link,
                                                 .uid = st.st_uid,
                                                 .gid = st.st_gid,
                                                 .mode = st.st_mode & 07777 },
                    i->m);
}

void
place_symlink (struct place_item *i)
{
  while (symlinkat (member_text (&i->m->link), i->dir->fd, i->base) != 0)
    if (!place_retry (i, errno))
      return;
  place_attributes (i, -1, 0);
}

void
place_node (struct place_item *i)
{
  mode_t type = (i->m->type == MEMBER_CHARACTER ? S_IFCHR
                 : i->m->type == MEMBER_BLOCK   ? S_IFBLK
                                                : S_IFIFO);
  dev_t device
      = (type == S_IFIFO ? 0
                         : makedev (i->m->device_major, i->m->device_minor));
  mode_t mode = place_first_mode (i, false);

  while ((type == S_IFIFO ? mkfifoat (i->dir->fd, i->base, mode)
                          : mknodat (i->dir->fd, i->base, mode | type, device))
         != 0)
    if (!place_retry (i, errno))
      return;
  place_attributes (i, -1, mode);
}

/* An archive's claim that a member is something we do not know.  */
static void
place_unknown (struct place_item *i)
{
  report_warning (i->place->report, REPORT_UNKNOWN_CAST, 0,
                  _ ("%s: Unknown file type '%c', extracted as normal file"),
                  report_name (i->name), i->m->typeflag);
  place_regular (i);
}

static void
place_contiguous (struct place_item *i)
{
  if (!i->place->said_contiguous)
    report_warning (i->place->report, REPORT_CONTIGUOUS_CAST, 0,
                    _ ("Extracting contiguous files as regular files"));
  i->place->said_contiguous = true;
  place_regular (i);
}

struct extractor
{
  void (*make) (struct place_item *i);
  char const *verb;
  bool has_data; /* goes to -O or --to-command */
};

static struct extractor const extractors[]
    = { [MEMBER_REGULAR] = { place_regular, "open", true },
        [MEMBER_CONTIGUOUS] = { place_contiguous, "open", true },
        [MEMBER_HARD_LINK] = { place_hard_link, "hard link", false },
        [MEMBER_SYMLINK] = { place_symlink, "create symlink", false },
        [MEMBER_CHARACTER] = { place_node, "mknod", false },
        [MEMBER_BLOCK] = { place_node, "mknod", false },
        [MEMBER_DIRECTORY] = { place_directory, "mkdir", false },
        [MEMBER_FIFO] = { place_node, "mkfifo", false },
        [MEMBER_DUMPDIR] = { place_directory, "mkdir", false },
        [MEMBER_VOLUME_LABEL] = { NULL, NULL, false },
        [MEMBER_CONTINUATION] = { NULL, NULL, false },
        [MEMBER_UNKNOWN] = { place_unknown, "open", true } };

bool
place_set_name (struct place_item *i)
{
  struct place *p = i->place;
  char const *name = member_text (&i->m->name);

  if (!p->settings.absolute_names)
    {
      if (!p->settings.to_stdout && !p->settings.to_command)
        name = workdirs_below_top (p->settings.workdirs, name);
      name += strspn (name, "/");
      if (file_name_has_dot_dot (name))
        {
          report_error (p->report, 0, _ ("%s: Member name contains '..'"),
                        report_name (name));
          return false;
        }
    }
  member_set_text (&p->name, name, file_name_length (name));
  i->name = p->name.text;

  char const *slash = strrchr (i->name, '/');

  i->base = slash ? slash + 1 : i->name;
  return true;
}

/* Whether M's name ends in a slash, as a transformation can make it: then it
   can be a directory's only.  */
static bool
ends_in_slash (struct member const *m)
{
  char const *name = member_text (&m->name);
  size_t length = strlen (name);

  return 0 < length && name[length - 1] == '/';
}

bool
place_has_base (struct place_item const *i)
{
  return (*i->base && strcmp (i->base, ".") != 0
          && strcmp (i->base, "..") != 0);
}

/* --backup: move what is where I's file is to be out of the way.  False:
   reported.  */
static bool
make_backup (struct place_item *i, struct backup *b)
{
  struct place *p = i->place;

  if (p->settings.backup.type == no_backups || !place_has_base (i)
      || (i->m->type == MEMBER_HARD_LINK && place_is_linked (i)))
    return true;
  if (!backup_make (b, &p->settings.backup, i->dir->fd, i->name, false,
                    p->report))
    return false;
  if (!b->before)
    return true;
  dirfd_flush_links (p->dirs);
  return place_open_parent (i);
}

/* Make I's file.  */
static void
make_file (struct place_item *i, struct extractor const *e)
{
  struct place *p = i->place;
  struct backup b = { NULL, NULL };

  if (!place_open_parent (i))
    return;
  if (make_backup (i, &b))
    e->make (i);
  /* The parent need not be the same descriptor by now.  */
  if (b.before && i->failed && !p->must_stop && place_open_parent (i))
    backup_undo (&b, &p->settings.backup, i->dir->fd, p->report);
  backup_free (&b);
}

bool
place_put (struct place *p, struct member *m, struct payload *payload,
           int number)
{
  struct place_item i
      = { .place = p, .m = m, .payload = payload, .number = number };
  struct extractor const *e = &extractors[m->type];
  bool is_directory = m->type == MEMBER_DIRECTORY || m->type == MEMBER_DUMPDIR;

  if (m->type == MEMBER_CONTINUATION)
    report_error (
        p->report, 0,
        _ ("%s: Cannot extract -- file is continued from another volume"),
        report_name (member_text (&m->name)));
  if (!e->make || !place_set_name (&i))
    return true;
  i.verb = e->verb;
  if (p->settings.to_stdout || p->settings.to_command)
    {
      if (!e->has_data)
        return true;
      if (m->type == MEMBER_UNKNOWN)
        report_warning (
            p->report, REPORT_UNKNOWN_CAST, 0,
            _ ("%s: Unknown file type '%c', extracted as normal file"),
            report_name (i.name), m->typeflag);
      (p->settings.to_stdout ? place_to_stdout : place_to_command) (&i);
    }
  else if (!is_directory && !place_has_base (&i))
    place_fail (&i, EEXIST);
  else if (!is_directory && ends_in_slash (m))
    {
      i.name = member_text (&m->name);
      place_fail (&i, EISDIR);
    }
  else
    make_file (&i, e);
  return !p->must_stop;
}

bool
place_finish (struct place *p)
{
  if (!deferred_apply (p->deferred, p->dirs, p->attributes, p->report))
    p->must_stop = true;
  attributes_finish (p->attributes);
  return !p->must_stop;
}
