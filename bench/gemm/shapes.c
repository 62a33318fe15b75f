/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "shapes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"

#define LENGTH(array) ((int)(sizeof(array) / sizeof *(array)))

double shape_flops(const Shape *shape) { return 2.0 * shape->M * shape->N * shape->K; }

void shapes_add(Shapes *shapes, const char *set, int M, int N, int K)
{
    if (shapes->count == shapes->room) {
        shapes->room = 2 * shapes->room + 64;
        shapes->items = realloc(shapes->items, (size_t)shapes->room * sizeof *shapes->items);
        if (!shapes->items)
            abort();
    }
    shapes->items[shapes->count++] = (Shape){set, M, N, K};
}

static void add_new(Shapes *shapes, const char *set, int M, int N, int K)
{
    for (int i = 0; i < shapes->count; i++) {
        const Shape *s = &shapes->items[i];
        if (s->M == M && s->N == N && s->K == K && strcmp(s->set, set) == 0)
            return;
    }
    shapes_add(shapes, set, M, N, K);
}

/* DeepBench's dense problems, each (M, N, K) once. */
static bool add_deepbench(Shapes *shapes, const char *data, double max_flops)
{
    char path[4096], line[256];
    snprintf(path, sizeof path, "%s/deepbench_gemm.csv", data);
    FILE *file = fopen(path, "r");
    if (!file) {
        perror(path);
        return false;
    }
    while (fgets(line, sizeof line, file)) {
        int M, N, K;
        if (sscanf(line, "%*[^,],%d,%d,%d", &M, &N, &K) == 3 && 2.0 * M * N * K <= max_flops)
            add_new(shapes, "deepbench", M, N, K);
    }
    fclose(file);
    return true;
}

static int log_uniform(uint64_t *state, int low, int high)
{
    int x = (int)(low * exp(random_unit(state) * log((high + 1.0) / low)));
    return x > high ? high : x;
}

/* The nine boxes of MikPoly's table 3 (ASPLOS 2024), each with as many of 300 draws as the paper has cases there. */
static void add_boxes(Shapes *shapes, double max_flops)
{
    static const struct {
        int M[2], N[2], K[2], count;
    } boxes[] = {
        {{1, 256}, {1, 256}, {1, 256}, 71},        {{1, 256}, {1, 256}, {257, 65536}, 52},      {{1, 256}, {257, 1024}, {1, 65536}, 55},
        {{1, 256}, {1025, 65536}, {1, 65536}, 23}, {{257, 1024}, {1, 256}, {1, 65536}, 15},     {{257, 1024}, {257, 65536}, {1, 65536}, 21},
        {{1025, 8192}, {1, 256}, {1, 65536}, 15},  {{1025, 8192}, {257, 8192}, {1, 65536}, 32}, {{8193, 65536}, {1, 8192}, {1, 8192}, 16},
    };
    uint64_t state = 1433;
    for (int b = 0; b < LENGTH(boxes); b++)
        for (int i = 0; i < boxes[b].count;) {
            Shape s = {"boxes", log_uniform(&state, boxes[b].M[0], boxes[b].M[1]), log_uniform(&state, boxes[b].N[0], boxes[b].N[1]),
                       log_uniform(&state, boxes[b].K[0], boxes[b].K[1])};
            if (shape_flops(&s) > max_flops)
                continue;
            shapes_add(shapes, s.set, s.M, s.N, s.K);
            i++;
        }
}

static void add_tiny(Shapes *shapes)
{
    static const int cubes[] = {1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 13, 15, 16, 17, 20, 24, 28, 31, 32};
    uint64_t state = 32;
    for (int i = 0; i < LENGTH(cubes); i++)
        shapes_add(shapes, "tiny", cubes[i], cubes[i], cubes[i]);
    for (int i = 0; i < 81; i++) {
        int M = 1 + random_below(&state, 32), N = 1 + random_below(&state, 32), K = 1 + random_below(&state, 32);
        shapes_add(shapes, "tiny", M, N, K);
    }
}

