#!/usr/bin/env python3
"""A C program that runs the functions of many cases on random data and prints a hash of what each trial wrote.

  licm_driver.py c|cuda CASE-FILE:TEXT-FILE... >driver.c

TEXT-FILE is the code to run; CASE-FILE, the case's input, says how: its function's parameters, and in a line
"// run: trials=N size=N sed=s/a/b/" how often, how many elements an array has, and what to change in the text
first. Parameters keep to the case's --hint=NAME:LO:HI. A file-scope variable named *_state is hashed too.

A trial runs in a process of its own until all have run: one that ends by a sanitizer's report, or takes longer
than a second, is printed as "undefined", and the run goes on behind it. The program's argument, if any, is what it
has printed for other texts of the same cases: what is undefined there is not run.
"""
import re
import sys

PRELUDE = r"""
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
#include <fcntl.h>
#include <pthread.h>

static uint64_t seed;
static uint32_t draw(uint32_t n)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(seed >> 33) % n;
}

static long long draw_scalar(long long lo, long long hi, long long least, long long most)
{
    static const long long edges[] = {0, 1, -1, 2, 3, 5, 8, 16, 64, INT_MIN, INT_MAX, LLONG_MIN, LLONG_MAX};
    if (lo <= hi && hi - lo < 1000000 && draw(2))
        return lo + (long long)draw((uint32_t)(hi - lo + 1));
    long long v = draw(3) ? (long long)draw(24) - 4 : edges[draw(sizeof edges / sizeof *edges)];
    if (lo <= hi)
        return v < lo ? lo : v > hi ? hi : v;
    return v < least ? least : v > most ? most : v;
}

static double draw_float(void)
{
    static const double edges[] = {0.0, -0.0, 0.5, 1.0, -1.0, NAN, 1e30};
    return draw(4) ? (double)((int)draw(4000) - 2000) / 16 : edges[draw(sizeof edges / sizeof *edges)];
}

/* Of processor time: a busy machine changes nothing. */
static void limit(int seconds)
{
    setitimer(ITIMER_PROF, &(struct itimerval){.it_value.tv_sec = seconds}, NULL);
}

/* The trials that are undefined in what the program has printed for other texts. */
static struct { char name[64]; int trial; } skipped[10000];
static int skips;

static void read_skipped(const char *path)
{
    FILE *f = fopen(path, "r");
    char what[64];
    if (!f)
        exit(2);
    while (skips < 10000 && fscanf(f, "%63s %d %63s", skipped[skips].name, &skipped[skips].trial, what) == 3)
        skips += strcmp(what, "undefined") == 0;
    fclose(f);
}

static bool is_skipped(const char *name, int trial)
{
    for (int i = 0; i < skips; i++)
        if (skipped[i].trial == trial && strcmp(skipped[i].name, name) == 0)
            return true;
    return false;
}

/* Runs trials until one is undefined, or takes longer than the input may; returns at how many it is now. */
static int run_from(const char *name, int first, int trials, void (*trial)(int), int out)
{
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        int null = open("/dev/null", O_WRONLY);
        dup2(null, 2);
        for (int i = first; i < trials; i++) {
            if (is_skipped(name, i))
                _exit(1);
            limit(SECONDS);
            trial(i);
            limit(0);
            int done = i + 1;
            fflush(stdout);
            if (write(out, &done, sizeof done) != sizeof done)
                _exit(1);
        }
        _exit(0);
    }
    int status;
    waitpid(child, &status, 0);
    return status;
}

static void run_case(const char *name, int trials, void (*trial)(int))
{
    int at = 0;
    while (at < trials) {
        int pipes[2];
        if (pipe(pipes))
            exit(2);
        int status = run_from(name, at, trials, trial, pipes[1]);
        close(pipes[1]);
        for (int done; read(pipes[0], &done, sizeof done) == sizeof done;)
            at = done;
        close(pipes[0]);
        if (status)
            printf("%s %d undefined\n", name, at++);
    }
}

static uint64_t hash_bytes(uint64_t h, const void *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        h = (h ^ ((const unsigned char *)p)[i]) * 1099511628211u;
    return h;
}
"""

MIN_MAX = r"""
static inline int min(int a, int b) { return a < b ? a : b; }
static inline int max(int a, int b) { return a > b ? a : b; }
"""

# Threads of one block as threads of the process; blocks one after the other.
CUDA = r"""
#define __global__
#define __device__
#define __shared__ static
#define __restrict__ restrict
#define __forceinline__ inline
typedef struct { unsigned x, y, z; } dim3;
static _Thread_local dim3 threadIdx;
static dim3 blockIdx, blockDim = {32, 1, 1}, gridDim = {2, 1, 1};
static pthread_barrier_t barrier;
static void __syncthreads(void) { pthread_barrier_wait(&barrier); }
"""

LIMITS = {"int": ("INT_MIN", "INT_MAX"), "unsigned": ("0", "UINT_MAX"), "unsigned int": ("0", "UINT_MAX"),
          "long": ("LLONG_MIN", "LLONG_MAX"), "size_t": ("0", "LLONG_MAX"), "bool": ("0", "1"), "_Bool": ("0", "1"),
          "char": ("-128", "127"), "unsigned char": ("0", "255"), "short": ("-32768", "32767"),
          "long long": ("LLONG_MIN", "LLONG_MAX"), "unsigned long": ("0", "LLONG_MAX"), "int64_t": ("LLONG_MIN", "LLONG_MAX")}
DROPPED = {"const", "restrict", "volatile", "__restrict__"}


def element_type(words):
    return " ".join(w for w in words.replace("*", " ").split() if w not in DROPPED)


