/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "shapes.h"

#include <errno.h>
#include <math.h>
#include <set>
#include <stdio.h>
#include <string.h>
#include <tuple>

#include "../gemm/random.h"

double shape_flops(const Shape &shape) { return 2.0 * shape.m * shape.n * shape.k; }

bool shape_aligned(const Shape &shape, int bytes)
{
    return (shape.m <= 1 || (int64_t)shape.k * bytes % 16 == 0) && (shape.k <= 1 || (int64_t)shape.n * bytes % 16 == 0);
}

static std::string add_deepbench(std::vector<Shape> *shapes, const std::string &data)
{
    const std::string path = data + "/deepbench_gemm.csv";
    FILE *file = fopen(path.c_str(), "r");
    char line[256];
    std::set<std::tuple<int, int, int>> seen;
    if (!file)
        return path + ": " + strerror(errno);
    while (fgets(line, sizeof line, file)) {
        int m, n, k;
        if (sscanf(line, "%*[^,],%d,%d,%d", &m, &n, &k) == 3 && seen.insert({m, n, k}).second)
            shapes->push_back({"deepbench", m, n, k});
    }
    fclose(file);
    return "";
}

struct Box {
    const char *set;
    int m[2], n[2], k[2], count;
};

static const Box boxes[] = {
    {"box1", {1, 256}, {1, 256}, {1, 256}, 299},       {"box2", {1, 256}, {1, 256}, {257, 65536}, 218},
    {"box3", {1, 256}, {257, 1024}, {1, 65536}, 232},  {"box4", {1, 256}, {1025, 65536}, {1, 65536}, 97},
    {"box5", {257, 1024}, {1, 256}, {1, 65536}, 64},   {"box6", {257, 1024}, {257, 65536}, {1, 65536}, 87},
    {"box7", {1025, 8192}, {1, 256}, {1, 65536}, 65},  {"box8", {1025, 8192}, {257, 8192}, {1, 65536}, 136},
    {"box9", {8193, 65536}, {1, 8192}, {1, 8192}, 69},
};

static int log_uniform(uint64_t *state, const int range[2])
{
    const int x = (int)(range[0] * exp(random_unit(state) * log((range[1] + 1.0) / range[0])));
    return x > range[1] ? range[1] : x;
}

/* A box is sampled from a seed of its own, so that it is the same whatever else is asked for. */
static void add_box(std::vector<Shape> *shapes, const Box &box, uint64_t seed)
{
    uint64_t state = seed * 16 + (uint64_t)(&box - boxes);
    for (int i = 0; i < box.count; i++) {
        const int m = log_uniform(&state, box.m), n = log_uniform(&state, box.n), k = log_uniform(&state, box.k);
        shapes->push_back({box.set, m, n, k});
    }
}

/* Llama2-13b on four devices. */
static void add_llama(std::vector<Shape> *shapes)
{
    static const int weights[][2] = {{3840, 5120}, {5120, 1280}, {3456, 5120}, {5120, 3456}};
    for (const auto &weight : weights) {
        std::set<int> tokens;
        for (int n = 1; n <= 4096; n *= 2)
            for (int near = n - 1; near <= n + 1; near++)
                if (near > 0 && near <= 4096)
                    tokens.insert(near);
        for (int n : tokens)
            shapes->push_back({"llama", weight[0], n, weight[1]});
    }
}

/* Weights of public models of 7, 8 and 13 billion parameters: columns and steps. */
static void add_decode(std::vector<Shape> *shapes)
{
    static const int weights[][2] = {
        {4096, 4096},  {11008, 4096}, {4096, 11008}, {12288, 4096}, {6144, 4096},  {14336, 4096},
        {4096, 14336}, {5120, 5120},  {13824, 5120}, {5120, 13824}, {15360, 5120},
    };
    for (const auto &weight : weights)
        for (int m = 1; m <= 64; m++)
            shapes->push_back({"decode", m, weight[0], weight[1]});
}

