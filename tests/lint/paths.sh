#!/usr/bin/env bash
# Files that documents name in backquotes are there: words with a slash and an ending, from the root or beside the document; '*' and a part
# in capitals (NAME) are for any. What a build makes is not looked for.
# SPDX-License-Identifier: GPL-3.0-or-later
set -euf
cd "$(dirname "$0")/../.."
failed=0 named=0
# shellcheck disable=SC2016 # backquotes that are meant
while IFS=: read -r document line span; do
    for word in ${span//[\`,;()]/ }; do
        [[ $word =~ ^[A-Za-z0-9_.*-]+(/[A-Za-z0-9_.*-]+)*/[A-Za-z0-9_.*-]+\.[a-z0-9]+$ && $word != build/* ]] || continue
        pattern=$(sed -E 's,(^|/)[A-Z]+([/.]),\1*\2,g' <<<"$word")
        named=$((named + 1))
        compgen -G "$pattern" >/dev/null || compgen -G "$(dirname "$document")/$pattern" >/dev/null ||
            { echo "$document:$line: there is no $word"; failed=1; }
    done
done < <(git ls-files '*.md' | xargs grep -noH '`[^`]*`')
[ $named -gt 100 ] || { echo "FAILED: only $named names are found"; exit 1; }
[ $failed = 0 ] || { echo "FAILED: documents name files that are not there"; exit 1; }
echo "$named names of files"
