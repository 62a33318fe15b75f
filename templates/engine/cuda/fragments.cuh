/* How a warp loads the factors of tensor-core multiply-adds from tiles in shared memory: 16 (f64: 8) rows of x, 8 columns of y,
   32 bytes of k. ALONG: the lines of the tile run along k; else a line holds one step of k. Elements have so many BYTES.
   Every function: COUNT fragments from row or column `first` on, of the k-th 32 bytes of k; CHUNKS of 16 bytes in a line. */
#pragma once
#include "copy.cuh"

template <int BYTES, bool ALONG> struct mik_fragments;
