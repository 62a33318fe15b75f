#include "peers.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "machine.h"
#include "reference.h"

enum { CANDIDATES = 8 };

/* Debian builds these for many processors at once, and their guess is wrong on some virtual machines. */
static const struct {
    const char *file, *variable, *values[CANDIDATES]; /* an empty value: the library's own guess */
} choices[] = {
    {"lib_openblas.so", "OPENBLAS_CORETYPE", {"", "Haswell", "Zen", "SkylakeX", "Cooperlake", "Sapphirerapids"}},
    {"lib_blis.so", "BLIS_ARCH_TYPE", {"", "haswell", "zen", "zen2", "zen3", "skx", "knl"}},
    {"lib_onednn.so", "ONEDNN_MAX_CPU_ISA", {"", "AVX2", "AVX512_CORE"}},
};

/* Loads one library's object; NULL with a message. */
static void *load(const char *folder, const char *file)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, file);
    void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
    if (!object)
        fprintf(stderr, "%s\n", dlerror());
    return object;
}

/* POSIX has dlsym return functions as pointers to objects. */
static void start(void *object, int threads)
{
    void (*set)(int);
    *(void **)&set = dlsym(object, "set_threads");
    set(threads);
}

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
        double begin = seconds();
        for (int c = 0; c < calls; c++)
            gemm(M, N, K, A, B, C);
        best = fmin(best, (seconds() - begin) / calls);
    }
    free(A);
    free(B);
    free(C);
    return 2e-9 * M * N * K / best;
}

/* In a child: geometric mean over a few shapes; ends the child. */
static void try_core_type(const char *folder, int choice, const char *value, int type, int out)
{
    static const int shapes[][3] = {{24, 24, 24}, {64, 64, 64}, {37, 500, 300}, {256, 256, 256}, {16, 1024, 1024},
                                    {768, 768, 768}};
    enum { N = sizeof shapes / sizeof *shapes };
    if (!freopen("/dev/null", "w", stderr) || !freopen("/dev/null", "w", stdout))
        _exit(1);
    alarm(20);
    if (*value)
        setenv(choices[choice].variable, value, 1);
    void *object = load(folder, choices[choice].file);
    if (!object)
        _exit(1);
    const Library *library = dlsym(object, "libraries");
    if (!library->gemm[type])
        _exit(1);
    start(object, 1);
    double logs = 0;
    for (int i = 0; i < N; i++)
        logs += log(speed(library->gemm[type], type, shapes[i][0], shapes[i][1], shapes[i][2]));
    double mean = exp(logs / N);
    _exit(write(out, &mean, sizeof mean) != sizeof mean);
}

/* 0 when the core type does not run on this machine, or the library does not have the type of element. */
static double core_type_speed(const char *folder, int choice, const char *value, int type)
{
    int ends[2];
    double result = 0;
    fflush(NULL);
    if (pipe(ends) != 0)
        return 0;
    pid_t child = fork();
    if (child == 0)
        try_core_type(folder, choice, value, type, ends[1]);
    close(ends[1]);
    if (read(ends[0], &result, sizeof result) != sizeof result)
        result = 0;
    close(ends[0]);
    waitpid(child, NULL, 0);
    return result;
}

static void append(Peers *peers, const char *text)
{
    strncat(peers->heading, text, sizeof peers->heading - strlen(peers->heading) - 1);
}

void peers_choose_core_types(Peers *peers, const char *folder, int type)
{
    for (size_t c = 0; c < sizeof choices / sizeof *choices; c++) {
        const char *best = "", *const *values = choices[c].values;
        double best_speed = 0;
        char line[500], *end = line;
        for (int v = 0; v < CANDIDATES && values[v]; v++) {
            double gflops = core_type_speed(folder, (int)c, values[v], type);
            if (gflops > best_speed * (v == 0 ? 1 : 1.01)) {
                best_speed = gflops;
                best = values[v];
            }
            if (gflops > 0)
                end += sprintf(end, "%s%s %.1f", end == line ? "" : ", ", *values[v] ? values[v] : "its guess", gflops);
        }
        if (best_speed == 0)
            continue;
        if (*best)
            setenv(choices[c].variable, best, 1);
        append(peers, choices[c].variable);
        append(peers, "=");
        append(peers, *best ? best : "(not set)");
        append(peers, ": GFLOP/s on six shapes: ");
        append(peers, line);
        append(peers, "\n");
    }
}

bool peers_load(Peers *peers, const char *folder, int type, int threads)
{
    static const char *const files[] = {"lib_ours.so",   "lib_openblas.so", "lib_blis.so",
                                        "lib_onednn.so", "lib_libxsmm.so",  "lib_eigen.so"};
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        void *object = load(folder, files[f]);
        if (!object)
            return false;
        bool used = false;
        start(object, threads);
        for (const Library *l = dlsym(object, "libraries"); l->name; l++)
            if (l->gemm[type] && peers->count < MAX_COLUMNS) {
                peers->columns[peers->count].name = l->name;
                peers->columns[peers->count++].gemm = l->gemm[type];
                used = true;
            }
        const char *(*describe)(void);
        *(void **)&describe = dlsym(object, "describe");
        if (used) {
            append(peers, describe());
            append(peers, "\n");
        }
    }
    return true;
}
