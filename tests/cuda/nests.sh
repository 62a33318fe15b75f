#!/usr/bin/env bash
# Every form of every loop nest of a spec, on the CPU: the self-check draws few extents at which the host would choose the
# others than a thread for each index. The emitted text is changed for that: the choice, how many steps a block of many
# takes, how far a grid reaches.
#
#   nests.sh MIKGEN FOLDER SPEC [SELFCHECK ARGUMENT...]
#
# $SIM_LIBRARY as for simulator/run.sh.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
[ $# -ge 3 ] || { sed -n '2,8s/^# \{0,1\}//p' "$0" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd) spec=$(realpath "$3")
mikgen=$(realpath "$1")
export MIKGEN_ITSELF=$mikgen
mkdir -p "$2"
out=$(realpath "$2")
shift 3

# A mikgen that changes what it prints: form number $NEST_FORM of those that a choice has, where it may be used.
cat >"$out/changed" <<'SCRIPT'
#!/usr/bin/env bash
set -eu -o pipefail
"$MIKGEN_ITSELF" "$@" | sed -E \
    -e 's,steps / 4096,steps / 4,' \
    -e 's/\(int64_t\)65535/(int64_t)3/; s/most_z = 65535/most_z = 3/' \
    -e '/^static int [a-z0-9_]*_choose\(const mik_extents \*e\)$/{
        s/^static int (.*)_choose.*/&\n{\n    const int forced = MIK_FORCED(\1_forms);\n    if (e->reach <= 0x7fffffff \&\& e->aligned \&\& forced >= 0)\n        return forced;/
        n
        d
    }' |
    awk -v form="$NEST_FORM" '
        /^typedef struct mikgen_cuda_options/ && !done {
            print "#define MIK_FORCED(f) (" form " < (int)(sizeof f / sizeof *f) && f[" form "].name[1] != 108 ? " form " : -1)"
            done = 1
        }
        { print }'
SCRIPT
chmod +x "$out/changed"

status=0
for form in 0 1 2 3; do
    echo "form $form:"
    NEST_FORM=$form "$here/../simulator/run.sh" "$out/changed" "$out/form$form" "$spec" "$@" || status=$?
    [ $status = 77 ] && exit 77
    text=$out/form$form/$(basename "$spec" .spec)_dyn.cu
    grep -q '(int64_t)3\>\|most_z = 3;' "$text" || { echo "FAILED: grids reach as far as ever"; status=1; }
    if ! grep -q 'const int forced = MIK_FORCED' "$text"; then
        ! grep -q '_choose(' "$text" || { echo "FAILED: a choice among forms is as it was"; status=1; }
        echo "there is one form"
        break
    fi
done
exit $status
