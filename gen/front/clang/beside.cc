/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gen/front/clang/beside.hh"

#include "clang/Lex/Preprocessor.h"

namespace mikgen
{

class Beside : public PPCallbacks
{
  public:
    Beside(Front *front, Preprocessor &pp) : front(front), pp(pp), files(pp.getFileManager())
    {
        folder = files.getOptionalDirectoryRef(front->folder);
        source = files.getOptionalFileRef(front->kept->source->name);
    }

    void InclusionDirective(SourceLocation hash, const Token &, StringRef name, bool is_angled, CharSourceRange, OptionalFileEntryRef file,
                            StringRef, StringRef, const clang::Module *, bool, SrcMgr::CharacteristicKind) override
    {
        look(hash, name, is_angled, file);
    }

    void HasInclude(SourceLocation at, StringRef name, bool is_angled, OptionalFileEntryRef file, SrcMgr::CharacteristicKind) override
    {
        look(at, name, is_angled, file);
    }

  private:
    Front *front;
    Preprocessor &pp;
    FileManager &files;
    OptionalDirectoryEntryRef folder;
    OptionalFileEntryRef source;

    static bool same(OptionalFileEntryRef a, OptionalFileEntryRef b) { return a && b && a->getUniqueID() == b->getUniqueID(); }

    OptionalFileEntryRef within(StringRef folder, StringRef name)
    {
        SmallString<256> path(folder);
        llvm::sys::path::append(path, name);
        return files.getOptionalFileRef(path);
    }

    // What a compiler finds that does not look beside the source.
    OptionalFileEntryRef elsewhere(StringRef name)
    {
        const SourceOptions *opt = front->kept->options;
        for (const Vec *list : {opt->quoted, opt->includes, opt->system})
            for (int i = 0; list && i < list->count; i++)
                if (OptionalFileEntryRef found = within(static_cast<const char *>(list->items[i]), name))
                    return found;
        return {};
    }

    void look(SourceLocation at, StringRef name, bool is_angled, OptionalFileEntryRef file)
    {
        const SourceManager &sm = pp.getSourceManager();
        const FileID in = sm.getFileID(sm.getExpansionLoc(at));
        if (same(file, source))
            front->kept->moves_badly = true;
        if (is_angled || !file || in == sm.getMainFileID() || llvm::sys::path::is_absolute(name))
            return;
        const OptionalFileEntryRef includer = sm.getFileEntryRefForID(in);
        const bool is_neighbour = includer && folder && &includer->getDir().getDirEntry() == &folder->getDirEntry();
        if (!is_neighbour && same(file, within(front->folder, name)) &&
            !same(file, includer ? within(includer->getDir().getName(), name) : file))
            front->kept->moves_badly |= !same(file, elsewhere(name));
    }
};

std::unique_ptr<PPCallbacks> watch_neighbours(Front *front, Preprocessor &pp) { return std::make_unique<Beside>(front, pp); }

} // namespace mikgen
