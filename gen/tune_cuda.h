/* `mikgen tune --target=cuda`: from a spec to a profile of a GPU. */
#ifndef MIKGEN_GEN_TUNE_CUDA_H
#define MIKGEN_GEN_TUNE_CUDA_H

#include "gen/options.h"
#include "gen/pipeline.h"

/* Measures the kernels of the types that the operators of `program` multiply. As rates belong to a type and not to an operator,
 * they are measured on plain products of matrices, one of each type, whose operands lie as the operators' do: a spec of its own goes
 * through the pipeline, is emitted with a measuring program behind it (templates/tune.cu.j2), compiled by nvcc in a temporary
 * folder for the device, which a small program asks first unless opt->arch tells, and run. The profile is written again after
 * each group of measurements. The exit status: 0, 1 after a message, or 128 + the number of the signal that ended it early. */
int tune_cuda_run(Ir *ir, const Options *opt, const Program *program);

#endif
