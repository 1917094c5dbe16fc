/* The options --checkpoint and --checkpoint-action.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include <inttypes.h>
#include <stdlib.h>

#include "gettext.h"
#include "xalloc.h"

#include "parse.h"
#include "ui/checkpoint.h"

#define _(msgid) gettext (msgid)

static void
add_action (struct tar_options *o, char const *action)
{
  o->checkpoint_actions
      = xnrealloc (o->checkpoint_actions, o->checkpoint_action_count + 1,
                   sizeof *o->checkpoint_actions);
  o->checkpoint_actions[o->checkpoint_action_count++] = action;
}

/* --checkpoint[=[.]NUMBER]; a dot asks for dots.  */
bool
options_values_checkpoint (struct options_parse *p,
                           struct option_row const *row, char const *argument)
{
  char *end;

  (void)row;
  p->o->checkpoint = DEFAULT_CHECKPOINT;
  if (!argument)
    return true;
  if (*argument == '.')
    {
      add_action (p->o, "dot");
      argument++;
    }
  p->o->checkpoint = strtoumax (argument, &end, 10);
  if (*end)
    return options_fatal (p, 0, _ ("--checkpoint value is not an integer"));
  return true;
}

bool
options_values_checkpoint_action (struct options_parse *p,
                                  struct option_row const *row,
                                  char const *argument)
{
  (void)row;
  switch (checkpoint_check (argument))
    {
    case CHECKPOINT_OK:
      add_action (p->o, argument);
      return true;
    case CHECKPOINT_BAD_TIMEOUT:
      return options_fatal (p, 0, _ ("%s: not a valid timeout"), argument);
    case CHECKPOINT_BAD_SIGNAL:
      return options_fatal (p, 0, _ ("Unknown signal name: %s"),
                            argument + sizeof "wait=" - 1);
    default:
      return options_fatal (p, 0, _ ("%s: unknown checkpoint action"),
                            argument);
    }
}
