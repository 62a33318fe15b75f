# SPDX-License-Identifier: GPL-3.0-or-later
# An nvcc whose programs run on the simulated device, and which remembers them: ./nvcc-simulating of the current folder. Sourced; $nvcc:
# the real one, $library: libsimulator.a, $more: further options of the real one.
# shellcheck shell=bash disable=SC2154 # set by who sources it
cat >nvcc-simulating <<EOF
#!/usr/bin/env bash
set -eu
arch=80
for word; do
    case \$word in
        *.cu) source=\$word ;;
        arch=*) arch=\${word#arch=compute_} arch=\${arch%%,*} ;;
        */tune) program=\$word ;;
    esac
done
echo "\$arch" >>compiled
kept=kept-\$(cksum <"\$source" | tr ' ' -)-\$arch
if [ ! -e "\$kept" ]; then
    "$nvcc" -std=c++17 -O2 -cudart none -no-compress -gencode "arch=compute_\$arch,code=compute_\$arch" \\
        -Xcompiler -Wall,-Wextra -Werror all-warnings ${more-} -c "\$source" -o "\$kept.o" >&2
    g++ "\$kept.o" "$library" -lm -o "\$kept"
fi
cp "\$kept" "\$program"
EOF
chmod +x nvcc-simulating
