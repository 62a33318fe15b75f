# stb_image: a header that is a C file too when a macro says so. Its test reads the suite of PNGs and writes what it saw, which is
# compared with what it should; a program of ours reads and writes large images.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash

is() { [ -f stb_image.h ] && [ -d tests/pngsuite ]; }

# The headers as C files; and in the place of the header, for the tests, the C file.
prepare() {
    { echo '#define STB_IMAGE_IMPLEMENTATION' && cat stb_image.h; } >stb_image.c
    { echo '#define STB_IMAGE_WRITE_IMPLEMENTATION' && cat stb_image_write.h; } >stb_image_write.c
    mkdir real_c
    echo '#include "../stb_image.c"' >real_c/stb_image.h
}

build() {
    # shellcheck disable=SC2086 # several flags
    "$CC" $CFLAGS -I. stb_image.c stb_image_write.c "$HERE/programs/image.c" -lm -o image
    # shellcheck disable=SC2086
    [ "$CONFIGURATION" != time ] || REAL_C_LOG='' "$CC" $CFLAGS -w -Ireal_c -I. tests/test_png_regress.c -lm -o test_png_regress
}

check() {
    [ -s tests/pngsuite/ref_results.csv ]
    cp tests/pngsuite/ref_results.csv expected.csv
    (cd tests && ../test_png_regress)
    cmp expected.csv tests/pngsuite/ref_results.csv
}

programs() {
    local format times=10
    [ "$CONFIGURATION" != count ] || times=1
    for format in png jpg bmp tga hdr; do printf 'image %s\timage %s %s\n' $format $format $times; done
}
