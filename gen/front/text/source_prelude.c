/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Declarations of the standard headers and of CUDA as text in front of a kept file. */
#include "gen/front/text/source_prelude.h"

#include <string.h>

#include "gen/front/text/spec_prelude.h"

const SourceHeader source_headers[] = {
    {"math.h", ""},
    {"stdint.h", ""},
    {"inttypes.h", "#pragma once\n"
                   "#define PRId32 \"d\"\n#define PRIu32 \"u\"\n#define PRIx32 \"x\"\n"
                   "#define PRId64 \"ld\"\n#define PRIu64 \"lu\"\n#define PRIx64 \"lx\"\n"},
    {"stddef.h", ""},
    {"stdbool.h", ""},
    {"float.h", ""},
    {"limits.h", ""},
    {"stdlib.h", "#pragma once\n"
                 "#define EXIT_SUCCESS 0\n#define EXIT_FAILURE 1\n#define RAND_MAX 2147483647\n"
                 "void *malloc(size_t); void *calloc(size_t, size_t); void *realloc(void *, size_t); void free(void *);\n"
                 "void *aligned_alloc(size_t, size_t);\n"
                 "void exit(int) __attribute__((noreturn)); void abort(void) __attribute__((noreturn));\n"
                 "int rand(void); void srand(unsigned); int atoi(const char *); long atol(const char *); double atof(const char *);\n"
                 "long strtol(const char *, char **, int); unsigned long strtoul(const char *, char **, int);\n"
                 "long long strtoll(const char *, char **, int); unsigned long long strtoull(const char *, char **, int);\n"
                 "int posix_memalign(void **, size_t, size_t); double strtod(const char *, char **); float strtof(const char *, char **); "
                 "char *getenv(const char *);\n"
                 "void qsort(void *, size_t, size_t, int (*)(const void *, const void *));\n"},
    {"stdio.h", "#pragma once\n"
                "typedef struct mikgen_FILE FILE;\nextern FILE *stdin, *stdout, *stderr;\n#define EOF (-1)\n"
                "int printf(const char *, ...); int fprintf(FILE *, const char *, ...); int sprintf(char *, const char *, ...);\n"
                "int snprintf(char *, size_t, const char *, ...); int scanf(const char *, ...); int fscanf(FILE *, const char *, ...);\n"
                "int sscanf(const char *, const char *, ...); int puts(const char *); int fputs(const char *, FILE *);\n"
                "int putchar(int); int fputc(int, FILE *); int getchar(void); int fgetc(FILE *); char *fgets(char *, int, FILE *);\n"
                "FILE *fopen(const char *, const char *); int fclose(FILE *); int fflush(FILE *); void perror(const char *);\n"
                "int vprintf(const char *, __builtin_va_list); int vfprintf(FILE *, const char *, __builtin_va_list);\n"
                "int vsprintf(char *, const char *, __builtin_va_list);\n"
                "int vsnprintf(char *, size_t, const char *, __builtin_va_list);\n"
                "size_t fread(void *, size_t, size_t, FILE *); size_t fwrite(const void *, size_t, size_t, FILE *);\n"},
    {"string.h", "#pragma once\n"
                 "void *memcpy(void *, const void *, size_t); void *memmove(void *, const void *, size_t);\n"
                 "void *memset(void *, int, size_t); int memcmp(const void *, const void *, size_t);\n"
                 "void *memchr(const void *, int, size_t); size_t strlen(const char *); int strcmp(const char *, const char *);\n"
                 "int strncmp(const char *, const char *, size_t); char *strcpy(char *, const char *);\n"
                 "char *strncpy(char *, const char *, size_t); char *strcat(char *, const char *); char *strchr(const char *, int);\n"
                 "char *strrchr(const char *, int); char *strstr(const char *, const char *); char *strdup(const char *);\n"
                 "size_t strspn(const char *, const char *); size_t strcspn(const char *, const char *);\n"
                 "char *strtok(char *, const char *); char *strerror(int);\n"},
    {"assert.h", "#pragma once\nvoid assert(_Bool);\n#define static_assert _Static_assert\n"},
    {"stdarg.h", "#pragma once\n"
                 "typedef __builtin_va_list va_list;\n"
                 "#define va_start(l, p) __builtin_va_start(l, p)\n#define va_end(l) __builtin_va_end(l)\n"
                 "#define va_arg(l, t) __builtin_va_arg(l, t)\n#define va_copy(a, b) __builtin_va_copy(a, b)\n"},
    {"stdalign.h", "#define alignas _Alignas\n#define alignof _Alignof\n"},
    {"stdnoreturn.h", "#define noreturn _Noreturn\n"},
    {"errno.h", "#pragma once\nint *__errno_location(void) __attribute__((const));\n#define errno (*__errno_location())\n"
                "#define EDOM 33\n#define ERANGE 34\n#define EINVAL 22\n#define ENOMEM 12\n"},
    {"ctype.h", "#pragma once\n"
                "int isalnum(int); int isalpha(int); int isdigit(int); int isspace(int); int isupper(int); int islower(int);\n"
                "int isxdigit(int); int ispunct(int); int isprint(int); int toupper(int); int tolower(int);\n"},
    {"time.h", "#pragma once\n"
               "typedef long time_t; typedef long clock_t;\n#define CLOCKS_PER_SEC 1000000L\n"
               "struct timespec { time_t tv_sec; long tv_nsec; };\nclock_t clock(void); time_t time(time_t *);\n"
               "#define CLOCK_REALTIME 0\n#define CLOCK_MONOTONIC 1\nint clock_gettime(int, struct timespec *);\n"},
    {"cuda.h", ""},
    {"cuda_runtime.h", ""},
    {"cuda_runtime_api.h", ""},
    {"cuda_fp16.h", ""},
    {"cuda_bf16.h", ""},
    {"cuda_fp8.h", ""},
    {"device_launch_parameters.h", ""},
    {NULL, NULL},
};

