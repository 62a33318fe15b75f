#!/usr/bin/env bash
# The include rule: which folders each folder may include. Every arrow points down, and there is no circle.
set -eu
cd "$(dirname "$0")/../.."
failures=0

# may FOLDER ALLOWED...: FOLDER includes itself, the folders named, and nothing else of the project.
may() {
    local folder=$1
    shift
    local allowed
    grep -qE '^#include "ir/' "$folder"/*.[ch] || { echo "FAILED: $folder includes nothing: where is it?"; failures=1; }
    allowed=$(printf '%s|' "$folder" "$@")
    local wrong
    wrong=$(grep -nE '^#include "(ir|depend|normalize|licm|fuse|plan|tune|emit|gen)/' "$folder"/*.[ch] "$folder"/*.cc 2>/dev/null |
        grep -vE "#include \"(${allowed%|})/" || true)
    if [ -n "$wrong" ]; then
        echo "FAILED: $folder may include only: $*"
        echo "$wrong"
        failures=1
    fi
}

may ir
may normalize ir
may licm ir
may fuse ir
may depend ir
may plan ir depend
may tune ir plan
may emit ir depend plan
exit $failures
