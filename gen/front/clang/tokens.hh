/* SPDX-License-Identifier: GPL-3.0-or-later */
// What is done on tokens, before there is a syntax tree.
#ifndef MIKGEN_GEN_FRONT_CLANG_TOKENS_HH
#define MIKGEN_GEN_FRONT_CLANG_TOKENS_HH

#include <functional>
#include <memory>

#include "gen/front/tree/errors.hh"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Pragma.h"
#include "clang/Lex/Token.h"

namespace mikgen
{

// Fills the pragmas of `front`. The preprocessor owns it.
PragmaHandler *mikgen_pragma(Front *front);

// Fills hidden, placed, counters and other_bool of front->kept.
std::unique_ptr<PPCallbacks> watch_hidden(Front *front, const Preprocessor &pp);

// For every token after macro expansion: ends the file early where the parser's recursion could overflow the stack.
std::function<void(const Token &)> depth_guard(Front *front, Preprocessor &pp);

} // namespace mikgen

#endif
