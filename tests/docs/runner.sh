#!/usr/bin/env bash
# The runner of documents notices what is wrong in one.
#
#   runner.sh PROGRAMS FOLDER
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/refuse.sh
. "$here/../refuse.sh"
programs=$(realpath "$1")
mkdir -p "$2"
cd "$2"
rm -rf ./*

# says TEXT STATUS: the document on standard input ends with this status, and TEXT.
says() {
    local status=0
    cat >document.md
    "$here/run.py" "$programs" document.md scratch >said 2>&1 || status=$?
    [ $status = "$2" ] || { cat said; fail "status $status, not $2"; }
    grep -qF -- "$1" said || { cat said; fail "the runner does not say '$1'"; }
}
says '2 blocks of commands run, 2 compared with what they print; 1 files; 1 quotes compared; 1 not run' 0 <<'END'
```c file=new/a.c
int a;
```
```sh
mikgen --version >version && grep -o mikgen version && echo one two && cat new/a.c && ls -d examples
```
```text
mikgen
o... two
int a;
...
```
```sh exit=3
echo x >&2; exit 3
```
```c printed
x
```
```text from=bench/results/cold.txt
sides up to 64, milliseconds, medians of 15
...
libxsmm        2.189     3.605      26.763     92.38
```
```sh no-run: measures
bench/cold.sh
```
END
says 'document.md:1: exit status 1 instead of 0' 1 <<'END'
```sh
false; echo no
```
END
says 'document.md:1: exit status 0 instead of 1' 1 <<'END'
```sh exit=1
true
```
END
says 'document.md:4: the commands print something else' 1 <<'END'
```sh
echo right; echo more
```
```text
right
```
END
says 'document.md:4: the commands print something else' 1 <<'END'
```sh
echo right
```
```text
right
...
last
```
END
says 'neither commands nor a file' 1 <<'END'
```c
int shown;
```
END
says 'code that is only indented' 1 <<'END'
Like this:

    mikgen --help
END
says 'no-run: without a reason' 1 <<'END'
```sh no-run:
true
```
END
says 'has no such line' 1 <<'END'
```text from=bench/results/cold.txt
ours           0.146     0.008       0.290      0.99
```
END
says "'fil' says nothing about a block" 1 <<'END'
```c fil=a.c
```
END
says 'this block has no end' 1 <<'END'
```sh
true
END
