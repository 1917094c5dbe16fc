/* Make a pax archive in which file data starts on a unit's boundary.
   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

/* The padding is one `comment' record in the member's extended header, which
   every reader ignores (POSIX pax, "pax Extended Header").  This is for
   tests: names are stored as they are given, hard links as separate files,
   and anything but files, directories and symbolic links is left out.  */

#include <config.h>

#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <getopt.h>
#include <grp.h>
#include <inttypes.h>
#include <pwd.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum
{
  BLOCK = 512
};

/* POSIX ustar, "ustar Header Block".  */
struct header
{
  char name[100];
  char mode[8];
  char uid[8];
  char gid[8];
  char size[12];
  char mtime[12];
  char chksum[8];
  char typeflag;
  char linkname[100];
  char magic[6];
  char version[2];
  char uname[32];
  char gname[32];
  char devmajor[8];
  char devminor[8];
  char prefix[155];
  char pad[12];
};

struct records
{
  char *bytes;
  size_t len;
};

static FILE *out;
static char const *out_name;
static off_t position;
static off_t unit = 4096;

static _Noreturn void
die (char const *what)
{
  fprintf (stderr, "genaligned: %s: %s\n", what, strerror (errno));
  exit (EXIT_FAILURE);
}

static void
put (void const *bytes, size_t len)
{
  if (fwrite (bytes, 1, len, out) != len)
    die (out_name);
  position += len;
}

static void
put_padding (void)
{
  static char const zeros[BLOCK];
  put (zeros, (BLOCK - position % BLOCK) % BLOCK);
}

static char *
extend (struct records *records, size_t len)
{
  char *bytes = realloc (records->bytes, records->len + len + 1);
  if (!bytes)
    die ("records");
  records->bytes = bytes;
  bytes += records->len;
  records->len += len;
  return bytes;
}

/* Append the record "LENGTH KEYWORD=VALUE\n", where LENGTH counts itself.  */
static void
add_record (struct records *records, char const *keyword, char const *value)
{
  size_t rest = strlen (keyword) + strlen (value) + 3;
  size_t len = rest + 1;
  while (len != rest + (size_t)snprintf (NULL, 0, "%zu", len))
    len = rest + snprintf (NULL, 0, "%zu", len);
  sprintf (extend (records, len), "%zu %s=%s\n", len, keyword, value);
}

static void
add_number (struct records *records, char const *keyword, char const *format,
            ...)
{
  char value[64];
  va_list args;
  va_start (args, format);
  vsnprintf (value, sizeof value, format, args);
  va_end (args);
  add_record (records, keyword, value);
}

/* Append a comment that is LEN bytes long as a whole.  */
static void
add_padding (struct records *records, size_t len)
{
  char *record = extend (records, len);
  int n = sprintf (record, "%zu comment=", len);
  memset (record + n, '-', len - n - 1);
  record[len - 1] = '\n';
}

/* Pad RECORDS so that data following the extended and the member's header
   starts on a boundary.  */
static void
align (struct records *records)
{
  off_t used = records->len ? BLOCK + records->len : 0;
  used += (BLOCK - used % BLOCK) % BLOCK;
  if ((position + used + BLOCK) % unit == 0)
    return;

  /* The shortest comment is "12 comment=\n".  */
  off_t area = BLOCK;
  while (area < (off_t)records->len + 12
         || (position + BLOCK + area + BLOCK) % unit != 0)
    area += BLOCK;
  add_padding (records, area - records->len);
}

static void
octal (char *field, size_t size, uintmax_t value)
{
  char digits[32];
  uintmax_t limit = (uintmax_t)1 << (3 * (size - 1));
  snprintf (digits, sizeof digits, "%0*jo", (int)size - 1,
            value < limit ? value : 0);
  memcpy (field, digits, size);
}

