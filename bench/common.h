/* What the benchmarks have in common.
   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef COMMON_H
#define COMMON_H

/* Say that WHAT failed, for the reason in errno, and exit.  */
_Noreturn void common_die (char const *what);

/* The time since some moment, in seconds.  */
double common_now (void);

#endif
