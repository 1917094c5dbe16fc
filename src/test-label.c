/* The operation --test-label: is this the archive that is wanted?

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "test-label.h"

#include <stdio.h>
#include <stdlib.h>

#include "gettext.h"
#include "input.h"
#include "label.h"
#include "policies.h"
#include "selection.h"
#include "ui/listing.h"
#include "xalloc.h"

#define _(msgid) gettext (msgid)

/* Whether the operands of S have LABEL among them, or, of volumes, what it is
   without the number.  */
static bool
is_named (struct selection *s, char const *label, bool is_several)
{
  if (selection_names (s, label))
    return true;
  char *stem = ximemdup0 (label, label_stem (label));
  bool named = is_several && selection_names (s, stem);
  free (stem);
  return named;
}

/* Compare the label M (NULL: none) with the operands of S.  */
static void
match (struct tar_options const *o, struct selection *s, struct member const *m,
       struct report *r)
{
  if (m && is_named (s, member_text (&m->stored_name), o->multi_volume))
    return;
  if (0 < o->verbose)
    report_warning (r, REPORT_ALWAYS, 0, _ ("Archive label mismatch"));
  report_raise (r, REPORT_DIFFERS);
  selection_warn_wildcards (s);
}

static bool
test_archive (struct tar_options const *o, struct selection *s,
              struct listing *l, struct report *r)
{
  struct input *in = input_open (o, r, NULL);
  struct member *m;
  struct payload *p;

  if (!in)
    return false;

  struct member_source *source = input_source (in);
  enum flow_step step = source->next (source, &m, &p);
  bool has_label = step == FLOW_MEMBER && m->type == MEMBER_VOLUME_LABEL;

  if (has_label && (0 < o->verbose || !o->names_given))
    listing_member (l, m, m->header_block);
  if (step != FLOW_FATAL && o->names_given)
    match (o, s, has_label ? m : NULL, r);
  return input_close (in) && step != FLOW_FATAL;
}

bool
test_label_run (struct tar_options const *o, struct report *r)
{
  struct xattrs_settings const xattrs = { .xattrs = false };
  struct selection *s = selection_new (o, r);
  bool ok = false;

  if (!s)
    return false;
  /* All there is to a label is told if nothing was asked.  */
  int level
      = (o->names_given || o->verbose == 0 ? LISTING_NAMES : LISTING_LONG);
  struct listing *l = policies_listing (o, &xattrs, level, stdout, r);

  if (l)
    ok = test_archive (o, s, l, r);
  listing_free (l, r);
  selection_free (s);
  return ok;
}