static void
put_header (struct header *h)
{
  memcpy (h->magic, "ustar", 6);
  memcpy (h->version, "00", 2);
  memset (h->chksum, ' ', sizeof h->chksum);
  unsigned int sum = 0;
  for (size_t i = 0; i < sizeof *h; i++)
    sum += ((unsigned char const *)h)[i];
  snprintf (h->chksum, sizeof h->chksum, "%06o", sum);
  put (h, sizeof *h);
}

static void
put_records (struct records const *records, char const *name)
{
  struct header h = { .typeflag = 'x' };
  char const *base = strrchr (name, '/');
  base = base && base[1] ? base + 1 : name;
  snprintf (h.name, sizeof h.name, "PaxHeaders/%.80s", base);
  octal (h.mode, sizeof h.mode, 0644);
  octal (h.uid, sizeof h.uid, 0);
  octal (h.gid, sizeof h.gid, 0);
  octal (h.size, sizeof h.size, records->len);
  octal (h.mtime, sizeof h.mtime, 0);
  put_header (&h);
  put (records->bytes, records->len);
  put_padding ();
}

static void
set_owner (struct header *h, struct stat const *st, struct records *records)
{
  octal (h->uid, sizeof h->uid, st->st_uid);
  octal (h->gid, sizeof h->gid, st->st_gid);
  if (07777777 < st->st_uid)
    add_number (records, "uid", "%ju", (uintmax_t)st->st_uid);
  if (07777777 < st->st_gid)
    add_number (records, "gid", "%ju", (uintmax_t)st->st_gid);

  /* Most files of a tree have one owner.  */
  static struct header last;
  static uid_t last_uid = -1;
  static gid_t last_gid = -1;
  if (st->st_uid != last_uid)
    {
      struct passwd const *pw = getpwuid (st->st_uid);
      snprintf (last.uname, sizeof last.uname, "%s", pw ? pw->pw_name : "");
      last_uid = st->st_uid;
    }
  if (st->st_gid != last_gid)
    {
      struct group const *gr = getgrgid (st->st_gid);
      snprintf (last.gname, sizeof last.gname, "%s", gr ? gr->gr_name : "");
      last_gid = st->st_gid;
    }
  memcpy (h->uname, last.uname, sizeof h->uname);
  memcpy (h->gname, last.gname, sizeof h->gname);
}

/* Write the headers of the member NAME; LINK is a symbolic link's target.  */
static void
put_member (char const *name, char const *link, struct stat const *st)
{
  struct header h = { 0 };
  struct records records = { 0 };
  off_t size = S_ISREG (st->st_mode) ? st->st_size : 0;
  h.typeflag = S_ISREG (st->st_mode) ? '0' : S_ISDIR (st->st_mode) ? '5' : '2';

  memcpy (h.name, name, strnlen (name, sizeof h.name));
  if (sizeof h.name < strlen (name))
    add_record (&records, "path", name);
  memcpy (h.linkname, link, strnlen (link, sizeof h.linkname));
  if (sizeof h.linkname < strlen (link))
    add_record (&records, "linkpath", link);
  octal (h.mode, sizeof h.mode, st->st_mode & 07777);
  set_owner (&h, st, &records);
  octal (h.size, sizeof h.size, size);
  if (077777777777 < size)
    add_number (&records, "size", "%jd", (intmax_t)size);
  octal (h.mtime, sizeof h.mtime, 0 <= st->st_mtime ? st->st_mtime : 0);
  if (st->st_mtime < 0 || st->st_mtim.tv_nsec)
    add_number (&records, "mtime", "%jd.%09ld", (intmax_t)st->st_mtime,
                (long)st->st_mtim.tv_nsec);

  if (unit <= size)
    align (&records);
  if (records.len)
    put_records (&records, name);
  free (records.bytes);
  put_header (&h);
}

