/* --keep-loops: a C or CUDA file in, the same file out with the bodies of its functions rewritten. */
#ifndef MIKGEN_GEN_KEEP_H
#define MIKGEN_GEN_KEEP_H

#include "gen/driver/options.h"

/* Parse `len` bytes at `text`, run the passes, and write the result, whole or not at all. False after messages. */
bool keep_run(Ir *ir, const Options *opt, const char *text, size_t len);

#endif
