/* Runs the emitted half-precision product on the GPU for many shapes, against the spec compiled for the CPU. */
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_fp16.h>
#include <cuda_runtime.h>

cudaError_t gemm(int M, int N, int K, const half *A, const half *B, half *C, cudaStream_t stream);
extern "C" void gemm_reference(int M, int N, int K, const void *A, const void *B, void *C);

namespace {

void require(cudaError_t error, const char *what)
{
    if (error != cudaSuccess) {
        std::printf("%s: %s\n", what, cudaGetErrorString(error));
        std::exit(2);
    }
}

/* An array on both sides; the host's copy is what the reference sees. */
struct Array {
    std::vector<uint16_t> host;
    half *device = nullptr;

    explicit Array(size_t n) : host(n)
    {
        require(cudaMalloc(&device, n * 2 + 2), "cudaMalloc");
    }
    Array(const Array &) = delete;
    ~Array()
    {
        cudaFree(device);
    }
};

/* Multiples of 1/8 in [-1, 1): sums of products are exact in single precision, whatever their order. */
void fill(Array &x, uint32_t seed)
{
    static const uint16_t eighth[] = {0, 0x3000, 0x3400, 0x3600, 0x3800, 0x3900, 0x3a00, 0x3b00, 0x3c00};
    for (uint16_t &h : x.host) {
        seed = seed * 1664525u + 1013904223u;
        int v = static_cast<int>(seed >> 16 & 15) - 8;
        h = v < 0 ? static_cast<uint16_t>(0x8000 | eighth[-v]) : eighth[v];
    }
    require(cudaMemcpy(x.device, x.host.data(), x.host.size() * 2, cudaMemcpyHostToDevice), "copy");
}

bool check(int M, int N, int K)
{
    Array A(size_t(M) * K), B(size_t(K) * N), C(size_t(M) * N);
    fill(A, 1);
    fill(B, 2);
    require(cudaMemset(C.device, 0xff, C.host.size() * 2), "cudaMemset");
    std::vector<uint16_t> got(C.host.size());
    cudaError_t error = gemm(M, N, K, A.device, B.device, C.device, nullptr);
    require(cudaMemcpy(got.data(), C.device, got.size() * 2, cudaMemcpyDeviceToHost), "copy");
    gemm_reference(M, N, K, A.host.data(), B.host.data(), C.host.data());
    for (size_t i = 0; error == cudaSuccess && i < got.size(); i++)
        if (got[i] != C.host[i] && ((got[i] | C.host[i]) & 0x7fff) != 0) {
            std::printf("FAILED: gemm %dx%dx%d: C[%zu][%zu] is %04x, not %04x\n", M, N, K, i / N, i % N, got[i], C.host[i]);
            return false;
        }
    if (error != cudaSuccess)
        std::printf("FAILED: gemm %dx%dx%d: %s\n", M, N, K, cudaGetErrorString(error));
    return error == cudaSuccess;
}

} // namespace

int main()
{
    const int sizes[] = {0, 1, 2, 7, 8, 15, 16, 17, 33, 64, 100, 127, 129, 256, 300};
    int passed = 0, failed = 0;
    for (int M : sizes)
        for (int N : sizes)
            for (int K : sizes)
                ++(check(M, N, K) ? passed : failed);
    std::printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
