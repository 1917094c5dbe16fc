/* The near side of rmt(8): one archive on another host.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "io/rmt.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "basename-lgpl.h"
#include "c-ctype.h"
#include "io/command.h"
#include "io/spawn.h"
#include "minmax.h"
#include "xalloc.h"
#include "xvasprintf.h"

enum
{
  /* The longest first line of an answer: a letter and a number.  */
  LINE_MAX_SIZE = 32,
  /* More than this explains no error, and is no tape's status.  */
  EXPLANATION_MAX = 64 * 1024,
  /* No system has more error numbers; see IS_ERR_VALUE in Linux.  */
  ERRNO_MAX = 4095,
  /* Seconds: a peer that talks out of turn, and does not listen.  */
  PATIENCE = 3,
  /* Seconds for the remote shell to end once nobody talks to it.  */
  FAREWELL = 3
};

struct rmt
{
  int to;
  int from;
  pid_t child;
  bool is_broken;    /* not to be understood any more */
  bool offset_first; /* it wants the offset of a seek before the whence */
  size_t start;      /* buffer[start..end) was received, and not used */
  size_t end;
  char buffer[4096];
};

/* --- Bytes --- */

/* Wait until the peer takes more.  */
static int
wait_for_room (struct rmt const *m)
{
  struct pollfd fds[] = { { .fd = m->to, .events = POLLOUT },
                          { .fd = m->from, .events = POLLIN } };

  if (poll (fds, 2, -1) < 0)
    return errno == EINTR ? 0 : errno;
  if (fds[0].revents)
    return 0;
  /* It answers what it has not heard yet.  */
  return poll (fds, 1, PATIENCE * 1000) == 0 ? EIO : 0;
}

/* write, without the SIGPIPE.  */
static ssize_t
write_quietly (int fd, char const *bytes, size_t length)
{
  sigset_t pipe_set;
  sigset_t old;
  sigset_t pending;
  struct timespec const now = { 0, 0 };

  sigemptyset (&pipe_set);
  sigaddset (&pipe_set, SIGPIPE);
  sigpending (&pending);
  sigprocmask (SIG_BLOCK, &pipe_set, &old);
  ssize_t n = write (fd, bytes, length);
  int err = errno;
  if (n < 0 && err == EPIPE && !sigismember (&pending, SIGPIPE))
    while (sigtimedwait (&pipe_set, NULL, &now) < 0 && errno == EINTR)
      continue;
  sigprocmask (SIG_SETMASK, &old, NULL);
  errno = err;
  return n;
}

static int
put (struct rmt *m, char const *bytes, size_t length)
{
  int err = m->is_broken ? EIO : 0;

  while (length && !err)
    {
      ssize_t n = write_quietly (m->to, bytes, length);
      if (0 <= n)
        {
          bytes += n;
          length -= n;
        }
      else if (errno == EAGAIN)
        err = wait_for_room (m);
      else if (errno != EINTR)
        err = EIO;
    }
  m->is_broken = err != 0;
  return err;
}

/* Receive LENGTH bytes; BYTES NULL: for nobody.  */
static int
get (struct rmt *m, char *bytes, size_t length)
{
  while (length)
    {
      size_t n = MIN (length, m->end - m->start);
      if (n)
        {
          if (bytes)
            memcpy (bytes, m->buffer + m->start, n);
          m->start += n;
        }
      else
        {
          bool direct = bytes && sizeof m->buffer <= length;
          ssize_t got = read (m->from, direct ? bytes : m->buffer,
                              direct ? length : sizeof m->buffer);
          if (got == 0 || (got < 0 && errno != EINTR))
            {
              m->is_broken = true;
              return EIO;
            }
          if (!direct)
            {
              m->start = 0;
              m->end = MAX (got, 0);
            }
          else if (0 < got)
            n = got;
        }
      if (bytes)
        bytes += n;
      length -= n;
    }
  return 0;
}

/* --- Requests and answers --- */

/* Receive a line, without its newline, into LINE[SIZE]; what does not fit is
   EIO.  */
