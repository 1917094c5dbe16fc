#!/bin/sh
# Measure our tar against others, on filesystems made for it.
#
# Copyright (C) 2026 The reflink-tar authors.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: bench.sh BUILD FILESYSTEMS [ROUNDS [ARCHIVE]]
#
# BUILD has the programs; FILESYSTEMS is what filesystems.sh has set up, with
# xfs, btrfs and ext4.  ARCHIVE is a tar archive, compressed or not; by
# default the Linux sources of the package linux-source-6.1.  Results go to
# bench/results: CSV files, results.md and SVG plots.  `./dev bench' runs
# this.

set -u
build=${1:?} filesystems=${2:?}
rounds=${3:-5}
archive=${4:-/usr/src/linux-source-6.1.tar.xz}
bench=$(cd "$(dirname "$0")" && pwd -P) || exit
results=$bench/results
tar=$build/src/tar
unset TAR_OPTIONS
mkdir -p "$results" || exit

die ()
{
  echo "bench: $*" >&2
  exit 1
}

# GNU tar, if the system has it.
system_tar=
for candidate in /usr/bin/tar /bin/tar
do
  case $("$candidate" --version 2>/dev/null | sed 1q) in
    "tar (GNU tar) "*) system_tar=$candidate; break ;;
  esac
done

# --- What cloning costs -----------------------------------------------------

clone_costs ()
{
  for fs in xfs btrfs
  do
    test -d "$filesystems/$fs" || continue
    echo "clone-bench on $fs"
    "$build/bench/clone-bench" --csv="$results/clone-bench-$fs.csv" \
      "$filesystems/$fs" | tee "$results/clone-bench-$fs.txt" \
      || die "clone-bench failed on $fs"
    "$build/bench/clone-bench" --recommend "$filesystems/$fs" \
      | tee -a "$results/clone-bench-$fs.txt"
  done
}

# --- Extraction -------------------------------------------------------------

# program NAME: print the command, with ARCHIVE and DEST as its last words,
# or nothing if there is none.
program ()
{
  case $1 in
    ours-reflink) echo "$tar --reflink -xf ARCHIVE -C DEST" ;;
    ours-copy) echo "$tar -xf ARCHIVE -C DEST" ;;
    system)
      test -z "$system_tar" || echo "$system_tar -xf ARCHIVE -C DEST" ;;
    bsdtar)
      ! command -v bsdtar >/dev/null || echo "bsdtar -xf ARCHIVE -C DEST" ;;
    busybox)
      ! command -v busybox >/dev/null \
        || echo "busybox tar -xf ARCHIVE -C DEST" ;;
    floor-*)
      echo "$build/bench/floor --run=${1#floor-} $work/list ARCHIVE DEST" ;;
    *-pipe)
      command=$(program "${1%-pipe}" | sed 's/ARCHIVE/-/')
      test -z "$command" || echo "cat ARCHIVE | $command" ;;
  esac
}

# measure FS LABEL ARCHIVE PROGRAM...: all programs in turn, so that a slow
# minute of the machine hits them alike.
measure ()
{
  fs=$1 label=$2 file=$3
  shift 3
  for round in $(seq "$rounds")
  do
    for name
    do
      command=$(program "$name" \
        | sed -e "s,ARCHIVE,$file,g" -e "s,DEST,$work/dest,g")
      test -n "$command" || continue
      mkdir "$work/dest" || exit
      cat "$file" >/dev/null
      sync -f "$work"
      from=$(date +%s.%N)
      sh -c "$command" || die "failed: $command"
      sync -f "$work"
      to=$(date +%s.%N)
      rm -rf "$work/dest"
      sync -f "$work"
      seconds=$(echo "$to $from" | awk '{ printf "%.3f", $1 - $2 }')
      echo "$fs,$label,$name,$round,$seconds" >>"$results/extract.csv"
      printf '  %-6s %-10s %-13s round %s: %8s s\n' "$fs" "$label" "$name" \
        "$round" "$seconds"
    done
  done
}

# realign FROM TO: TO has the members of FROM with data on block boundaries.
realign ()
{
  mkdir "$work/tree" || exit
  "$tar" -xf "$1" -C "$work/tree" || die "cannot unpack $1"
  (cd "$work/tree" && "$build/tests/tools/genaligned" "$2" *) \
    || die "cannot realign $1"
  rm -rf "$work/tree"
}

