// SPDX-License-Identifier: GPL-3.0-or-later
// The operators as somebody writes them in ISPC: vectors along the innermost index, and where a sum is a product's, a few rows
// at once so that they share what was loaded. Parameters are the specs'.

export void gemm(uniform int M, uniform int N, uniform int K, const uniform float A[], const uniform float B[], uniform float C[])
{
    const uniform int whole = M - M % 6;
    foreach (n = 0 ... N) {
        for (uniform int m = 0; m < whole; m += 6) {
            float sum[6] = { 0, 0, 0, 0, 0, 0 };
            for (uniform int k = 0; k < K; k++) {
                const float b = B[k * N + n];
#pragma unroll
                for (uniform int i = 0; i < 6; i++)
                    sum[i] += A[(m + i) * K + k] * b;
            }
#pragma unroll
            for (uniform int i = 0; i < 6; i++)
                C[(m + i) * N + n] = sum[i];
        }
        for (uniform int m = whole; m < M; m++) {
            float sum = 0;
            for (uniform int k = 0; k < K; k++)
                sum += A[m * K + k] * B[k * N + n];
            C[m * N + n] = sum;
        }
    }
}

export void conv(uniform int N, uniform int H, uniform int W, uniform int C, uniform int F, uniform int R, uniform int stride,
                 uniform int pad, const uniform float X[], const uniform float K[], uniform float Y[])
{
    const uniform int P = (H + 2 * pad - R) / stride + 1, Q = (W + 2 * pad - R) / stride + 1;
    for (uniform int np = 0; np < N * P; np++)
        for (uniform int q = 0; q < Q; q += 6)
            foreach (f = 0 ... F) {
                float sum[6] = { 0, 0, 0, 0, 0, 0 };
                for (uniform int r = 0; r < R; r++) {
                    const uniform int h = np % P * stride + r - pad;
                    if (h < 0 || h >= H)
                        continue;
                    const uniform float *uniform row = X + (uniform int64)(np / P * H + h) * W * C;
                    for (uniform int s = 0; s < R; s++) {
                        const uniform int w = q * stride + s - pad;
                        if (w >= 0 && w + 5 * stride < W)
                            for (uniform int c = 0; c < C; c++) {
                                const float k = K[((r * R + s) * C + c) * F + f];
#pragma unroll
                                for (uniform int i = 0; i < 6; i++)
                                    sum[i] += row[(w + i * stride) * C + c] * k;
                            }
                        else
                            for (uniform int i = 0; i < 6; i++)
                                if (w + i * stride >= 0 && w + i * stride < W)
                                    for (uniform int c = 0; c < C; c++)
                                        sum[i] += row[(w + i * stride) * C + c] * K[((r * R + s) * C + c) * F + f];
                    }
                }
                for (uniform int i = 0; i < min(6, Q - q); i++)
                    Y[(np * Q + q + i) * F + f] = sum[i];
            }
}

export void depthwise_nhwc(uniform int N, uniform int H, uniform int W, uniform int C, uniform int R, uniform int S, uniform int pad,
                           const uniform float X[], const uniform float K[], uniform float Y[])
{
    const uniform int P = H + 2 * pad - R + 1, Q = W + 2 * pad - S + 1;
    for (uniform int n = 0; n < N; n++)
        for (uniform int p = 0; p < P; p++)
            for (uniform int q = 0; q < Q; q++) {
                const uniform int from_r = max(0, pad - p), to_r = min(R, H + pad - p);
                const uniform int from_s = max(0, pad - q), to_s = min(S, W + pad - q);
                foreach (c = 0 ... C) {
                    float sum = 0;
                    for (uniform int r = from_r; r < to_r; r++)
                        for (uniform int s = from_s; s < to_s; s++)
                            sum += X[((n * H + p + r - pad) * W + q + s - pad) * C + c] * K[(r * S + s) * C + c];
                    Y[((n * P + p) * Q + q) * C + c] = sum;
                }
            }
}

export void softmax(uniform int M, uniform int N, const uniform float X[], uniform float Y[])
{
    for (uniform int m = 0; m < M; m++) {
        const uniform float *uniform x = X + m * N;
        uniform float *uniform y = Y + m * N;
        float most = -3.0e38, sum = 0;
        foreach (n = 0 ... N)
            most = max(most, x[n]);
        const uniform float top = reduce_max(most);
        foreach (n = 0 ... N) {
            const float e = exp(x[n] - top);
            y[n] = e;
            sum += e;
        }
        const uniform float total = reduce_add(sum);
        foreach (n = 0 ... N)
            y[n] = y[n] / total;
    }
}

