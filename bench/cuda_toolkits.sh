#!/usr/bin/env bash
# What the toolkits that PyPI has make of emitted CUDA: warnings, spilled registers, serialised wgmma. No GPU is needed, and nothing is run.
#
#   bench/cuda_toolkits.sh MIKGEN FOLDER [OPTION...]
#
#   --specs=FILE,...      default: eight of examples/ and tests/specs
#   --mikgen-flags=...    such as --max-kernels=2
#   --archs=sm_80,...     default sm_80,sm_86,sm_89,sm_90a,sm_100,sm_120
#   --tools=REGEX         of "ptxas 12.4", "nvcc 13.0, gcc", "nvcc 13.5, clang", "clang 19, CUDA 12.4", "NVRTC 12.6" and so on; default: all
#   --all                 every file by every tool for every machine; else so many runs that each pair of file and tool, file and machine,
#                         tool and machine is in one
#   --minutes=N           ends after so many; the table says what there was
#   --no-fetch            only wheels that are in FOLDER/wheels already; others are left out
#
# Assemblers get the PTX of the installed nvcc with its version lowered to theirs: before 13, wheels have no compiler. NVRTC takes files as they
# are, with the installed headers of half and its like. clang is for the device alone, with the headers of CUDA 12.4. FOLDER keeps wheels,
# everything that is made, and table.md. Exit status 1: something fails, warns or is serialised.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
[ $# -ge 2 ] || { sed -n '2,/^# SPDX/{/^# SPDX/d;s/^# \{0,1\}//p}' "$0" >&2; exit 2; }
exec python3 "$(dirname "$0")/cuda_toolkits/run.py" "$@"
