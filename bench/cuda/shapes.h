/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sets of products that the CUDA benches run: C (m x n) = A (m x k) * B (k x n). Every draw is seeded. */
#ifndef BENCH_CUDA_SHAPES_H
#define BENCH_CUDA_SHAPES_H

#include <stddef.h>
#include <stdint.h>
#include <string>
#include <vector>

struct Shape {
    const char *set; /* where it is from: a row of the summary */
    int m, n, k;
};

/* Appends the sets that `names` lists, separated by commas:
     deepbench    DeepBench's dense problems, each once (166)
     box1 .. box9 draws, log-uniform inside the boxes of MikPoly's table 3 (ASPLOS 2024), as many as the paper has there (1267)
     1433         all of the above
     rounded      box1 to box9 with n and k rounded up to multiples of 8, as most layers have them
     llama        the paper's table 8: n tokens, powers of two up to 4096 and their neighbours
     decode       1 to 64 tokens times weights of language models
     unaligned    odd sides
     cubes        large and square
     consecutive  every m from 1 to 8192 with n = 3072, k = 768
     edges        sides of 0 to 129 around multiples of tiles: for correctness
   data: folder of deepbench_gemm.csv. Returns an empty string, or what is wrong. */
std::string shapes_add(std::vector<Shape> *shapes, const std::string &names, const std::string &data, uint64_t seed);

/* Appends those of a list "MxNxK,...", as the set "given"; false: it is no such list. */
bool shapes_given(std::vector<Shape> *shapes, const char *list);

enum { SHAPES_SEED = 1433 };

/* 0 .. count - 1 in an order whose every beginning is spread evenly: for samples. */
std::vector<size_t> spread_order(size_t count);

double shape_flops(const Shape &shape);

/* Do all lines of A and B begin at multiples of 16 bytes, for elements of so many bytes? */
bool shape_aligned(const Shape &shape, int bytes);

#endif
