/* Asking for the next volume of an archive.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef VOLUME_PROMPT_H
#define VOLUME_PROMPT_H

#include <stdbool.h>
#include <stdint.h>

#include "report.h"

struct volume_prompt;

/* Ask on standard error, and take the answers from standard input; or, if
   STDIN_IS_TAKEN by something else, from the terminal.  If RESTRICTED, give
   nobody a shell.  Return NULL if the terminal cannot be opened, which was
   reported.  R must outlive it.  */
struct volume_prompt *volume_prompt_new (bool stdin_is_taken, bool restricted,
                                         struct report *r);

/* Ask for volume NUMBER, which is to be in the file NAME, until somebody says
   that it is there.  Return true, and in *RET_NAME another name, allocated, or
   NULL.  Return false, reported, when the answer is to stop, or there is
   none.  */
bool volume_prompt_ask (struct volume_prompt *p, intmax_t number,
                        char const *name, char **ret_name);

/* P may be NULL.  */
void volume_prompt_free (struct volume_prompt *p);

#endif
