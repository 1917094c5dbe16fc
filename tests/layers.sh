#!/bin/sh
# Check that source files include downward only (doc/architecture.md).
#
# Usage: layers.sh TOP_SRCDIR
# Prints each include that points upward or sideways; status 1 if there is
# any.
#
# Copyright (C) 2026 The reflink-tar authors.
# SPDX-License-Identifier: GPL-3.0-or-later

set -u
top=${1:?"usage: layers.sh TOP_SRCDIR"}
cd "$top" || exit 2

# One line for each include: the file's layer and room, and the header's.
find lib src -name '*.[ch]' | sort | xargs awk '
function place(path,   base)
{
  base = path
  sub(/.*\//, "", base)
  sub(/\.[ch]$/, "", base)
  if (path ~ /^lib\//)
    { level = 1; room = "lib" }
  else if (path ~ /^src\/(io|format|fs|select|ui)\//)
    { level = 3; split(path, part, "/"); room = part[2] }
  else if (base ~ /^(report|member|payload|flow|sharing|signals|shell|dumpdir)$/)
    { level = 2; room = "nouns" }
  else if (path ~ /^src\/options\// || base ~ /^(main|options)$/)
    { level = 5; room = "options" }
  else
    { level = 4; room = "operations" }
}

# Where a header named in an include is: beside the including file, under
# src or under lib; "" if it is not ours.
function resolve(from, header,   dir, try, line)
{
  dir = from
  sub(/\/[^\/]*$/, "", dir)
  try = dir "/" header
  if (try in known) return try
  try = "src/" header
  if (try in known) return try
  try = "lib/" header
  if (try in known) return try
  return ""
}

BEGIN {
  for (i = 1; i < ARGC; i++)
    known[ARGV[i]] = 1
}

/^[ \t]*#[ \t]*include[ \t]*"/ {
  header = $0
  sub(/^[^"]*"/, "", header)
  sub(/".*/, "", header)
  target = resolve(FILENAME, header)
  if (target == "") next
  place(FILENAME); from_level = level; from_room = room
  place(target)
  ok = level < from_level \
       || (level == from_level && room == from_room)
  # Operations read the options; the options know only plain enumerations.
  if (target == "src/options.h" && from_level == 4) ok = 1
  # Formats read and write blocks of the archive.
  if (from_room == "format" && target == "src/io/records.h") ok = 1
  if (!ok)
    {
      printf "%s:%d: includes %s\n", FILENAME, FNR, target
      bad = 1
    }
}

END { exit bad }
'