static int
get_line (struct rmt *m, char *line, size_t size)
{
  for (size_t i = 0; i < size; i++)
    {
      int err = get (m, line + i, 1);
      if (err)
        return err;
      if (line[i] == '\n')
        {
          line[i] = '\0';
          return 0;
        }
    }
  m->is_broken = true;
  return EIO;
}

/* Skip the rest of an error's explanation.  */
static int
skip_line (struct rmt *m)
{
  char c;

  for (size_t i = 0; i < EXPLANATION_MAX; i++)
    {
      int err = get (m, &c, 1);
      if (err || c == '\n')
        return err;
    }
  m->is_broken = true;
  return EIO;
}

/* Receive an answer; *RET is its number, not negative.  */
static int
answer (struct rmt *m, intmax_t *ret)
{
  char line[LINE_MAX_SIZE];
  char *end;
  int err = m->is_broken ? EIO : get_line (m, line, sizeof line);

  if (err)
    return err;
  errno = 0;
  *ret = strtoimax (line + 1, &end, 10);
  if (!c_isdigit (line[1]) || *end || errno)
    line[0] = '\0';
  switch (line[0])
    {
    case 'A':
      return 0;
    case 'E':
    case 'F': /* BSD's rmt: it has closed the file, too */
      err = skip_line (m);
      return err || *ret == 0 || ERRNO_MAX < *ret ? EIO : *ret;
    default:
      m->is_broken = true;
      return EIO;
    }
}

/* Send REQUEST, which is complete, and receive the answer to it.  */
static int
ask (struct rmt *m, char const *request, intmax_t *ret)
{
  int err = put (m, request, strlen (request));
  return err ? err : answer (m, ret);
}

int
rmt_open (struct rmt *m, char const *file, int flags)
{
  int const access = flags & O_ACCMODE;
  intmax_t n;
  char *request = xasprintf ("O%s\n%d %s%s%s\n", file, flags,
                             access == O_RDONLY   ? "O_RDONLY"
                             : access == O_WRONLY ? "O_WRONLY"
                                                  : "O_RDWR",
                             flags & O_CREAT ? "|O_CREAT" : "",
                             flags & O_TRUNC ? "|O_TRUNC" : "");
  int err = ask (m, request, &n);
  free (request);
  return err;
}

int
rmt_read (struct rmt *m, void *buffer, size_t size, size_t *ret)
{
  char request[LINE_MAX_SIZE];
  intmax_t n;

  sprintf (request, "R%zu\n", size);
  int err = ask (m, request, &n);
  if (err)
    return err;
  if ((intmax_t)size < n)
    {
      m->is_broken = true;
      return EIO;
    }
  *ret = n;
  return get (m, buffer, n);
}

int
rmt_write (struct rmt *m, void const *buffer, size_t size, size_t *ret)
{
  char request[LINE_MAX_SIZE];
  intmax_t n;

  sprintf (request, "W%zu\n", size);
  int err = put (m, request, strlen (request));
  if (!err)
    err = put (m, buffer, size);
  if (!err)
    err = answer (m, &n);
  if (err)
    return err;
  if ((intmax_t)size < n)
    {
      m->is_broken = true;
      return EIO;
    }
  *ret = n;
  return 0;
}

/* Seek.  The manual pages of rmt have the whence first, and GNU's does as they
   say; BSD's takes the offset first.  If that is not clear from the answer, the
   other order is tried; WANT is the offset to get, or -1.  */
static int
seek (struct rmt *m, off_t offset, int whence, off_t want, intmax_t *ret)
{
  int err = 0;

  for (int i = 0; i < 2 && !m->is_broken; i++)
    {
      char request[2 * LINE_MAX_SIZE];
      if (m->offset_first)
        sprintf (request, "L%jd\n%d\n", (intmax_t)offset, whence);
      else
        sprintf (request, "L%d\n%jd\n", whence, (intmax_t)offset);
      err = ask (m, request, ret);
      /* END before 0 looks like 2 before SET.  */
      if (!err && (0 <= want ? *ret == want : *ret != whence))
        return 0;
      if (err && err != EINVAL)
        return err;
      m->offset_first = !m->offset_first;
    }
  return err ? err : 0 <= want ? EIO : 0;
}