/* Matrices of rows x columns times a vector, from either side: within the first caches, and beyond the last one. */
static void add_gemv(Shapes *shapes)
{
    static const int matrices[][2] = {
        {16, 16},      {64, 64},     {100, 100},   {256, 256},    {333, 777},    {512, 512},   {1000, 1000},
        {64, 4096},    {4096, 64},   {7, 20000},   {20000, 7},    {1024, 1024},  {4096, 4096}, {4096, 11008},
        {11008, 4096}, {8192, 8192}, {5001, 7003}, {1000000, 30}, {30, 1000000}, {65536, 513},
    };
    for (int i = 0; i < LENGTH(matrices); i++) {
        shapes_add(shapes, "gemv", matrices[i][0], 1, matrices[i][1]);
        shapes_add(shapes, "gemv", 1, matrices[i][0], matrices[i][1]);
    }
}

/* Tokens times the weight matrices of language models of 7 and 8 billion parameters; a matrix that makes the product too
   long has its sides halved until it does not. */
static void add_decode(Shapes *shapes, double max_flops)
{
    static const int tokens[] = {1, 2, 3, 4, 5, 7, 8, 12, 16, 24, 32, 48, 64};
    static const int weights[][2] = {{4096, 4096}, {11008, 4096}, {4096, 11008}, {12288, 4096}, {6144, 4096}, {14336, 4096}, {4096, 14336}};
    for (int w = 0; w < LENGTH(weights); w++)
        for (int t = 0; t < LENGTH(tokens); t++) {
            int M = tokens[t], N = weights[w][0], K = weights[w][1];
            for (; 2.0 * M * N * K > max_flops; N /= 2, K /= 2)
                ;
            shapes_add(shapes, "decode", M, N, K);
        }
}

/* MikPoly's table 8: Llama2-13b on four devices, N the number of tokens; up to 512 of them, whatever the operations. */
static void add_llama(Shapes *shapes)
{
    static const int weights[][2] = {{3840, 5120}, {5120, 1280}, {3456, 5120}, {5120, 3456}};
    static const int tokens[] = {1, 2, 3, 4, 8, 13, 16, 31, 32, 64, 100, 128, 256, 512};
    for (int w = 0; w < LENGTH(weights); w++)
        for (int t = 0; t < LENGTH(tokens); t++)
            shapes_add(shapes, "llama", weights[w][0], tokens[t], weights[w][1]);
}

static void add_cubes(Shapes *shapes)
{
    static const int sides[] = {48,  64,  80,  96,  100, 128, 150,  192,  200,  256,  300,  384, 400,
                                500, 512, 600, 640, 768, 900, 1000, 1024, 1280, 1536, 1900, 2048};
    for (int i = 0; i < LENGTH(sides); i++)
        shapes_add(shapes, "cubes", sides[i], sides[i], sides[i]);
}

const char *const shape_sets[] = {"deepbench", "boxes", "tiny", "gemv", "decode", "llama", "cubes", NULL};

bool shapes_add_set(Shapes *shapes, const char *set, const char *data, double max_flops)
{
    if (strcmp(set, "deepbench") == 0)
        return add_deepbench(shapes, data, max_flops);
    if (strcmp(set, "boxes") == 0)
        add_boxes(shapes, max_flops);
    else if (strcmp(set, "tiny") == 0)
        add_tiny(shapes);
    else if (strcmp(set, "gemv") == 0)
        add_gemv(shapes);
    else if (strcmp(set, "decode") == 0)
        add_decode(shapes, max_flops);
    else if (strcmp(set, "llama") == 0)
        add_llama(shapes);
    else if (strcmp(set, "cubes") == 0)
        add_cubes(shapes);
    else {
        fprintf(stderr, "no set of shapes is called %s\n", set);
        return false;
    }
    return true;
}

void shapes_add_different(Shapes *shapes, int side, int count)
{
    uint64_t state = 2000;
    while (shapes->count < count) {
        int M = log_uniform(&state, 1, side), N = log_uniform(&state, 1, side), K = log_uniform(&state, 1, side);
        add_new(shapes, "different", M, N, K);
    }
}

void shapes_shuffle(Shapes *shapes, int keep)
{
    uint64_t state = 2024;
    for (int i = shapes->count - 1; i > 0; i--) {
        int j = random_below(&state, i + 1);
        Shape swap = shapes->items[i];
        shapes->items[i] = shapes->items[j];
        shapes->items[j] = swap;
    }
    if (keep > 0 && keep < shapes->count)
        shapes->count = keep;
}
