/* A library to preload: makes chosen calls fail, some of the time.
   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

/* The program `inject' sets INJECT_RULES to a sequence of
   "NUMBER:REQUEST:ERRNO:SKIP:COUNT:PARTIAL;", where NUMBER is the system
   call's and REQUEST the second argument an ioctl must have (0: any).  The
   first SKIP calls that match pass; the next COUNT (negative: all) fail with
   ERRNO.  With PARTIAL not negative that many bytes are dealt with before: a
   clone then fails, a read or write returns short.

   Every name under which a program can reach a call is interposed: large
   file names, the checked names of _FORTIFY_SOURCE, and syscall() itself.  */

#define _GNU_SOURCE 1
/* This file defines both sets of names, so neither may be an alias.  */
#undef _FILE_OFFSET_BITS
#undef _FORTIFY_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

enum
{
  MAX_RULES = 16
};

struct rule
{
  long number;
  unsigned int request;
  int errnum;
  long skip;
  long count;
  long partial;
  atomic_long seen;
};

static struct rule rules[MAX_RULES];
static int n_rules;

__attribute__ ((constructor)) static void
parse_rules (void)
{
  char const *text = getenv ("INJECT_RULES");
  while (text && n_rules < MAX_RULES)
    {
      struct rule *r = &rules[n_rules];
      if (sscanf (text, "%ld:%u:%d:%ld:%ld:%ld;", &r->number, &r->request,
                  &r->errnum, &r->skip, &r->count, &r->partial)
          != 6)
        break;
      n_rules++;
      text = strchr (text, ';') + 1;
    }
}

/* Return the rule by which this call fails, or null.  */
static struct rule const *
failing (long number, unsigned long request)
{
  for (int i = 0; i < n_rules; i++)
    {
      struct rule *r = &rules[i];
      if (r->number != number || (r->request && r->request != request))
        continue;
      long seen = atomic_fetch_add (&r->seen, 1);
      if (r->skip <= seen && (r->count < 0 || seen < r->skip + r->count))
        return r;
    }
  return NULL;
}

static int
fail (struct rule const *r)
{
  errno = r->errnum;
  return -1;
}

/* Calls that have no partial success and go to the kernel unchanged.  ARGS
   are the declared parameters, CALL the arguments.  */
#define PLAIN(type, name, number, args, call)                                  \
  type name args                                                               \
  {                                                                            \
    struct rule const *r = failing (number, 0);                                \
    return r ? fail (r) : syscall_real call;                                   \
  }

static long
syscall_real (long number, long a, long b, long c, long d, long e, long f)
{
  static long (*real) (long, ...);
  if (!real)
    *(void **)&real = dlsym (RTLD_NEXT, "syscall");
  return real (number, a, b, c, d, e, f);
}

