/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The entry points of an emitted file on a device: graph capture, shared sums, errors of others, several devices. Where the
 * device is simulated, capture refuses what would allocate or wait. */
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

#include "gemm_dyn.cuh"
#include "simulator.h"

static int failures;

static void expect(bool holds, const char *what, int line)
{
    if (holds)
        return;
    std::printf("FAILED: line %d: %s\n", line, what);
    failures++;
}

#define EXPECT(condition) expect(condition, #condition, __LINE__)

/* A product of small integers, whose sums are exact. */
struct Product {
    int m, n, k;
    std::vector<half> a, b;
    half *on_a, *on_b, *on_c;

    Product(int m, int n, int k) : m(m), n(n), k(k), a(m * k), b(k * n)
    {
        cudaMalloc(&on_a, a.size() * 2);
        cudaMalloc(&on_b, b.size() * 2);
        cudaMalloc(&on_c, m * n * 2);
        fill(1);
    }

    ~Product()
    {
        cudaFree(on_a);
        cudaFree(on_b);
        cudaFree(on_c);
    }

    void fill(int seed)
    {
        for (half &x : a)
            x = static_cast<float>((seed = seed * 75 % 65537) % 5 - 2);
        for (half &x : b)
            x = static_cast<float>((seed = seed * 75 % 65537) % 3 - 1);
        cudaMemcpy(on_a, a.data(), a.size() * 2, cudaMemcpyHostToDevice);
        cudaMemcpy(on_b, b.data(), b.size() * 2, cudaMemcpyHostToDevice);
        cudaMemset(on_c, 0xff, m * n * 2);
    }

    bool right() const
    {
        std::vector<half> c(m * n);
        if (cudaMemcpy(c.data(), on_c, c.size() * 2, cudaMemcpyDeviceToHost) != cudaSuccess)
            return false;
        for (int i = 0; i < m; i++)
            for (int j = 0; j < n; j++) {
                float sum = 0;
                for (int l = 0; l < k; l++)
                    sum += static_cast<float>(a[i * k + l]) * static_cast<float>(b[l * n + j]);
                if (static_cast<float>(c[i * n + j]) != sum)
                    return false;
            }
        return true;
    }
};

/* What is prepared is all that the file can launch, on every device: in a capture, nothing can be loaded any more. */
static void prepared()
{
    int count = 0;
    const char *name = "";
    cudaGetDeviceCount(&count);
    for (int i = count - 1; i >= 0; i--) {
        EXPECT(cudaSetDevice(i) == cudaSuccess);
        EXPECT(sim_unloaded(&name) > 4);
        EXPECT(gemm_prepare() == cudaSuccess && dot_prepare() == cudaSuccess);
        EXPECT(sim_unloaded(&name) == 0);
        if (sim_unloaded(&name) > 0)
            std::printf("for instance %s\n", name);
    }
}

static void captured(const gemm_options *opt, int m, int n, int k)
{
    Product p(m, n, k);
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t run;
    EXPECT(cudaStreamCreate(&stream) == cudaSuccess);
    EXPECT(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal) == cudaSuccess);
    EXPECT(gemm_with(opt, p.m, p.n, p.k, p.on_a, p.on_b, p.on_c, stream) == cudaSuccess);
    EXPECT(cudaStreamEndCapture(stream, &graph) == cudaSuccess);
    EXPECT(cudaGraphInstantiate(&run, graph, 0) == cudaSuccess);
    for (int seed = 2; seed < 5; seed++) {
        p.fill(seed);
        EXPECT(cudaGraphLaunch(run, stream) == cudaSuccess);
        EXPECT(cudaStreamSynchronize(stream) == cudaSuccess);
        EXPECT(p.right());
    }
    cudaGraphExecDestroy(run);
    cudaGraphDestroy(graph);
    cudaStreamDestroy(stream);
}

/* Can kernels of sm_90a run here? */
static bool has_sm90a()
{
    char text[4000];
    int major = 0;
    cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0);
    gemm_explain(40, 45, 165, text, sizeof text);
    return major == 9 && !std::strstr(text, "without the kernels of sm_90a");
}

/* Operands that tensor maps cannot describe are copied by a kernel of its own. */
static void captured_copies()
{
    int tried = 0;
    gemm_options opt = {};
    if (!has_sm90a())
        return;
    opt.workspace_bytes = 1 << 20;
    cudaMalloc(&opt.workspace, opt.workspace_bytes);
    opt.pattern = 1;
    for (; gemm_kernel(opt.kernel[0]) != NULL; opt.kernel[0]++)
        if (std::strstr(gemm_kernel(opt.kernel[0]), "_sm90a")) {
            captured(&opt, 40, 45, 165);
            tried++;
        }
    EXPECT(tried > 0);
    cudaFree(opt.workspace);
}

