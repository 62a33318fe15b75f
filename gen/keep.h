/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --keep-loops: a C or CUDA file in, the same file out with the bodies of its functions rewritten. */
#ifndef MIKGEN_GEN_KEEP_H
#define MIKGEN_GEN_KEEP_H

#include "gen/driver/options.h"
#include "gen/driver/run_outputs.h"
#include "gen/front/spec.h"
#include "ir/kept_source.h"

/* Parse the text, with the system's headers. NULL after messages. */
Source *keep_source(Ir *ir, const Options *opt, const SpecText *text);

/* Parse the text, run the passes, and add the result. False after messages. */
bool keep_run(Ir *ir, const Options *opt, const SpecText *text, Outputs *outputs);

/* What became of a file. */
typedef struct KeepSummary {
    int functions;     /* with loops, and understood          */
    int changed, left; /* of these; that are not understood   */
    bool moves_badly;  /* from another folder the text would include other files */
} KeepSummary;

/* The rewritten text itself, and what became of it. False after messages. */
bool keep_text(Ir *ir, const Options *opt, const SpecText *text, Text *out, KeepSummary *summary);

#endif
