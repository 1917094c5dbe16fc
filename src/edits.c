/* What options change in the metadata of files that are stored.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "edits.h"

#include <string.h>

#include "modechange.h"
#include "timespec.h"

/* What becomes of owner (or group) ID: the map's choice, or else CHOICE.  NULL:
   it stays.  */
static struct option_owner const *
choose (struct option_owner const *choice, struct option_owner_map const *map,
        size_t count, uintmax_t id)
{
  for (size_t i = 0; i < count; i++)
    if (map[i].from == id)
      return &map[i].to;
  return choice->given ? choice : NULL;
}

/* Set M's NAME, whose presence BIT tells.  */
static void
set_name (struct member *m, struct member_text *name, enum member_field bit,
          char const *value)
{
  m->present &= ~bit;
  if (!value || !*value)
    return;
  member_set_text (name, value, strlen (value));
  m->present |= bit;
}

void
edits_apply (struct tar_options const *o, struct member *m)
{
  struct option_owner const *owner
      = choose (&o->owner, o->owner_map, o->owner_map_count, m->uid);
  if (owner)
    {
      if (owner->has_id)
        m->uid = owner->id;
      set_name (m, &m->uname, MEMBER_HAS_UNAME, owner->name);
    }

  struct option_owner const *group
      = choose (&o->group, o->group_map, o->group_map_count, m->gid);
  if (group)
    {
      if (group->has_id)
        m->gid = group->id;
      set_name (m, &m->gname, MEMBER_HAS_GNAME, group->name);
    }

  if (o->mode)
    m->mode = mode_adjust (m->mode, m->type == MEMBER_DIRECTORY, o->umask,
                           o->mode, NULL);
  if (o->set_mtime == OPTIONS_MTIME_FORCE
      || (o->set_mtime == OPTIONS_MTIME_CLAMP
          && timespec_cmp (o->mtime, m->mtime) < 0))
    m->mtime = o->mtime;
}
