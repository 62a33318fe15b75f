# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced: sets nvcc. Without one the test is skipped, which CTest reports.
nvcc=$(command -v nvcc || true)
[ -n "$nvcc" ] || { [ -x /usr/local/cuda/bin/nvcc ] && nvcc=/usr/local/cuda/bin/nvcc; }
[ -n "$nvcc" ] || { echo "skipped: nvcc is not installed"; exit 77; }