int
rmt_seek (struct rmt *m, off_t offset)
{
  intmax_t n;
  return seek (m, offset, SEEK_SET, offset, &n);
}

int
rmt_size (struct rmt *m, off_t *ret)
{
  intmax_t n = 0;
  int err = seek (m, 0, SEEK_END, -1, &n);
  *ret = n;
  return err;
}

bool
rmt_is_tape (struct rmt *m)
{
  intmax_t n;
  if (ask (m, "S\n", &n) != 0)
    return false;
  if (EXPLANATION_MAX < n)
    {
      m->is_broken = true;
      return false;
    }
  return get (m, NULL, n) == 0;
}

/* --- The connection --- */

/* Run the remote shell, whose name may well have blanks in it; if there is no
   such program, they separate it from its arguments.  */
static int
run_shell (struct rmt *m, struct rmt_host const *host, int in, int out)
{
  char option[] = "-l";
  char **words = NULL;
  char *rest[] = { (char *)host->name, option, (char *)host->user,
                   (char *)host->command, NULL };
  if (!host->user)
    {
      rest[1] = (char *)host->command;
      rest[2] = NULL;
    }
  char *argv[] = {
    last_component (host->rsh), rest[0], rest[1], rest[2], rest[3], NULL
  };
  if (!host->user)
    argv[3] = NULL;
  int err = spawn_program (host->rsh, argv, in, out, &m->child);
  if (err != ENOENT || command_split (host->rsh, &words) != 0)
    return err;

  size_t count = 0;
  while (words[count])
    count++;
  if (1 < count)
    {
      char **all = xnmalloc (count + sizeof rest / sizeof *rest, sizeof *all);
      memcpy (all, words, count * sizeof *all);
      memcpy (all + count, rest, sizeof rest);
      err = spawn_program (all[0], all, in, out, &m->child);
      free (all);
    }
  command_free (words);
  return err;
}

int
rmt_connect (struct rmt_host const *host, struct rmt **ret)
{
  int requests[2];
  int answers[2];

  if (pipe2 (requests, O_CLOEXEC) < 0)
    return errno;
  if (pipe2 (answers, O_CLOEXEC) < 0)
    {
      int err = errno;
      close (requests[0]);
      close (requests[1]);
      return err;
    }
  struct rmt *m = xzalloc (sizeof *m);
  m->to = requests[1];
  m->from = answers[0];
  /* So that a peer that does not listen cannot stop us.  */
  int flags = fcntl (m->to, F_GETFL);
  int err = flags < 0 || fcntl (m->to, F_SETFL, flags | O_NONBLOCK) < 0
                ? errno
                : run_shell (m, host, requests[0], answers[1]);
  close (requests[0]);
  close (answers[1]);
  if (err)
    {
      close (m->to);
      close (m->from);
      free (m);
    }
  else
    *ret = m;
  return err;
}

/* Wait for the remote shell, but not for ever.  */
static void
bury (struct rmt *m)
{
  enum
  {
    STEPS_PER_SECOND = 100
  };
  struct timespec const step = { 0, 1000000000 / STEPS_PER_SECOND };
  pid_t gone;

  for (int i = 0; i < FAREWELL * STEPS_PER_SECOND; i++)
    {
      gone = waitpid (m->child, NULL, WNOHANG);
      /* It is not ours if we are a child that its parent left M to.  */
      if (gone == m->child || (gone < 0 && errno != EINTR))
        return;
      nanosleep (&step, NULL);
    }
  kill (m->child, SIGTERM);
}

void
rmt_abandon (struct rmt *m)
{
  close (m->to);
  close (m->from);
  bury (m);
  free (m);
}

int
rmt_close (struct rmt *m)
{
  intmax_t n;
  int err = ask (m, "C\n", &n);
  rmt_abandon (m);
  return err;
}
