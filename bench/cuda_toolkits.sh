#!/usr/bin/env bash
# What the toolkits that PyPI has make of emitted CUDA: warnings, spilled registers, serialised wgmma. No GPU is needed, and nothing is run.
#
#   bench/cuda_toolkits.sh MIKGEN FOLDER [OPTION...]
#
#   --specs=FILE,...      default: those of generated/ with CUDA, and of examples/models
#   --mikgen-flags=...    such as --max-kernels=2
#   --archs=sm_80,...     default sm_80,sm_86,sm_89,sm_90a,sm_100,sm_120
#   --ptxas=12.4,...      assemblers; default: all of bench/cuda_toolkits/wheels.txt, and the installed one
#   --compilers=NAME,...  of gcc, clang (hosts of the installed nvcc), 13.5 (nvcc of PyPI with gcc), 13.5-clang, clang-cuda; default: all
#   --no-fetch            only wheels that are in FOLDER/wheels already; others are left out
#
# Assemblers get the PTX of the installed nvcc with its version lowered to theirs: before 13, wheels have no compiler. clang-cuda is clang 19
# with the headers of CUDA 12.4, for the device alone. FOLDER keeps wheels, everything that is made, and table.md.
# Exit status 1: something fails, warns or is serialised.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
[ $# -ge 2 ] || { sed -n '2,/^# SPDX/{/^# SPDX/d;s/^# \{0,1\}//p}' "$0" >&2; exit 2; }
exec python3 "$(dirname "$0")/cuda_toolkits/run.py" "$@"
