/* SPDX-License-Identifier: GPL-3.0-or-later */
// Whether a rewritten text, compiled from another folder with its own one in front of those of -iquote,
// includes the same files. It does not where a header's #include "x.h" finds a file beside the source that it would not look at otherwise,
// nor where the source includes itself.
#ifndef MIKGEN_GEN_FRONT_CLANG_BESIDE_HH
#define MIKGEN_GEN_FRONT_CLANG_BESIDE_HH

#include <memory>

#include "gen/front/tree/errors.hh"
#include "clang/Lex/PPCallbacks.h"

namespace mikgen
{

// Sets moves_badly of front->kept.
std::unique_ptr<PPCallbacks> watch_neighbours(Front *front, Preprocessor &pp);

} // namespace mikgen

#endif