extraction ()
{
  test -r "$archive" || die "there is no $archive"
  echo "filesystem,archive,program,round,seconds" >"$results/extract.csv"
  for fs in xfs btrfs ext4
  do
    test -d "$filesystems/$fs" || continue
    work=$filesystems/$fs/bench
    mkdir "$work" || exit
    # Decompressed by tar's own choice of program.
    case $archive in
      *.xz) xz -T0 -dc "$archive" ;;
      *.gz) gzip -dc "$archive" ;;
      *.zst) zstd -dc "$archive" ;;
      *) cat "$archive" ;;
    esac >"$work/shipped.tar" || die "cannot decompress $archive"
    realign "$work/shipped.tar" "$work/aligned.tar"
    "$build/bench/floor" --list "$work/aligned.tar" >"$work/list" \
      || die "floor --list failed"

    case $fs in
      xfs) floor=floor-tail ;;
      btrfs) floor=floor-trunc ;;
      ext4) floor= ;;
    esac
    # shellcheck disable=SC2086
    measure $fs aligned "$work/aligned.tar" ours-reflink ours-copy system \
      bsdtar busybox floor-write $floor
    measure $fs shipped "$work/shipped.tar" ours-reflink system
    measure $fs pipe "$work/shipped.tar" ours-reflink-pipe system-pipe
    zstd -q -T0 "$work/shipped.tar" -o "$work/shipped.tar.zst" || exit
    measure $fs zstd "$work/shipped.tar.zst" ours-reflink system
    rm -f "$work/aligned.tar"
    if test $fs = xfs; then
      xz -T0 -1 <"$work/shipped.tar" >"$work/shipped.tar.xz" || exit
      measure $fs xz "$work/shipped.tar.xz" ours-reflink system
    fi
    rm -rf "$work"
  done
}

# --- Results ----------------------------------------------------------------

# medians: from extract.csv, lines FILESYSTEM,ARCHIVE,PROGRAM,MEDIAN,RATIO;
# RATIO is how many times faster than the system's tar.
medians ()
{
  sed 1d "$results/extract.csv" | sort -t, -k1,3 -k5,5n | awk -F, '
    function finish ()
    {
      if (n)
        median[key] = (n % 2 ? s[(n + 1) / 2] : (s[n / 2] + s[n / 2 + 1]) / 2)
    }
    {
      k = $1 "," $2 "," $3
      if (k != key) { finish(); key = k; order[++keys] = k; n = 0 }
      s[++n] = $5
    }
    END {
      finish()
      for (i = 1; i <= keys; i++) {
        split(order[i], part, ",")
        base = part[1] "," part[2] ",system" \
          (part[3] ~ /-pipe$/ ? "-pipe" : "")
        printf "%s,%.3f,%s\n", order[i], median[order[i]], \
          median[base] ? sprintf("%.2f", median[base] / median[order[i]]) : ""
      }
    }'
}

report ()
{
  {
    echo 'filesystem,archive,program,median,times-system'
    medians
  } >"$results/medians.csv"
  {
    echo '# Extraction and sync, medians'
    echo
    echo "$(date -u +%F), Linux $(uname -r), $(nproc) CPUs;" \
      "$("$tar" --version | sed 1q);" \
      "$(test -z "$system_tar" || "$system_tar" --version | sed 1q);" \
      "$(basename "$archive"), $rounds rounds."
    echo
    echo '| filesystem | archive | program | seconds | times the system tar |'
    echo '|---|---|---|---:|---:|'
    sed 1d "$results/medians.csv" \
      | sed -e 's/,/ | /g' -e 's/^/| /' -e 's/$/ |/'
    for fs in xfs btrfs
    do
      test -f "$results/clone-bench-$fs.txt" || continue
      printf '\n# clone-bench on %s\n\n```\n' "$fs"
      cat "$results/clone-bench-$fs.txt"
      echo '```'
    done
  } >"$results/results.md"
  if command -v gnuplot >/dev/null; then
    (cd "$results" && gnuplot "$bench/plot.gp") \
      || echo "bench: no plots: gnuplot failed" >&2
  else
    echo "bench: no plots: gnuplot is not installed" >&2
  fi
  echo
  sed '/^# clone-bench/,$d' "$results/results.md"
  echo "Results are in $results"
}

for fs in xfs btrfs ext4
do
  test -d "$filesystems/$fs" \
    || echo "no $fs: $(cat "$filesystems/$fs.skip" 2>/dev/null)"
done
clone_costs
extraction
report
