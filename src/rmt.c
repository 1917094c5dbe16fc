/* rmt: a file or tape of this host for a tar on another one.

   The protocol is that of the manual page rmt(8): requests on standard input,
   answers on standard output.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <locale.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef HAVE_SYS_MTIO_H
#include <sys/mtio.h>
#endif

#include "closeout.h"
#include "gettext.h"
#include "minmax.h"
#include "progname.h"
#include "xalloc.h"

#include "rmt-mode.h"

#define _(msgid) gettext (msgid)

enum
{
  /* No tape has larger records, and no more is read or written at once.  */
  RECORD_MAX = 64 * 1024 * 1024,
  /* Memory for data that is promised grows by this as it comes.  */
  STEP = 1024 * 1024,
  /* The longest argument: a name, more or less.  */
  ARGUMENT_MAX = 16 * 1024
};

struct server
{
  int fd; /* -1: nothing is open */
  FILE *log;
  char *data;
  size_t allocated;
};

/* What becomes of the conversation after a request.  */
enum outcome
{
  GO_ON,
  HANG_UP, /* its end, or it cannot be followed any more */
};

/* --- Talking --- */

static void
answer (struct server *s, intmax_t number)
{
  printf ("A%jd\n", number);
  if (s->log)
    fprintf (s->log, "-> A%jd\n", number);
}

static void
refuse (struct server *s, int errnum, char const *text)
{
  printf ("E%d\n%s\n", errnum, text);
  if (s->log)
    fprintf (s->log, "-> E%d %s\n", errnum, text);
}

static void
fail (struct server *s, int errnum)
{
  refuse (s, errnum, strerror (errnum));
}

/* Answer NUMBER, or errno if it is negative.  */
static void
conclude (struct server *s, intmax_t number)
{
  if (number < 0)
    fail (s, errno);
  else
    answer (s, number);
}

/* Read an argument: up to the end of the line, into TEXT[ARGUMENT_MAX].  What
   is longer is cut off.  False: there is none.  */
static bool
get_argument (struct server *s, char *text)
{
  size_t length = 0;
  int c;

  while ((c = getchar ()) != EOF && c != '\n')
    if (length < ARGUMENT_MAX - 1)
      text[length++] = c;
  text[length] = '\0';
  if (s->log)
    fprintf (s->log, "<- %s\n", text);
  return c != EOF || length;
}

/* The number that TEXT is, at least MIN.  */
static bool
get_number (char const *text, intmax_t min, intmax_t *ret)
{
  char *end;
  errno = 0;
  *ret = strtoimax (text, &end, 10);
  return end != text && !*end && !errno && min <= *ret;
}

/* --- Requests --- */

static int
close_file (struct server *s)
{
  int fd = s->fd;
  s->fd = -1;
  return fd < 0 ? 0 : close (fd);
}

static enum outcome
serve_open (struct server *s)
{
  char name[ARGUMENT_MAX];
  char mode[ARGUMENT_MAX];
  int flags;

  if (!get_argument (s, name) || !get_argument (s, mode))
    return HANG_UP;
  (void)close_file (s);
  if (rmt_mode_parse (mode, &flags) != 0)
    refuse (s, EINVAL, _ ("Invalid open mode"));
  else
    {
      s->fd = open (name, flags | O_CLOEXEC | O_NOCTTY,
                    S_IRUSR | S_IWUSR | S_IRGRP | S_IWGRP | S_IROTH | S_IWOTH);
      conclude (s, s->fd < 0 ? -1 : 0);
    }
  return GO_ON;
}

static enum outcome
serve_close (struct server *s)
{
  char rest[ARGUMENT_MAX];

  get_argument (s, rest);
  if (s->fd < 0)
    fail (s, EBADF);
  else
    conclude (s, close_file (s));
  return GO_ON;
}

/* Set *RET to the whence that TEXT means.  */
static bool
get_whence (char const *text, int *ret)
{
  static struct
  {
    char const *name;
    int value;
  } const names[] = {
    { "0", SEEK_SET }, { "SET", SEEK_SET }, { "SEEK_SET", SEEK_SET },
    { "1", SEEK_CUR }, { "CUR", SEEK_CUR }, { "SEEK_CUR", SEEK_CUR },
    { "2", SEEK_END }, { "END", SEEK_END }, { "SEEK_END", SEEK_END },
  };

  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp (text, names[i].name) == 0)
      {
        *ret = names[i].value;
        return true;
      }
  return false;
}

