# SPDX-License-Identifier: GPL-3.0-or-later
# licm.csv of bench/licm.sh as a bar chart: awk -f chart.awk licm.csv >licm.svg
# Per operator the wall ratio before / after: gcc full, gcc halide, clang (the first in the file) full.

BEGIN { FS = ","; LEFT = 220; WIDTH = 640; ROW = 44; BAR = 11; TOP = 84 }
/^# CPU: / { cpu = substr($0, 8) }
/^# .*FULL='/ { options = $0; sub(/.*FULL='/, "", options); sub(/'.*/, "", options) }
/^#/ || /^operator,/ { next }
$2 ~ /clang/ && !clang { clang = $2 }
$2 == "gcc" {
    names[++n] = $1
    full[$1] = $9 ? 1 : $7
    halide[$1] = $8 ? 1 : $6
}
$2 == clang { other[$1] = $9 ? 1 : $7 }

function larger(a, b) { return a > b ? a : b }

function bar(row, index_, value, color) {
    y = TOP + row * ROW + 4 + index_ * BAR
    printf "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>\n", LEFT, y, value * scale, BAR - 1, color
    printf "<text x=\"%.1f\" y=\"%d\" class=\"value\">%.2f</text>\n", LEFT + value * scale + 4, y + BAR - 2, value
}

function key(at, text, color) {
    printf "<rect x=\"%d\" y=\"44\" width=\"12\" height=\"12\" fill=\"%s\"/><text x=\"%d\" y=\"54\">%s</text>\n", at, color, at + 17, text
}

END {
    for (i = 1; i <= n; i++)
        most = larger(larger(most, full[names[i]]), larger(halide[names[i]], other[names[i]]))
    top = int(most) + 1
    scale = WIDTH / top
    height = TOP + n * ROW + 30
    printf "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" font-size=\"12\">\n", LEFT + WIDTH + 60, height
    print "<style>.value { font-size: 10px; fill: #333 } .name { text-anchor: end } .tick { text-anchor: middle; fill: #666 }</style>"
    printf "<rect width=\"%d\" height=\"%d\" fill=\"white\"/>\n", LEFT + WIDTH + 60, height
    print "<text x=\"20\" y=\"24\" font-size=\"16\">Time before / time after --keep-loops (above 1: faster)</text>"
    printf "<text x=\"%d\" y=\"24\" text-anchor=\"end\" fill=\"#666\">%s, -O3 -march=native</text>\n", LEFT + WIDTH + 40, cpu
    key(20, "gcc, " options, "#1b6ca8")
    key(40 + 7 * length("gcc, " options), "gcc, --licm=halide", "#a9cbe3")
    key(190 + 7 * length("gcc, " options), clang ", " options, "#e08a2e")
    for (t = 0; t <= top; t++) {
        x = LEFT + t * scale
        printf "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"%s\"/>\n", x, TOP, x, height - 26, t == 1 ? "#444" : "#ddd"
        printf "<text x=\"%.1f\" y=\"%d\" class=\"tick\">%d</text><text x=\"%.1f\" y=\"%d\" class=\"tick\">%d</text>\n", x, TOP - 6, t, x, height - 10, t
    }
    for (i = 1; i <= n; i++) {
        printf "<text x=\"%d\" y=\"%d\" class=\"name\">%s</text>\n", LEFT - 8, TOP + (i - 1) * ROW + 4 + 2 * BAR - 1, names[i]
        bar(i - 1, 0, full[names[i]], "#1b6ca8")
        bar(i - 1, 1, halide[names[i]], "#a9cbe3")
        bar(i - 1, 2, other[names[i]], "#e08a2e")
    }
    print "</svg>"
}
