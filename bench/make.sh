# SPDX-License-Identifier: GPL-3.0-or-later
# For the scripts of the benches, to be sourced: what is generated and compiled goes into the current folder, and again only
# when something changed. Wants $root, the project's folder.
# Environment: MIKGEN_FLAGS (none), CC and CFLAGS of the generated code (gcc, -std=c99 -O2).
# shellcheck shell=bash disable=SC2034,SC2154 # used, or set, by those who source this

lib=/usr/lib/$(gcc -print-multiarch) include=/usr/include/$(gcc -print-multiarch)
compiler="${CC:-gcc} ${CFLAGS:--std=c99 -O2}"
c="gcc -std=gnu11 -O2 -Wall -Wextra -Werror -D_GNU_SOURCE -I$root/bench/gemm -I."

missing=
# need FILE PACKAGE: notes the package if the file is missing.
need() { [ -e "$1" ] || missing="$missing $2"; }
# needed: ends the script if something is missing.
needed() { [ -z "$missing" ] || { echo "this bench wants: apt install$missing" >&2; exit 2; }; }

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

# generate SPEC NAME: NAME_dyn.c, NAME_dyn.h and NAME.o by ./mikgen; touched only when the text is another one.
generate() {
    local kind suffix
    for kind in source header; do
        suffix=$([ $kind = source ] && echo c || echo h)
        # shellcheck disable=SC2086 # several options
        ./mikgen --target=c --emit=$kind ${MIKGEN_FLAGS:-} "$1" -o "$2.new"
        cmp -s "$2.new" "$2_dyn.$suffix" || cp "$2.new" "$2_dyn.$suffix"
        rm "$2.new"
    done
    # shellcheck disable=SC2086 # several words
    make "$2.o" "$2_dyn.c" -- $compiler -fPIC -c "$2_dyn.c" -o "$2.o"
}
