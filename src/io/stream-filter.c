/* A stream through a program that compresses or decompresses.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "io/stream-filter.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/spawn.h"
#include "io/stream-remote.h"
#include "write-all.h"
#include "xalloc.h"

enum
{
  /* Bytes to ask another host for at once.  */
  FAR_SIZE = 256 * 1024
};

struct stream_filter
{
  struct stream base; /* fd is our end of the pipe */
  pid_t child;        /* 0 if it was waited for */
  pid_t feeder;       /* 0 if there is none */
  struct stream *far; /* what the feeder talks to, and ends with an errno of;
                         or NULL */
  int status;         /* the child's */
  bool at_end;        /* all that the child wrote was read */
  bool is_writer;
  struct sigaction old_sigpipe; /* writer only */
};

/* Let the pipe at FD hold more, if the system allows it: fewer changes between
   processes.  1 MiB is Linux's default limit (pipe(7)).  */
static void
enlarge_pipe (int fd)
{
#ifdef F_SETPIPE_SZ
  (void)fcntl (fd, F_SETPIPE_SZ, 1024 * 1024);
#else
  (void)fd;
#endif
}

static int
open_pipe (int ret[2])
{
  if (pipe2 (ret, O_CLOEXEC) < 0)
    return errno;
  enlarge_pipe (ret[1]);
  return 0;
}

/* Wait for *CHILD, and set it to 0.  Return its wait status.  */
static int
reap (pid_t *child)
{
  int status = 0;
  while (waitpid (*child, &status, 0) < 0 && errno == EINTR)
    continue;
  *child = 0;
  return status;
}

/* What the feeder does: write UNREAD to OUT, and all that IN gives.  */
static _Noreturn void
feed (int in, int out, char const *unread, size_t unread_length)
{
  bool ok = write_all (out, unread, unread_length, -1) == 0;
#ifdef SPLICE_F_MOVE
  ssize_t moved;
  while (ok && 0 < (moved = splice (in, NULL, out, NULL, 1024 * 1024, 0)))
    continue;
#endif
  char buffer[64 * 1024];
  ssize_t n = -1;
  while (ok
         && ((n = read (in, buffer, sizeof buffer)) > 0
             || (n < 0 && errno == EINTR)))
    ok = n < 0 || write_all (out, buffer, n, -1) == 0;
  _exit (ok && n == 0 ? 0 : 2);
}

/* Likewise from a stream without a descriptor.  Exit with an errno.  */
static _Noreturn void
feed_from_afar (struct stream *source, int out, char const *unread,
                size_t unread_length)
{
  char *buffer = xmalloc (FAR_SIZE);
  bool ok = write_all (out, unread, unread_length, -1) == 0;
  size_t n = 1;
  int err = 0;
  int status;

  while (ok && n && !err)
    {
      err = stream_read (source, buffer, FAR_SIZE, &n);
      ok = !err && write_all (out, buffer, n, -1) == 0;
    }
  if (!err)
    err = stream_close (source, &status);
  _exit (err);
}

/* What the other kind of feeder does: write all that IN gives to TARGET.  Exit
   with an errno.  */
static _Noreturn void
drain_afar (int in, struct stream *target, size_t record_size)
{
  size_t const size = target->by_record ? record_size : FAR_SIZE;
  char *buffer = xmalloc (size);
  size_t have = 0;
  bool at_end = false;
  int err = 0;
  int status;

  while (!at_end && !err)
    {
      ssize_t n = read (in, buffer + have, size - have);
      if (n < 0 && errno != EINTR)
        err = errno;
      at_end = n == 0;
      have += n < 0 ? 0 : n;
      if (have == size || (at_end && have))
        {
          if (target->by_record)
            memset (buffer + have, 0, size - have);
          err = stream_write (target, buffer, target->by_record ? size : have);
          have = 0;
        }
    }
  int close_err = stream_close (target, &status);
  _exit (err ? err : close_err);
}

/* Start a process that hands on to OUT what was read too early, and the rest.
   OTHER is a descriptor that it must not keep.  */
static int
start_feeder (struct stream *source, char const *unread, size_t unread_length,
              int out, int other, pid_t *ret)
{
  *ret = fork ();
  if (*ret == 0)
    {
      signal (SIGPIPE, SIG_DFL);
      close (other);
      if (source->fd < 0)
        feed_from_afar (source, out, unread, unread_length);
      feed (source->fd, out, unread, unread_length);
    }
  return *ret < 0 ? errno : 0;
}

/* Start a process that writes to TARGET.  Set *RET_FD to where it takes it
   from.  */
static int
start_drain (struct stream *target, size_t record_size, int *ret_fd,
             pid_t *ret_pid)
{
  int ends[2];
  int err = open_pipe (ends);
  if (err)
    return err;
  pid_t pid = fork ();
  if (pid == 0)
    {
      close (ends[1]);
      drain_afar (ends[0], target, record_size);
    }
  if (pid < 0)
    {
      err = errno;
      close (ends[1]);
    }
  else
    {
      *ret_fd = ends[1];
      *ret_pid = pid;
    }
  close (ends[0]);
  return err;
}

