/* A command line given as one string, split into words.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef COMMAND_H
#define COMMAND_H

#include <stdbool.h>

/* Split COMMAND at blanks outside quotes.  '...' and "..." are quotes; outside
   '...', a backslash quotes the character after it.  Leave room for one more
   word.  Set *RET to words and a NULL, to be freed with command_free.  Return
   0, or EINVAL if a quote is missing or there is no word.  */
int command_split (char const *command, char ***ret);

void command_free (char **words);

/* True if COMMAND is for a shell to run: it has characters that do more than
   quote.  */
bool command_needs_shell (char const *command);

#endif
