/* The label of a volume (-V).

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "label.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "gettext.h"

#define _(msgid) gettext (msgid)

int
label_write (struct tar_options const *o, struct writer *w, struct listing *l)
{
  if (!o->label)
    return 0;

  char const *directory = getenv ("TMPDIR");
  time_t now = time (NULL);

  /* The label of a pax archive is no member of its own.  */
  if (o->format != MEMBER_FORMAT_PAX)
    {
      struct member m = {
        .type = MEMBER_VOLUME_LABEL,
        .mtime = { .tv_sec = now },
      };
      size_t length = strlen (o->label);

      member_set_text (&m.stored_name, o->label, length);
      member_set_text (&m.name, o->label, length);
      listing_member (l, &m, 0);
      member_free (&m);
    }
  return writer_put_label (w, o->label, now, directory ? directory : "/tmp");
}

bool
label_check (struct tar_options const *o, struct member const *m,
             struct report *r)
{
  if (!o->label)
    return true;
  if (!m || m->type != MEMBER_VOLUME_LABEL)
    {
      report_error (r, 0, _ ("Archive not labeled to match %s"),
                    report_quoted (o->label));
      return false;
    }

  char const *label = member_text (&m->stored_name);

  if (fnmatch (o->label, label, 0) == 0)
    return true;
  report_error (r, 0, _ ("Volume %s does not match %s"), report_quoted (label),
                report_quoted_n (1, o->label));
  return false;
}
