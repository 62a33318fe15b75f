/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gen/tune/nvcc.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gen/driver/child.h"
#include "gen/driver/file.h"
#include "gen/driver/program.h"
#include "gen/tune/compile.h"
#include "gen/tune/tune_file.h"
#include "tune/cuda.h"
#include "tune/progress.h"
#include "tune/session.h"

/* NULL after a message. */
static const char *find_nvcc(Arena *arena, const TuneOptions *tuning)
{
    static const char usual[] = "/usr/local/cuda/bin/nvcc";
    const char *path = getenv("PATH");
    if (tuning->nvcc)
        return tuning->nvcc;
    while (path && *path) {
        const size_t len = strcspn(path, ":");
        const char *file = arena_printf(arena, "%.*s/nvcc", (int)len, path);
        if (len && access(file, X_OK) == 0)
            return file;
        path += len + (path[len] == ':');
    }
    if (access(usual, X_OK) == 0)
        return usual;
    tune_complain("nvcc is not found", "install the CUDA toolkit, or write --nvcc=PATH; --target=c tunes for this machine's processor");
    return NULL;
}

bool nvcc_begin(Arena *arena, const Options *opt, Nvcc *nvcc)
{
    *nvcc = (Nvcc){.opt = opt};
    if (opt->tuning.program)
        return true;
    nvcc->path = find_nvcc(arena, &opt->tuning);
    if (!nvcc->path)
        return false;
    nvcc->folder = child_folder(arena);
    if (!nvcc->folder) {
        tune_complain(strerror(errno), "TMPDIR names a folder for temporary files");
        return false;
    }
    nvcc->source = arena_printf(arena, "%s/tune.cu", nvcc->folder);
    nvcc->program = arena_printf(arena, "%s/tune", nvcc->folder);
    return true;
}

int nvcc_compile(Arena *arena, const Nvcc *nvcc, const Text *text)
{
    if (!file_write(arena, nvcc->source, text->data, text->size))
        return USER_FAULT;
    char *argv[12];
    int n = 0, number;
    argv[n++] = (char *)nvcc->path;
    argv[n++] = (char *)"-std=c++17";
    argv[n++] = (char *)"-O3";
    if (nvcc->arch) {
        argv[n++] = (char *)"-gencode";
        argv[n++] = arena_printf(arena, "arch=compute_%s,code=sm_%s", nvcc->arch, nvcc->arch);
    }
    argv[n++] = (char *)nvcc->source;
    argv[n++] = (char *)"-o";
    argv[n++] = (char *)nvcc->program;
    argv[n] = NULL;
    const char *wrong = child_run_watched(argv, &number, compile_goes_on);
    progress_stage_end();
    if (session_signal() || number)
        return tune_interrupted(session_signal() ? session_signal() : number);
    if (wrong)
        tune_complain(arena_printf(arena, "nvcc, which is %s: %s", nvcc->path, wrong), "--nvcc=PATH names another one");
    return wrong ? USER_FAULT : DONE;
}

int nvcc_choose_arch(Nvcc *nvcc, Ir *ir, const Program *program)
{
    Arena *arena = ir->arena;
    const Options *opt = nvcc->opt;
    Text probe;
    CudaDevice device;
    text_init(&probe, arena);
    if (nvcc->arch)
        return DONE;
    if (opt->planner.arch) {
        nvcc->arch = strcmp(opt->planner.arch, "sm_90") == 0 ? "90a" : opt->planner.arch + strlen("sm_");
        return DONE;
    }
    if (!program_render(ir, opt, program, "tune/probe.cu.j2", &probe))
        return USER_FAULT;
    progress_stage("compiling what asks which GPU there is");
    int status = nvcc_compile(arena, nvcc, &probe);
    if (status == DONE && !cuda_device(arena, nvcc->program, opt->tuning.device, &device))
        status = USER_FAULT;
    if (status == DONE)
        nvcc->arch = device.cc == 90 ? "90a" : arena_printf(arena, "%d", device.cc);
    return status;
}

void nvcc_end(const Nvcc *nvcc)
{
    if (!nvcc->folder)
        return;
    unlink(nvcc->source);
    unlink(nvcc->program);
    rmdir(nvcc->folder);
}
