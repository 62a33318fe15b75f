/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Weights prepacked with zero points and offsets differ from the spec's in the order of sums alone: a weight that is equal to its zero
 * point is 0, whatever it is multiplied by, also infinity. Every form, on every instruction set, with zero points at both ends of their
 * range, for few rows and for many, and where groups do not divide K. Compiled without contraction. */
#include "packed_zeros_dyn.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { M = 40, N = 37, MOST_K = 136, GROUPS = MOST_K / 16 + 1, ROOM = 1 << 16 };

/* What a call reads, each array by the type that its form has. */
static _Alignas(64) union {
    uint8_t u8[N * MOST_K];
    int8_t s8[N * MOST_K];
    uint16_t u16[N * MOST_K];
} w;
static _Alignas(64) union {
    uint8_t u8[N * GROUPS];
    int8_t s8[N * GROUPS];
    int16_t s16[N * GROUPS];
    uint16_t u16[N * GROUPS];
    float f32[N * GROUPS];
} z;
static _Alignas(64) union {
    uint16_t u16[N * GROUPS];
    float f32[N * GROUPS];
} s;
static float a[M * MOST_K], y[M * N];
static _Alignas(64) char packed_w[ROOM], packed_z[ROOM], packed_s[ROOM];
static int K; /* of the call */

