#!/bin/sh
# Show what --reflink does, beside a plain extraction.
#
# Copyright (C) 2026 The reflink-tar authors.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: demo.sh BUILD DIR
#        demo.sh BUILD --mounted FILESYSTEMS DIR
#
# BUILD has the program and the tools.  FILESYSTEMS is what filesystems.sh has
# set up; DIR is where to go if that has nothing.  `./dev demo' runs this.

set -u
build=${1:?}
tar=$build/src/tar
megabytes=500
unset TAR_OPTIONS

die ()
{
  echo "demo: $*" >&2
  exit 1
}

# start_time PID: in clock ticks since boot (proc(5), field 22 of stat).
start_time ()
{
  sed 's/.*) //' "/proc/$1/stat" 2>/dev/null | cut -d ' ' -f 20
}

# sweep DIR: remove what a killed run left there.
sweep ()
{
  for owner in "$1"/reflink-tar-demo.*/owner
  do
    test -f "$owner" || continue
    read -r pid started <"$owner"
    test "$(start_time "$pid")" = "$started" || {
      echo "Removing what an interrupted run left in $1"
      rm -rf "${owner%/owner}"
    }
  done
}

scratch=
clean ()
{
  test -z "$scratch" || rm -rf "$scratch"
  scratch=
}
trap clean EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

# choose LIMIT: print directories of this system that hold real files, LIMIT
# megabytes of them at most.
choose ()
{
  du -xsm /usr/share/* /usr/lib/* 2>/dev/null | sort -rn | awk -v limit="$1" '
    BEGIN { FS = "\t" }
    total + $1 <= limit && $2 !~ / / { total += $1; print $2 }' |
  while read -r dir
  do
    test -n "$(find "$dir" ! -type l ! -readable -print -quit)" || echo "$dir"
  done
}

now ()
{
  date +%s.%N
}

used ()
{
  sync -f "$1"
  df -B1 --output=used "$1" | tail -n 1
}

# extract NAME OPTION: into NAME; print a row of the table.
extract ()
{
  mkdir "$scratch/$1" || exit
  before=$(used "$scratch")
  from=$(now)
  "$tar" "$2" -xf "$scratch/archive.tar" -C "$scratch/$1" \
    || die "$tar $2 -xf failed"
  sync -f "$scratch"
  to=$(now)
  after=$(used "$scratch")
  shared=$(find "$scratch/$1" -type f -print0 \
             | "$build/tests/tools/extents" --total-shared 2>/dev/null) \
    || shared=0
  awk -v option="$2" -v from="$from" -v to="$to" -v used=$((after - before)) \
      -v shared="$shared" 'BEGIN {
    printf "  tar %-19s %8.2f s %10.1f MiB %12.1f MiB\n", option " -xf", \
      to - from, used / 1048576, shared / 1048576 }'
}

# show DIR TITLE
show ()
{
  test -w "$1/." || die "cannot write in $1"
  sweep "$1"
  scratch=$(mktemp -d "$1/reflink-tar-demo.XXXXXX") || exit
  echo "$$ $(start_time $$)" >"$scratch/owner"

  # The archive, and two trees: half a gigabyte of it if there is room.
  room=$(($(df -B1048576 --output=avail "$1" | tail -n 1) / 4))
  test "$megabytes" -le "$room" || megabytes=$room
  test 8 -le "$megabytes" || die "there is not enough room in $1"
  directories=$(choose "$megabytes")
  # None of them has a blank.
  # shellcheck disable=SC2086
  "$build/tests/tools/genaligned" "$scratch/archive.tar" $directories \
    || die "cannot make an archive"
  sync -f "$scratch"

  echo
  echo "$2: an aligned archive of $("$tar" -tf "$scratch/archive.tar" \
    | wc -l) members, $(($(stat -c %s "$scratch/archive.tar") / 1048576)) MiB"
  printf '  %-23s %10s %14s %16s\n' '' 'with sync' 'disk used' 'shared'
  extract plain --reflink=never
  extract reflink --reflink
  if diff -r --no-dereference "$scratch/plain" "$scratch/reflink" \
       >/dev/null 2>&1; then
    echo "  The two trees are the same."
  else
    die "the two trees differ"
  fi
  clean
}

case $2 in
  --mounted)
    filesystems=$3
    shown=
    for name in xfs btrfs
    do
      if test -d "$filesystems/$name"; then
        show "$filesystems/$name" "$name"
        shown=yes
      else
        echo "No $name image: $(cat "$filesystems/$name.skip" 2>/dev/null)"
      fi
    done
    test -n "$shown" || {
      echo "So this is in the current directory instead."
      show "$4" "$4 ($(stat -f -c %T "$4"))"
    }
    ;;
  *) show "$2" "$2 ($(stat -f -c %T "$2"))" ;;
esac
