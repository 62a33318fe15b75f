/* relu as TVM lowers it: one loop split by 1024, with a guard for the rest. */
#ifndef N
#define N 1048576
#endif

void relu_lowered(const float *restrict data, float *restrict out)
{
    for (int outer = 0; outer < (N + 1023) / 1024; ++outer) {
        for (int inner = 0; inner < 1024; ++inner) {
            if (outer * 1024 + inner < N) {
                out[outer * 1024 + inner] =
                    data[outer * 1024 + inner] < 0.0f ? 0.0f : data[outer * 1024 + inner];
            }
        }
    }
}