def options_of(text):
    run = dict(re.findall(r"(\w+)=(\S+)", (re.search(r"^// run:(.*)$", text, re.M) or [0, ""])[1]))
    hints = {n: (lo, hi) for n, lo, hi in re.findall(r"--hint=([\w.]+):(-?\d+):(-?\d+)", text.split("\n")[0])}
    return run, hints


def signature(text, path):
    text = re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.S)
    for m in re.finditer(r"^((?:\w+[ *]+)+?)(\w+)\(([^;{}]*)\)\s*\{", text, re.M):
        if "static" not in m[1].split() and "__device__" not in m[1].split():
            return [w for w in m[1].split() if w != "__global__"], m[2], m[3]
    sys.exit(f"no function in {path}")


def main():
    cuda = sys.argv[1] == "cuda"
    out, calls = [PRELUDE + (CUDA if cuda else MIN_MAX)], []
    for pair in sys.argv[2:]:
        case, path = pair.split(":")
        with open(case) as f:
            source = f.read()
        run, hints = options_of(source)
        with open(path) as f:
            text = f.read()
        if "sed" in run:
            _, old, new, _ = run["sed"].split("/")
            assert re.search(old, text), f"{case}: nothing to change in {path}"
            text = re.sub(old, new, text)
        result, name, params = signature(source, case)
        size = int(run.get("size", 4096))
        trials = int(run.get("trials", 8 if cuda else 60))
        out.append(f'#line 1 "{path}"\n{text}')
        declared, fill, args, hashed, freed = [], [], [], [], []
        for i, p in enumerate([] if params.strip() == "void" else params.split(",")):
            var = re.search(r"(\w+)\s*(?:\[[^]]*\]\s*)*$", p)[1]
            dims = re.findall(r"\[([^]]*)\]", p)
            type_ = element_type(re.sub(r"(\w+)\s*(?:\[[^]]*\]\s*)*$", "", p))
            is_float = type_ in ("float", "double")
            value = "draw_float()" if is_float else "draw(12) ? (int)draw(60) - 8 : (int)draw(2000) - 1000"
            if "*" in p or dims:
                declared.append(f"    {type_} *a{i} = malloc({size} * sizeof *a{i});")
                fill.append(f"    for (int i = 0; i < {size}; i++)\n        a{i}[i] = ({type_})({value});")
                cast = "(void *)" if len(dims) > 1 else ""
                args.append(f"{cast}a{i}")
                hashed.append(f"    h = hash_bytes(h, a{i}, {size} * sizeof *a{i});")
                freed.append(f"    free(a{i});")
            elif is_float:
                declared.append(f"    {type_} a{i} = ({type_})draw_float();")
                args.append(f"a{i}")
            else:
                lo, hi = hints.get(var, ("1", "0"))
                least, most = LIMITS[type_]
                declared.append(f"    {type_} a{i} = ({type_})draw_scalar({lo}, {hi}, {least}, {most});")
                args.append(f"a{i}")
        call = f"{name}({', '.join(args)})"
        if result != ["void"]:
            call = f"{' '.join(w for w in result if w not in DROPPED)} result = {call}"
            hashed.append("    h = hash_bytes(h, &result, sizeof result);")
        for state in re.findall(r"^(?:static |volatile )*\w+ (\w+_state)\b", source, re.M):
            hashed.append(f"    h = hash_bytes(h, (const void *)&{state}, sizeof {state});")
        if cuda:
            out.append(f"typedef struct {{ void *a[8]; unsigned x; }} Args_{name};")
            types = [element_type(re.sub(r"\w+\s*$", "", p)) for p in params.split(",")]
            unpack = ", ".join(f"({t} *)g->a[{i}]" if "*" in p else f"({t})(intptr_t)g->a[{i}]"
                               for i, (t, p) in enumerate(zip(types, params.split(","))))
            out.append(f"static void *thread_{name}(void *p)\n{{\n    const Args_{name} *g = p;\n    threadIdx.x = g->x;\n"
                       f"    {name}({unpack});\n    return NULL;\n}}")
            packed = ", ".join(f"(void *){a}" if "*" in p else f"(void *)(intptr_t){a}" for a, p in zip(args, params.split(",")))
            call = (f"for (blockIdx.x = 0; blockIdx.x < gridDim.x; blockIdx.x++) {{\n        pthread_t threads[32];\n"
                    f"        Args_{name} g[32];\n        pthread_barrier_init(&barrier, NULL, 32);\n"
                    f"        for (unsigned t = 0; t < 32; t++) {{\n            g[t] = (Args_{name}){{.a = {{{packed}}}, .x = t}};\n"
                    f"            pthread_create(&threads[t], NULL, thread_{name}, &g[t]);\n        }}\n"
                    f"        for (unsigned t = 0; t < 32; t++)\n            pthread_join(threads[t], NULL);\n"
                    f"        pthread_barrier_destroy(&barrier);\n    }}\n    (void)0")
        out.append(f"static void trial_{name}(int trial)\n{{\n    seed = (uint64_t)trial * 77 + 5;\n    uint64_t h = 14695981039346656037u;\n"
                   + "\n".join(declared + fill) + f"\n    {call};\n" + "\n".join(hashed + freed)
                   + f'\n    printf("{name} %d %016llx\\n", trial, (unsigned long long)h);\n}}')
        calls.append(f'    run_case("{name}", {trials}, trial_{name});')
    out.append("int main(int argc, char **argv)\n{\n    if (argc > 1)\n        read_skipped(argv[1]);\n" + "\n".join(calls) + "\n    return 0;\n}")
    print("\n".join(out))


if __name__ == "__main__":
    main()
