/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mma.sync, ldmatrix, stmatrix, movmatrix and cp.async. Fragments are filled by the tables of the PTX ISA (9.7.14.5),
 * written out here as they stand there, element by element. */
#include <cmath>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include "simulator_test.h"

enum { F16, F16_F16, BF16, TF32, S8, U8, E4M3, E5M2, F64 };

/* Kinds of one byte. */
static __host__ __device__ constexpr bool is_byte(int kind) { return kind >= S8 && kind <= E5M2; }

/* Row and k of element i of A, k of element i of B, as the ISA's figures give them for each shape. */
template <int KIND, int K> static __host__ __device__ void a_place(int lane, int i, int *row, int *k)
{
    int g = lane / 4, t = lane % 4;
    if (KIND == F64 || KIND == TF32) {
        *row = i % 2 == 0 ? g : g + 8;
        *k = i < 2 ? t : i < 4 ? t + 4 : i < 6 ? t + 8 : t + 12;
    } else if (is_byte(KIND)) {
        *row = (i < 4 || (i >= 8 && i < 12)) ? g : g + 8;
        *k = i < 8 ? t * 4 + (i & 3) : t * 4 + (i & 3) + 16;
    } else {
        *row = (i < 2 || (i >= 4 && i < 6)) ? g : g + 8;
        *k = i < 4 ? t * 2 + (i & 1) : t * 2 + (i & 1) + 8;
    }
}

template <int KIND, int K> static __host__ __device__ int b_k(int lane, int i)
{
    int t = lane % 4;
    if (KIND == F64 || KIND == TF32)
        return t + 4 * i;
    if (is_byte(KIND))
        return i < 4 ? t * 4 + (i & 3) : t * 4 + (i & 3) + 16;
    return i < 2 ? t * 2 + (i & 1) : t * 2 + (i & 1) + 8;
}

template <int KIND> struct Types {
    typedef float Result;
    typedef half Element;
};
template <> struct Types<F16_F16> {
    typedef half Result;
    typedef half Element;
};
template <> struct Types<BF16> {
    typedef float Result;
    typedef __nv_bfloat16 Element;
};
template <> struct Types<TF32> {
    typedef float Result;
    typedef float Element;
};
template <> struct Types<S8> {
    typedef int Result;
    typedef signed char Element;
};
template <> struct Types<U8> {
    typedef int Result;
    typedef unsigned char Element;
};
template <> struct Types<E4M3> {
    typedef float Result;
    typedef __nv_fp8_e4m3 Element;
};
template <> struct Types<E5M2> {
    typedef float Result;
    typedef __nv_fp8_e5m2 Element;
};
template <> struct Types<F64> {
    typedef double Result;
    typedef double Element;
};

