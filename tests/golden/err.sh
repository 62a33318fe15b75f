#!/usr/bin/env bash
# Every refusal of the front end, compared with its golden message.
#
#   err.sh MIKGEN [--update]
set -eu
here=$(dirname "$(realpath "$0")")
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
bash "$here/run.sh" "$1" "$here/err" "$out" ${2:+"$2"}
