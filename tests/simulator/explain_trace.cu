/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What calls are said to launch, and what they launch, of explain_trace.spec: explain_trace <CALLS, a line "OPERATOR M N K" for each.
   Launches are captured, not run. */
#include "explain_trace_dyn.cuh"

#include <cstdio>
#include <cstring>
#include <vector>

static void tell(void *, const mikgen_trace_event_1 *event)
{
    if (!strcmp(event->what, "launch"))
        printf("launch %s %lld\n", event->kernel, (long long)event->blocks);
}

static void *array(size_t bytes)
{
    void *to = NULL;
    return cudaMalloc(&to, bytes) == cudaSuccess ? to : NULL;
}

/* The explanation, and a call with the workspace that it speaks of. */
template <class A, class B, class C, class Explain, class Workspace, class With>
static void show(int m, int n, int k, int of_a, int of_b, int of_c, Explain explain, Workspace workspace, With with)
{
    std::vector<char> text((size_t)explain(m, n, k, NULL, 0) + 1);
    explain(m, n, k, text.data(), text.size());
    A *const a = (A *)array(sizeof(A) * (size_t)of_a * m * k + 16);
    B *const b = (B *)array(sizeof(B) * (size_t)of_b * k * n + 16);
    C *const c = (C *)array(sizeof(C) * (size_t)of_c * m * n + 16);
    mikgen_cuda_options opt = {};
    opt.workspace_bytes = workspace(m, n, k);
    opt.workspace = array(opt.workspace_bytes + 256);
    opt.trace = tell;
    cudaStream_t stream;
    cudaGraph_t graph = NULL;
    printf("%send\n", text.data());
    cudaError_t status = cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    status = status == cudaSuccess ? cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed) : status;
    if (status == cudaSuccess) {
        status = with(&opt, m, n, k, a, b, c, stream);
        const cudaError_t captured = cudaStreamEndCapture(stream, &graph);
        status = status == cudaSuccess ? captured : status;
    }
    printf("status %d\n", (int)status);
    cudaGraphDestroy(graph);
    cudaStreamDestroy(stream);
    cudaFree(a), cudaFree(b), cudaFree(c), cudaFree(opt.workspace);
}

static cudaError_t without_bias(const biased_options *opt, int m, int n, int k, const float *a, const float *b, float *c,
                                cudaStream_t stream)
{
    float *const bias = (float *)array(sizeof(float) * n + 16);
    const cudaError_t status = biased_with(opt, m, n, k, a, b, bias, c, stream);
    cudaFree(bias);
    return status;
}

int main(void)
{
    char name[32];
    int m, n, k;
    while (scanf("%31s %d %d %d", name, &m, &n, &k) == 4) {
        printf("call %s %d %d %d\n", name, m, n, k);
        if (!strcmp(name, "plain"))
            show<float, float, float>(m, n, k, 1, 1, 1, plain_explain, plain_workspace, plain_with);
        else if (!strcmp(name, "wide"))
            show<double, double, double>(m, n, k, 1, 1, 1, wide_explain, wide_workspace, wide_with);
        else if (!strcmp(name, "turned"))
            show<float, float, float>(m, n, k, 1, 1, 1, turned_explain, turned_workspace, turned_with);
        else if (!strcmp(name, "biased"))
            show<float, float, float>(m, n, k, 1, 1, 1, biased_explain, biased_workspace, without_bias);
        else if (!strcmp(name, "bytes"))
            show<int8_t, int8_t, int>(m, n, k, 1, 1, 1, bytes_explain, bytes_workspace, bytes_with);
        else if (!strcmp(name, "batched"))
            show<float, float, float>(m, n, k, 7, 7, 7, batched_explain, batched_workspace, batched_with);
        else if (!strcmp(name, "repeated"))
            show<float, float, float>(m, n, k, 5, 1, 1, repeated_explain, repeated_workspace, repeated_with);
        else
            return 1;
    }
    return 0;
}