/* So many tensor maps are made for a call, and the product is right. */
static void makes_maps(const gemm_options *opt, Product &p, int seed, const half *a, int expected)
{
    p.fill(seed);
    if (a != p.on_a) /* what is at the other address is what the product has */
        cudaMemcpy(const_cast<half *>(a), p.on_a, p.a.size() * 2, cudaMemcpyDeviceToDevice);
    const long long before = sim_tensor_maps();
    EXPECT(gemm_with(opt, p.m, p.n, p.k, a, p.on_b, p.on_c, 0) == cudaSuccess);
    EXPECT(sim_tensor_maps() == before + expected);
    EXPECT(p.right());
}

/* Maps of the same arrays are made once, of other addresses or extents anew. */
static void maps_again()
{
    gemm_options opt = {};
    if (!has_sm90a())
        return;
    Product p(64, 128, 192), fewer(64, 128, 128);
    half *other;
    cudaMalloc(&other, p.a.size() * 2);
    opt.pattern = 1;
    while (gemm_kernel(opt.kernel[0]) && !std::strstr(gemm_kernel(opt.kernel[0]), "_sm90a"))
        opt.kernel[0]++;
    makes_maps(&opt, p, 2, p.on_a, 3); /* one is that of C */
    makes_maps(&opt, p, 3, p.on_a, 0);
    makes_maps(&opt, p, 4, other, 1);
    makes_maps(&opt, p, 5, p.on_a, 0);
    std::swap(fewer.on_a, p.on_a); /* the same address, other extents */
    makes_maps(&opt, fewer, 6, fewer.on_a, 3);
    std::swap(fewer.on_a, p.on_a);
    makes_maps(&opt, p, 7, p.on_a, 0);
    cudaFree(other);
}

/* Blocks that share sums: captured, and call after call; what counts arrivals is zero after each. */
static void shared_sums()
{
    Product p(40, 48, 160);
    std::vector<unsigned char> start(16384, 1);
    gemm_options opt = {};
    opt.workspace_bytes = 4 << 20;
    cudaMalloc(&opt.workspace, opt.workspace_bytes);
    cudaMemset(opt.workspace, 0x5a, opt.workspace_bytes);
    opt.pattern = 1;
    opt.blocks[0] = 3;
    captured(&opt, 40, 48, 160);
    EXPECT(gemm_with(&opt, p.m, p.n, p.k, p.on_a, p.on_b, p.on_c, 0) == cudaSuccess);
    EXPECT(p.right());
    opt.workspace_clean = 1;
    for (int seed = 7; seed < 9; seed++) {
        p.fill(seed);
        EXPECT(gemm_with(&opt, p.m, p.n, p.k, p.on_a, p.on_b, p.on_c, 0) == cudaSuccess);
        EXPECT(p.right());
    }
    cudaMemcpy(start.data(), opt.workspace, 4, cudaMemcpyDeviceToHost);
    EXPECT(start[0] == 0 && start[1] == 0 && start[2] == 0 && start[3] == 0);
    opt.workspace_bytes = 100; /* too little to share */
    EXPECT(gemm_with(&opt, p.m, p.n, p.k, p.on_a, p.on_b, p.on_c, 0) == cudaErrorInvalidValue);
    opt.pattern = 0; /* then a program that shares nothing */
    p.fill(9);
    EXPECT(gemm_with(&opt, p.m, p.n, p.k, p.on_a, p.on_b, p.on_c, 0) == cudaSuccess);
    EXPECT(p.right());
    cudaFree(opt.workspace);
}

static long long arrivals()
{
    SimCounters sum;
    sim_counters("gemm", &sum);
    return sum.atomics;
}

/* A plain call shares sums where a workspace was prepared for its stream; not on another one or another device, in a capture, or when it
 * was given back. */
static void owned_workspace()
{
    Product p(48, 64, 5000);
    int count = 0;
    cudaGetDeviceCount(&count);
    if (count < 2) /* once is enough for what takes so long */
        return;
    cudaStream_t stream, other;
    cudaStreamCreate(&stream);
    cudaStreamCreate(&other);
    const size_t bytes = gemm_workspace(p.m, p.n, p.k);
    const auto shares = [&](cudaStream_t on) {
        p.fill(11);
        const long long before = arrivals();
        EXPECT(gemm(p.m, p.n, p.k, p.on_a, p.on_b, p.on_c, on) == cudaSuccess);
        EXPECT(cudaStreamSynchronize(on) == cudaSuccess);
        EXPECT(p.right());
        return arrivals() > before;
    };
    EXPECT(bytes > 16384);
    EXPECT(!shares(stream));
    EXPECT(gemm_prepare_with(bytes / 8, stream) == cudaSuccess);
    EXPECT(gemm_prepare_with(bytes, stream) == cudaSuccess); /* more */
    EXPECT(shares(stream) && shares(stream) && !shares(other));
    EXPECT(dot_prepare_with(1000, stream) == cudaSuccess); /* it has that */
    EXPECT(shares(stream));
    EXPECT(gemm_prepare_with(bytes, 0) == cudaSuccess);
    EXPECT(shares(0));
    cudaSetDevice(1);
    {
        Product there(p.m, p.n, p.k);
        const long long before = arrivals();
        EXPECT(gemm(p.m, p.n, p.k, there.on_a, there.on_b, there.on_c, 0) == cudaSuccess);
        EXPECT(arrivals() == before);
    }
    cudaSetDevice(0);
    const long long before = arrivals();
    captured(NULL, 48, 64, 5000);
    EXPECT(arrivals() == before);
    EXPECT(gemm_prepare_with(0, 0) == cudaSuccess);
    EXPECT(gemm_prepare_with(bytes, cudaStreamPerThread) == cudaErrorInvalidValue);
    EXPECT(gemm_prepare_with(0, other) == cudaSuccess);
    EXPECT(gemm_prepare_with(0, stream) == cudaSuccess);
    EXPECT(!shares(stream));
    cudaStreamDestroy(other);
    cudaStreamDestroy(stream);
}