/* The manual page has the whence first, but many programs, GNU tar among them,
   send the offset first.  Only numbers from 0 to 2 can be either.  An offset of
   1 or 2 is of no use to an archive, but "0" and then 1 or 2 is how those
   programs ask for the current offset, or the size.  */
static enum outcome
serve_seek (struct server *s)
{
  char first[ARGUMENT_MAX];
  char second[ARGUMENT_MAX];
  intmax_t offset;
  int whence;

  if (!get_argument (s, first) || !get_argument (s, second))
    return HANG_UP;
  bool swapped
      = !get_whence (first, &whence)
        || (strcmp (first, "0") == 0
            && (strcmp (second, "1") == 0 || strcmp (second, "2") == 0));
  if (swapped && !get_whence (second, &whence))
    refuse (s, EINVAL, _ ("Invalid seek direction"));
  else if (!get_number (swapped ? first : second, INTMAX_MIN, &offset))
    refuse (s, EINVAL, _ ("Invalid seek offset"));
  else
    conclude (s, lseek (s->fd, offset, whence));
  return GO_ON;
}

/* Make room for SIZE bytes of data.  */
static void
make_room (struct server *s, size_t size)
{
  if (s->allocated < size)
    {
      s->data = xrealloc (s->data, size);
      s->allocated = size;
    }
}

static enum outcome
serve_read (struct server *s)
{
  char text[ARGUMENT_MAX];
  intmax_t size;

  if (!get_argument (s, text))
    return HANG_UP;
  if (!get_number (text, 0, &size))
    {
      refuse (s, EINVAL, _ ("Invalid byte count"));
      return GO_ON;
    }
  size = MIN (size, RECORD_MAX);
  make_room (s, size);
  ssize_t n;
  while ((n = read (s->fd, s->data, size)) < 0 && errno == EINTR)
    continue;
  conclude (s, n);
  if (0 < n)
    fwrite (s->data, 1, n, stdout);
  return GO_ON;
}

/* Receive SIZE bytes into S->data.  False: there are no more.  */
static bool
receive (struct server *s, size_t size)
{
  size_t have = 0;

  while (have < size)
    {
      size_t want = MIN (size - have, STEP);
      if (s->allocated < have + want)
        make_room (s, MIN (size, MAX (2 * s->allocated, have + want)));
      size_t n = fread (s->data + have, 1, want, stdin);
      if (n == 0)
        return false;
      have += n;
    }
  return true;
}

/* Write what was received: to a tape, with one call.  Set *RET to how much was
   written; return 0 or an errno.  */
static int
write_data (struct server *s, size_t size, size_t *ret)
{
  size_t done = 0;

  while (done < size)
    {
      ssize_t n = write (s->fd, s->data + done, size - done);
      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        {
          *ret = done;
          return n < 0 ? errno : 0;
        }
      done += n;
    }
  *ret = done;
  return 0;
}

static enum outcome
serve_write (struct server *s)
{
  char text[ARGUMENT_MAX];
  intmax_t size;
  size_t n;

  if (!get_argument (s, text))
    return HANG_UP;
  /* How much data follows, nobody knows then.  */
  if (!get_number (text, 0, &size) || RECORD_MAX < size)
    {
      refuse (s, EINVAL, _ ("Invalid byte count"));
      return HANG_UP;
    }
  if (!receive (s, size))
    {
      refuse (s, EIO, _ ("Unexpected end of data"));
      return HANG_UP;
    }
  int err = write_data (s, size, &n);
  if (err && n == 0)
    fail (s, err);
  else
    answer (s, n);
  return GO_ON;
}

