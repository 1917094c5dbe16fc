/* Run a command in which chosen system calls fail with chosen errors.
   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

/* A call that always fails is refused by a seccomp filter, which nothing in
   the command can avoid: seccomp_unotify is not needed, a raw BPF program
   returning SECCOMP_RET_ERRNO will do (Linux Documentation/userspace-api/
   seccomp_filter.rst).  A filter cannot count, so a rule with skip, count or
   partial is handed to a preloaded library instead, preload/inject.c.  */

#include <config.h>

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/audit.h>
#include <linux/fiemap.h>
#include <linux/filter.h>
#include <linux/fs.h>
#include <linux/seccomp.h>

#if defined __x86_64__
#define ARCH AUDIT_ARCH_X86_64
#elif defined __aarch64__
#define ARCH AUDIT_ARCH_AARCH64
#elif defined __riscv && __riscv_xlen == 64
#define ARCH AUDIT_ARCH_RISCV64
#elif defined __powerpc64__ && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define ARCH AUDIT_ARCH_PPC64LE
#elif defined __s390x__
#define ARCH AUDIT_ARCH_S390X
#endif

/* From Linux 6.6 on, whatever headers we are built with; it has this number on
   all machines above.  */
#ifndef SYS_fchmodat2
#define SYS_fchmodat2 452
#endif

enum
{
  MAX_RULES = 16,
  EXIT_SKIP = 77, /* what Autotest and Automake take for a skipped test */
  EXIT_CANNOT_RUN = 126
};

struct call
{
  char const *name;
  long number;
  uint32_t request; /* the second argument has to be this; 0: any */
};

static struct call const calls[] = {
  { "FICLONERANGE", SYS_ioctl, FICLONERANGE },
  { "ioctl:FICLONERANGE", SYS_ioctl, FICLONERANGE },
  { "ioctl:FICLONE", SYS_ioctl, FICLONE },
  { "ioctl:FIEMAP", SYS_ioctl, FS_IOC_FIEMAP },
#ifdef SYS_openat2
  { "openat2", SYS_openat2, 0 },
#endif
#ifdef SYS_statx
  { "statx", SYS_statx, 0 },
#endif
  { "fchmodat2", SYS_fchmodat2, 0 },
#ifdef SYS_chmod
  { "chmod", SYS_chmod, 0 },
#endif
  { "copy_file_range", SYS_copy_file_range, 0 },
  { "fchmod", SYS_fchmod, 0 },
  { "fchmodat", SYS_fchmodat, 0 },
  { "fchown", SYS_fchown, 0 },
  { "fchownat", SYS_fchownat, 0 },
  { "fdatasync", SYS_fdatasync, 0 },
  { "fgetxattr", SYS_fgetxattr, 0 },
  { "fsetxattr", SYS_fsetxattr, 0 },
  { "fstatfs", SYS_fstatfs, 0 },
  { "fsync", SYS_fsync, 0 },
  { "ftruncate", SYS_ftruncate, 0 },
  { "lgetxattr", SYS_lgetxattr, 0 },
  { "linkat", SYS_linkat, 0 },
  { "lsetxattr", SYS_lsetxattr, 0 },
  { "lseek", SYS_lseek, 0 },
  { "mkdirat", SYS_mkdirat, 0 },
  { "mknodat", SYS_mknodat, 0 },
  { "openat", SYS_openat, 0 },
  { "pread", SYS_pread64, 0 },
  { "pwrite", SYS_pwrite64, 0 },
  { "read", SYS_read, 0 },
  { "sync_file_range", SYS_sync_file_range, 0 },
  { "symlinkat", SYS_symlinkat, 0 },
  { "unlinkat", SYS_unlinkat, 0 },
  { "utimensat", SYS_utimensat, 0 },
  { "write", SYS_write, 0 },
};

struct name
{
  char const *name;
  int value;
};

