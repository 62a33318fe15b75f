#!/usr/bin/env bash
# Makes what the benches of matrix products need: FOLDER/lib_*.so, one for each library and one for the generated code,
# the programs, and core_types_f32.sh and _f64.sh, the core types with which the libraries are fastest here: remove them to
# have them tried again. Makes again only what changed.
#
#   bench/gemm/build.sh MIKGEN FOLDER
#
# Environment: MIKGEN_FLAGS (none), CC and CFLAGS of the generated code (gcc, -std=c99 -O2).
set -eu
[ $# -eq 2 ] || { sed -n '2,9s/^# \{0,1\}//p' "$0" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
mkdir -p "$2"
cp --remove-destination "$1" "$2/mikgen"
cd "$2"
lib=/usr/lib/$(gcc -print-multiarch) include=/usr/include/$(gcc -print-multiarch)

missing=
need() { [ -e "$1" ] || missing="$missing $2"; }
need "$lib/openblas-pthread/libopenblas.so" libopenblas-pthread-dev
need "$lib/blis-pthread/libblis.so" libblis-pthread-dev
need /usr/include/dnnl.h libdnnl-dev
need /usr/include/libxsmm.h libxsmm-dev
need /usr/include/eigen3/Eigen/Core libeigen3-dev
[ -z "$missing" ] || { echo "this bench wants: apt install$missing" >&2; exit 2; }

# make TARGET SOURCE... -- COMMAND...: runs the command if a source is newer than the target, or the command is another one.
make() {
    local target=$1 newer=
    shift
    while [ "$1" != -- ]; do
        if [ "$1" -nt "$target" ]; then newer=1; fi
        shift
    done
    shift
    if [ -n "$newer" ] || [ "$*" != "$(cat "$target.command" 2>/dev/null)" ]; then
        "$@"
        echo "$*" >"$target.command"
    fi
}

# generate SPEC NAME: NAME_dyn.c and .h, touched only when the text is another one.
generate() {
    local kind suffix
    for kind in source header; do
        suffix=$([ $kind = source ] && echo c || echo h)
        # shellcheck disable=SC2086 # several options
        ./mikgen --target=c --emit=$kind ${MIKGEN_FLAGS:-} "$1" -o "$2.new"
        cmp -s "$2.new" "$2_dyn.$suffix" || cp "$2.new" "$2_dyn.$suffix"
        rm "$2.new"
    done
}

generate "$root/examples/gemm_f32/gemm_f32.spec" gemm_f32
generate "$root/tests/specs/gemm_f64.spec" gemm_f64
compiler="${CC:-gcc} ${CFLAGS:--std=c99 -O2}"
for name in gemm_f32 gemm_f64; do
    # shellcheck disable=SC2086 # several words
    make $name.o ${name}_dyn.c -- $compiler -fPIC -c ${name}_dyn.c -o $name.o
done

common=("$here/library.h" "$here/pool.h" "$here/pool.c")
c="gcc -std=gnu11 -O2 -Wall -Wextra -Werror -D_GNU_SOURCE -I$here -I."
shared="$c -fPIC -shared"
# shellcheck disable=SC2086 # several words
{
    make lib_ours.so "${common[@]}" "$here/lib_ours.c" gemm_f32.o gemm_f64.o -- \
        $shared "-DOURS=\"$compiler${MIKGEN_FLAGS:+, mikgen $MIKGEN_FLAGS}\"" "$here/lib_ours.c" "$here/pool.c" gemm_f32.o gemm_f64.o \
        -pthread -o lib_ours.so
    make lib_openblas.so "${common[@]}" "$here/lib_cblas.c" -- \
        $shared -isystem "$include/openblas-pthread" "$here/lib_cblas.c" -L"$lib/openblas-pthread" -lopenblas -o lib_openblas.so
    make lib_blis.so "${common[@]}" "$here/lib_cblas.c" -- \
        $shared -DBLIS -isystem "$include/blis-pthread" "$here/lib_cblas.c" -L"$lib/blis-pthread" -lblis -o lib_blis.so
    make lib_onednn.so "${common[@]}" "$here/lib_onednn.c" -- \
        $shared -fopenmp "$here/lib_onednn.c" -ldnnl -o lib_onednn.so
    make lib_libxsmm.so "${common[@]}" "$here/lib_libxsmm.c" -- \
        $shared -fopenmp "$here/lib_libxsmm.c" -Wl,--exclude-libs,ALL -lxsmm -L"$lib/openblas-pthread" -lopenblas -lm -ldl \
        -pthread -o lib_libxsmm.so
    make lib_eigen.so "${common[@]}" "$here/lib_eigen.cc" -- \
        g++ -std=c++14 -O3 -march=native -DNDEBUG -fopenmp -fPIC -shared -I"$here" -I/usr/include/eigen3 "$here/lib_eigen.cc" \
        -o lib_eigen.so
    make machine.o "${common[@]}" "$here/machine.h" "$here/machine.c" -- \
        $c -march=native -ffp-contract=fast -c "$here/machine.c" -o machine.o
    sources=("$here"/{main,measure,peers,pool,reference,report,shapes}.c)
    make gemm "$here"/*.h "${sources[@]}" machine.o -- $c "${sources[@]}" machine.o -ldl -lm -pthread -o gemm
    sources=("$here"/{core_types,peers,pool,reference}.c)
    make core_types "$here"/*.h "${sources[@]}" machine.o -- $c "${sources[@]}" machine.o -ldl -lm -pthread -o core_types
}
for type in f32 f64; do
    [ -e core_types_$type.sh ] || { ./core_types . $type >core_types.new && mv core_types.new core_types_$type.sh; }
done