/* A command for a tape drive; see mt(1).  */
static enum outcome
serve_tape_command (struct server *s)
{
  char code[ARGUMENT_MAX];
  char count[ARGUMENT_MAX];
  intmax_t op;
  intmax_t n;

  if (!get_argument (s, code) || !get_argument (s, count))
    return HANG_UP;
  if (!get_number (code, INTMAX_MIN, &op)
      || !get_number (count, INTMAX_MIN, &n))
    refuse (s, EINVAL, _ ("Invalid operation or count"));
  else
    {
#ifdef MTIOCTOP
      struct mtop command = { .mt_op = op, .mt_count = n };
      if (command.mt_op != op || command.mt_count != n)
        fail (s, EINVAL);
      else
        conclude (s, ioctl (s->fd, MTIOCTOP, &command));
#else
      fail (s, ENOTTY);
#endif
    }
  return GO_ON;
}

static enum outcome
serve_status (struct server *s)
{
  char rest[ARGUMENT_MAX];

  get_argument (s, rest);
#ifdef MTIOCGET
  struct mtget status;
  if (ioctl (s->fd, MTIOCGET, &status) < 0)
    fail (s, errno);
  else
    {
      answer (s, sizeof status);
      fwrite (&status, sizeof status, 1, stdout);
    }
#else
  fail (s, ENOTTY);
#endif
  return GO_ON;
}

/* Serve until the other side has no more to ask.  True if it was
   understood.  */
static bool
serve (struct server *s)
{
  static struct
  {
    char letter;
    enum outcome (*function) (struct server *s);
  } const requests[] = {
    { 'O', serve_open },   { 'C', serve_close }, { 'L', serve_seek },
    { 'R', serve_read },   { 'W', serve_write }, { 'I', serve_tape_command },
    { 'S', serve_status },
  };
  int c;

  while ((c = getchar ()) != EOF)
    {
      size_t i = 0;
      while (i < sizeof requests / sizeof *requests && requests[i].letter != c)
        i++;
      bool known = i < sizeof requests / sizeof *requests;
      if (s->log)
        fprintf (s->log, "<- %c\n", c);
      if (!known)
        refuse (s, EINVAL, _ ("Garbage command"));
      enum outcome outcome = known ? requests[i].function (s) : HANG_UP;
      if (s->log)
        fflush (s->log);
      if (fflush (stdout) != 0 || outcome == HANG_UP)
        return false;
    }
  return true;
}

/* --- Starting --- */

static void
usage (void)
{
  printf (_ ("Usage: %s [OPTION]...\n"
             "Give a tar on another host access to files and tapes of this"
             " one.\n"
             "tar runs it by a remote shell; see rmt(8) for what they say.\n\n"
             "  -d, --debug=LEVEL      tell what is said\n"
             "      --debug-file=FILE  write that to FILE, not to standard"
             " error\n"
             "      --help             print this\n"
             "      --version          print the version\n"),
          program_name);
}

int
main (int argc, char **argv)
{
  enum
  {
    DEBUG_FILE = 256,
    HELP_TEXT,
    VERSION_TEXT
  };
  static struct option const options[] = {
    { "debug", required_argument, NULL, 'd' },
    { "debug-file", required_argument, NULL, DEBUG_FILE },
    { "help", no_argument, NULL, HELP_TEXT },
    { "version", no_argument, NULL, VERSION_TEXT },
    { NULL, 0, NULL, 0 },
  };
  struct server s = { .fd = -1 };
  char const *log_name = NULL;
  int c;

  set_program_name (argv[0]);
  setlocale (LC_ALL, "");
  atexit (close_stdout);
  while ((c = getopt_long (argc, argv, "d:", options, NULL)) != -1)
    switch (c)
      {
      case 'd':
        if (*optarg != '0')
          s.log = stderr;
        break;
      case DEBUG_FILE:
        log_name = optarg;
        break;
      case HELP_TEXT:
        usage ();
        return EXIT_SUCCESS;
      case VERSION_TEXT:
        printf ("rmt (%s) %s\n", PACKAGE_NAME, PACKAGE_VERSION);
        return EXIT_SUCCESS;
      default:
        return EXIT_FAILURE;
      }
  if (optind < argc)
    {
      fprintf (stderr, _ ("%s: there are no operands\n"), program_name);
      return EXIT_FAILURE;
    }
  if (log_name && !(s.log = fopen (log_name, "ae")))
    {
      fprintf (stderr, "%s: %s: %s\n", program_name, log_name,
               strerror (errno));
      return EXIT_FAILURE;
    }
  bool ok = serve (&s);
  free (s.data);
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
