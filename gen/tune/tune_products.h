/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `mikgen tune --target=cuda` for products: the kernels of contractions. */
#ifndef MIKGEN_GEN_TUNE_TUNE_PRODUCTS_H
#define MIKGEN_GEN_TUNE_TUNE_PRODUCTS_H

#include "gen/tune/nvcc.h"
#include "plan/profile/profile.h"

/* Does the program have contractions? */
bool tune_has_products(const Program *program);

/* Measures the kernels of the types that the operators of `program` multiply. As rates belong to a type and not to an operator,
 * they are measured on plain products of matrices, one of each type, whose operands lie as the operators' do: a spec of its own goes
 * through the pipeline, is emitted with a measuring program behind it (templates/tune.cu.j2), compiled, and run. The profile is saved
 * after each group of measurements. *is_short: the time did not suffice for all. The exit status: 0, 1 after a message, or 128 + the number of the signal that ended it early. */
int tune_products_run(Ir *ir, const Options *opt, const Program *program, Nvcc *nvcc, Profile *profile, bool *is_short);

#endif
