/* SPDX-License-Identifier: GPL-3.0-or-later */
// What to write instead of text that Clang itself refuses, or would warn about. There is no tree yet: all
// that is known is the text around.
#ifndef MIKGEN_GEN_FRONT_TREE_HINTS_HH
#define MIKGEN_GEN_FRONT_TREE_HINTS_HH

#include <string>

#include "gen/front/spec_clang.h"
#include "llvm/ADT/StringRef.h"

namespace mikgen
{

using llvm::StringRef;

// The line of `text` that `at` is in.
StringRef line_around(StringRef text, size_t at);

StringRef name_at(StringRef text);

// The refusal of a word with which other languages begin; R_COUNT: it is none.
Refusal foreign_word(StringRef word);

// The word of C++ that a syntax error at `at` is about; "": there is none.
StringRef word_of_cpp(StringRef text, size_t at);

// What to call in the place of functions that newcomers expect; "": nothing is known.
std::string instead_of_function(StringRef name);

// `for (i = 0; ...` of a variable that there is not.
std::string declared_in_head(StringRef text, size_t at);

// `A[i, j]` in the line; "": there is none.
std::string comma_in_brackets(StringRef line);

// What Clang only warns about and what no spec means; R_COUNT: what it may.
Refusal refused_warning(unsigned id);

} // namespace mikgen

#endif