/* The plan that is told is one that can be forced. */
static void plans()
{
    Product p(65, 72, 640);
    gemm_options opt = {};
    EXPECT(gemm_plan(p.m, p.n, p.k, &opt) == cudaSuccess);
    EXPECT(opt.pattern >= 1 && gemm_kernel(opt.kernel[0]) != NULL && gemm_kernel(-1) == NULL && gemm_kernel(100000) == NULL);
    opt.workspace_bytes = gemm_workspace(p.m, p.n, p.k);
    if (opt.workspace_bytes > 0)
        cudaMalloc(&opt.workspace, opt.workspace_bytes);
    EXPECT(gemm_with(&opt, p.m, p.n, p.k, p.on_a, p.on_b, p.on_c, 0) == cudaSuccess);
    EXPECT(p.right());
    cudaFree(opt.workspace);
    EXPECT(gemm_plan(-1, 2, 3, &opt) == cudaErrorInvalidValue);
    EXPECT(gemm_plan(0, 2, 3, &opt) == cudaSuccess && opt.pattern == 0);
}

/* Sizes that nothing can have are questions as well: the host's part traps if a count overflows. */
static void extents_at_the_limits()
{
    static const int some[] = {INT_MIN, -1, 0, 1, 7, 8, 1000, 65536, 46341, 1 << 20, 715827882, INT_MAX - 1, INT_MAX};
    char text[1000];
    for (int m : some)
        for (int n : some)
            for (int k : some) {
                gemm_options opt = {};
                const cudaError_t status = gemm_plan(m, n, k, &opt);
                EXPECT(gemm_explain(m, n, k, text, sizeof text) > 0);
                EXPECT(status == cudaSuccess || (status == cudaErrorInvalidValue &&
                                                 (m < 0 || n < 0 || k < 0 || 1. * m * n > 1e18 || 1. * m * k > 1e18 || 1. * n * k > 1e18)));
                EXPECT(opt.pattern == 0 || gemm_workspace(m, n, k) < static_cast<size_t>(1) << 60);
            }
    half *const nowhere = reinterpret_cast<half *>(256);
    EXPECT(gemm(INT_MAX, INT_MAX, INT_MAX, nowhere, nowhere, nowhere, 0) == cudaErrorInvalidValue);
}

/* What went wrong before stays for whoever asks. */
static void errors_of_others()
{
    Product p(8, 8, 8);
    void *much;
    EXPECT(cudaMalloc(&much, static_cast<size_t>(1) << 60) != cudaSuccess);
    EXPECT(gemm(p.m, p.n, p.k, p.on_a, p.on_b, p.on_c, 0) == cudaSuccess);
    EXPECT(p.right());
    EXPECT(cudaGetLastError() == cudaErrorMemoryAllocation);
}

static void every_device()
{
    int count = 0;
    cudaGetDeviceCount(&count);
    for (int i = 0; i < count; i++) {
        EXPECT(cudaSetDevice(i) == cudaSuccess);
        Product p(33, 16, 24);
        EXPECT(gemm(p.m, p.n, p.k, p.on_a, p.on_b, p.on_c, 0) == cudaSuccess);
        EXPECT(p.right());
    }
    cudaSetDevice(0);
}

int main(int argc, char **argv)
{
    if (argc > 1) { /* every call is to come back with this error */
        const int error = std::atoi(argv[1]);
        half *const nowhere = reinterpret_cast<half *>(256), *const elsewhere = reinterpret_cast<half *>(4096);
        EXPECT(gemm_prepare() == error);
        EXPECT(gemm(8, 8, 8, nowhere, nowhere, elsewhere, 0) == error);
        EXPECT(gemm(0, 8, 8, NULL, nowhere, NULL, 0) == cudaSuccess);
    } else {
        prepared();
        captured(NULL, 40, 48, 160);
        captured_copies();
        maps_again();
        every_device();
        shared_sums();
        owned_workspace();
        plans();
        extents_at_the_limits();
        errors_of_others();
        EXPECT(sim_kind() == SIM_NOTHING);
    }
    if (failures == 0)
        std::printf("the entry points do as the header says\n");
    return failures != 0;
}
