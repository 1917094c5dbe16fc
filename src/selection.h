/* From options to members: which are wanted, and under which names.

   Joins the modules of select/ for the operations, keeps the -C directories,
   and says what GNU tar says about names.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef SELECTION_H
#define SELECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

#include "member.h"
#include "options.h"
#include "report.h"

struct selection;
struct tags;

/* A selection for OPTIONS, which must outlive it, as must R.  Operations that
   read an archive (list, extract, compare, delete) get all operands taken in
   here, -T files too; for create, append, update and catenate they are
   taken one by one by selection_next_name.  Return NULL after a fatal error,
   which was reported.  */
struct selection *selection_new (struct tar_options const *options,
                                 struct report *r);
void selection_free (struct selection *s);

/* --- Reading an archive --- */

/* True if M (its stored_name) matches the operands and is not excluded.
   *RET_DIRECTORY (may be NULL) is the index of the -C directory it belongs to,
   set also for what matches but is excluded or too old.  Nothing before the
   member -K names matches, nor what -N finds too old; volume labels and
   continuations match always, save for --delete.  Says "Omitting" under
   --show-omitted-dirs.  */
bool selection_match (struct selection *s, struct member const *m,
                      size_t *ret_directory);

/* True if no further member can match, so that reading may stop (with
   --occurrence).  */
bool selection_exhausted (struct selection const *s);

/* Report each operand that matched nothing ("Not found in archive").  */
void selection_report_unmatched (struct selection *s);

/* True if LABEL matches an operand, or there is none.  */
bool selection_names (struct selection *s, char const *label);

/* If an operand that matched nothing has wildcards, which were not taken for
   any, say that they can be.  */
void selection_warn_wildcards (struct selection *s);

/* --- Writing an archive --- */

enum selection_step
{
  SELECTION_NAME,
  SELECTION_END,
  SELECTION_FATAL /* reported */
};

/* A file to store.  NAME lives until the next call.  */
struct selection_name
{
  char const *name; /* without trailing slashes */
  size_t directory; /* index of the -C directory it is relative to */
  bool recurse;     /* descend into it if it is a directory */
};

/* The next operand's name.  There may be directories after the last one.  */
enum selection_step selection_next_name (struct selection *s,
                                         struct selection_name *ret);

/* After the last name: report positional options that came too late.  */
void selection_report_late (struct selection *s);

/* True if NAME (as it was reached, e.g. "./d/f") is excluded by the patterns
   that came before the current operand.  */
bool selection_excluded (struct selection *s, char const *name);

/* Call this when the walk comes to a directory, open on FD, and the next when
   it is through with it: files of patterns in there are heeded in between.  */
void selection_begin_directory (struct selection *s, int fd);
void selection_end_directory (struct selection *s);

/* The files that directories are left out for.  It grows as operands are taken
   in, and belongs to S.  */
struct tags const *selection_tags (struct selection const *s);

/* True if the file NAME, of which MTIME and CTIME are the times of its last
   changes, is recent enough for -N.  If not, -v says so.  */
bool selection_is_recent (struct selection *s, char const *name,
                          struct timespec mtime, struct timespec ctime);

/* A file was stored as NAME to which there may be links later: tell if these
   will lose an unsafe prefix.  */
void selection_announce_links (struct selection *s, char const *name);

/* True if a name was stored without its unsafe prefix; if names were to be
   transformed.  */
bool selection_has_dropped (struct selection const *s);
bool selection_has_transformed (struct selection const *s);

/* --- Both --- */

/* Make M's name and link from its stored_name and link: apply --transform and
   drop the unsafe prefix (and say so, once a prefix) unless -P; when reading,
   apply --strip-components and --one-top-level as well.  Names get no trailing
   slash, the root is ".".  The result may be empty: such a member is passed
   over by -x.  When writing, had_trailing_slash is set for directories.  */
void selection_edit (struct selection *s, struct member *m);

/* False if M's stored name has a ".." component and there is no -P, which is
   reported: it must not be extracted.  */
bool selection_is_safe (struct selection *s, struct member const *m);

/* The -C directories so far: number INDEX as it was given, relative to the one
   before it.  Number 0 is ".", where tar was started.  */
char const *selection_directory (struct selection const *s, size_t index);
size_t selection_directory_count (struct selection const *s);

#endif
