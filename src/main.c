/* Start-up, the table of operations and the exit status.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "closeout.h"
#include "configmake.h"
#include "exitfail.h"
#include "gettext.h"
#include "progname.h"
#include "stdopen.h"

#include "append.h"
#include "compare.h"
#include "concatenate.h"
#include "create.h"
#include "delete.h"
#include "extract.h"
#include "list.h"
#include "options.h"
#include "report.h"
#include "test-label.h"

#define _(text) gettext (text)

/* What runs an operation: true unless something fatal stopped it.  */
typedef bool operation (struct tar_options const *o, struct report *r);

/* In the order of enum options_operation.  */
static operation *const operations[] = {
  [OPTIONS_CATENATE] = concatenate_run,
  [OPTIONS_CREATE] = create_run,
  [OPTIONS_DELETE] = delete_run,
  [OPTIONS_COMPARE] = compare_run,
  [OPTIONS_APPEND] = append_run,
  [OPTIONS_UPDATE] = append_run,
  [OPTIONS_LIST] = list_run,
  [OPTIONS_EXTRACT] = extract_run,
  [OPTIONS_TEST_LABEL] = test_label_run,
};

int
main (int argc, char **argv)
{
  struct report report;
  struct tar_options options;

  set_program_name (argv[0]);
  setlocale (LC_ALL, "");
  bindtextdomain (PACKAGE, LOCALEDIR);
  textdomain (PACKAGE);

  /* gnulib's xalloc and close_stdout leave with this status.  */
  exit_failure = REPORT_FAILURE;
  close_stdout_set_file_name (_ ("stdout"));
  atexit (close_stdout);

  /* A closed standard descriptor must not be given out for an archive or a
     file, where a diagnostic would then land.  */
  if (stdopen () != 0)
    return REPORT_FAILURE;

  /* Whoever starts us may ignore SIGCHLD; filters' statuses are needed.  */
  signal (SIGCHLD, SIG_DFL);

  report_init (&report);
  if (options_parse (&options, argc, argv, &report))
    {
      if (!operations[options.operation](&options, &report))
        report_unrecoverable (&report);
      else
        report_finish (&report);
    }
  options_free (&options);
  return report.status;
}
