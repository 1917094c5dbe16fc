/* Extraction to standard output, and to a command.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "fs/place-private.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gettext.h"
#include "shell.h"
#include "write-all.h"
#include "xalloc.h"
#include "xvasprintf.h"

#define _(msgid) gettext (msgid)

/* Write LENGTH zeros to FD.  Return 0 or an errno.  */
static int
write_zeros (int fd, off_t length)
{
  static char const zeros[64 * 1024];
  int err = 0;

  while (err == 0 && 0 < length)
    {
      size_t n = length < (off_t)sizeof zeros ? (size_t)length : sizeof zeros;

      err = write_all (fd, zeros, n, -1);
      length -= (off_t)n;
    }
  return err;
}

/* Write I's data to FD, holes as zeros.  Return 0 or the errno of a write; a
   failure to read is left to the source to report.  */
static int
pour (struct place_item *i, int fd)
{
  struct payload *p = i->payload;
  struct payload_segment seg;
  off_t position = 0;

  while (p && 0 < p->remaining)
    {
      if (payload_next (p, &seg) != 0 || seg.length == 0)
        return 0;

      int err = write_zeros (fd, seg.offset - position);

      if (err == 0)
        err = write_all (fd, seg.bytes, (size_t)seg.length, -1);
      if (err)
        return err;
      position = seg.offset + seg.length;
    }
  return write_zeros (fd, i->m->size - position);
}

void
place_to_stdout (struct place_item *i)
{
  fflush (stdout);

  int err = pour (i, STDOUT_FILENO);

  if (err)
    report_cannot (i->place->report, err, "write", i->name);
  sharing_count (&i->place->counts, SHARING_BY_CHOICE, 1,
                 (unsigned long long)i->m->size, 0);
}

/* --- The environment of --to-command --- */

/* A time in seconds with as many decimals as it needs.  */
static void
export_time (char const *name, struct timespec t)
{
  char text[48];
  int n = snprintf (text, sizeof text, "%jd.%09ld", (intmax_t)t.tv_sec,
                    t.tv_nsec);

  while (text[n - 1] == '0')
    n--;
  if (text[n - 1] == '.')
    n--;
  text[n] = '\0';
  shell_tell_text (name, text);
}

/* Describe I in the environment, as "Writing to an External Program" in the
   GNU tar manual says.  In the child only.  */
static void
export_member (struct place_item const *i)
{
  struct place const *p = i->place;
  struct member const *m = i->m;
  struct shell_facts facts = *p->settings.facts;
  struct timespec now;
  uid_t uid;
  gid_t gid;

  clock_gettime (CLOCK_REALTIME, &now);
  if (!attributes_owner (p->attributes, m, &uid, &gid))
    {
      uid = m->uid;
      gid = m->gid;
    }
  facts.format = m->format;
  shell_tell_facts (&facts);
  shell_tell_number ("TAR_VOLUME", "%ju", facts.volume);
  shell_tell_text ("TAR_FILETYPE", "f");
  shell_tell_number ("TAR_MODE", "%#jo", m->mode);
  shell_tell_text ("TAR_FILENAME", member_text (&m->name));
  shell_tell_text ("TAR_REALNAME", member_text (&m->stored_name));
  if (m->present & MEMBER_HAS_UNAME)
    shell_tell_text ("TAR_UNAME", member_text (&m->uname));
  if (m->present & MEMBER_HAS_GNAME)
    shell_tell_text ("TAR_GNAME", member_text (&m->gname));
  export_time ("TAR_ATIME", m->present & MEMBER_HAS_ATIME ? m->atime : now);
  export_time ("TAR_MTIME", m->mtime);
  export_time ("TAR_CTIME", m->present & MEMBER_HAS_CTIME ? m->ctime : now);
  shell_tell_number ("TAR_SIZE", "%ju", (uintmax_t)m->size);
  shell_tell_number ("TAR_UID", "%ju", uid);
  shell_tell_number ("TAR_GID", "%ju", gid);
}

/* Run the command on FDS[0].  In the child; does not return.  */
static _Noreturn void
run_command (struct place_item const *i, int const fds[2])
{
  export_member (i);
  if (fds[0] != STDIN_FILENO)
    {
      if (dup2 (fds[0], STDIN_FILENO) < 0)
        _exit (127);
      close (fds[0]);
    }
  close (fds[1]);
  shell_exec (i->place->settings.to_command,
              i->place->settings.attributes.umask);
  report_cannot (i->place->report, errno, "exec", "/bin/sh");
  _exit (127);
}

/* Wait for CHILD and report how it ended.  */
static void
wait_for (struct place *p, pid_t child)
{
  int status;

  while (waitpid (child, &status, 0) < 0)
    if (errno != EINTR)
      {
        report_cannot (p->report, errno, "waitpid", p->settings.to_command);
        return;
      }
  if (p->settings.ignore_command_error)
    return;
  if (WIFEXITED (status) && WEXITSTATUS (status) != 0)
    report_error (p->report, 0, _ ("%lu: Child returned status %d"),
                  (unsigned long)child, WEXITSTATUS (status));
  else if (WIFSIGNALED (status))
    report_warning (p->report, REPORT_ALWAYS, 0,
                    _ ("%lu: Child terminated on signal %d"),
                    (unsigned long)child, WTERMSIG (status));
}

void
place_to_command (struct place_item *i)
{
  struct place *p = i->place;
  int fds[2];

  fflush (stdout);
  if (pipe (fds) != 0)
    {
      report_cannot (p->report, errno, "pipe", p->settings.to_command);
      return;
    }

  pid_t child = fork ();

  if (child == 0)
    run_command (i, fds);
  close (fds[0]);
  if (child < 0)
    {
      report_cannot (p->report, errno, "fork", p->settings.to_command);
      close (fds[1]);
      return;
    }

  /* A command need not read all it is given.  */
  void (*old) (int) = signal (SIGPIPE, SIG_IGN);
  int err = pour (i, fds[1]);

  close (fds[1]);
  signal (SIGPIPE, old);
  if (err && err != EPIPE)
    report_cannot (p->report, err, "write", i->name);
  wait_for (p, child);
  sharing_count (&p->counts, SHARING_BY_CHOICE, 1,
                 (unsigned long long)i->m->size, 0);
}
