/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Instructions that only touch registers, each on the same inputs as a formula of the host's: compute_90. */
#include <cfenv>
#include <cmath>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "simulator_test.h"

typedef unsigned u32;
typedef unsigned long long u64;
typedef unsigned short u16;

enum { COUNT = 256 };

struct Inputs {
    u64 a[COUNT], b[COUNT], c[COUNT];
};

/* ---- one instruction: an inline statement on x, y, z giving r, and its formula ---- */

static Inputs inputs;
static Inputs *on_device;

#define INTEGER(T, constraint, name, text, formula) \
    __global__ void kernel_##name(const Inputs *in, T *out) \
    { \
        T x = (T)in->a[threadIdx.x], y = (T)in->b[threadIdx.x], z = (T)in->c[threadIdx.x], r; \
        asm volatile(text : "=" constraint(r) : constraint(x), constraint(y), constraint(z)); \
        out[threadIdx.x] = r; \
    } \
    static void test_##name() \
    { \
        Device<T> out(COUNT); \
        kernel_##name<<<1, COUNT>>>(on_device, out.data); \
        std::vector<T> got = out.get(); \
        for (int at = 0; at < COUNT; at++) { \
            T x = (T)inputs.a[at], y = (T)inputs.b[at], z = (T)inputs.c[at], r; \
            (void)x, (void)y, (void)z; \
            formula; \
            if (got[at] != r) \
                std::printf("%s: %llx %llx %llx -> %llx, not %llx\n", #name, (u64)x, (u64)y, (u64)z, (u64)got[at], (u64)r); \
            CHECK(got[at] == r); \
        } \
    }

#define W(name, text, formula) INTEGER(u32, "r", name, text, formula)
#define X(name, text, formula) INTEGER(u64, "l", name, text, formula)

W(mul_hi_u, "mul.hi.u32 %0, %1, %2;", r = (u32)((u64)x * y >> 32))
W(mul_hi_s, "mul.hi.s32 %0, %1, %2;", r = (u32)((long long)(int)x * (int)y >> 32))
W(mad_hi_s, "mad.hi.s32 %0, %1, %2, %3;", r = (u32)((long long)(int)x * (int)y >> 32) + z)
W(div_s, "div.s32 %0, %1, %2;", r = (u32)((int)y == -1 ? 0 - x : (int)y == 0 ? ~0u : (u32)((int)x / (int)y)))
W(rem_u, "rem.u32 %0, %1, %2;", r = y ? x % y : x)
W(sad_s, "sad.s32 %0, %1, %2, %3;", r = z + (u32)llabs((long long)(int)x - (int)y))
W(add_sat, "add.sat.s32 %0, %1, %2;", long long s = (long long)(int)x + (int)y; r = (u32)(int)(s > 2147483647      ? 2147483647
                                                                                               : s < -2147483648LL ? -2147483648LL
                                                                                                                   : s))
W(bfe_u, "{.reg .b32 p, n; and.b32 p, %2, 31; and.b32 n, %3, 31; bfe.u32 %0, %1, p, n;}", r = (x >> (y & 31)) & ((1u << (z & 31)) - 1))
W(
    bfe_s, "bfe.s32 %0, %1, %2, %3;", u32 p = y & 255; u32 n = z & 255; r = 0; for (u32 k = 0; k < 32 && n; k++) {
        u32 bit = k < n && p + k < 32 ? p + k : (p + n - 1 < 31 ? p + n - 1 : 31);
        r |= (x >> bit & 1) << k;
    })
W(bfi, "bfi.b32 %0, %1, %2, 5, 9;", r = (y & ~(0x1ffu << 5)) | (x & 0x1ff) << 5)
W(
    prmt, "prmt.b32 %0, %1, %2, %3;", r = 0; for (int k = 0; k < 4; k++) {
        u32 s = z >> (4 * k);
        u32 byte = (u32)(((u64)y << 32 | x) >> (8 * (s & 7))) & 255;
        if (s & 8)
            byte = byte & 128 ? 255 : 0;
        r |= byte << (8 * k);
    })
W(shf_l, "shf.l.wrap.b32 %0, %1, %2, %3;", r = (z & 31) ? y << (z & 31) | x >> (32 - (z & 31)) : y)
W(shf_r, "shf.r.clamp.b32 %0, %1, %2, %3;", r = z >= 32 ? y : z ? x >> z | y << (32 - z) : x)
W(lop3, "lop3.b32 %0, %1, %2, %3, 0xd8;", r = 0;
  for (int k = 0; k < 32; k++) r |= (u32)(0xd8 >> ((x >> k & 1) * 4 + (y >> k & 1) * 2 + (z >> k & 1)) & 1) << k)
W(popc, "popc.b32 %0, %1;", r = (u32)__builtin_popcount(x))
W(clz, "clz.b32 %0, %1;", r = x ? (u32)__builtin_clz(x) : 32)
W(brev, "brev.b32 %0, %1;", r = 0; for (int k = 0; k < 32; k++) r |= (x >> k & 1) << (31 - k))
W(bfind_s, "bfind.s32 %0, %1;", u32 v = (int)x < 0 ? ~x : x; r = v ? 31 - (u32)__builtin_clz(v) : ~0u)
W(
    fns, "{.reg .b32 b; and.b32 b, %2, 31; fns.b32 %0, %1, b, 2;}", u32 n = 0; r = ~0u;
    for (u32 k = y & 31; k < 32; k++) if (x >> k & 1 && ++n == 2) {
        r = k;
        break;
    })
W(dp4a, "dp4a.s32.u32 %0, %1, %2, %3;", r = z;
  for (int k = 0; k < 32; k += 8) r += (u32)((signed char)(x >> k) * (int)(unsigned char)(y >> k)))
W(dp2a, "dp2a.hi.s32.s32 %0, %1, %2, %3;", r = z;
  for (int k = 0; k < 2; k++) r += (u32)((short)(x >> 16 * k) * (signed char)(y >> (16 + 8 * k))))
W(shl, "shl.b32 %0, %1, %2;", r = y > 31 ? 0 : x << y)
W(shr_s, "shr.s32 %0, %1, %2;", r = (u32)((int)x >> (y > 31 ? 31 : y)))
W(min_s, "min.s32 %0, %1, %2;", r = (int)x < (int)y ? x : y)
W(slct, "slct.u32.s32 %0, %1, %2, %3;", r = (int)z >= 0 ? x : y)
W(set_lt, "set.lt.u32.s32 %0, %1, %2;", r = (int)x < (int)y ? ~0u : 0)
W(setp_and, "{.reg .pred p, q; setp.ne.u32 p, %3, 0; setp.lt.and.s32 p|q, %1, %2, p; selp.u32 %0, 1, 0, p; @q add.u32 %0, %0, 2;}",
  bool c = z != 0;
  bool t = (int)x < (int)y; r = (t && c) + 2 * (!t && c))
W(setp_xor, "{.reg .pred p; setp.gt.u32 p, %3, 99; setp.hs.xor.u32 p, %1, %2, !p; selp.u32 %0, 1, 0, p;}", r = (x >= y) != !(z > 99))
W(carry, "{.reg .b32 h; add.cc.u32 h, %1, %2; addc.u32 %0, %3, 0;}", r = z + (u32)(((u64)x + y) >> 32))
W(borrow, "{.reg .b32 h; sub.cc.u32 h, %1, %2; subc.u32 %0, %3, 0;}", r = z - (x < y))
W(madc, "{.reg .b32 h; mad.lo.cc.u32 h, %1, %2, %3; madc.hi.u32 %0, %1, %2, 0;}", r = (u32)(((u64)x * y + z) >> 32))
W(cvt_s8, "{.reg .b16 h; cvt.s8.s32 h, %1; cvt.s32.s8 %0, h;}", r = (u32)(signed char)x)
W(cvt_sat, "cvt.sat.u8.s32 %0, %1;", int s = (int)x; r = s < 0 ? 0 : s > 255 ? 255 : (u32)s)
W(unpack, "{.reg .b16 l, h; mov.b32 {l, h}, %1; mov.b32 %0, {h, l};}", r = x << 16 | x >> 16)
W(testp, "{.reg .pred p; .reg .f32 f; mov.b32 f, %1; testp.subnormal.f32 p, f; selp.u32 %0, 1, 0, p;}",
  r = (x & 0x7f800000) == 0 && (x & 0x7fffff) != 0)
X(mul_hi_64, "mul.hi.s64 %0, %1, %2;", r = (u64)((__int128)(long long)x * (long long)y >> 64))
X(mul_wide, "{.reg .b32 l, m; cvt.u32.u64 l, %1; cvt.u32.u64 m, %2; mul.wide.s32 %0, l, m;}", r = (u64)((long long)(int)x * (int)y))
X(shr_64, "{.reg .b32 n; cvt.u32.u64 n, %2; and.b32 n, n, 127; shr.s64 %0, %1, n;}", u32 n = y & 127;
  r = (u64)((long long)x >> (n > 63 ? 63 : n)))
X(rem_64, "rem.s64 %0, %1, %2;", r = (long long)y == -1 ? 0 : y == 0 ? x : (u64)((long long)x % (long long)y))
X(bfi_64, "bfi.b64 %0, %1, %2, 40, 30;", r = (y & ((1ull << 40) - 1)) | x << 40)
X(brev_64, "brev.b64 %0, %1;", r = 0; for (int k = 0; k < 64; k++) r |= (x >> k & 1) << (63 - k))
X(min_64, "min.s64 %0, %1, %2;", r = (long long)x < (long long)y ? x : y)

/* ---- floating point: the operation and its rounding mode ---- */

#define REAL(T, bits, load, name, text, mode, formula) \
    __global__ void kernel_##name(const Inputs *in, T *out) \
    { \
        T x = load(in->a[threadIdx.x]), y = load(in->b[threadIdx.x]), z = load(in->c[threadIdx.x]), r; \
        asm volatile(text : "=" bits(r) : bits(x), bits(y), bits(z)); \
        out[threadIdx.x] = r; \
    } \
    static void test_##name() \
    { \
        Device<T> out(COUNT); \
        kernel_##name<<<1, COUNT>>>(on_device, out.data); \
        std::vector<T> got = out.get(); \
        for (int at = 0; at < COUNT; at++) { \
            volatile T x = load(inputs.a[at]), y = load(inputs.b[at]), z = load(inputs.c[at]); \
            (void)x, (void)y, (void)z; \
            std::fesetround(mode); \
            volatile T r = formula; \
            std::fesetround(FE_TONEAREST); \
            if (!(got[at] == r || (r != r && got[at] != got[at]))) \
                std::printf("%s: %a %a %a -> %a, not %a\n", #name, (double)x, (double)y, (double)z, (double)got[at], (double)r); \
            CHECK(got[at] == r || (r != r && got[at] != got[at])); \
        } \
    }

static __host__ __device__ float as_f32(u64 x)
{
    u32 w = (u32)x;
    float f;
    memcpy(&f, &w, 4);
    return f;
}

static __host__ __device__ double as_f64(u64 x)
{
    double f;
    memcpy(&f, &x, 8);
    return f;
}

#define F(name, text, mode, formula) REAL(float, "f", as_f32, name, text, mode, formula)
#define D(name, text, mode, formula) REAL(double, "d", as_f64, name, text, mode, formula)

F(add_rn, "add.rn.f32 %0, %1, %2;", FE_TONEAREST, x + y)
F(add_rz, "add.rz.f32 %0, %1, %2;", FE_TOWARDZERO, x + y)
F(mul_rm, "mul.rm.f32 %0, %1, %2;", FE_DOWNWARD, x *y)
F(div_rp, "div.rp.f32 %0, %1, %2;", FE_UPWARD, x / y)
F(fma_rn, "fma.rn.f32 %0, %1, %2, %3;", FE_TONEAREST, std::fma((float)x, (float)y, (float)z))
F(fma_rz, "fma.rz.f32 %0, %1, %2, %3;", FE_TOWARDZERO, std::fma((float)x, (float)y, (float)z))
F(sqrt_rn, "sqrt.rn.f32 %0, %1;", FE_TONEAREST, std::sqrt((float)x))
F(min_f, "min.f32 %0, %1, %2;", FE_TONEAREST, std::fmin((float)x, (float)y))
F(max_nan, "max.NaN.f32 %0, %1, %2;", FE_TONEAREST, x != x || y != y ? NAN : std::fmax((float)x, (float)y))
F(add_sat_f, "add.sat.f32 %0, %1, %2;", FE_TONEAREST, !(x + y > 0) ? 0 : x + y > 1 ? 1 : x + y)
F(add_ftz, "add.ftz.f32 %0, %1, %2;", FE_TONEAREST,
  std::fabs((std::fabs((float)x) < 0x1p-126f ? 0 : x) + (std::fabs((float)y) < 0x1p-126f ? 0 : y)) < 0x1p-126f
      ? 0
      : (std::fabs((float)x) < 0x1p-126f ? 0 : x) + (std::fabs((float)y) < 0x1p-126f ? 0 : y))
F(copysign_f, "copysign.f32 %0, %1, %2;", FE_TONEAREST, std::copysign((float)y, (float)x))
F(cvt_half, "{.reg .b16 h; cvt.rn.f16.f32 h, %1; cvt.f32.f16 %0, h;}", FE_TONEAREST, __half2float(__float2half_rn((float)x)))
F(cvt_half_rz, "{.reg .b16 h; cvt.rz.f16.f32 h, %1; cvt.f32.f16 %0, h;}", FE_TONEAREST, __half2float(__float2half_rz((float)x)))
F(cvt_bf16, "{.reg .b16 h; cvt.rn.bf16.f32 h, %1; cvt.f32.bf16 %0, h;}", FE_TONEAREST, __bfloat162float(__float2bfloat16_rn((float)x)))
F(cvt_rni, "cvt.rni.f32.f32 %0, %1;", FE_TONEAREST, std::nearbyint((float)x))
F(cvt_rmi, "cvt.rmi.f32.f32 %0, %1;", FE_TONEAREST, std::floor((float)x))
F(cvt_s32, "{.reg .b32 i; cvt.rzi.s32.f32 i, %1; cvt.rn.f32.s32 %0, i;}", FE_TONEAREST,
  x != x          ? 0.0f
  : x >= 0x1p31f  ? (float)2147483647
  : x <= -0x1p31f ? -0x1p31f
                  : (float)(int)x)
F(cvt_down, "{.reg .f64 d, e, f; cvt.f64.f32 d, %1; cvt.f64.f32 e, %2; add.rm.f64 d, d, e; cvt.rm.f32.f64 %0, d;}", FE_DOWNWARD,
  (float)((double)x + (double)y))
F(tanh_f, "tanh.approx.f32 %0, %1;", FE_TONEAREST, (float)std::tanh((double)x))
F(ex2_f, "ex2.approx.f32 %0, %1;", FE_TONEAREST, (float)std::exp2((double)x))
D(fma_d, "fma.rn.f64 %0, %1, %2, %3;", FE_TONEAREST, std::fma((double)x, (double)y, (double)z))
D(div_d, "div.rz.f64 %0, %1, %2;", FE_TOWARDZERO, x / y)
D(max_d, "max.f64 %0, %1, %2;", FE_TONEAREST, std::fmax((double)x, (double)y))
D(cvt_d, "{.reg .f32 f; cvt.rn.f32.f64 f, %1; cvt.f64.f32 %0, f;}", FE_TONEAREST, (double)(float)x)

/* ---- f16x2 and bf16x2 against exact arithmetic, rounded once by the host's library ---- */

__global__ void halves(const Inputs *in, u32 *out)
{
    u32 x = (u32)in->a[threadIdx.x], y = (u32)in->b[threadIdx.x], z = (u32)in->c[threadIdx.x], r[4];
    asm volatile("fma.rn.f16x2 %0, %1, %2, %3;" : "=r"(r[0]) : "r"(x), "r"(y), "r"(z));
    asm volatile("add.rn.f16x2 %0, %1, %2;" : "=r"(r[1]) : "r"(x), "r"(y));
    asm volatile("fma.rn.bf16x2 %0, %1, %2, %3;" : "=r"(r[2]) : "r"(x), "r"(y), "r"(z));
    asm volatile("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(r[3]) : "f"(as_f32(x)), "f"(as_f32(y)));
    for (int k = 0; k < 4; k++)
        out[k * COUNT + threadIdx.x] = r[k];
}

static bool same(float a, float b) { return a == b || (a != a && b != b); }

static void test_halves()
{
    Device<u32> out(4 * COUNT);
    halves<<<1, COUNT>>>(on_device, out.data);
    std::vector<u32> got = out.get();
    for (int k = 0; k < COUNT; k++) {
        for (int h = 0; h < 32; h += 16) {
            auto f16 = [&](u64 v) {
                __half_raw r;
                r.x = (u16)(v >> h);
                return (double)__half2float(__half(r));
            };
            auto bf16 = [&](u64 v) { return (double)as_f32((u32)(u16)(v >> h) << 16); };
            double x = f16(inputs.a[k]), y = f16(inputs.b[k]), z = f16(inputs.c[k]);
            CHECK(same((float)f16(got[k]), __half2float(__double2half(x * y + z))));
            CHECK(same((float)f16(got[COUNT + k]), __half2float(__double2half(x + y))));
            x = bf16(inputs.a[k]), y = bf16(inputs.b[k]), z = bf16(inputs.c[k]);
            CHECK(same((float)bf16(got[2 * COUNT + k]), __bfloat162float(__double2bfloat16(std::fma(x, y, z)))));
        }
        __half_raw high;
        high.x = (u16)(got[3 * COUNT + k] >> 16);
        CHECK(same(__half2float(__half(high)), __half2float(__float2half_rn(as_f32(inputs.a[k])))));
    }
}

int main()
{
    sim_set_device(90, 0);
    u64 state = 12345;
    auto draw = [&] {
        state = state * 6364136223846793005ull + 1442695040888963407ull;
        return state >> 16 ^ state << 20;
    };
    static const u64 special[] = {0, 1, ~0ull, 1ull << 63, 0x80000000, 0x7f800000, 0x7fc00000, 0x3f800000, 0x00400000, 0x7fffffff, 31, 32};
    for (int k = 0; k < COUNT; k++) {
        u64 *all[] = {&inputs.a[k], &inputs.b[k], &inputs.c[k]};
        for (int i = 0; i < 3; i++) {
            *all[i] = draw() % 5 == 0 ? special[draw() % 12] : draw();
            if (k % 4 == 1) { /* floats of moderate size */
                double d = (double)(int)draw() / 0x1p28;
                float f = (float)d;
                u32 w;
                memcpy(&w, &f, 4);
                *all[i] = w;
            } else if (k % 4 == 2) {
                double d = (double)(int)draw() / 0x1p27;
                memcpy(all[i], &d, 8);
            }
        }
        if (k % 3 == 0)
            inputs.b[k] &= 0xff;
    }
    CUDA(cudaMalloc((void **)&on_device, sizeof inputs));
    CUDA(cudaMemcpy(on_device, &inputs, sizeof inputs, cudaMemcpyHostToDevice));
    test_mul_hi_u(), test_mul_hi_s(), test_mad_hi_s(), test_div_s(), test_rem_u(), test_sad_s(), test_add_sat();
    test_bfe_u(), test_bfe_s(), test_bfi(), test_prmt(), test_shf_l(), test_shf_r(), test_lop3(), test_popc(), test_clz();
    test_brev(), test_bfind_s(), test_fns(), test_dp4a(), test_dp2a(), test_shl(), test_shr_s(), test_min_s(), test_slct();
    test_set_lt(), test_setp_and(), test_setp_xor(), test_carry(), test_borrow(), test_madc(), test_cvt_s8(), test_cvt_sat();
    test_unpack(), test_testp(), test_mul_hi_64(), test_mul_wide(), test_shr_64(), test_rem_64(), test_bfi_64(), test_brev_64();
    test_min_64();
    test_add_rn(), test_add_rz(), test_mul_rm(), test_div_rp(), test_fma_rn(), test_fma_rz(), test_sqrt_rn(), test_min_f();
    test_max_nan(), test_add_sat_f(), test_add_ftz(), test_copysign_f(), test_cvt_half(), test_cvt_half_rz(), test_cvt_bf16();
    test_cvt_rni(), test_cvt_rmi(), test_cvt_s32(), test_cvt_down(), test_tanh_f(), test_ex2_f(), test_fma_d(), test_div_d();
    test_max_d(), test_cvt_d();
    test_halves();
    return summary();
}