/* The words that say where code runs and data lives. Only __shared__ and __constant__ matter here. */
static const char cuda_words[] =
    "#define __CUDACC__ 1\n"
    "#define __global__\n#define __device__\n#define __host__\n#define __managed__\n#define __grid_constant__\n"
    "#define __forceinline__\n#define __noinline__\n#define __inline_hint__\n#define __nv_pure__\n"
    "#define __launch_bounds__(...)\n#define __maxnreg__(n)\n#define __cluster_dims__(...)\n#define __block_size__(...)\n"
    "#define __align__(n)\n#define __builtin_align__(n)\n"
    "#define __shared__ __attribute__((annotate(\"__shared__\")))\n"
    "#define __constant__ __attribute__((annotate(\"__constant__\")))\n"
    "struct mikgen_index { unsigned x, y, z; };\n"
    "extern const struct mikgen_index threadIdx, blockIdx, blockDim, gridDim;\n"
    "#define warpSize 32\n";

static const char *const barriers[] = {"__syncthreads", "__syncwarp", "__threadfence", "__threadfence_block", "__threadfence_system", NULL};

/* Functions whose value depends on their arguments alone. */
static const struct {
    const char *result, *name, *parameters;
} pure[] = {
    {"float", "rsqrtf", "float"},
    {"double", "rsqrt", "double"},
    {"float", "__expf", "float"},
    {"float", "__logf", "float"},
    {"float", "__log2f", "float"},
    {"float", "__sinf", "float"},
    {"float", "__cosf", "float"},
    {"float", "__powf", "float, float"},
    {"float", "__fdividef", "float, float"},
    {"float", "__frcp_rn", "float"},
    {"float", "__fmaf_rn", "float, float, float"},
    {"int", "__mul24", "int, int"},
    {"int", "__mulhi", "int, int"},
    {"int", "__popc", "unsigned"},
    {"int", "__clz", "int"},
};
enum { PURE = sizeof pure / sizeof *pure };

static const char cuda_functions[] =
    "#define MIKGEN_EACH(F) F(int) F(unsigned) F(long) F(unsigned long) F(long long) F(unsigned long long) F(float) F(double)\n"
    "#define MIKGEN_ATOMIC(T) MIKGEN_ATOMICS(T, __attribute__((overloadable)))\n"
    "#define MIKGEN_ATOMICS(T, O) T O atomicAdd(T *, T); T O atomicSub(T *, T); T O atomicMax(T *, T); \\\n"
    "    T O atomicMin(T *, T); T O atomicExch(T *, T); T O atomicCAS(T *, T, T);\n"
    "MIKGEN_EACH(MIKGEN_ATOMIC)\n"
    "#define MIKGEN_SHUFFLE(T) MIKGEN_SHUFFLES(T, __attribute__((overloadable)))\n"
    "#define MIKGEN_SHUFFLES(T, O) \\\n"
    "    T O __shfl_sync(unsigned, T, int); T O __shfl_sync(unsigned, T, int, int); \\\n"
    "    T O __shfl_up_sync(unsigned, T, unsigned); T O __shfl_up_sync(unsigned, T, unsigned, int); \\\n"
    "    T O __shfl_down_sync(unsigned, T, unsigned); T O __shfl_down_sync(unsigned, T, unsigned, int); \\\n"
    "    T O __shfl_xor_sync(unsigned, T, int); T O __shfl_xor_sync(unsigned, T, int, int);\n"
    "MIKGEN_EACH(MIKGEN_SHUFFLE)\n"
    "#undef MIKGEN_EACH\n#undef MIKGEN_ATOMIC\n#undef MIKGEN_ATOMICS\n#undef MIKGEN_SHUFFLE\n#undef MIKGEN_SHUFFLES\n";

