/* SPDX-License-Identifier: GPL-3.0-or-later */
// What of C++ source-to-source mode does not take. CUDA is C++, and most kernels are C in its words:
// those become trees; a function with anything in which C++ does more than its C spelling says stays as it is.
#ifndef MIKGEN_GEN_FRONT_KEPT_BEYOND_C_HH
#define MIKGEN_GEN_FRONT_KEPT_BEYOND_C_HH

#include <optional>
#include <string>

#include "gen/front/tree/errors.hh"
#include "clang/AST/Decl.h"

namespace mikgen
{

struct BeyondCFinding {
    SourceRange range;
    std::string what;
};

// The first such thing in a function, its parameters included.
std::optional<BeyondCFinding> beyond_c(const FunctionDecl *fd);

} // namespace mikgen

#endif