#define FLOAT(shape, in, na, nb) \
    asm volatile("mma.sync.aligned." shape ".row.col.f32." in "." in ".f32 {%0,%1,%2,%3}, " na ", " nb ", {%0,%1,%2,%3};"
#define C4 "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
#define I4 "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])
#define D4 "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])

template <int KIND, int K>
__global__ void multiply(const typename Types<KIND>::Element *a, const typename Types<KIND>::Element *b, typename Types<KIND>::Result *out,
                         int M)
{
    typedef typename Types<KIND>::Element Element;
    int lane = threadIdx.x;
    __align__(16) Element fa[16 * K / 32], fb[8 * K / 32 + 1];
    for (int i = 0; i < M * K / 32; i++) {
        int row, k;
        a_place<KIND, K>(lane, i, &row, &k);
        fa[i] = a[row * K + k];
    }
    for (int i = 0; i < 8 * K / 32; i++)
        fb[i] = b[b_k<KIND, K>(lane, i) * 8 + lane / 4];
    const uint32_t *ra = (const uint32_t *)fa, *rb = (const uint32_t *)fb;
    typename Types<KIND>::Result c[4] = {};
    for (int i = 0; i < 4; i++)
        c[i] = (typename Types<KIND>::Result)(1.0f + i);
    if constexpr (KIND == F16 && K == 16)
        FLOAT("m16n8k16", "f16", "{%4,%5,%6,%7}", "{%8,%9}") : C4 : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]));
    if constexpr (KIND == F16 && K == 8)
        FLOAT("m16n8k8", "f16", "{%4,%5}", "{%6}") : C4 : "r"(ra[0]), "r"(ra[1]), "r"(rb[0]));
    if constexpr (KIND == BF16 && K == 16)
        FLOAT("m16n8k16", "bf16", "{%4,%5,%6,%7}", "{%8,%9}") : C4 : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]));
    if constexpr (KIND == BF16 && K == 8)
        FLOAT("m16n8k8", "bf16", "{%4,%5}", "{%6}") : C4 : "r"(ra[0]), "r"(ra[1]), "r"(rb[0]));
    if constexpr (KIND == TF32 && K == 8)
        FLOAT("m16n8k8", "tf32", "{%4,%5,%6,%7}", "{%8,%9}") : C4 : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]));
    if constexpr (KIND == TF32 && K == 4)
        FLOAT("m16n8k4", "tf32", "{%4,%5}", "{%6}") : C4 : "r"(ra[0]), "r"(ra[1]), "r"(rb[0]));
    if constexpr (KIND == F16_F16) {
        uint32_t *r = (uint32_t *)c;
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0,%1}, {%2,%3,%4,%5}, {%6,%7}, {%0,%1};"
                     : "+r"(r[0]), "+r"(r[1])
                     : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]));
    }
    if constexpr (KIND == S8 && K == 32)
        asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                     : I4
                     : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]));
    if constexpr (KIND == U8 && K == 16)
        asm volatile("mma.sync.aligned.m16n8k16.row.col.s32.u8.u8.s32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
                     : I4
                     : "r"(ra[0]), "r"(ra[1]), "r"(rb[0]));
    if constexpr (KIND == E4M3)
        FLOAT("m16n8k32", "e4m3", "{%4,%5,%6,%7}", "{%8,%9}") : C4 : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]));
    if constexpr (KIND == E5M2)
        FLOAT("m16n8k32", "e5m2", "{%4,%5,%6,%7}", "{%8,%9}") : C4 : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]));
    if constexpr (KIND == F64 && K == 16)
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5,%6,%7,%8,%9,%10,%11}, {%12,%13,%14,%15}, "
                     "{%0,%1,%2,%3};"
                     : D4
                     : "d"(fa[0]), "d"(fa[1]), "d"(fa[2]), "d"(fa[3]), "d"(fa[4]), "d"(fa[5]), "d"(fa[6]), "d"(fa[7]), "d"(fb[0]),
                       "d"(fb[1]), "d"(fb[2]), "d"(fb[3]));
    if constexpr (KIND == F64 && K == 4)
        asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
                     : "+d"(c[0]), "+d"(c[1])
                     : "d"(fa[0]), "d"(fb[0]));
    for (int i = 0; i < (M == 8 ? 2 : 4); i++)
        out[(lane / 4 + i / 2 * 8) * 8 + lane % 4 * 2 + i % 2] = c[i];
}

template <int KIND, int K> static void shape(int M = 16)
{
    typedef typename Types<KIND>::Element Element;
    typedef typename Types<KIND>::Result Result;
    std::vector<Element> a(16 * K), b(8 * K);
    for (size_t e = 0; e < a.size(); e++)
        a[e] = (Element)(float)((int)(e * 11 % 23) - (KIND == U8 ? 0 : 11));
    for (size_t e = 0; e < b.size(); e++)
        b[e] = (Element)(float)((int)(e * 7 % 19) - (KIND == U8 ? 0 : 9));
    Device<Element> da(a), db(b);
    Device<Result> out(16 * 8);
    multiply<KIND, K><<<1, 32>>>(da.data, db.data, out.data, M);
    std::vector<Result> got = out.get();
    for (int m = 0; m < M; m++)
        for (int n = 0; n < 8; n++) {
            double sum = 1 + n % 2 + m / 8 * 2;
            for (int k = 0; k < K; k++)
                sum += (double)(float)a[m * K + k] * (double)(float)b[k * 8 + n];
            CHECK((double)(float)got[m * 8 + n] == sum);
        }
}