long
syscall (long number, ...)
{
  va_list ap;
  long a[6];
  va_start (ap, number);
  for (int i = 0; i < 6; i++)
    a[i] = va_arg (ap, long);
  va_end (ap);
  struct rule const *r = failing (number, a[1]);
  if (r)
    return fail (r);
  return syscall_real (number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

int
ioctl (int fd, unsigned long request, ...)
{
  va_list ap;
  va_start (ap, request);
  void *arg = va_arg (ap, void *);
  va_end (ap);

  struct rule const *r = failing (SYS_ioctl, request);
  if (r && 0 <= r->partial && request == FICLONERANGE)
    {
      struct file_clone_range part = *(struct file_clone_range *)arg;
      part.src_length = r->partial;
      syscall_real (SYS_ioctl, fd, request, (long)&part, 0, 0, 0);
    }
  if (r)
    return fail (r);
  return syscall_real (SYS_ioctl, fd, request, (long)arg, 0, 0, 0);
}

/* Read or write through system call NUMBER.  OFFSET is ignored by calls that
   have none.  */
static ssize_t
transfer (long number, int fd, long buf, size_t count, off_t offset)
{
  struct rule const *r = failing (number, 0);
  if (r && r->partial < 0)
    return fail (r);
  if (r && (size_t)r->partial < count)
    count = r->partial;
  return syscall_real (number, fd, buf, count, offset, 0, 0);
}

ssize_t
read (int fd, void *buf, size_t n)
{
  return transfer (SYS_read, fd, (long)buf, n, 0);
}

ssize_t
__read_chk (int fd, void *buf, size_t n, size_t size)
{
  (void)size;
  return transfer (SYS_read, fd, (long)buf, n, 0);
}

ssize_t
write (int fd, void const *buf, size_t n)
{
  return transfer (SYS_write, fd, (long)buf, n, 0);
}

ssize_t
pread (int fd, void *buf, size_t n, off_t offset)
{
  return transfer (SYS_pread64, fd, (long)buf, n, offset);
}

ssize_t
pread64 (int fd, void *buf, size_t n, off64_t offset)
{
  return transfer (SYS_pread64, fd, (long)buf, n, offset);
}

ssize_t
__pread_chk (int fd, void *buf, size_t n, off_t offset, size_t size)
{
  (void)size;
  return transfer (SYS_pread64, fd, (long)buf, n, offset);
}

ssize_t
__pread64_chk (int fd, void *buf, size_t n, off64_t offset, size_t size)
{
  (void)size;
  return transfer (SYS_pread64, fd, (long)buf, n, offset);
}

ssize_t
pwrite (int fd, void const *buf, size_t n, off_t offset)
{
  return transfer (SYS_pwrite64, fd, (long)buf, n, offset);
}

ssize_t
pwrite64 (int fd, void const *buf, size_t n, off64_t offset)
{
  return transfer (SYS_pwrite64, fd, (long)buf, n, offset);
}

static int
open_at (int dir, char const *name, int flags, va_list ap)
{
  mode_t mode = 0;
  if ((flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE)
    mode = va_arg (ap, mode_t);
  struct rule const *r = failing (SYS_openat, 0);
  if (r)
    return fail (r);
  return syscall_real (SYS_openat, dir, (long)name, flags | O_LARGEFILE, mode,
                       0, 0);
}

#define OPENAT(name)                                                           \
  int name (int dir, char const *file, int flags, ...)                         \
  {                                                                            \
    va_list ap;                                                                \
    va_start (ap, flags);                                                      \
    int fd = open_at (dir, file, flags, ap);                                   \
    va_end (ap);                                                               \
    return fd;                                                                 \
  }

OPENAT (openat)
OPENAT (openat64)
OPENAT (__openat_2)
OPENAT (__openat64_2)

PLAIN (int, ftruncate, SYS_ftruncate, (int fd, off_t size),
       (SYS_ftruncate, fd, size, 0, 0, 0, 0))
PLAIN (int, ftruncate64, SYS_ftruncate, (int fd, off64_t size),
       (SYS_ftruncate, fd, size, 0, 0, 0, 0))
PLAIN (int, linkat, SYS_linkat,
       (int a, char const *from, int b, char const *to, int flags),
       (SYS_linkat, a, (long)from, b, (long)to, flags, 0))
PLAIN (int, symlinkat, SYS_symlinkat,
       (char const *target, int dir, char const *name),
       (SYS_symlinkat, (long)target, dir, (long)name, 0, 0, 0))
PLAIN (int, mkdirat, SYS_mkdirat, (int dir, char const *name, mode_t mode),
       (SYS_mkdirat, dir, (long)name, mode, 0, 0, 0))
PLAIN (int, unlinkat, SYS_unlinkat, (int dir, char const *name, int flags),
       (SYS_unlinkat, dir, (long)name, flags, 0, 0, 0))
PLAIN (int, fchown, SYS_fchown, (int fd, uid_t uid, gid_t gid),
       (SYS_fchown, fd, uid, gid, 0, 0, 0))
PLAIN (int, fchownat, SYS_fchownat,
       (int dir, char const *name, uid_t uid, gid_t gid, int flags),
       (SYS_fchownat, dir, (long)name, uid, gid, flags, 0))
PLAIN (int, fchmod, SYS_fchmod, (int fd, mode_t mode),
       (SYS_fchmod, fd, mode, 0, 0, 0, 0))
PLAIN (int, futimens, SYS_utimensat, (int fd, struct timespec const times[2]),
       (SYS_utimensat, fd, 0, (long)times, 0, 0, 0))
PLAIN (int, utimensat, SYS_utimensat,
       (int dir, char const *name, struct timespec const times[2], int flags),
       (SYS_utimensat, dir, (long)name, (long)times, flags, 0, 0))
PLAIN (int, fsetxattr, SYS_fsetxattr,
       (int fd, char const *name, void const *value, size_t size, int flags),
       (SYS_fsetxattr, fd, (long)name, (long)value, size, flags, 0))
PLAIN (int, fdatasync, SYS_fdatasync, (int fd),
       (SYS_fdatasync, fd, 0, 0, 0, 0, 0))
PLAIN (int, fsync, SYS_fsync, (int fd), (SYS_fsync, fd, 0, 0, 0, 0, 0))
