#!/usr/bin/env bash
# The include rule: which rooms each room may include. Every arrow points down, and there is no circle. Also names and modes of files, and
# guards.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
cd "$(dirname "$0")/../.."
failures=0
rooms=""

fail() { echo "FAILED: $*"; failures=1; }

# may ROOM ALLOWED...: the files in ROOM, not those of rooms inside it, include ROOM, the rooms named, and nothing else of the
# project. Rooms named must have had their line already: so there is no circle.
may() {
    local room=$1 file included
    shift
    for allowed in "$@"; do
        case " $rooms " in *" $allowed "*) ;; *) fail "$room includes $allowed, which has no line above its own" ;; esac
    done
    rooms="$rooms $room"
    compgen -G "$room/*.h*" >/dev/null || fail "$room has no header: where is it?"
    while IFS=: read -r file included; do
        case " $room $* " in
        *" ${included%/*} "*) ;;
        *) fail "$file includes $included, and $room may include only: $*" ;;
        esac
    done < <(grep -oE '^#include "[a-z0-9_]+/[^"]+"' "$room"/*.{c,h,cc,hh} 2>/dev/null | sed 's/#include "//; s/"$//' | grep -v ':\(clang\|llvm\)/')
}

may ir
may normalize ir
may licm ir
may depend ir
may fuse ir depend
may plan ir depend
may plan/contract plan ir depend
may plan/split plan/contract plan ir depend
may plan/lower plan/contract plan ir depend
may plan/grid plan ir depend
may plan/nests plan ir depend
may plan/vectors plan/nests plan licm normalize ir depend
may plan/chains plan/nests plan ir depend
may plan/profile plan ir
may plan/kernels plan/contract plan/profile plan ir depend
may tune/search ir
may tune plan/kernels plan/profile plan ir
may tune/nests tune/search plan/vectors plan/nests plan depend ir
may emit plan/contract plan/vectors plan/profile plan/kernels plan ir depend
may gen/front/text ir
may gen/front gen/front/text fuse ir
may gen/front/tree gen/front ir
may gen/front/kept gen/front/tree gen/front gen/front/text ir
may gen/front/extract gen/front/tree gen/front ir
may gen/front/clang gen/front/kept gen/front/extract gen/front/tree gen/front gen/front/text ir
may gen/driver gen/front emit tune tune/nests tune/search plan/split plan/lower plan/contract plan/grid plan/chains plan/vectors plan/nests plan/kernels plan/profile plan depend fuse licm normalize ir
may gen/tune gen/driver gen/front emit tune tune/nests tune/search plan/split plan/lower plan/contract plan/grid plan/chains plan/vectors plan/nests plan/kernels plan/profile plan depend fuse licm normalize ir
may gen/picture gen/driver emit tune plan/split plan/lower plan/contract plan/vectors plan/nests plan ir
may gen/report gen/picture gen/driver gen/front emit tune plan/split plan/lower plan/contract plan/vectors plan/nests plan ir
may gen gen/tune gen/report gen/picture gen/driver gen/front emit tune tune/nests tune/search plan/split plan/lower plan/contract plan/grid plan/chains plan/vectors plan/nests plan/kernels plan/profile plan depend fuse licm normalize ir

# Every folder with C in it has a line.
for folder in $(git ls-files '*.c' '*.h' '*.cc' '*.hh' | grep -vE '^(bench|examples|generated|templates|tests)/' | xargs -n1 dirname | sort -u); do
    case " $rooms " in *" $folder "*) ;; *) fail "$folder has no line here" ;; esac
done

# One name, one file: what a message or a debugger calls by its name must be found by it. Instruction sets have files of the same names, in
# folders by which they are told apart.
twice=$(git ls-files '*.c' '*.h' '*.cc' '*.hh' '*.cuh' | grep -vE '^(bench|examples|generated|templates/engine/sets|tests)/' | sed 's|.*/||' | sort | uniq -d)
[ -z "$twice" ] || fail "two files are called" $twice

# What says by what it is run may be run.
while read -r script; do
    [ -x "$script" ] || [ "$(head -c 2 "$script")" != '#!' ] || fail "$script has a #! and may not be run: chmod +x"
done < <(git ls-files '*.sh' '*.py')

# A header's guard is its path, lest one that was moved or copied hide another.
for header in $(git ls-files '*.h' '*.hh' | grep -vE '^(bench|examples|generated|install|templates|tests)/'); do
    guard=${header^^}
    guard=MIKGEN_${guard//[\/.]/_}
    grep -q "^#ifndef $guard\$" "$header" || fail "$header does not begin with #ifndef $guard"
done
exit $failures