static struct name const errnos[] = {
  { "EACCES", EACCES },         { "EAGAIN", EAGAIN },
  { "EBADF", EBADF },           { "EBUSY", EBUSY },
  { "EDQUOT", EDQUOT },         { "EEXIST", EEXIST },
  { "EFBIG", EFBIG },           { "EINTR", EINTR },
  { "EINVAL", EINVAL },         { "EIO", EIO },
  { "ELOOP", ELOOP },           { "EMFILE", EMFILE },
  { "EMLINK", EMLINK },         { "ENAMETOOLONG", ENAMETOOLONG },
  { "ENFILE", ENFILE },         { "ENODATA", ENODATA },
  { "ENOENT", ENOENT },         { "ENOMEM", ENOMEM },
  { "ENOSPC", ENOSPC },         { "ENOSYS", ENOSYS },
  { "ENOTDIR", ENOTDIR },       { "ENOTTY", ENOTTY },
  { "EOPNOTSUPP", EOPNOTSUPP }, { "EPERM", EPERM },
  { "EPIPE", EPIPE },           { "EROFS", EROFS },
  { "ETXTBSY", ETXTBSY },       { "EXDEV", EXDEV },
};

struct rule
{
  struct call const *call;
  int errnum;
  long skip;    /* let that many calls through first */
  long count;   /* then fail that many; negative: all */
  long partial; /* do that many bytes before; negative: none */
};

static _Noreturn void
die (int status, char const *what, char const *why)
{
  fprintf (stderr, "inject: %s: %s\n", what, why);
  exit (status);
}

static struct call const *
find_call (char const *name)
{
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
    if (strcmp (calls[i].name, name) == 0)
      return &calls[i];
  return NULL;
}

static int
find_errno (char const *name)
{
  for (size_t i = 0; i < sizeof errnos / sizeof *errnos; i++)
    if (strcmp (errnos[i].name, name) == 0)
      return errnos[i].value;
  return 0;
}

static bool
needs_preload (struct rule const *rule)
{
  return 0 < rule->skip || 0 <= rule->count || 0 <= rule->partial;
}

/* Parse TEXT, CALL=ERRNO[,skip=N][,count=N][,partial=N].  */
static struct rule
parse_rule (char const *text)
{
  struct rule rule = { .skip = 0, .count = -1, .partial = -1 };
  char *copy = strdup (text);
  char *rest = copy;
  char *first = strsep (&rest, ",");
  char *equals = strchr (first, '=');
  if (!equals)
    die (EXIT_CANNOT_RUN, text, "not CALL=ERRNO");
  *equals = '\0';
  rule.call = find_call (first);
  if (!rule.call)
    die (EXIT_SKIP, text, "this system has no such call, or I do not know it");
  rule.errnum = find_errno (equals + 1);
  if (!rule.errnum)
    die (EXIT_CANNOT_RUN, text, "unknown error");

  for (char *word; (word = strsep (&rest, ","));)
    {
      long n;
      char end;
      if (sscanf (word, "skip=%ld%c", &n, &end) == 1)
        rule.skip = n;
      else if (sscanf (word, "count=%ld%c", &n, &end) == 1)
        rule.count = n;
      else if (sscanf (word, "partial=%ld%c", &n, &end) == 1)
        rule.partial = n;
      else
        die (EXIT_CANNOT_RUN, text, "not skip=N, count=N or partial=N");
    }
  free (copy);
  return rule;
}

/* Let a seccomp filter refuse the calls of the rules that need no
   counting.  */
