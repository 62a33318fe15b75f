/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The entry points of emitted CUDA files as far as they can be called without a GPU: which arguments they refuse, what
 * they answer when there is no device, what they explain. */
#include <cstdio>
#include <cstring>

#include "gemm_dyn.cuh"
#include "mlp_dyn.cuh"
#include "softmax_dyn.cuh"

static int failures;

static void expect(bool holds, const char *what)
{
    if (holds)
        return;
    std::printf("FAILED: %s\n", what);
    failures++;
}

#define EXPECT(condition) expect(condition, #condition)

/* Addresses that nothing may read: every call that gets them must come back before a launch. */
static const half *const h = reinterpret_cast<const half *>(256);
static half *const hw = reinterpret_cast<half *>(1 << 20);
static const float *const f = reinterpret_cast<const float *>(256);
static float *const fw = reinterpret_cast<float *>(1 << 20);
static float *const room = reinterpret_cast<float *>(1 << 22);

static void refusals()
{
    EXPECT(gemm(-1, 4, 4, h, h, hw, 0) == cudaErrorInvalidValue);
    EXPECT(gemm(4, -1, 4, h, h, hw, 0) == cudaErrorInvalidValue);
    EXPECT(gemm(4, 4, -1, h, h, hw, 0) == cudaErrorInvalidValue);
    EXPECT(gemm(4, 4, 4, NULL, h, hw, 0) == cudaErrorInvalidValue);
    EXPECT(gemm(4, 4, 4, h, NULL, hw, 0) == cudaErrorInvalidValue);
    EXPECT(gemm(4, 4, 4, h, h, NULL, 0) == cudaErrorInvalidValue);
    EXPECT(gemm(0, -4, 4, NULL, NULL, NULL, 0) == cudaErrorInvalidValue);
    EXPECT(softmax(-1, 4, f, fw, 0) == cudaErrorInvalidValue);
    EXPECT(softmax(4, 4, f, NULL, 0) == cudaErrorInvalidValue);
}

/* 4 x 4 halves have 32 bytes. */
static void overlaps()
{
    mlp_options opt = {};
    half *const c = reinterpret_cast<half *>(512);
    const auto at = [](int place) { return reinterpret_cast<const half *>(static_cast<intptr_t>(place)); };
    EXPECT(MIKGEN_OVERLAP != cudaSuccess && MIKGEN_OVERLAP != cudaErrorInvalidValue);
    EXPECT(gemm(4, 4, 4, c, h, c, 0) == MIKGEN_OVERLAP);
    EXPECT(gemm(4, 4, 4, h, at(512 - 31), c, 0) == MIKGEN_OVERLAP);
    EXPECT(gemm(4, 4, 4, h, at(512 + 31), c, 0) == MIKGEN_OVERLAP);
    opt.workspace = fw;
    opt.workspace_bytes = mlp_workspace(3, 5, 7, 9);
    EXPECT(mlp_with(&opt, 3, 5, 7, 9, f, f, f, f, f, fw, 0) == MIKGEN_OVERLAP);
}

static void empty_arrays()
{
    EXPECT(gemm(0, 0, 0, NULL, NULL, NULL, 0) == cudaSuccess);
    EXPECT(gemm(0, 5, 7, NULL, h, NULL, 0) == cudaSuccess);
    EXPECT(gemm(5, 0, 7, h, NULL, NULL, 0) == cudaSuccess);
    EXPECT(gemm(0, 5, 7, NULL, NULL, NULL, 0) == cudaSuccess);
    EXPECT(softmax(0, 9, NULL, NULL, 0) == cudaSuccess);
}

