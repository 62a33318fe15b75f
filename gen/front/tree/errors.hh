/* SPDX-License-Identifier: GPL-3.0-or-later */
// Places in the source text, and Clang's own errors in our form.
#ifndef MIKGEN_GEN_FRONT_TREE_ERRORS_HH
#define MIKGEN_GEN_FRONT_TREE_ERRORS_HH

#include <memory>
#include <string>

#include "gen/front/spec_clang.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/LangOptions.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/StringRef.h"

namespace mikgen
{

using namespace clang;
using ::Type; // ours, not Clang's

// Is this one of the files that are only in memory, with what every spec may use?
bool is_built_in(StringRef path);

// Is this written by the spec's author, in the text or a file that it includes?
bool is_written(const SourceManager &sm, SourceLocation at);

// nullptr: not met yet, or a text of source-to-source mode includes it.
const Included *known_file(const Front *front, FileEntryRef entry);

// Where a range of the texts lies among all texts of the run.
Loc place(const Front *front, const SourceManager &sm, const LangOptions &lang, SourceRange range);

void refuse(Front *front, Refusal why, Loc loc, const std::string &name);

// What to write instead of the last fault; "": its refusal's own help says it.
void help_last(Front *front, const std::string &help);

// Takes Clang's errors as faults of `front`.
std::unique_ptr<DiagnosticConsumer> error_collector(Front *front);

} // namespace mikgen

#endif
