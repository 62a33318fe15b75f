# CLAPACK: LAPACK 3.2.1 through f2c, its routines of double, and its own test drivers, which must print what they did before,
# times aside (a few tests of two drivers fail in either); a program of ours times single routines.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash

is() { [ -f SRC/dgetrf.c ] && [ -f F2CLIBS/libf2c/arithchk.c ]; }

# Make's parentheses in a file of CMake's.
prepare() { sed -i 's/\$(\([A-Z0-9]*\))/${\1}/g' TESTING/MATGEN/CMakeLists.txt; }

build() {
    # COMMON blocks are defined in every file.
    CFLAGS="$CFLAGS -fcommon" cmake_build -DBUILD_DOUBLE=ON -DBLAS_DOUBLE=ON --target xblat1d xblat2d xblat3d xlintstd xeigtstd
    # shellcheck disable=SC2086 # several flags
    "$CC" $CFLAGS -DNO_BLAS_WRAP -IINCLUDE "$HERE/programs/lapack.c" real_c_build/SRC/liblapack.a real_c_build/BLAS/SRC/libblas.a \
        real_c_build/F2CLIBS/libf2c/libf2c.a -lm -o lapack
}

# driver NAME INPUT: what it prints but for times.
driver() {
    (cd TESTING && "../real_c_build/$1") <"$2" | sed '/[Tt]ime\|second/d'
}

# Into the file printed; those of BLAS 2 and 3 write files of their own.
drivers() {
    local input level
    rm -f TESTING/dblat*.out
    for level in 1 2 3; do
        input=/dev/null
        [ $level = 1 ] || input=BLAS/dblat$level.in
        driver BLAS/TESTING/xblat${level}d $input
    done >printed
    driver TESTING/LIN/xlintstd TESTING/dtest.in >>printed
    for input in nep sep svd dec dbal dbak dgg dgd dsb dsg glm gqr gsv lse; do
        driver TESTING/EIG/xeigtstd TESTING/$input.in
    done >>printed
    cat TESTING/dblat2.out TESTING/dblat3.out >>printed
    [ "$(grep -c 'PASSED THE\|passed the threshold' printed)" -gt 100 ]
}

check() {
    (cd "$OLD" && drivers)
    drivers
    cmp "$OLD/printed" printed
}

programs() {
    local routine size=300
    [ "$CONFIGURATION" != count ] || size=60
    for routine in dgemm dsyrk dtrsm dgemv dgetrf dpotrf dgeqrf dsyev dgeev dgesvd dgels dstev; do
        printf '%s\tlapack %s %s\n' $routine $routine $size
    done
    printf 'xlintstd\treal_c_build/TESTING/LIN/xlintstd\tTESTING/dtest.in\n'
    printf 'xeigtstd nep\treal_c_build/TESTING/EIG/xeigtstd\tTESTING/nep.in\n'
    printf 'xeigtstd svd\treal_c_build/TESTING/EIG/xeigtstd\tTESTING/svd.in\n'
}
