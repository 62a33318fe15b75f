/* SPDX-License-Identifier: GPL-3.0-or-later */
// Makes specs of functions of a file (gen/front/extract.h).
#ifndef MIKGEN_GEN_FRONT_EXTRACT_EXTRACTOR_HH
#define MIKGEN_GEN_FRONT_EXTRACT_EXTRACTOR_HH

#include "gen/front/spec_clang.h"
#include "clang/AST/ASTContext.h"
#include "clang/Lex/Preprocessor.h"

namespace mikgen
{

// Fills front->extract->out.
void extract_specs(Front *front, clang::ASTContext &context, clang::Preprocessor &pp);

} // namespace mikgen

#endif