/* Odd cubes around powers of two; a vocabulary's odd width; steps and columns odd in turns; examples from MikPoly's README. */
static void add_unaligned(std::vector<Shape> *shapes)
{
    static const int given[][3] = {
        {35, 8457, 4096},  {35, 8457, 2048},    {35, 8457, 2560},  {8457, 2560, 35},
        {5120, 400, 5120}, {36458, 1024, 1632}, {31999, 84, 1024}, {31999, 1024, 84},
    };
    static const int rows[] = {1, 7, 16, 61, 128, 509, 2048};
    static const int sides[][2] = {{50257, 768}, {50257, 1600}, {4097, 4096}, {4096, 4097}, {4099, 4101}, {1001, 333}};
    for (int side = 128; side <= 4096; side *= 2)
        for (int cube = side - 1; cube <= side + 1; cube += 2)
            shapes->push_back({"unaligned", cube, cube, cube});
    for (const auto &side : sides)
        for (int m : rows)
            shapes->push_back({"unaligned", m, side[0], side[1]});
    for (const auto &g : given)
        shapes->push_back({"unaligned", g[0], g[1], g[2]});
}

static void add_cubes(std::vector<Shape> *shapes)
{
    for (int side : {256, 384, 512, 768, 1024, 1536, 2048, 2560, 3072, 4096, 5120, 6144, 8192, 12288, 16384})
        shapes->push_back({"cubes", side, side, side});
}

static void add_edges(std::vector<Shape> *shapes)
{
    static const int sides[] = {0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 33, 63, 65, 127, 129};
    for (int m : sides)
        for (int n : sides)
            for (int k : sides)
                shapes->push_back({"edges", m, n, k});
}

static std::string add_one(std::vector<Shape> *shapes, const std::string &name, const std::string &data, uint64_t seed)
{
    const bool all = name == "1433";
    bool known = all;
    if (all || name == "deepbench") {
        const std::string error = add_deepbench(shapes, data);
        if (!error.empty())
            return error;
        known = true;
    }
    for (const Box &box : boxes)
        if (all || name == box.set) {
            add_box(shapes, box, seed);
            known = true;
        }
    for (const Box &box : boxes)
        if (name == "rounded") {
            const size_t from = shapes->size();
            add_box(shapes, box, seed);
            for (size_t i = from; i < shapes->size(); i++) {
                Shape &s = (*shapes)[i];
                s = {"rounded", s.m, (s.n + 7) / 8 * 8, (s.k + 7) / 8 * 8};
            }
            known = true;
        }
    static const struct {
        const char *name;
        void (*add)(std::vector<Shape> *);
    } others[] = {
        {"llama", add_llama}, {"decode", add_decode}, {"unaligned", add_unaligned}, {"cubes", add_cubes}, {"edges", add_edges},
    };
    for (const auto &other : others)
        if (name == other.name) {
            other.add(shapes);
            known = true;
        }
    for (int m = 1; m <= 8192 && name == "consecutive"; m++) {
        shapes->push_back({"consecutive", m, 3072, 768});
        known = true;
    }
    return known ? "" : "no set of shapes is called " + name;
}

std::string shapes_add(std::vector<Shape> *shapes, const std::string &names, const std::string &data, uint64_t seed)
{
    for (size_t from = 0; from <= names.size();) {
        size_t to = names.find(',', from);
        to = to == std::string::npos ? names.size() : to;
        const std::string error = add_one(shapes, names.substr(from, to - from), data, seed);
        if (!error.empty())
            return error;
        from = to + 1;
    }
    return "";
}

bool shapes_given(std::vector<Shape> *shapes, const char *list)
{
    int m, n, k, length;
    for (const char *at = list; *at; at += length + (at[length] == ',')) {
        length = 0;
        if (sscanf(at, "%dx%dx%d%n", &m, &n, &k, &length) != 3 || (at[length] && at[length] != ',') || m < 0 || n < 0 || k < 0)
            return false;
        shapes->push_back({"given", m, n, k});
    }
    return true;
}

static size_t common_divisor(size_t a, size_t b) { return b == 0 ? a : common_divisor(b, a % b); }

/* Steps of about the golden section. */
std::vector<size_t> spread_order(size_t count)
{
    std::vector<size_t> order;
    size_t step = (size_t)((double)count * 0.6180339887) + 1;
    while (count > 0 && common_divisor(step, count) != 1)
        step++;
    for (size_t i = 0; i < count; i++)
        order.push_back(i * step % count);
    return order;
}