/* ---- conversions to floats of 8 bits and back, which the host's header does otherwise ---- */

template <typename T> __global__ void convert(const float *x, T *y, float *z, int count)
{
    for (int i = threadIdx.x; i < count; i += 32) {
        y[i] = T(x[i]);
        z[i] = (float)y[i];
    }
}

template <typename T> static void conversions()
{
    std::vector<float> x;
    for (unsigned bits = 0; bits < 0x80000000u; bits += 0x001f3579) {
        float f;
        memcpy(&f, &bits, 4);
        x.push_back(f);
        x.push_back(-f);
    }
    for (int i = 0; i < 256; i++) { /* all numbers, what is half between them, and beside that */
        T a, b;
        a.__x = (unsigned char)i;
        b.__x = (unsigned char)(i + 1);
        const float middle = ((float)a + (float)b) / 2;
        for (float f : {(float)a, middle, std::nextafter(middle, 0.0f), std::nextafter(middle, 1e9f)})
            x.push_back(f);
    }
    Device<float> from(x), back(x.size());
    Device<T> to(x.size());
    convert<<<1, 32>>>(from.data, to.data, back.data, (int)x.size());
    std::vector<T> y = to.get();
    std::vector<float> z = back.get();
    for (size_t i = 0; i < x.size(); i++) {
        const T expected(x[i]);
        CHECK(y[i].__x == expected.__x && (z[i] == (float)expected || (std::isnan(z[i]) && std::isnan((float)expected))));
    }
}

/* ---- matrices ---- */

template <int COUNT, bool TRANSPOSED> __global__ void load_matrices(uint32_t *out)
{
    __shared__ __align__(16) uint16_t s[4][8][8];
    for (int e = threadIdx.x; e < 256; e += 32)
        s[e / 64][e / 8 % 8][e % 8] = (uint16_t)e;
    __syncwarp();
    uint32_t address = (uint32_t)__cvta_generic_to_shared(&s[threadIdx.x / 8][threadIdx.x % 8][0]), r[4] = {0, 0, 0, 0};
    if (COUNT == 4 && TRANSPOSED)
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
                     : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                     : "r"(address));
    else if (COUNT == 4)
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                     : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                     : "r"(address));
    else if (COUNT == 2)
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0,%1}, [%2];" : "=r"(r[0]), "=r"(r[1]) : "r"(address));
    else
        asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(r[0]) : "r"(address));
    for (int k = 0; k < 4; k++)
        out[k * 32 + threadIdx.x] = r[k];
}

__global__ void move_and_store(uint32_t *out)
{
    __shared__ __align__(16) uint16_t s[2][8][8];
    uint32_t a = (threadIdx.x * 2) | (threadIdx.x * 2 + 1) << 16, t;
    asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(t) : "r"(a));
    out[threadIdx.x] = t;
    uint32_t address = (uint32_t)__cvta_generic_to_shared(&s[threadIdx.x / 8 % 2][threadIdx.x % 8][0]);
#if __CUDA_ARCH__ >= 900
    asm volatile("stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%0], {%1, %2};" ::"r"(address), "r"(a), "r"(t) : "memory");
#else
    (void)address;
#endif
    __syncwarp();
    for (int e = threadIdx.x; e < 128; e += 32)
        out[32 + e] = s[e / 64][e / 8 % 8][e % 8];
}

