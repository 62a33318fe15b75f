/* SPDX-License-Identifier: GPL-3.0-or-later */
// The files that a spec includes. Each becomes a text of the run like the spec itself, so that a
// message shows its line; and what the compiler reads in the end can be put together as one text, for --emit=reference.
#ifndef MIKGEN_GEN_FRONT_CLANG_INCLUDES_HH
#define MIKGEN_GEN_FRONT_CLANG_INCLUDES_HH

#include <memory>

#include "gen/front/clang/insertions.hh"
#include "clang/Lex/PPCallbacks.h"
#include "llvm/Support/VirtualFileSystem.h"

namespace mikgen
{

// The real files, but for what is no file of text, and those of more than `limit` bytes. `is_cuda`: launches in them are blank.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> plain_files(uint64_t limit, bool is_cuda);

// Fills files and whole of `front`.
std::unique_ptr<PPCallbacks> watch_includes(Front *front, Preprocessor &pp, std::shared_ptr<const Insertions> insertions);

} // namespace mikgen

#endif