/* One overload for each pair of types, so that no call is ambiguous. `attributes`: of each. */
static void declare_extremum(Text *text, const char *name, const char *attributes)
{
    static const Type types[] = {T_INT, T_UINT, T_LONG, T_ULONG, T_LLONG, T_ULLONG, T_FLOAT, T_DOUBLE, T_LDOUBLE};
    enum { COUNT = sizeof types / sizeof *types };
    for (int a = 0; a < COUNT; a++)
        for (int b = 0; b < COUNT; b++)
            text_printf(text, "%s __attribute__((%s)) %s(%s, %s);\n", type_spec_name(type_common(types[a], types[b])), attributes, name,
                        type_spec_name(types[a]), type_spec_name(types[b]));
}

/* The toolkit's own headers as nvcc reads them, but for two things. The words that say where code runs are nothing, since one reading is for
 * host and device at once; nor is __noinline__, which is nvcc's own and no header's: those of the host write it inside of
 * __attribute__((...)). And the mathematics are the C++ library's, which the toolkit's declare again as no compiler but its own allows;
 * what these have beyond are declared here. */
static const char toolkit_begin[] =
    "#define __NVCC__ 1\n#define __CUDACC__ 1\n#define CUDA_DOUBLE_MATH_FUNCTIONS 1\n#define __CUDACC_DEVICE_ATOMIC_BUILTINS__ 1\n"
    "#include <crt/host_defines.h>\n"
    "#undef __noinline__\n#define __noinline__\n"
    "#undef __location__\n#define __location__(a) mikgen_location_##a\n"
    "#define mikgen_location_host\n#define mikgen_location_device\n#define mikgen_location_global\n#define mikgen_location_managed\n"
    "#define mikgen_location_tile\n#define mikgen_location_tile_global\n#define mikgen_location_tile_builtin\n"
    "#define mikgen_location_grid_constant\n#define mikgen_location_nv_pure\n#define mikgen_location_cudart_builtin\n"
    "#define mikgen_location_device_builtin\n#define mikgen_location_device_builtin_texture_type\n"
    "#define mikgen_location_device_builtin_surface_type\n"
    "#define mikgen_location_shared __attribute__((annotate(\"__shared__\")))\n"
    "#define mikgen_location_constant __attribute__((annotate(\"__constant__\")))\n"
    "#define __MATH_FUNCTIONS_H__\n#include <math.h>\n#include <stdlib.h>\n";

static const char *const beyond_libm[] = {"rcbrt", "sinpi", "cospi", "normcdf", "normcdfinv", "erfinv", "erfcinv", "erfcx", "exp10", NULL};

static void toolkit_prelude(Text *text)
{
    text_puts(text, toolkit_begin);
    declare_extremum(text, "min", "const");
    declare_extremum(text, "max", "const");
    text_puts(text, "float rsqrtf(float); double rsqrt(double); float rsqrt(float);\n");
    for (int i = 0; beyond_libm[i]; i++)
        text_printf(text, "float %sf(float); double %s(double);\n", beyond_libm[i], beyond_libm[i]);
    text_puts(text, "#include <cuda_runtime.h>\n");
}

const char *source_prelude(Arena *arena, bool cuda, bool has_system, bool has_min, bool has_max)
{
    Text text;
    text_init(&text, arena);
    if (cuda && has_system) {
        toolkit_prelude(&text);
        return text.data;
    }
    if (!has_system)
        prelude_common(&text);
    if (cuda) {
        text_puts(&text, cuda_words);
        for (int i = 0; i < PURE; i++)
            text_printf(&text, "%s %s(%s) __attribute__((const));\n", pure[i].result, pure[i].name, pure[i].parameters);
        text_puts(&text, cuda_functions);
        for (int i = 0; barriers[i]; i++)
            text_printf(&text, "void %s();\n", barriers[i]);
    }
    if (has_min)
        declare_extremum(&text, "min", "overloadable, const");
    if (has_max)
        declare_extremum(&text, "max", "overloadable, const");
    return text.data;
}

bool is_barrier_name(const char *function)
{
    for (int i = 0; barriers[i]; i++)
        if (strcmp(function, barriers[i]) == 0)
            return true;
    return false;
}

bool is_pure_name(const char *function)
{
    for (int i = 0; i < PURE; i++)
        if (strcmp(function, pure[i].name) == 0)
            return true;
    return false;
}
