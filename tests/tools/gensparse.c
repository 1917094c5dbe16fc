/* Make a file with holes.
   Copyright (C) 2026 The reflink-tar authors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Write LENGTH bytes at OFFSET, not one of them zero, which tell what offset
   they belong to.  */
static int
write_data (int fd, uintmax_t offset, uintmax_t length)
{
  char buffer[65536];
  while (length)
    {
      size_t n = length < sizeof buffer ? length : sizeof buffer;
      for (size_t i = 0; i < n; i++)
        buffer[i] = ((offset + i) / 512 + (offset + i)) % 255 + 1;
      ssize_t written = pwrite (fd, buffer, n, offset);
      if (written <= 0)
        return -1;
      offset += written;
      length -= written;
    }
  return 0;
}

int
main (int argc, char **argv)
{
  int fd = argc < 3 ? -1 : open (argv[1], O_RDWR | O_CREAT | O_TRUNC, 0666);
  if (argc < 3)
    {
      fputs ("Usage: gensparse FILE SIZE [OFFSET,LENGTH[,COUNT,STEP]]...\n",
             stderr);
      return EXIT_FAILURE;
    }
  if (fd < 0 || ftruncate (fd, strtoumax (argv[2], NULL, 10)) != 0)
    {
      perror (argv[1]);
      return EXIT_FAILURE;
    }
  for (int i = 3; i < argc; i++)
    {
      uintmax_t offset = 0;
      uintmax_t length = 0;
      uintmax_t count = 1;
      uintmax_t step = 0;
      sscanf (argv[i], "%ju,%ju,%ju,%ju", &offset, &length, &count, &step);
      for (; count; count--, offset += step)
        if (write_data (fd, offset, length) != 0)
          {
            perror (argv[1]);
            return EXIT_FAILURE;
          }
    }
  return close (fd) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
