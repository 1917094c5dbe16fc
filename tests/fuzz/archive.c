/* Any bytes as an archive: headers, extended headers, sparse maps, data, and
   the lines of -tvv.

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "targets.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "format/reader.h"
#include "io/records.h"
#include "io/stream-file.h"
#include "report.h"
#include "ui/listing.h"

enum
{
  BLOCK = 512,
  MAGIC = 257, /* offsets in a header (POSIX ustar) */
  CHECKSUM = 148,
  CHECKSUM_SIZE = 8,
  DATA_MAX = 1024 * 1024 /* of a member is read, no more */
};

/* What the last byte of the input decides.  */
enum
{
  IGNORE_ZEROS = 1,
  PIPE = 2, /* the archive cannot be read at an offset */
  SKIP = 4  /* no data is read */
};

static void
take_note (void *arg, struct reader_note const *note)
{
  /* Look at all that is told.  */
  size_t *sum = arg;
  if (note->text)
    for (size_t i = 0; i < note->text_length; i++)
      *sum += note->text[i];
  if (note->keyword)
    for (size_t i = 0; i < note->keyword_length; i++)
      *sum += note->keyword[i];
  *sum += note->name ? strlen (note->name) : 0;
}

/* Read P, as extracting does.  */
static void
read_data (struct payload *p, size_t *sum)
{
  struct payload_segment s;
  off_t done = 0;

  while (done < DATA_MAX && payload_next (p, &s) == 0 && s.length)
    {
      if (s.bytes)
        for (off_t i = 0; i < s.length; i++)
          *sum += s.bytes[i];
      done += s.length;
    }
}

static void
read_all (struct records *r, int how, FILE *out)
{
  size_t sum = 0;
  struct report report;
  struct member *m;
  struct payload *p;
  struct reader_settings const settings = { .ignore_zeros = how & IGNORE_ZEROS,
                                            .note = take_note,
                                            .note_arg = &sum };
  struct listing_settings const lines = { .level = LISTING_DETAILS,
                                          .full_time = true,
                                          .acls = true,
                                          .selinux = true,
                                          .xattrs = true,
                                          .stream = out };

  report_init (&report);
  struct listing *l = listing_new (&lines, &report);
  struct reader *reader = reader_new (r, &settings);
  while (reader_next (reader, &m, &p) == READER_MEMBER)
    {
      listing_member (l, m, 0);
      if (!(how & SKIP))
        read_data (p, &sum);
    }
  reader_free (reader);
  listing_free (l, &report);
  fprintf (out, "%zu", sum);
}

void
archive_run (uint8_t const *data, size_t size)
{
  struct stream *s;
  int status;
  int how = size ? data[size - 1] : 0;
  FILE *out = fopen ("/dev/null", "w");
  int fd = targets_file (data, size);

  if (out && stream_file_new_reader (fd, false, &s) == 0)
    {
      if (how & PIPE)
        s->can_pread = s->has_extents = false;
      struct records *r = records_new_reader (s, 20 * BLOCK);
      read_all (r, how, out);
      records_close (r, &status);
    }
  if (out)
    fclose (out);
}

/* Give each header the checksum that it should have.  */
void
archive_repair (uint8_t *data, size_t size)
{
  for (; BLOCK <= size; data += BLOCK, size -= BLOCK)
    if (memcmp (data + MAGIC, "ustar", 5) == 0)
      {
        char digits[CHECKSUM_SIZE + 1];
        unsigned sum = CHECKSUM_SIZE * ' ';
        for (size_t i = 0; i < BLOCK; i++)
          if (i < CHECKSUM || CHECKSUM + CHECKSUM_SIZE <= i)
            sum += data[i];
        snprintf (digits, sizeof digits, "%06o%c ", sum, 0);
        memcpy (data + CHECKSUM, digits, CHECKSUM_SIZE);
      }
}
