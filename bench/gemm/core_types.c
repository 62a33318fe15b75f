/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the core type with which OpenBLAS, BLIS and oneDNN are fastest on this machine, trying each in a process of its own.
 * Writes shell assignments of their environment variables, and as comments what each has reached.
 *
 *   core_types FOLDER f32|f64
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "machine.h"
#include "peers.h"
#include "reference.h"

enum { CANDIDATES = 8 };

/* Debian builds these for many processors at once, and their guess is wrong on some virtual machines. BLIS 0.9 numbers its
   core types: skx, haswell, zen3, zen2, zen; describe() tells which name a number has. */
static const struct {
    const char *file, *variable, *values[CANDIDATES]; /* an empty value: the library's own guess */
} choices[] = {
    {"lib_openblas.so", "OPENBLAS_CORETYPE", {"", "Haswell", "Zen", "SkylakeX", "Cooperlake", "Sapphirerapids"}},
    {"lib_blis.so", "BLIS_ARCH_TYPE", {"", "0", "3", "6", "7", "8"}},
    {"lib_onednn.so", "ONEDNN_MAX_CPU_ISA", {"", "AVX2", "AVX512_CORE"}},
};

/* What a core type's trial has found. */
typedef struct Trial {
    double gflops; /* 0: it does not run on this machine, or the library lacks the type of element */
    char name[100];
} Trial;

/* GFLOP/s of one shape: best of some calls after a first one. */
static double speed(Gemm *gemm, int type, int M, int N, int K)
{
    size_t size = type == F32 ? 4 : 8;
    void *A = calloc((size_t)M * (size_t)K, size), *B = calloc((size_t)K * (size_t)N, size);
    void *C = calloc((size_t)M * (size_t)N, size);
    if (!A || !B || !C)
        abort();
    fill_operand(type, A, (size_t)M * (size_t)K, 1);
    fill_operand(type, B, (size_t)K * (size_t)N, 2);
    double best = 1e30;
    gemm(M, N, K, A, B, C);
    for (int i = 0; i < 5; i++) {
        int calls = 1 + (int)(2e6 / ((double)M * N * K));
        double begin = thread_seconds();
        for (int c = 0; c < calls; c++)
            gemm(M, N, K, A, B, C);
        best = fmin(best, (thread_seconds() - begin) / calls);
    }
    free(A);
    free(B);
    free(C);
    return 2e-9 * M * N * K / best;
}

/* In a child: geometric mean over a few shapes; ends the child. */
static void try_core_type(const char *folder, int choice, const char *value, int type, int out)
{
    static const int shapes[][3] = {{24, 24, 24}, {64, 64, 64}, {37, 500, 300}, {256, 256, 256}, {16, 1024, 1024}, {768, 768, 768}};
    enum { N = sizeof shapes / sizeof *shapes };
    Trial trial = {0};
    double logs = 0;
    if (!freopen("/dev/null", "w", stderr) || !freopen("/dev/null", "w", stdout))
        _exit(1);
    alarm(20);
    unsetenv("OPENBLAS_L2_SIZE"); /* what the surroundings say of another machine must not decide */
    unsetenv(choices[choice].variable);
    if (*value)
        setenv(choices[choice].variable, value, 1);
    void *object = library_load(folder, choices[choice].file, 1);
    const Library *library = object ? library_entries(object) : NULL;
    if (!library || !library->gemm[type])
        _exit(1);
    for (int i = 0; i < N; i++)
        logs += log(speed(library->gemm[type], type, shapes[i][0], shapes[i][1], shapes[i][2]));
    trial.gflops = exp(logs / N);
    snprintf(trial.name, sizeof trial.name, "%s", strrchr(library_description(object), ' ') + 1);
    _exit(write(out, &trial, sizeof trial) != sizeof trial);
}

static Trial run_trial(const char *folder, int choice, const char *value, int type)
{
    int ends[2];
    Trial trial;
    fflush(NULL);
    if (pipe(ends) != 0)
        return (Trial){0};
    pid_t child = fork();
    if (child == 0)
        try_core_type(folder, choice, value, type, ends[1]);
    close(ends[1]);
    if (read(ends[0], &trial, sizeof trial) != sizeof trial)
        trial = (Trial){0};
    close(ends[0]);
    waitpid(child, NULL, 0);
    return trial;
}

/* Two passes, since a moment's disturbance must not decide. */
static void choose(const char *folder, int choice, int type)
{
    const char *const *values = choices[choice].values;
    Trial trials[CANDIDATES] = {{0}};
    int best = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int v = 0; v < CANDIDATES && values[v]; v++) {
            Trial trial = run_trial(folder, choice, values[v], type);
            if (trial.gflops > trials[v].gflops)
                trials[v] = trial;
        }
    printf("# %s, GFLOP/s on six shapes:", choices[choice].variable);
    for (int v = 0; v < CANDIDATES && values[v]; v++) {
        if (trials[v].gflops > 0)
            printf(" %s %s %.1f;", *values[v] ? values[v] : "not set", trials[v].name, trials[v].gflops);
        if (trials[v].gflops > 1.01 * trials[best].gflops)
            best = v;
    }
    printf("\nunset OPENBLAS_L2_SIZE %s\n", choices[choice].variable);
    if (*values[best])
        printf("export %s=%s\n", choices[choice].variable, values[best]);
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    for (size_t c = 0; c < sizeof choices / sizeof *choices; c++)
        choose(argv[1], (int)c, strcmp(argv[2], "f64") == 0 ? F64 : F32);
}
