/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nvcc, as `mikgen tune` calls it: one file in a temporary folder of its own. */
#ifndef MIKGEN_GEN_TUNE_NVCC_H
#define MIKGEN_GEN_TUNE_NVCC_H

#include "gen/driver/options.h"
#include "gen/driver/pipeline.h"

typedef struct Nvcc {
    const Options *opt;
    const char *path;                      /* NULL: opt->tuning.program is there, and nothing is compiled */
    const char *folder, *source, *program; /* where what is compiled lies; until the next */
    const char *arch;                      /* what to compile for, "80" or "90a"; NULL: nobody has asked yet */
} Nvcc;

/* As opt says, else where it usually is. False after a message. Arena-owned, but for the folder. */
bool nvcc_begin(Arena *arena, const Options *opt, Nvcc *nvcc);

/* Compiles `text` to nvcc->program. The exit status: 0, 1 after a message, 128 and more when a signal ended it. */
int nvcc_compile(Arena *arena, const Nvcc *nvcc, const Text *text);

/* Sets nvcc->arch, unless it is: as --arch says, else as the device answers, which a small program asks. As above. */
int nvcc_choose_arch(Nvcc *nvcc, Ir *ir, const Program *program);

/* Removes the folder and what is in it. */
void nvcc_end(const Nvcc *nvcc);

#endif
