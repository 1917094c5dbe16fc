/* Maps of sparse members, as GNU tar writes them.

   Source: the GNU tar manual, "Basic Tar Format" and "Storing Sparse Files".

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "format/encode.h"

#include <string.h>

#include "inttostr.h"
#include "minmax.h"

/* A map that does not get to the file's end must say where that is: GNU tar
   makes a file that ends where its map does, whatever its size.  The chunks of
   files have it already; readers drop what is empty.  */
static bool
needs_end (struct member const *m)
{
  if (m->chunk_count == 0)
    return true;
  struct member_chunk const *last = &m->chunks[m->chunk_count - 1];
  return last->offset + last->length < m->size;
}

static size_t
map_count (struct member const *m)
{
  return m->chunk_count + needs_end (m);
}

static struct member_chunk
map_chunk (struct member const *m, size_t i)
{
  return (i < m->chunk_count ? m->chunks[i]
                             : (struct member_chunk){ .offset = m->size });
}

/* --- In header blocks --- */

static void
put_offset (char *field, size_t size, off_t value)
{
  if (number_fits_octal (value, size))
    number_put_octal (value, field, size);
  else
    number_put_base256 (value, field, size);
}

/* Put at most ROOM of the map's chunks from number FIRST on in CHUNKS.  Return
   how many there were.  */
static size_t
put_chunks (struct member const *m, size_t first, struct block_chunk *chunks,
            size_t room)
{
  size_t count = MIN (room, map_count (m) - first);
  for (size_t i = 0; i < count; i++)
    {
      struct member_chunk c = map_chunk (m, first + i);
      put_offset (chunks[i].offset, sizeof chunks[i].offset, c.offset);
      put_offset (chunks[i].length, sizeof chunks[i].length, c.length);
    }
  return count;
}

void
encode_sparse_gnu (struct encoder *e)
{
  struct member const *m = e->member;
  struct block_gnu *h = &e->header.gnu;
  put_offset (h->realsize, sizeof h->realsize, m->size);
  size_t done = put_chunks (m, 0, h->chunks, BLOCK_GNU_CHUNKS);
  size_t count = map_count (m);
  h->is_extended = done < count;
  while (done < count)
    {
      union block *b
          = (union block *)encode_buffer_extend (&e->trailer, BLOCK_SIZE);
      memset (b, 0, BLOCK_SIZE);
      done += put_chunks (m, done, b->extended.chunks, BLOCK_EXTENDED_CHUNKS);
      b->extended.is_extended = done < count;
    }
}

/* --- In pax format --- */

/* Append NUMBER and AFTER to B.  */
static void
append_number (struct encode_buffer *b, intmax_t number, char after)
{
  char digits[INT_BUFSIZE_BOUND (intmax_t)];
  char const *text = imaxtostr (number, digits);
  size_t length = strlen (text);
  char *to = encode_buffer_extend (b, length + 1);
  memcpy (to, text, length);
  to[length] = after;
}

static void
append_chunks (struct encode_buffer *b, struct member const *m, char after)
{
  size_t count = map_count (m);
  for (size_t i = 0; i < count; i++)
    {
      struct member_chunk c = map_chunk (m, i);
      append_number (b, c.offset, after);
      append_number (b, c.length, after);
    }
}

/* The map as records, one for each number.  Two records may have one keyword,
   which POSIX does not allow: hence the later versions.  */
static void
map_records (struct encoder *e)
{
  struct member const *m = e->member;
  size_t count = map_count (m);
  for (size_t i = 0; i < count; i++)
    {
      struct member_chunk c = map_chunk (m, i);
      pax_build_add_number (&e->records, "GNU.sparse.offset", c.offset);
      pax_build_add_number (&e->records, "GNU.sparse.numbytes", c.length);
    }
}

/* The map as one record.  */
static void
map_record (struct encoder *e)
{
  struct encode_buffer *b = &e->trailer;
  append_chunks (b, e->member, ',');
  pax_build_add (&e->records, "GNU.sparse.map", b->bytes, b->length - 1);
  b->length = 0;
}

/* The map as blocks before the data, which count as data.  */
static void
map_blocks (struct encoder *e)
{
  struct encode_buffer *b = &e->trailer;
  append_number (b, map_count (e->member), '\n');
  append_chunks (b, e->member, '\n');
  idx_t rest = b->length % BLOCK_SIZE;
  if (rest)
    memset (encode_buffer_extend (b, BLOCK_SIZE - rest), 0, BLOCK_SIZE - rest);
  e->size += b->length;
}

void
encode_sparse_pax (struct encoder *e)
{
  struct member const *m = e->member;
  unsigned major = e->settings->sparse_major;
  unsigned minor = e->settings->sparse_minor;
  struct pax_build *r = &e->records;

  if (0 < major)
    {
      pax_build_add_number (r, "GNU.sparse.major", major);
      pax_build_add_number (r, "GNU.sparse.minor", minor);
    }
  else
    {
      pax_build_add_number (r, "GNU.sparse.size", m->size);
      pax_build_add_number (r, "GNU.sparse.numblocks", map_count (m));
      if (minor == 0)
        {
          map_records (e);
          return;
        }
    }
  /* Readers that do not know these records will not take the condensed file
     for the real one: it has another name.  */
  pax_build_add (r, "GNU.sparse.name", e->name.text, e->name.length);
  encode_names_expand (e, "%d/GNUSparseFile.%p/%f", 0, &e->path_buffer);
  e->path
      = (struct encode_string){ e->path_buffer.bytes, e->path_buffer.length };
  e->path_is_dummy = 0 < major;
  if (0 < major)
    {
      pax_build_add_number (r, "GNU.sparse.realsize", m->size);
      map_blocks (e);
    }
  else
    map_record (e);
}