/* Integers up to 255 as a half and a bf16, and back. */
static uint16_t half_of(int i)
{
    int e = 0;
    while (i >> (e + 1))
        e++;
    return (uint16_t)(i ? (15 + e) << 10 | ((i << 10 >> e) & 1023) : 0);
}
static float from_half(uint16_t h) { return h ? ldexpf((float)((h & 1023) | 1024), (h >> 10) - 25) : 0; }
static uint16_t brain_of(int i)
{
    const float x = (float)i;
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (uint16_t)(bits >> 16);
}
static float from_brain(uint16_t b)
{
    const uint32_t bits = (uint32_t)b << 16;
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Of a form: what the spec multiplies by; one of 256 codes for a weight; one for a group's zero point; a call. */
#define AT(n, k)          ((n) * K + (k))
#define GROUP(n, k, size) ((n) * (K / (size) + 1) + (k) / (size))
#define FORM(name, weight_is, put_is, zero_is, w_as, pack_z, ...) \
    static float name##_weight(int n, int k) { return weight_is; } \
    static void name##_put(int n, int k, int code) { put_is; } \
    static void name##_zero(int g, int value) { zero_is; } \
    static int name##_call(int rows) { return name(rows, N, STEPS, a, w_as, __VA_ARGS__ s.SCALES, y); } \
    static int name##_pack(void) \
    { \
        if (name##_w_size(N, STEPS) > ROOM || name##_s_size(SIZE_S) > ROOM) \
            return -1; \
        return name##_w_pack(N, STEPS, w_as WITH_W, packed_w) | pack_z | name##_s_pack(SIZE_S, s.SCALES, packed_s); \
    } \
    static int name##_run(int isa, int rows) \
    { \
        name##_options options = {0}; \
        options.isa = isa; \
        return name##_packed_with(&options, rows, N, STEPS, a, packed_w, PACKED_Z packed_s, y); \
    }
#define STEPS  K
#define SCALES f32
#define SIZE_S N, K
#define WITH_W
#define PACKED_Z          packed_z,
#define SCALE(n, k, size) s.f32[GROUP(n, k, size)]

static uint8_t with_nibble(uint8_t byte, int high, int code)
{
    return (uint8_t)(high ? (byte & 15) | code % 16 << 4 : (byte & 240) | code % 16);
}

FORM(nibbles, (float)((w.u8[n * (K / 2 + 1) + k / 2] >> k % 2 * 4 & 15) - z.u8[GROUP(n, k, 32)]) * SCALE(n, k, 32),
     w.u8[n * (K / 2 + 1) + k / 2] = with_nibble(w.u8[n * (K / 2 + 1) + k / 2], k % 2, code), z.u8[g] = (uint8_t)value, w.u8,
     nibbles_z_pack(N, K, z.u8, s.f32, packed_z), z.u8, )
FORM(fives, (float)((w.u8[AT(n, k)] & 31) + z.u8[GROUP(n, k, 24)]) * SCALE(n, k, 16), w.u8[AT(n, k)] = (uint8_t)code,
     z.u8[g] = (uint8_t)value, w.u8, fives_z_pack(N, K, z.u8, s.f32, packed_z), z.u8, )
FORM(bytes, (float)(w.u8[AT(n, k)] - z.u8[GROUP(n, k, 32)]) * SCALE(n, k, 32), w.u8[AT(n, k)] = (uint8_t)code, z.u8[g] = (uint8_t)value,
     w.u8, bytes_z_pack(N, K, z.u8, s.f32, packed_z), z.u8, )
FORM(signed_bytes, (float)(w.s8[AT(n, k)] - z.s8[GROUP(n, k, 40)]) * SCALE(n, k, 40), w.s8[AT(n, k)] = (int8_t)(code - 128),
     z.s8[g] = (int8_t)value, w.s8, signed_bytes_z_pack(N, K, z.s8, s.f32, packed_z), z.s8, )
FORM(shorts, (float)(w.u8[AT(n, k)] - z.s16[GROUP(n, k, 16)]) * SCALE(n, k, 16), w.u8[AT(n, k)] = (uint8_t)code, z.s16[g] = (int16_t)value,
     w.u8, shorts_z_pack(N, K, z.s16, s.f32, packed_z), z.s16, )
FORM(floats, ((float)w.u8[AT(n, k)] - z.f32[GROUP(n, k, 32)]) * SCALE(n, k, 32), w.u8[AT(n, k)] = (uint8_t)code,
     z.f32[g] = (float)value + (g % 3 ? 0 : 0.3f), w.u8, floats_z_pack(N, K, z.f32, s.f32, packed_z), z.f32, )
FORM(float_nibbles, ((float)(w.u8[AT(n, k)] & 15) - from_half(z.u16[GROUP(n, k, 32)])) * SCALE(n, k, 32), w.u8[AT(n, k)] = (uint8_t)code,
     z.u16[g] = half_of(value), w.u8, float_nibbles_z_pack(N, K, z.u16, s.f32, packed_z), z.u16, )
FORM(brains, (from_brain(w.u16[AT(n, k)]) - z.f32[GROUP(n, k, 32)]) * SCALE(n, k, 32), w.u16[AT(n, k)] = brain_of(code),
     z.f32[g] = (float)value, w.u16, brains_z_pack(N, K, z.f32, s.f32, packed_z), z.f32, )
FORM(offsets, (float)(w.u8[AT(n, k)] & 15) * SCALE(n, k, 32) + z.f32[GROUP(n, k, 32)], w.u8[AT(n, k)] = (uint8_t)code,
     z.f32[g] = -((float)value * s.f32[g]), w.u8, offsets_z_pack(N, K, z.f32, packed_z), z.f32, )
FORM(signed_offsets, (float)((w.u8[AT(n, k)] & 15) - 8) * SCALE(n, k, 32) + z.f32[GROUP(n, k, 32)], w.u8[AT(n, k)] = (uint8_t)code,
     z.f32[g] = -((float)(value - 8) * s.f32[g]), w.u8, signed_offsets_z_pack(N, K, z.f32, packed_z), z.f32, )

#undef WITH_W
#define WITH_W , s.f32
FORM(both, ((float)(w.u8[AT(n, k)] - z.u8[GROUP(n, k, 32)]) * SCALE(n, k, 32) - SCALE(n, 0, 32)) * SCALE(n, k, 32),
     w.u8[AT(n, k)] = (uint8_t)code, z.u8[g] = (uint8_t)value, w.u8, both_z_pack(N, K, z.u8, s.f32, packed_z), z.u8, )
#undef WITH_W
#define WITH_W
#undef PACKED_Z
#define PACKED_Z
FORM(numbers, ((float)w.u8[AT(n, k)] - 8.5f) * SCALE(n, k, 32) + 0.25f, w.u8[AT(n, k)] = (uint8_t)code, (void)(g + value), w.u8, 0, )
#undef PACKED_Z
#define PACKED_Z packed_z,
#undef SIZE_S
#define SIZE_S N
FORM(signed_nibbles, s.f32[n] * (float)((w.u8[AT(n, k)] & 15) - 8 - z.s8[n]), w.u8[AT(n, k)] = (uint8_t)code, z.s8[g] = (int8_t)value, w.u8,
     signed_nibbles_z_pack(N, K, z.s8, packed_z), z.s8, )
FORM(halves, (from_half(w.u16[AT(n, k)]) - (float)z.u8[n]) * s.f32[n], w.u16[AT(n, k)] = half_of(code), z.u8[g] = (uint8_t)value, w.u16,
     halves_z_pack(N, K, z.u8, packed_z), z.u8, )
#undef SIZE_S
#define SIZE_S N, STEPS
#undef SCALES
#define SCALES u16
FORM(sixes, (float)((w.u8[AT(n, k)] & 63) - z.u8[GROUP(n, k, 16)] - z.u8[GROUP(n, 0, 16)]) * from_half(s.u16[GROUP(n, k, 16)]),
     w.u8[AT(n, k)] = (uint8_t)code, z.u8[g] = (uint8_t)value, w.u8, sixes_z_pack(N, K, z.u8, s.u16, packed_z), z.u8, )
#undef STEPS
#define STEPS (K / 32)
static uint8_t *block_byte(int n, int k) { return &w.u8[(n * (K / 32) + k / 32) * 16 + k % 16]; }
FORM(blocks, (float)((*block_byte(n, k) >> k / 16 % 2 * 4 & 15) - z.u8[n * (K / 32) + k / 32]) * from_half(s.u16[n * (K / 32) + k / 32]),
     *block_byte(n, k) = with_nibble(*block_byte(n, k), k / 16 % 2, code), z.u8[g] = (uint8_t)value, w.u8,
     blocks_z_pack(N, STEPS, z.u8, s.u16, packed_z), z.u8, )

/* least, most: of zero points, or of the codes that offsets undo. */
#define ROW(name, least, most, halves) \
    {#name, least, most, halves, name##_weight, name##_put, name##_zero, name##_call, name##_pack, name##_run}
static const struct {
    const char *name;
    int least, most, halves;
    float (*weight)(int n, int k);
    void (*put)(int n, int k, int code);
    void (*zero)(int g, int value);
    int (*call)(int rows);
    int (*pack)(void);
    int (*run)(int isa, int rows);
} forms[] = {ROW(nibbles, 0, 15, 0),        ROW(nibbles, 240, 255, 0), ROW(signed_nibbles, -8, 7, 0), ROW(signed_nibbles, -128, 127, 0),
             ROW(fives, 0, 255, 0),         ROW(sixes, 0, 31, 1),      ROW(bytes, 0, 255, 0),         ROW(signed_bytes, -128, 127, 0),
             ROW(shorts, -32768, 32767, 0), ROW(shorts, 0, 255, 0),    ROW(floats, 0, 255, 0),        ROW(float_nibbles, 0, 15, 0),
             ROW(halves, 0, 255, 0),        ROW(brains, 0, 127, 0),    ROW(offsets, 0, 15, 0),        ROW(signed_offsets, 0, 15, 0),
             ROW(both, 0, 254, 0),          ROW(numbers, 0, 0, 0),     ROW(blocks, 0, 15, 1)};
enum { FORMS = sizeof forms / sizeof *forms };

static uint32_t state = 1;
static uint32_t some(uint32_t below)
{
    state = state * 1664525 + 1013904223;
    return (state >> 8) % below;
}

/* Numbers at random; zero points at the ends of the range; `equal`: every weight is 0, where there is a code that makes it so. */
static void fill(int f, int equal)
{
    static const int ends[] = {0, 0, 1, 2};
    for (int g = 0; g < N * GROUPS; g++) {
        const int end = ends[some(4)];
        if (forms[f].halves)
            s.u16[g] = (uint16_t)(0x2c00 + some(0xc00));
        else
            s.f32[g] = 1.0f / (float)(3 + some(1000));
        forms[f].zero(g, some(2) ? forms[f].least + end : forms[f].most - end > forms[f].least ? forms[f].most - end : forms[f].least);
    }
    for (int n = 0; n < N; n++)
        for (int k = 0; k < K; k++) {
            int code = 0;
            while (equal && code < 256 && (forms[f].put(n, k, code), forms[f].weight(n, k) != 0))
                code++;
            if (!equal || code == 256)
                forms[f].put(n, k, (int)some(256));
        }
}

static void fill_rows(int special)
{
    static const float specials[] = {INFINITY, -INFINITY, NAN};
    for (int i = 0; i < M * K; i++)
        a[i] = special && some((uint32_t)K) == 0 ? specials[some(3)] : ((float)some(2001) - 1000) * (some(2) ? 1e3f : 1e-2f);
}

static int failed, zeros;

/* y against sums of double. */
static void check(int f, int rows, const char *what, int isa)
{
    for (int m = 0; m < rows; m++)
        for (int n = 0; n < N; n++) {
            double sum = 0, size = 0;
            for (int k = 0; k < K; k++) {
                const double product = (double)a[m * K + k] * forms[f].weight(n, k);
                sum += product;
                size += fabs(product);
            }
            const double got = y[m * N + n];
            const int same = isnan(sum) ? isnan(got) : isinf(sum) ? got == sum : fabs(got - sum) <= 1.5e-6 * size;
            zeros += size == 0;
            if (!same && failed++ < 20)
                printf("FAILED: %s (%d), %s on %d, %d x %d x %d, (%d, %d): %.9g instead of %.9g, of %.3g\n", forms[f].name, forms[f].most,
                       what, isa, rows, N, K, m, n, got, sum, size);
        }
}

int main(void)
{
    static const int steps[] = {8, 32, 40, 101, 136}, rows[] = {1, 2, 3, 5, M};
    for (int f = 0; f < FORMS; f++)
        for (int i = 0; i < 5 * 4; i++) {
            K = steps[i / 4];
            if (forms[f].pack == blocks_pack)
                K = (K + 31) / 32 % 4 * 32;
            fill(f, i % 2);
            fill_rows(i % 4 > 1);
            if (forms[f].pack() != MIKGEN_OK)
                return 2;
            for (int isa = 0; isa <= 5; isa++)
                for (int r = 0; r < 5; r++) {
                    memset(y, 0x55, sizeof y);
                    const int status = forms[f].run(isa, rows[r]);
                    if (status == MIKGEN_OK)
                        check(f, rows[r], "packed", isa);
                    else if (status != MIKGEN_UNSUPPORTED)
                        return 2;
                }
            memset(y, 0x55, sizeof y);
            if (forms[f].call(M) != MIKGEN_OK)
                return 2;
            check(f, M, "plain", 0);
        }
    printf("%d forms, %d sums of nothing but 0: %d wrong\n", FORMS, zeros, failed);
    return failed > 0 || zeros < 1000;
}