static void matrices()
{
    Device<uint32_t> d(256);
    auto element = [](int m, int r, int c) { return (uint32_t)(m * 64 + r * 8 + c); };
    auto verify = [&](int count, bool transposed) {
        std::vector<uint32_t> got = d.get();
        for (int m = 0; m < count; m++)
            for (int l = 0; l < 32; l++) {
                int r = l / 4, c = l % 4 * 2;
                uint32_t low = transposed ? element(m, c, r) : element(m, r, c);
                uint32_t high = transposed ? element(m, c + 1, r) : element(m, r, c + 1);
                CHECK(got[m * 32 + l] == (low | high << 16));
            }
    };
    load_matrices<4, false><<<1, 32>>>(d.data);
    verify(4, false);
    load_matrices<4, true><<<1, 32>>>(d.data);
    verify(4, true);
    load_matrices<2, false><<<1, 32>>>(d.data);
    verify(2, false);
    load_matrices<1, false><<<1, 32>>>(d.data);
    verify(1, false);
    move_and_store<<<1, 32>>>(d.data);
    std::vector<uint32_t> got = d.get();
    for (int l = 0; l < 32; l++)
        CHECK(got[l] == (element(0, l % 4 * 2, l / 4) | element(0, l % 4 * 2 + 1, l / 4) << 16));
    for (int r = 0; r < 8; r++)
        for (int c = 0; c < 8; c++) { /* stored transposed: once the fragment, once its transpose */
            CHECK(got[32 + r * 8 + c] == element(0, c, r));
            CHECK(got[32 + 64 + r * 8 + c] == element(0, r, c));
        }
}

/* ---- cp.async ---- */

enum { RIGHT, NO_WAIT, WAIT_ONE_TOO_FEW };

template <int SIZE, int HOW> __global__ void copy(const float *from, float *to, int valid)
{
    __shared__ __align__(16) float s[2][128];
    int e = threadIdx.x * SIZE / 4;
    for (int k = 0; k < 2; k++) {
        uint32_t address = (uint32_t)__cvta_generic_to_shared(&s[k][e]);
        if (SIZE == 16)
            asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(address), "l"(from + k * 128 + e), "r"(valid) : "memory");
        else
            asm volatile("cp.async.ca.shared.global [%0], [%1], %3, %2;" ::"r"(address), "l"(from + k * 128 + e), "r"(valid), "n"(SIZE)
                         : "memory");
        asm volatile("cp.async.commit_group;");
    }
    if (HOW == WAIT_ONE_TOO_FEW)
        asm volatile("cp.async.wait_group 1;" ::: "memory");
    if (HOW == RIGHT)
        asm volatile("cp.async.wait_group 0;" ::: "memory");
    __syncthreads();
    for (int k = threadIdx.x; k < 32 * SIZE / 4; k += 32) {
        to[k] = s[0][k];
        to[128 + k] = s[1][k];
    }
}

template <int SIZE> static void copies()
{
    std::vector<float> from(256);
    for (int k = 0; k < 256; k++)
        from[k] = (float)k;
    Device<float> a(from), b(256);
    for (int valid = SIZE; valid >= 0; valid -= 4) {
        copy<SIZE, RIGHT><<<1, 32>>>(a.data, b.data, valid);
        std::vector<float> got = b.get();
        for (int k = 0; k < 32 * SIZE / 4; k++)
            CHECK(got[k] == (k % (SIZE / 4) * 4 < valid ? from[k] : 0) && got[128 + k] == (k % (SIZE / 4) * 4 < valid ? from[128 + k] : 0));
    }
    sim_set_schedule(SIM_FORWARD_LAZY, 1); /* what was not waited for has not landed */
    copy<SIZE, WAIT_ONE_TOO_FEW><<<1, 32>>>(a.data, b.data, SIZE);
    CHECK(b.get()[3] == 3 && std::isnan(b.get()[128 + 3]));
    copy<SIZE, NO_WAIT><<<1, 32>>>(a.data, b.data, SIZE);
    CHECK(std::isnan(b.get()[3]));
}

int main()
{
    sim_set_device(90, 0);
    shape<F16, 16>();
    shape<F16, 8>();
    shape<F16_F16, 16>();
    shape<BF16, 16>();
    shape<BF16, 8>();
    shape<TF32, 8>();
    shape<TF32, 4>();
    shape<S8, 32>();
    shape<U8, 16>();
    shape<E4M3, 32>();
    shape<E5M2, 32>();
    shape<F64, 16>();
    shape<F64, 4>(8);
    conversions<__nv_fp8_e4m3>();
    conversions<__nv_fp8_e5m2>();
    matrices();
    copies<16>();
    copies<8>();
    copies<4>();
    SimCounters count;
    CHECK(sim_counters("multiply", &count) == 13 && count.mma == 13 && count.launches == 13);
    return summary();
}
