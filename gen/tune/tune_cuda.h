/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `mikgen tune --target=cuda`: from a spec to a profile of a GPU. */
#ifndef MIKGEN_GEN_TUNE_TUNE_CUDA_H
#define MIKGEN_GEN_TUNE_TUNE_CUDA_H

#include "gen/driver/options.h"
#include "gen/driver/pipeline.h"
#include "gen/driver/tune_specs.h"

/* `program`: the contractions of all specs. Measures the kernels of products (gen/tune/tune_products.h), which are the first shard's, then nests (gen/tune/tune_grids.h), with one
 * measuring program for each, or with that of --program what it is of. The exit status: 0, 1 after a message, or 128 + the number of the signal
 * that ended it early. */
int tune_cuda_run(Ir *ir, const Options *opt, TuneSpec *specs, const Program *program);

#endif
