/* Describe a source and remember what each destination can share with it.
   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "reflink.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

struct entry
{
  dev_t src_dev;
  dev_t dst_dev;
  struct reflink_pair *pair;
};

struct reflink_cache
{
  struct reflink_source *source;
  struct reflink_ops const *ops; /* null: the real system calls */
  enum reflink_mode mode;
  enum reflink_strategy strategy;
  struct entry *entries;
  size_t n_entries;
  size_t last; /* index of the entry found last; files come in runs */
};

int
reflink_source_init (struct reflink_source *source, int fd)
{
  struct stat st;
  if (fstat (fd, &st) < 0)
    return errno;
  *source = (struct reflink_source){ .fd = fd,
                                     .dev = st.st_dev,
                                     .size = st.st_size };
  return 0;
}

int
reflink_cache_new (enum reflink_mode mode, enum reflink_strategy strategy,
                   struct reflink_source *source, struct reflink_cache **ret)
{
  struct reflink_cache *cache = calloc (1, sizeof *cache);
  if (!cache)
    return ENOMEM;
  cache->source = source;
  cache->mode = mode;
  cache->strategy = strategy;
  *ret = cache;
  return 0;
}

void
reflink_cache_free (struct reflink_cache *cache)
{
  if (!cache)
    return;
  for (size_t i = 0; i < cache->n_entries; i++)
    reflink_pair_free (cache->entries[i].pair);
  free (cache->entries);
  free (cache);
}

void
reflink_cache_set_ops (struct reflink_cache *cache,
                       struct reflink_ops const *ops)
{
  cache->ops = ops;
}

/* Append a new entry.  Returns ENOMEM or 0.  */
static int
add_entry (struct reflink_cache *cache, dev_t dst_dev, int dst_fd)
{
  /* There are as many entries as mounts: growing by one is no loss.  */
  size_t n = cache->n_entries;
  struct entry *entries = realloc (cache->entries, (n + 1) * sizeof *entries);
  if (!entries)
    return ENOMEM;
  cache->entries = entries;

  struct entry entry = { .src_dev = cache->source->dev, .dst_dev = dst_dev };
  int err = reflink_pair_new (cache->mode, cache->strategy, cache->source,
                              dst_fd, cache->ops, &entry.pair);
  if (err)
    return err;
  entries[n] = entry;
  cache->n_entries++;
  return 0;
}

static bool
entry_matches (struct reflink_cache const *cache, size_t i, dev_t dst_dev)
{
  return (cache->entries[i].src_dev == cache->source->dev
          && cache->entries[i].dst_dev == dst_dev);
}

int
reflink_cache_find (struct reflink_cache *cache, dev_t dst_dev, int dst_fd,
                    struct reflink_pair **ret)
{
  size_t i = cache->last;
  if (cache->n_entries <= i || !entry_matches (cache, i, dst_dev))
    {
      i = 0;
      while (i < cache->n_entries && !entry_matches (cache, i, dst_dev))
        i++;
      if (i == cache->n_entries)
        {
          int err = add_entry (cache, dst_dev, dst_fd);
          if (err)
            return err;
        }
    }
  cache->last = i;
  *ret = cache->entries[i].pair;
  return 0;
}

/* Measured on Linux 6.18 with 43,000 files of 20,000 bytes, shared at once
   from a freshly written source of 1 GB on loop-mounted images of 16 GiB,
   flush, loop and syncfs together, in four rounds that alternated with and
   without the flush, on a machine with other work: with it XFS took 0.35 to
   0.6 of the time, Btrfs 0.75 to 1.0.  The data has to be on its way to its
   place; sync_file_range does that without the metadata that fdatasync would
   wait for.  */
int
reflink_flush_source (struct reflink_cache *cache)
{
#ifdef SYNC_FILE_RANGE_WRITE
  unsigned int flags = (SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE
                        | SYNC_FILE_RANGE_WAIT_AFTER);
  return sync_file_range (cache->source->fd, 0, 0, flags) < 0 ? errno : 0;
#else
  return fdatasync (cache->source->fd) < 0 ? errno : 0;
#endif
}
