/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gen/front/clang/includes.hh"

#include <utility>
#include <vector>

#include "gen/front/text/blanks.h"
#include "clang/Lex/HeaderSearch.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/DenseMap.h"

namespace mikgen
{

// A file that is included without a guard includes itself or others over and over: no spec has so many.
const int kMaxIncludes = 1000; // R_INCLUDES names it

// A file of CUDA that another one includes: Clang, which reads C or C++, knows no launches.
class WithoutLaunches : public llvm::vfs::File
{
  public:
    explicit WithoutLaunches(std::unique_ptr<llvm::vfs::File> file) : file(std::move(file)) {}

    llvm::ErrorOr<llvm::vfs::Status> status() override { return file->status(); }

    llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> getBuffer(const llvm::Twine &name, int64_t size, bool ends, bool changes) override
    {
        auto read = file->getBuffer(name, size, ends, changes);
        if (!read || ((*read)->getBuffer().find("<<<") == StringRef::npos && (*read)->getBuffer().find("<< <") == StringRef::npos))
            return read;
        std::string text = (*read)->getBuffer().str();
        blank_launches(nullptr, text.data(), nullptr);
        return llvm::MemoryBuffer::getMemBufferCopy(text, name);
    }

    std::error_code close() override { return file->close(); }

  private:
    std::unique_ptr<llvm::vfs::File> file;
};

// The real files, but for what is no file of text: devices and pipes are not opened, they might never end.
class PlainFiles : public llvm::vfs::ProxyFileSystem
{
  public:
    PlainFiles(uint64_t limit, bool is_cuda) : ProxyFileSystem(llvm::vfs::getRealFileSystem()), limit(limit), is_cuda(is_cuda) {}

    llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> openFileForRead(const llvm::Twine &path) override
    {
        llvm::ErrorOr<llvm::vfs::Status> status = this->status(path);
        if (!status || status->getType() != llvm::sys::fs::file_type::regular_file || status->getSize() > limit)
            return std::make_error_code(std::errc::no_such_file_or_directory);
        auto file = ProxyFileSystem::openFileForRead(path);
        if (!file || !is_cuda)
            return file;
        return std::make_unique<WithoutLaunches>(std::move(*file));
    }

  private:
    uint64_t limit; // bytes of a file
    bool is_cuda;
};

// What each file of a spec includes where; the preprocessor tells.
class Includes : public PPCallbacks
{
  public:
    Includes(Front *front, Preprocessor &pp, std::shared_ptr<const Insertions> insertions)
        : front(front), pp(pp), sm(pp.getSourceManager()), insertions(std::move(insertions))
    {
    }

    // Before the file is entered, or skipped because it has been there.
    void InclusionDirective(SourceLocation hash, const Token &, StringRef, bool, CharSourceRange name, OptionalFileEntryRef file, StringRef,
                            StringRef, const clang::Module *, bool, SrcMgr::CharacteristicKind) override
    {
        if (!file || is_built_in(file->getName()))
            return;
        const FileID in = sm.getFileID(hash);
        const SourceLocation last = sm.getExpansionRange(name).getEnd();
        const bool is_token = name.isTokenRange() || name.getEnd().isMacroID();
        const unsigned more = is_token ? Lexer::MeasureTokenLength(last, sm, pp.getLangOpts()) : 0;
        parts[in].push_back({sm.getFileOffset(hash), sm.getFileOffset(last) + more, FileID()});
        open = in;
    }

    void FileChanged(SourceLocation at, FileChangeReason reason, SrcMgr::CharacteristicKind, FileID) override
    {
        const FileID file = sm.getFileID(at);
        const OptionalFileEntryRef entry = sm.getFileEntryRefForID(file);
        if (reason != EnterFile || !entry || is_built_in(entry->getName()))
            return;
        if (open.isValid())
            parts[open].back().file = file;
        open = FileID();
        if (!known_file(front, *entry))
            note(file, *entry);
        if (++entered == kMaxIncludes)
            refuse(front, R_INCLUDES, place(front, sm, pp.getLangOpts(), sm.getIncludeLoc(file)), "");
        if (entered >= kMaxIncludes) // so that it comes to an end
            pp.getHeaderSearchInfo().MarkFileIncludeOnce(*entry);
    }

    void FileSkipped(const FileEntryRef &, const Token &, SrcMgr::CharacteristicKind) override { open = FileID(); }

    void EndOfMainFile() override
    {
        std::string text;
        append(sm.getMainFileID(), &text);
        front->whole = arena_strndup(front->ir->arena, text.data(), text.size());
    }

  private:
    struct Part {
        unsigned from, to; // the directive
        FileID file;       // invalid: nothing came of it
    };
    Front *front;
    Preprocessor &pp;
    const SourceManager &sm;
    const std::shared_ptr<const Insertions> insertions;
    llvm::DenseMap<FileID, std::vector<Part>> parts;
    FileID open; // has a directive as its last part whose file is not entered yet
    int entered = 0;

    static const char *name_for_messages(const Front *front, StringRef path)
    {
        while (path.consume_front("./"))
            path = path.ltrim('/');
        return arena_strndup(front->ir->arena, path.data(), path.size());
    }

    void note(FileID id, FileEntryRef entry)
    {
        Arena *arena = front->ir->arena;
        const StringRef text = sm.getBufferData(id);
        Included *file = arena_new_array(arena, Included, 1);
        file->file = &entry.getFileEntry();
        file->text = arena_strndup(arena, text.data(), text.size());
        file->len = text.size();
        file->base = diag_add(arena, front->ir->diag, name_for_messages(front, entry.getName()), file->text, file->len);
        vec_push(arena, &front->files, file);
        const size_t zero = text.find('\0');
        if (zero != StringRef::npos)
            refuse(front, R_NUL, {file->base + (uint32_t)zero + 1, file->base + (uint32_t)zero + 2}, "");
    }

    // The file with all that it includes; the main file's own `#pragma once` would be warned about.
    void append(FileID id, std::string *out) const
    {
        const StringRef text = sm.getBufferData(id);
        unsigned done = 0;
        const auto found = parts.find(id);
        if (found != parts.end())
            for (const Part &part : found->second) {
                append_lines(insertions->text(id, text, done, part.from), out);
                if (part.file.isValid())
                    append(part.file, out);
                done = part.to;
            }
        append_lines(insertions->text(id, text, done, (unsigned)text.size()), out);
        if (id != sm.getMainFileID() && !out->empty() && out->back() != '\n')
            *out += '\n';
    }

    static void append_lines(StringRef text, std::string *out)
    {
        while (!text.empty()) {
            const size_t newline = text.find('\n');
            const StringRef line = text.slice(0, newline == StringRef::npos ? text.size() : newline + 1);
            StringRef rest = line.ltrim();
            text = text.substr(line.size());
            if (rest.consume_front("#") && (rest = rest.ltrim()).consume_front("pragma") && rest.trim() == "once")
                *out += line.ends_with("\n") ? "\n" : "";
            else
                *out += line;
        }
    }
};

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> plain_files(uint64_t limit, bool is_cuda)
{
    return llvm::makeIntrusiveRefCnt<PlainFiles>(limit, is_cuda);
}

std::unique_ptr<PPCallbacks> watch_includes(Front *front, Preprocessor &pp, std::shared_ptr<const Insertions> insertions)
{
    return std::make_unique<Includes>(front, pp, std::move(insertions));
}

} // namespace mikgen
