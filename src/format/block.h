/* The layouts of a header block.

   Sources: POSIX.1-2017 pax, "ustar Interchange Format"; the GNU tar manual,
   "Basic Tar Format"; star(5) of the star distribution, "Star archive types";
   libarchive's tar(5).

   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef BLOCK_H
#define BLOCK_H

#include <assert.h>

enum
{
  BLOCK_SIZE = 512,
  BLOCK_GNU_CHUNKS = 4,      /* sparse chunks in a GNU or star header */
  BLOCK_EXTENDED_CHUNKS = 21 /* and in each block that follows it */
};

/* Type flags.  POSIX reserves A to Z for vendors.  */
enum block_type
{
  BLOCK_OLD_REGULAR = '\0',
  BLOCK_REGULAR = '0',
  BLOCK_HARD_LINK = '1',
  BLOCK_SYMLINK = '2',
  BLOCK_CHARACTER = '3',
  BLOCK_BLOCK = '4',
  BLOCK_DIRECTORY = '5',
  BLOCK_FIFO = '6',
  BLOCK_CONTIGUOUS = '7',
  BLOCK_PAX_GLOBAL = 'g',
  BLOCK_PAX_LOCAL = 'x',
  BLOCK_SOLARIS_LOCAL = 'X', /* 'x' of Solaris before POSIX.1-2001 */
  BLOCK_GNU_DUMPDIR = 'D',
  BLOCK_GNU_LONG_LINK = 'K',
  BLOCK_GNU_LONG_NAME = 'L',
  BLOCK_GNU_CONTINUATION = 'M',
  BLOCK_GNU_LONG_RENAME = 'N', /* obsolete; nobody reads it */
  BLOCK_GNU_SPARSE = 'S',      /* star too, with its own layout */
  BLOCK_GNU_VOLUME = 'V'
};

struct block_ustar
{
  char name[100];
  char mode[8];
  char uid[8];
  char gid[8];
  char size[12];
  char mtime[12];
  char checksum[8];
  char typeflag;
  char linkname[100];
  char magic[6];   /* "ustar" and NUL; old GNU: "ustar " */
  char version[2]; /* "00"; old GNU: " " and NUL */
  char uname[32];
  char gname[32];
  char devmajor[8];
  char devminor[8];
  char prefix[155];
  char padding[12];
};

struct block_chunk
{
  char offset[12];
  char length[12];
};

/* What old GNU and GNU headers have in place of the prefix.  */
struct block_gnu
{
  char before[345];
  char atime[12];
  char ctime[12];
  char offset[12]; /* of a continued member's data in the whole */
  char longnames[4];
  char unused;
  struct block_chunk chunks[BLOCK_GNU_CHUNKS];
  char is_extended; /* a struct block_extended follows */
  char realsize[12];
  char padding[17];
};

struct block_extended
{
  struct block_chunk chunks[BLOCK_EXTENDED_CHUNKS];
  char is_extended;
  char padding[7];
};

/* star's ("xstar") header: a shorter prefix, times, and "tar" at the end.  */
struct block_star
{
  char before[345];
  char prefix[131];
  char atime[12];
  char ctime[12];
  char padding[8];
  char xmagic[4];
};

/* A star sparse header ('S').  */
struct block_star_sparse
{
  char before[345];
  char prefix[1];
  char fill2;
  char fill3[8];
  char is_extended;
  struct block_chunk chunks[BLOCK_GNU_CHUNKS];
  char realsize[12];
  char offset[12];
  char atime[12];
  char ctime[12];
  char padding[8];
  char xmagic[4];
};

union block
{
  char bytes[BLOCK_SIZE];
  struct block_ustar ustar;
  struct block_gnu gnu;
  struct block_extended extended;
  struct block_star star;
  struct block_star_sparse star_sparse;
};

static_assert (sizeof (struct block_ustar) == BLOCK_SIZE, "ustar header");
static_assert (sizeof (struct block_gnu) == BLOCK_SIZE, "GNU header");
static_assert (sizeof (struct block_extended) == BLOCK_SIZE, "GNU sparse");
static_assert (sizeof (struct block_star) == BLOCK_SIZE, "star header");
static_assert (sizeof (struct block_star_sparse) == BLOCK_SIZE, "star sparse");
static_assert (sizeof (union block) == BLOCK_SIZE, "block");

#endif
