/* The label of a volume (-V).

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "label.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "c-ctype.h"
#include "gettext.h"
#include "xalloc.h"
#include "xvasprintf.h"

#define _(msgid) gettext (msgid)

/* What GNU tar adds to the labels of several volumes, without the number.  */
static char const suffix[] = " Volume ";

char *
label_text (struct tar_options const *o, intmax_t number)
{
  if (!o->label)
    return NULL;
  return (o->multi_volume ? xasprintf ("%s%s%jd", o->label, suffix, number)
                          : xstrdup (o->label));
}

size_t
label_stem (char const *label)
{
  size_t length = strlen (label);
  size_t end = length;

  while (end && c_isdigit (label[end - 1]))
    end--;
  size_t const size = sizeof suffix - 1;
  return (end < length && size <= end
                  && memcmp (label + end - size, suffix, size) == 0
              ? end - size
              : length);
}

void
label_list (struct tar_options const *o, char const *label, time_t now,
            struct listing *l)
{
  /* The label of a pax archive is no member of its own.  */
  if (o->format != MEMBER_FORMAT_PAX)
    {
      struct member m = {
        .type = MEMBER_VOLUME_LABEL,
        .mtime = { .tv_sec = now },
      };
      size_t length = strlen (label);

      member_set_text (&m.stored_name, label, length);
      member_set_text (&m.name, label, length);
      listing_member (l, &m, 0);
      member_free (&m);
    }
}

int
label_write (struct tar_options const *o, struct writer *w, struct listing *l)
{
  char *label = label_text (o, 1);

  if (!label)
    return 0;

  char const *directory = getenv ("TMPDIR");
  time_t now = time (NULL);

  label_list (o, label, now, l);
  int err = writer_put_label (w, label, now, directory ? directory : "/tmp");
  free (label);
  return err;
}

bool
label_matches (struct tar_options const *o, char const *label)
{
  if (!o->label || fnmatch (o->label, label, 0) == 0)
    return true;
  if (!o->multi_volume)
    return false;
  char *stem = ximemdup0 (label, label_stem (label));
  bool ok = fnmatch (o->label, stem, 0) == 0;
  free (stem);
  return ok;
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

  if (label_matches (o, label))
    return true;
  report_error (r, 0, _ ("Volume %s does not match %s"), report_quoted (label),
                report_quoted_n (1, o->label));
  return false;
}