/* Wait for the process that talks to another host.  Return the errno that it
   ended with.  */
static int
reap_far (struct stream_filter *f)
{
  int status = reap (&f->feeder);
  return WIFEXITED (status) ? WEXITSTATUS (status) : 0;
}

static int
filter_read (struct stream *s, void *buffer, size_t size, size_t *ret)
{
  struct stream_filter *f = (struct stream_filter *)s;
  *ret = 0;
  if (!f->at_end)
    {
      ssize_t n;
      while ((n = read (s->fd, buffer, size)) < 0 && errno == EINTR)
        continue;
      if (n < 0)
        return errno;
      *ret = n;
      if (n)
        return 0;
      f->at_end = true;
      f->status = reap (&f->child);
    }
  return f->status ? STREAM_FAILED : 0;
}

static int
filter_write (struct stream *s, void const *buffer, size_t size)
{
  return write_all (s->fd, buffer, size, -1);
}

static int
filter_close (struct stream *s, int *ret_status)
{
  struct stream_filter *f = (struct stream_filter *)s;
  int err = close (s->fd) == 0 ? 0 : errno;
  if (0 <= s->source_fd)
    close (s->source_fd);
  if (f->child)
    f->status = reap (&f->child);
  if (f->feeder)
    {
      /* It may be waiting for input that nobody needs.  */
      if (!f->is_writer && !(f->far && f->at_end))
        kill (f->feeder, SIGKILL);
      int why = reap_far (f);
      if (f->far && why)
        err = why;
    }
  if (f->far)
    stream_remote_abandon (f->far);
  if (f->is_writer)
    sigaction (SIGPIPE, &f->old_sigpipe, NULL);
  /* That we did not want all of its output is no failure.  */
  else if (!f->at_end && WIFSIGNALED (f->status)
           && WTERMSIG (f->status) == SIGPIPE)
    f->status = 0;
  *ret_status = f->status;
  free (f);
  return err;
}

static struct stream_ops const filter_ops = {
  .read = filter_read,
  .write = filter_write,
  .close = filter_close,
};

static struct stream_filter *
filter_new (void)
{
  struct stream_filter *f = xzalloc (sizeof *f);
  f->base.ops = &filter_ops;
  f->base.source_fd = -1;
  f->base.is_filter = true;
  f->base.is_pipe = true;
  return f;
}

int
stream_filter_new_reader (char *const *argv, struct stream *source,
                          char const *unread, size_t unread_length,
                          struct stream **ret)
{
  bool is_far = source->fd < 0;
  bool is_fed = is_far || unread_length;
  int input[2] = { source->fd, -1 };
  int output[2];

  int err = is_fed ? open_pipe (input) : 0;
  if (err)
    return err;
  struct stream_filter *f = filter_new ();
  err = open_pipe (output);
  if (!err)
    {
      err = spawn_program (argv[0], argv, input[0], output[1], &f->child);
      close (output[1]);
      if (!err && is_fed)
        err = start_feeder (source, unread, unread_length, input[1], output[0],
                            &f->feeder);
      if (err)
        close (output[0]);
    }
  if (is_fed)
    {
      close (input[0]);
      close (input[1]);
    }
  if (err)
    {
      if (f->child)
        reap (&f->child);
      free (f);
      return err;
    }
  f->base.fd = output[0];
  f->far = is_far ? source : NULL;
  struct stat st;
  /* The child's descriptor and this one have their offset in common.  */
  if (!is_fed && fstat (source->fd, &st) == 0 && S_ISREG (st.st_mode))
    f->base.source_fd = fcntl (source->fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  *ret = &f->base;
  return 0;
}

int
stream_filter_new_writer (char *const *argv, int fd, struct stream **ret)
{
  int ends[2];
  int err = open_pipe (ends);
  if (err)
    return err;
  struct stream_filter *f = filter_new ();
  err = spawn_program (argv[0], argv, ends[0], fd, &f->child);
  close (ends[0]);
  if (err)
    {
      close (ends[1]);
      free (f);
      return err;
    }
  f->base.fd = ends[1];
  f->is_writer = true;
  struct sigaction ignore = { .sa_handler = SIG_IGN };
  sigaction (SIGPIPE, &ignore, &f->old_sigpipe);
  *ret = &f->base;
  return 0;
}

int
stream_filter_new_far_writer (char *const *argv, struct stream *target,
                              size_t record_size, struct stream **ret)
{
  int fd = -1;
  pid_t drain = 0;
  int err = start_drain (target, record_size, &fd, &drain);
  if (err)
    return err;
  err = stream_filter_new_writer (argv, fd, ret);
  close (fd);
  if (err)
    reap (&drain);
  else
    {
      struct stream_filter *f = (struct stream_filter *)*ret;
      f->far = target;
      f->feeder = drain;
    }
  return err;
}
