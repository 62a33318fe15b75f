# SPDX-License-Identifier: GPL-3.0-or-later
# oracle_stairs.csv of the current folder as SVG on the standard output.
set datafile separator ","
set terminal svg size 1300,900 font "sans,14" background "white"
set xlabel "M (rows)"
set grid
set multiplot layout 2, 2 title "C = A B, f32, N = 1024, K = 4096: one kernel's whole tiles, and the chosen plan"
do for [threads = 1:2] {
    who = threads == 1 ? "one thread" : "two threads"
    set title "time, " . who
    set ylabel "milliseconds"
    set xrange [0:1030]
    set yrange [0:*]
    set key top left box opaque
    plot for [c = 2 * threads:2 * threads + 1] "oracle_stairs.csv" using 1:c with linespoints pt 7 ps 0.25 lw 1.5 title columnheader(c)
    set title "speed where rows are few, " . who
    set ylabel "GFLOP/s"
    set xrange [0:130]
    set key bottom right box opaque
    plot for [c = 2 * threads:2 * threads + 1] "oracle_stairs.csv" using 1:(2e-6 * 1024 * 4096 * $1 / column(c)) \
        with linespoints pt 7 ps 0.25 lw 1.5 title columnheader(c)
}
unset multiplot
