/* SPDX-License-Identifier: GPL-3.0-or-later */
// Compilation databases are read by libTooling.
#include "gen/front/database.h"
#include "clang/Tooling/JSONCompilationDatabase.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace mikgen
{
namespace
{

const char *const file_name = "compile_commands.json";

char *owned(Arena *arena, llvm::StringRef text) { return arena_strndup(arena, text.data(), text.size()); }

} // namespace

extern "C" const char *database_path(Arena *arena, const char *folder)
{
    llvm::SmallString<256> real, path(folder);
    llvm::sys::path::append(path, file_name);
    if (llvm::sys::fs::exists(path))
        return owned(arena, path);
    if (llvm::sys::fs::real_path(folder, real))
        return nullptr;
    for (llvm::StringRef above = llvm::sys::path::parent_path(real); !above.empty(); above = llvm::sys::path::parent_path(above)) {
        path = above;
        llvm::sys::path::append(path, file_name);
        if (llvm::sys::fs::exists(path))
            return owned(arena, path);
    }
    return nullptr;
}

extern "C" bool database_find(Arena *arena, const char *path, const char *file, DatabaseCommand *command, const char **why)
{
    using namespace clang::tooling;
    std::string error;
    *why = nullptr;
    const auto database = JSONCompilationDatabase::loadFromFile(path, error, JSONCommandLineSyntax::AutoDetect);
    if (!database) {
        *why = owned(arena, error);
        return false;
    }
    llvm::SmallString<256> name(file);
    llvm::sys::path::remove_dots(name, true);
    const std::vector<CompileCommand> all = database->getCompileCommands(name);
    if (all.empty())
        return false;
    *command = {};
    command->path = path;
    command->folder = owned(arena, all.front().Directory);
    for (const std::string &word : all.front().CommandLine)
        vec_push(arena, &command->words, owned(arena, word));
    return true;
}

} // namespace mikgen
