# Plot what bench.sh has measured; run in bench/results.
#
# Copyright (C) 2026 The reflink-tar authors.
# SPDX-License-Identifier: GPL-3.0-or-later

set terminal svg size 800,450 font "sans,12" background "white"
set datafile separator ","
set style fill solid 0.8 noborder
set boxwidth 0.7
set yrange [0:*]
set ylabel "seconds, with sync (median)"
set grid ytics lc rgb "#dddddd"
unset key

do for [fs in "xfs btrfs ext4"] {
  # The rows of the aligned archive on that filesystem, numbered.
  rows = sprintf("< awk -F, '$1 == \"%s\" && $2 == \"aligned\"' medians.csv", fs)
  if (int(system(sprintf("grep -c '^%s,aligned,' medians.csv || :", fs))) > 0) {
    set output sprintf("extract-%s.svg", fs)
    set title sprintf("Extracting the aligned archive on %s", fs)
    plot rows using 0:4:xtic(3) with boxes lc rgb "#3366aa", \
         rows using 0:4:(sprintf("%.2f", $4)) with labels offset 0,0.6
  }
}

set ylabel "microseconds a file, with sync"
set xlabel "size in bytes"
set logscale x
set key top left
do for [fs in "xfs btrfs"] {
  file = sprintf("clone-bench-%s.csv", fs)
  if (int(system(sprintf("test -s %s && echo 1 || echo 0", file))) == 1) {
    set output sprintf("clone-bench-%s.svg", fs)
    set title sprintf("Making files on %s", fs)
    plot for [mode in "write write-trunc clone-tail clone-trunc"] \
      sprintf("< grep '^%s,' %s", mode, file) \
      using 2:10 with linespoints title mode
  }
}
