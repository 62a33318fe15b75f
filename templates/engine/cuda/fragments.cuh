/* SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output */
/* How a warp loads the factors of tensor-core multiply-adds from tiles in shared memory: 16 (f64: 8) rows of x, 8 columns of y,
   32 bytes of k. ALONG: the lines of the tile run along k; else a line holds one step of k. Elements have so many BYTES; lines CHUNKS of
   16 bytes. start_x, start_y: where a lane finds its part of the fragment at row or column `first` of the k-th 32 bytes of k; x, y:
   COUNT fragments from that one on, k times 32 bytes of k later, k being known when the code is made. The powers of two that COUNT and
   k are below have no bits in common with what `first` and k at the start are multiples of. */
#pragma once
#include "copy.cuh"

template <int BYTES, bool ALONG> struct mik_fragments;