export void layernorm(uniform int M, uniform int N, uniform float eps, const uniform float X[], const uniform float g[],
                      const uniform float b[], uniform float Y[])
{
    for (uniform int m = 0; m < M; m++) {
        const uniform float *uniform x = X + m * N;
        float sum = 0, squares = 0;
        foreach (n = 0 ... N)
            sum += x[n];
        const uniform float mean = reduce_add(sum) / N;
        foreach (n = 0 ... N)
            squares += (x[n] - mean) * (x[n] - mean);
        const uniform float scale = 1 / sqrt(reduce_add(squares) / N + eps);
        foreach (n = 0 ... N)
            Y[m * N + n] = (x[n] - mean) * scale * g[n] + b[n];
    }
}

export void gelu_tanh(uniform int N, const uniform float x[], uniform float y[])
{
    foreach (i = 0 ... N) {
        const float v = x[i];
        y[i] = v * (1 - 1 / (exp(1.5957691216f * (v + 0.044715f * v * v * v)) + 1));
    }
}

export void colsum(uniform int M, uniform int N, const uniform float X[], uniform float y[])
{
    foreach (n = 0 ... N)
        y[n] = 0;
    const uniform int whole = M - M % 8;
    for (uniform int m = 0; m < whole; m += 8)
        foreach (n = 0 ... N) {
            float sum = y[n];
#pragma unroll
            for (uniform int i = 0; i < 8; i++)
                sum += X[(m + i) * N + n];
            y[n] = sum;
        }
    for (uniform int m = whole; m < M; m++)
        foreach (n = 0 ... N)
            y[n] += X[m * N + n];
}

export void transpose(uniform int M, uniform int N, const uniform float X[], uniform float Y[])
{
    for (uniform int block = 0; block < N; block += 16)
        foreach (m = 0 ... M)
            for (uniform int n = block; n < min(block + 16, N); n++)
                Y[n * M + m] = X[m * N + n];
}

export void attention(uniform int B, uniform int T, uniform int L, uniform int D, uniform float scale, const uniform float Q[],
                      const uniform float K[], const uniform float V[], uniform float O[])
{
    // The keys turned, so that vectors lie along them; and the scores of four queries.
    uniform float *uniform turned = uniform new uniform float[D * L];
    uniform float *uniform score = uniform new uniform float[4 * L];
    for (uniform int b = 0; b < B; b++) {
        foreach (l = 0 ... L)
            for (uniform int d = 0; d < D; d++)
                turned[d * L + l] = K[(b * L + l) * D + d];
        for (uniform int t = 0; t < T; t += 4) {
            const uniform int rows = min(4, T - t);
            const uniform float *uniform q = Q + (b * T + t) * D;
            uniform int at[4];
            uniform float total[4];
            for (uniform int i = 0; i < 4; i++)
                at[i] = min(i, rows - 1) * D;
            foreach (l = 0 ... L) {
                float sum[4] = { 0, 0, 0, 0 };
                for (uniform int d = 0; d < D; d++) {
                    const float k = turned[d * L + l];
#pragma unroll
                    for (uniform int i = 0; i < 4; i++)
                        sum[i] += q[at[i] + d] * k;
                }
#pragma unroll
                for (uniform int i = 0; i < 4; i++)
                    score[i * L + l] = sum[i] * scale;
            }
            for (uniform int i = 0; i < rows; i++) {
                float most = -3.0e38, sum = 0;
                foreach (l = 0 ... L)
                    most = max(most, score[i * L + l]);
                const uniform float top = reduce_max(most);
                foreach (l = 0 ... L) {
                    const float e = exp(score[i * L + l] - top);
                    score[i * L + l] = e;
                    sum += e;
                }
                total[i] = reduce_add(sum);
            }
            foreach (d = 0 ... D) {
                float sum[4] = { 0, 0, 0, 0 };
                for (uniform int l = 0; l < L; l++) {
                    const float v = V[(b * L + l) * D + d];
#pragma unroll
                    for (uniform int i = 0; i < 4; i++)
                        sum[i] += score[i * L + l] * v;
                }
                for (uniform int i = 0; i < rows; i++)
                    O[(b * T + t + i) * D + d] = sum[i] / total[i];
            }
        }
    }
    delete[] score;
    delete[] turned;
}

export void blur2(uniform int H, uniform int W, const uniform float X[], uniform float Y[])
{
    uniform float *uniform rows = uniform new uniform float[3 * W];
    for (uniform int y = 0; y < H; y++) {
        const uniform float *uniform x = X + y * W;
        foreach (i = 1 ... W - 1)
            rows[y % 3 * W + i] = (x[i - 1] + x[i] + x[i + 1]) / 3;
        if (y >= 2)
            foreach (i = 1 ... W - 1)
                Y[(y - 1) * W + i] = (rows[i] + rows[W + i] + rows[2 * W + i]) / 3;
    }
    delete[] rows;
}
