# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced with FOLDER, which all tests share: $zig, a clang with C libraries for dozens of targets, from the wheel of PyPI; and wasm PROGRAM, which
# runs a program for WASI. Without pip or the network the test is skipped.

packages=$1
mkdir -p "$packages"
packages=$(realpath "$packages")
ziglang=0.17.0 wasmtime=50.0.1
# wheel NAME VERSION: unpacked in the folder, whose name is that of both, once for all.
wheel() {
    local into=$packages/$1-$2
    (
        flock 9
        [ -d "$into" ] || {
            rm -rf "$into.part"
            python3 -m pip install -q --disable-pip-version-check --no-deps --target "$into.part" "$1==$2" >"$packages/log" 2>&1 || exit 1
            mv "$into.part" "$into"
        }
    ) 9>"$packages/lock" || { tail -3 "$packages/log"; echo "skipped: pip cannot install $1 $2"; exit 77; }
}
wheel ziglang $ziglang
zig=$packages/ziglang-$ziglang/ziglang/zig
# What zig compiles of its C libraries is kept, too.
export ZIG_GLOBAL_CACHE_DIR=$packages/cache ZIG_LOCAL_CACHE_DIR=$packages/cache

wasm() {
    PYTHONPATH=$packages/wasmtime-$wasmtime python3 - "$1" <<'END_OF_PROGRAM'
import sys
import wasmtime
engine = wasmtime.Engine()
store, linker, config = wasmtime.Store(engine), wasmtime.Linker(engine), wasmtime.WasiConfig()
config.argv = sys.argv[1:]
config.inherit_stdout()
config.inherit_stderr()
store.set_wasi(config)
linker.define_wasi()
instance = linker.instantiate(store, wasmtime.Module.from_file(engine, sys.argv[1]))
try:
    instance.exports(store)["_start"](store)
except wasmtime.ExitTrap as status:
    sys.exit(status.code)
END_OF_PROGRAM
}