static void
install_filter (struct rule const *rules, size_t n_rules)
{
#ifdef ARCH
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  enum
  {
    LOW_HALF = 4
  };
#else
  enum
  {
    LOW_HALF = 0
  };
#endif
  struct sock_filter f[4 + 5 * MAX_RULES];
  unsigned short n = 0;
  f[n++] = (struct sock_filter)BPF_STMT (BPF_LD | BPF_W | BPF_ABS,
                                         offsetof (struct seccomp_data, arch));
  f[n++] = (struct sock_filter)BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, ARCH, 1, 0);
  f[n++] = (struct sock_filter)BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  for (size_t i = 0; i < n_rules; i++)
    {
      struct rule const *r = &rules[i];
      if (needs_preload (r))
        continue;
      uint8_t past = r->call->request ? 3 : 1;
      f[n++]
          = (struct sock_filter)BPF_STMT (BPF_LD | BPF_W | BPF_ABS,
                                          offsetof (struct seccomp_data, nr));
      f[n++] = (struct sock_filter)BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K,
                                             r->call->number, 0, past);
      if (r->call->request)
        {
          f[n++] = (struct sock_filter)BPF_STMT (
              BPF_LD | BPF_W | BPF_ABS,
              offsetof (struct seccomp_data, args[1]) + LOW_HALF);
          f[n++] = (struct sock_filter)BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K,
                                                 r->call->request, 0, 1);
        }
      f[n++] = (struct sock_filter)BPF_STMT (BPF_RET | BPF_K,
                                             SECCOMP_RET_ERRNO | r->errnum);
    }
  f[n++] = (struct sock_filter)BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ALLOW);

  struct sock_fprog program = { .len = n, .filter = f };
  if (prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0
      || prctl (PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) < 0)
    die (EXIT_SKIP, "no seccomp filter", strerror (errno));
#else
  (void)rules, (void)n_rules;
  die (EXIT_SKIP, "seccomp", "not known for this processor");
#endif
}

/* Store in PATH where the library is: beside this program.  */
static void
find_library (char *path, size_t size)
{
  static char const name[] = "inject-preload.so";
  char const *given = getenv ("INJECT_PRELOAD");
  if (given)
    snprintf (path, size, "%s", given);
  else
    {
      ssize_t n = readlink ("/proc/self/exe", path, size - sizeof name);
      if (n < 0)
        die (EXIT_CANNOT_RUN, "/proc/self/exe", strerror (errno));
      path[n] = '\0';
      strcpy (strrchr (path, '/') + 1, name);
    }
  if (access (path, R_OK) < 0)
    die (EXIT_CANNOT_RUN, path, strerror (errno));
}

/* Hand the rules that count to the library, through the environment.  */
static void
set_up_preload (struct rule const *rules, size_t n_rules)
{
  char text[MAX_RULES * 128];
  size_t len = 0;
  for (size_t i = 0; i < n_rules; i++)
    {
      struct rule const *r = &rules[i];
      if (needs_preload (r))
        len += snprintf (text + len, sizeof text - len,
                         "%ld:%" PRIu32 ":%d:%ld:%ld:%ld;", r->call->number,
                         r->call->request, r->errnum, r->skip, r->count,
                         r->partial);
    }

  char path[4096];
  find_library (path, sizeof path);
  char const *asan = getenv ("ASAN_OPTIONS");
  char asan_options[1024];
  snprintf (asan_options, sizeof asan_options, "%s%sverify_asan_link_order=0",
            asan ? asan : "", asan ? ":" : "");
  if (setenv ("INJECT_RULES", text, 1) < 0 || setenv ("LD_PRELOAD", path, 1) < 0
      || setenv ("ASAN_OPTIONS", asan_options, 1) < 0)
    die (EXIT_CANNOT_RUN, "environment", strerror (errno));
}

int
main (int argc, char **argv)
{
  struct rule rules[MAX_RULES];
  size_t n_rules = 0;
  bool filter = false;
  bool preload = false;
  int i = 1;
  for (; i < argc && strcmp (argv[i], "--") != 0 && n_rules < MAX_RULES; i++)
    {
      rules[n_rules] = parse_rule (argv[i]);
      if (needs_preload (&rules[n_rules]))
        preload = true;
      else
        filter = true;
      n_rules++;
    }
  if (argc <= i + 1 || strcmp (argv[i], "--") != 0 || n_rules == 0)
    die (EXIT_CANNOT_RUN, "usage",
         "inject CALL=ERRNO[,skip=N][,count=N][,partial=N]..."
         " -- COMMAND [ARG]...");

  if (preload)
    set_up_preload (rules, n_rules);
  if (filter)
    install_filter (rules, n_rules);
  execvp (argv[i + 1], argv + i + 1);
  die (EXIT_CANNOT_RUN, argv[i + 1], strerror (errno));
}