/* Write the SIZE bytes of the file at PATH.  */
static void
put_data (char const *path, off_t size)
{
  static char buffer[1 << 18];
  int fd = open (path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    die (path);
  while (0 < size)
    {
      size_t want = sizeof buffer;
      if (size < (off_t)want)
        want = size;
      ssize_t n = read (fd, buffer, want);
      if (n <= 0)
        {
          errno = n < 0 ? errno : ENODATA;
          die (path);
        }
      put (buffer, n);
      size -= n;
    }
  close (fd);
}

static void
put_entry (FTSENT const *e)
{
  char const *name = e->fts_path + strspn (e->fts_path, "/");
  struct stat const *st = e->fts_statp;
  put_padding ();
  if (S_ISREG (st->st_mode))
    {
      put_member (name, "", st);
      put_data (e->fts_accpath, st->st_size);
    }
  else if (S_ISDIR (st->st_mode))
    {
      char *slashed;
      if (asprintf (&slashed, "%s/", name) < 0)
        die (name);
      put_member (slashed, "", st);
      free (slashed);
    }
  else if (S_ISLNK (st->st_mode))
    {
      char *link = calloc (1, st->st_size + 1);
      if (!link || readlink (e->fts_accpath, link, st->st_size) < 0)
        die (e->fts_path);
      put_member (name, link, st);
      free (link);
    }
  else
    fprintf (stderr, "genaligned: %s: left out\n", e->fts_path);
}

static int
by_name (FTSENT const **a, FTSENT const **b)
{
  return strcmp ((*a)->fts_name, (*b)->fts_name);
}

static void
put_trees (char **paths)
{
  FTS *fts = fts_open (paths, FTS_PHYSICAL | FTS_NOCHDIR, by_name);
  if (!fts)
    die ("fts_open");
  FTSENT *e;
  while ((errno = 0, e = fts_read (fts)))
    switch (e->fts_info)
      {
      case FTS_DP:
        break;
      case FTS_DNR:
      case FTS_ERR:
      case FTS_NS:
        errno = e->fts_errno;
        die (e->fts_path);
      default:
        put_entry (e);
      }
  if (errno)
    die ("fts_read");
  fts_close (fts);
}

static _Noreturn void
usage (void)
{
  fputs ("Usage: genaligned [--unit=N] [--directory=DIR] [--trailing-eof=no]"
         " OUT FILE...\n"
         "N is a power of two, at least 512.  --trailing-eof=no ends the"
         " archive with\nthe last member's last byte: no padding, no"
         " end-of-archive blocks.\n",
         stderr);
  exit (EXIT_FAILURE);
}

int
main (int argc, char **argv)
{
  static struct option const options[]
      = { { "unit", required_argument, NULL, 'u' },
          { "directory", required_argument, NULL, 'C' },
          { "trailing-eof", required_argument, NULL, 'e' },
          { NULL, 0, NULL, 0 } };
  bool eof = true;
  char const *directory = NULL;
  int c;
  while ((c = getopt_long (argc, argv, "+", options, NULL)) != -1)
    switch (c)
      {
      case 'u':
        unit = strtoimax (optarg, NULL, 10);
        break;
      case 'C':
        directory = optarg;
        break;
      case 'e':
        eof = strcmp (optarg, "no") != 0;
        break;
      default:
        usage ();
      }
  if (argc - optind < 2 || unit < BLOCK || (unit & (unit - 1)) != 0)
    usage ();

  out_name = argv[optind];
  out = fopen (out_name, "w");
  if (!out)
    die (out_name);
  setvbuf (out, NULL, _IOFBF, 1 << 20);
  if (directory && chdir (directory) < 0)
    die (directory);
  put_trees (argv + optind + 1);

  if (eof)
    {
      static char const zeros[2 * BLOCK];
      put_padding ();
      put (zeros, sizeof zeros);
      while (position % (20 * BLOCK) != 0)
        put (zeros, BLOCK);
    }
  if (fclose (out) != 0)
    die (out_name);
  return EXIT_SUCCESS;
}
