# oracle_stairs.csv of the current folder as SVG on the standard output.
set datafile separator ","
set terminal svg size 1000,900 font "sans,14" background "white"
set xlabel "M (rows)"
set ylabel "time (milliseconds)"
set xrange [0:1030]
set yrange [0:*]
set grid
set key top left box opaque
set multiplot layout 2, 1
set title "Time against M, N = 1024, K = 4096, f32, one thread"
plot for [c = 2:3] "oracle_stairs.csv" using 1:c with linespoints pt 7 ps 0.25 lw 1.5 title columnheader(c)
set title "The same with two threads"
plot for [c = 4:5] "oracle_stairs.csv" using 1:c with linespoints pt 7 ps 0.25 lw 1.5 title columnheader(c)
unset multiplot
