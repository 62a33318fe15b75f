# SPDX-License-Identifier: GPL-3.0-or-later
# oracle_ratio.csv of the current folder as SVG on the standard output.
set datafile separator ","
set terminal svg size 900,520 font "sans,14" background "white"
set title "How near the choice is to the best plan of each shape (f32, one thread)"
set xlabel "shapes, lowest ratio first (%)"
set ylabel "time of the best plan / time of the chosen one"
set xrange [0:100]
set yrange [0:1.02]
set grid
set key bottom right box opaque title "chosen by"
plot "oracle_ratio.csv" using 1:2 skip 1 with lines lw 2.5 title "the whole cost model", \
     "" using 1:3 skip 1 with lines lw 2 title "wave term: fewest tiles", \
     "" using 1:4 skip 1 with lines lw 2 title "pipe term: fastest whole tile", \
     "" using 1:5 skip 1 with lines lw 2 dt 2 title "nobody: one kernel for all shapes"
