# Plot what bench.py has measured; run in bench/results.
#
# Copyright (C) 2026 The reflink-tar authors.
# SPDX-License-Identifier: GPL-3.0-or-later

set terminal svg size 800,450 font "sans,12" background "white"
set datafile separator ","
set style fill solid 0.8 noborder
set boxwidth 0.7
set yrange [0:*]
set grid ytics lc rgb "#dddddd"

# Each job on each filesystem, with those it is compared with.
unset key
set ylabel "seconds, with sync (median)"
jobs = system("sed 1d medians.csv | cut -d, -f1,2 | grep -v ,scale- | sort -u | tr , :")
do for [i = 1:words(jobs)] {
  pair = word(jobs, i)
  colon = strstrt(pair, ":")
  fs = pair[1:colon - 1]
  job = pair[colon + 1:*]
  rows = sprintf("< grep '^%s,%s,' medians.csv", fs, job)
  set output sprintf("%s-%s.svg", job, fs)
  set title sprintf("%s on %s", job, fs)
  plot rows using 0:4:xtic(3) with boxes lc rgb "#3366aa", \
       rows using 0:4:(sprintf("%.2f", $4)) with labels offset 0,0.6
}

# A file, against its size.
set ylabel "microseconds a file, with sync"
set xlabel "size in bytes"
set logscale x
set key top left
do for [fs in "xfs xfs-rmapbt btrfs small"] {
  file = sprintf("clone-bench-%s.csv", fs)
  if (int(system(sprintf("test -s %s && echo 1 || echo 0", file))) == 1) {
    set output sprintf("clone-bench-%s.svg", fs)
    set title sprintf("Making files on %s", fs)
    plot for [mode in "write write-trunc clone-tail clone-trunc"] \
      sprintf("< grep '^%s,' %s", mode, file) \
      using 2:10 with linespoints title mode
  }
}

# A clone, against the number of pieces that its source is in.
set xlabel "extents of a source of 512 MiB"
set logscale xy
set yrange [*:*]
do for [fs in "xfs btrfs"] {
  file = sprintf("source-bench-%s.csv", fs)
  if (int(system(sprintf("test -s %s && echo 1 || echo 0", file))) == 1) {
    set output sprintf("source-bench-%s.svg", fs)
    set title sprintf("Files from a source in many extents on %s", fs)
    plot for [size in "16384 65536 1048576"] for [column = 4:5] \
      sprintf("< grep '^flushed,[0-9]*,%s,' %s", size, file) \
      using 2:column with linespoints \
      title sprintf("%s, %s", column == 4 ? "clone" : "copy", size)
  }
}

# Time and memory, against the number of members.
if (int(system("grep -c ,scale- medians.csv || :")) > 0) {
  set output "scale.svg"
  set title "Members in the archive"
  set xlabel "members"
  set ylabel "seconds, with sync"
  set y2label "peak memory, MiB"
  set y2tics
  set y2range [0:*]
  rows = "< sed -n 's/^[^,]*,scale-\\([0-9]*\\)-%s,/\\1,/p' medians.csv"
  plot for [what in "t x"] sprintf(rows, what) using 1:3 \
         with linespoints title sprintf("-%s, seconds", what), \
       for [what in "t x"] sprintf(rows, what) using 1:($4 / 1024) axes x1y2 \
         with linespoints title sprintf("-%s, MiB", what)
}