static void workspaces()
{
    mlp_options opt = {};
    EXPECT(gemm_workspace(64, 64, 64) == 0);
    EXPECT(softmax_workspace(64, 64) == 0);
    const size_t bytes = mlp_workspace(3, 5, 7, 9);
    EXPECT(bytes >= 3 * 7 * sizeof(float) && bytes % 256 == 0);
    EXPECT(mlp_workspace(-3, 5, 7, 9) == 0);
    EXPECT(mlp(3, 5, 7, 9, f, f, f, f, f, fw, 0) == cudaErrorInvalidValue);
    EXPECT(mlp_with(&opt, 3, 5, 7, 9, f, f, f, f, f, fw, 0) == cudaErrorInvalidValue);
    opt.workspace_bytes = bytes;
    EXPECT(mlp_with(&opt, 3, 5, 7, 9, f, f, f, f, f, fw, 0) == cudaErrorInvalidValue);
    opt.workspace = room + 1; /* not aligned */
    EXPECT(mlp_with(&opt, 3, 5, 7, 9, f, f, f, f, f, fw, 0) == cudaErrorInvalidValue);
    opt.workspace = room;
    opt.workspace_bytes = bytes - 1;
    EXPECT(mlp_with(&opt, 3, 5, 7, 9, f, f, f, f, f, fw, 0) == cudaErrorInvalidValue);
    /* No intermediate array has elements: none is needed. */
    EXPECT(mlp_workspace(0, 5, 7, 9) == 0);
    EXPECT(mlp(0, 5, 7, 9, NULL, f, f, f, f, NULL, 0) == cudaSuccess);
}

/* The runtime's own code: cudaErrorInsufficientDriver or cudaErrorNoDevice. */
static void no_device()
{
    int devices = 0;
    const cudaError_t none = cudaGetDeviceCount(&devices);
    if (none == cudaSuccess && devices > 0)
        return;
    mlp_options opt = {};
    opt.workspace = room;
    opt.workspace_bytes = mlp_workspace(3, 5, 7, 9);
    EXPECT(none == cudaErrorInsufficientDriver || none == cudaErrorNoDevice);
    EXPECT(gemm(4, 4, 4, h, h, hw, 0) == none);
    EXPECT(gemm_prepare() == none);
    EXPECT(softmax(4, 4, f, fw, 0) == none);
    EXPECT(softmax_prepare() == none);
    EXPECT(mlp_with(&opt, 3, 5, 7, 9, f, f, f, f, f, fw, 0) == none);
    char text[2000];
    EXPECT(gemm_explain(4096, 4096, 4096, text, sizeof text) > 0 && std::strstr(text, "no device at hand"));
}

static void explanations()
{
    char whole[8000], part[40];
    const int length = mlp_explain(300, 200, 100, 50, whole, sizeof whole);
    EXPECT(length > 0 && length == static_cast<int>(std::strlen(whole)));
    EXPECT(std::strstr(whole, "mlp_s1:") && std::strstr(whole, "mlp_s2:"));
    EXPECT(mlp_explain(300, 200, 100, 50, NULL, 0) == length);
    EXPECT(mlp_explain(300, 200, 100, 50, part, sizeof part) == length);
    EXPECT(std::strlen(part) == sizeof part - 1 && std::strncmp(part, whole, sizeof part - 1) == 0);
    EXPECT(gemm_explain(0, 4, 4, whole, sizeof whole) > 0 && std::strstr(whole, "nothing to do"));
    EXPECT(gemm_explain(-1, 4, 4, whole, sizeof whole) > 0 && std::strstr(whole, "refused"));
    EXPECT(softmax_explain(8, 8, whole, sizeof whole) > 0);
    EXPECT(gemm_explain(1000, 1001, 1000, whole, sizeof whole) > 0 &&
           std::strstr(whole, "advice: operands whose lines begin at multiples of 16"));
    EXPECT(gemm_explain(1000, 1024, 1000, whole, sizeof whole) > 0 && !std::strstr(whole, "advice: operands"));
    EXPECT(gemm_explain(16, 1000, 8192, whole, sizeof whole) > 0 && std::strstr(whole, "advice: a workspace"));
    EXPECT(gemm_explain(4096, 4096, 4096, whole, sizeof whole) > 0 && !std::strstr(whole, "advice: a workspace"));
}

int main()
{
    refusals();
    overlaps();
    empty_arrays();
    workspaces();
    no_device();
    explanations();
    if (failures == 0)
        std::printf("arguments, workspaces and explanations as the header says\n");
    return failures != 0;
}
