/* SPDX-License-Identifier: GPL-3.0-or-later */
// The Clang front end: C source text in, the tree of ir/node.h out. The only C++ of the project.
//
// Clang parses and types the text; Builder (gen/front/tree/builder.hh) makes our tree of its. Checks that need no
// Clang are in gen/front/semantic.c.
#include "gen/front/clang/beside.hh"
#include "gen/front/clang/includes.hh"
#include "gen/front/clang/insertions.hh"
#include "gen/front/clang/rounding.hh"
#include "gen/front/clang/tokens.hh"
#include "gen/front/extract/extractor.hh"
#include "gen/front/kept/keep.hh"
#include "gen/front/tree/builder.hh"
#include "gen/front/tree/errors.hh"
#include "gen/front/text/source_prelude.h"
#include "gen/front/text/spec_prelude.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/Basic/AllDiagnostics.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Frontend/Utils.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/VirtualFileSystem.h"

#include <cstdio>
#include <cstdlib>
#include <new>

namespace mikgen
{
namespace
{

const char *const kFileName = "/mikgen/input.spec";
const char *const kPreludeName = "/mikgen/include/prelude.h";
const char *const kDefinitionsName = "/mikgen/include/definitions.h";

// ---------------------------------------------------------------- running Clang

class SpecAction : public ASTFrontendAction
{
  public:
    explicit SpecAction(Front *front) : front(front) {}

    bool BeginSourceFileAction(CompilerInstance &ci) override
    {
        Preprocessor &pp = ci.getPreprocessor();
        pp.AddPragmaHandler(mikgen_pragma(front));
        const auto guard = depth_guard(front, pp);
        if (front->kept) {
            pp.setTokenWatcher(guard);
            pp.addPPCallbacks(watch_hidden(front, pp));
            pp.addPPCallbacks(watch_neighbours(front, pp));
        } else {
            insertions = std::make_shared<Insertions>(pp);
            pp.addPPCallbacks(watch_includes(front, pp, insertions));
            pp.setTokenWatcher([guard, into = insertions](const Token &token) mutable {
                guard(token);
                into->watch(token);
            });
        }
        return true;
    }

    std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &ci, StringRef) override
    {
        return std::make_unique<Walk>(front, ci.getPreprocessor(), insertions.get());
    }

  private:
    struct Walk : ASTConsumer {
        Front *front;
        Preprocessor &pp;
        Insertions *insertions; // of a spec
        Walk(Front *front, Preprocessor &pp, Insertions *insertions) : front(front), pp(pp), insertions(insertions) {}
        void HandleTranslationUnit(ASTContext &context) override
        {
            if (context.getDiagnostics().hasErrorOccurred() || front->faults.count)
                return;
            if (front->extract)
                extract_specs(front, context, pp);
            else if (front->kept)
                Keeper(front, context).translation_unit();
            else
                spec(context);
        }

        void spec(ASTContext &context)
        {
            Builder(front, context).translation_unit();
            if (!front->faults.count)
                round_operations(front, context, insertions);
        }
    };
    Front *front;
    std::shared_ptr<Insertions> insertions; // into a spec
};

// With the toolkit's headers, CUDA is what it is: C++.
bool reads_cpp(const Front *front) { return front->kept && front->has_system && front->kept->options->cuda; }

// Standard headers are in memory, and most are empty: the prelude, always included, holds what they declare. Other files are real.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files_of(const Front *front)
{
    auto files = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
    auto add = [&](const std::string &name, StringRef text) { files->addFile(name, 0, llvm::MemoryBuffer::getMemBuffer(text, name)); };
    add(kFileName, StringRef(front->text, front->len));
    add(kPreludeName, front->prelude);
    if (!front->kept)
        add(kDefinitionsName, front->definitions);
    for (const SourceHeader *header = front->kept ? source_headers : spec_headers(front->ir->arena); header->name; header++)
        if (!front->has_system ||
            (StringRef(header->name) == "assert.h" && !reads_cpp(front))) // whose macro would be an expression that no pass understands
            add(std::string("/mikgen/include/") + header->name, header->text);
    auto all = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(
        plain_files(front->kept ? KEPT_LIMIT : SPEC_LIMIT, front->kept && front->kept->options->cuda));
    all->pushOverlay(files);
    return all;
}

// The command line of a compiler. One target for all hosts: the tree does not depend on where mikgen runs.
std::vector<const char *> arguments_of(const Front *front)
{
    const bool is_cpp = reads_cpp(front);
    std::vector<const char *> args = {"-triple",
                                      "x86_64-unknown-linux-gnu",
                                      "-x",
                                      is_cpp ? "c++" : "c",
                                      is_cpp        ? "-std=gnu++17"
                                      : front->kept ? "-std=gnu17"
                                                    : "-std=c11",
                                      "-fgnu-keywords",
                                      "-nostdsysteminc",
                                      "-nobuiltininc",
                                      "-internal-isystem",
                                      "/mikgen/include",
                                      "-include",
                                      kPreludeName,
                                      "-ferror-limit",
                                      "50"};
    args.push_back(front->kept ? "-w" : "-Wuninitialized"); // of a spec's warnings those count that refused_warning() has
    auto each = [&](const char *option, const Vec *values) {
        for (int i = 0; values && i < values->count; i++) {
            args.push_back(option);
            args.push_back(static_cast<const char *>(values->items[i]));
        }
    };
    args.push_back("-iquote");
    args.push_back(front->folder);
    if (front->kept)
        each("-iquote", front->kept->options->quoted);
    each("-I", front->folders);
    for (int i = 0; front->kept && i < front->kept->options->definitions->count; i++)
        args.push_back(static_cast<const char *>(front->kept->options->definitions->items[i]));
    if (front->kept) {
        if (is_cpp) {
            for (const char *option : {"-fgnuc-version=4.2.1", "-fcxx-exceptions", "-fexceptions", "-Wno-reserved-user-defined-literal"})
                args.push_back(option);
            for (int i = 0; i < front->kept->options->versions->count; i++)
                args.push_back(static_cast<const char *>(front->kept->options->versions->items[i]));
        } else if (front->has_system) {
            args.push_back("-Wno-error=implicit-function-declaration"); // as compilers do with C of that age
        }
        each("-internal-isystem", front->kept->options->system);
        for (int i = 0; front->kept->options->words && i < front->kept->options->words->count; i++)
            args.push_back(static_cast<const char *>(front->kept->options->words->items[i]));
    } else {
        args.push_back("-include");
        args.push_back(kDefinitionsName);
    }
    args.push_back(kFileName);
    return args;
}

// The files that the text includes, without those that are only in memory.
void note_included(Front *front, ArrayRef<std::string> names)
{
    for (StringRef name : names)
        if (!name.starts_with("/mikgen/"))
            vec_push(front->ir->arena, front->included, arena_strndup(front->ir->arena, name.data(), name.size()));
}

// What would end LLVM by an exception or a signal is our own fault like any other.
void end_by_fault(void *, const char *reason, bool)
{
    std::fprintf(stderr, "mikgen: internal error: %s\n", reason);
    std::exit(2);
}

void install_handlers()
{
    static bool is_done = false;
    if (is_done)
        return;
    is_done = true;
    std::set_new_handler(arena_out_of_memory);
    llvm::install_bad_alloc_error_handler([](void *, const char *, bool) { arena_out_of_memory(); });
    llvm::install_fatal_error_handler(end_by_fault);
}

} // namespace

extern "C" void front_parse(Front *front)
{
    install_handlers();
    CompilerInstance ci;
    DiagnosticsEngine early(new DiagnosticIDs, new DiagnosticOptions, new IgnoringDiagConsumer);
    CompilerInvocation::CreateFromArgs(ci.getInvocation(), arguments_of(front), early);
    ci.setVerboseOutputStream(llvm::nulls());
    const auto errors = error_collector(front);
    ci.createDiagnostics(errors.get(), false);
    if (reads_cpp(front)) // of device code, in the toolkit's headers too, whose machine is not the one that Clang believes in
        for (const unsigned constraint : {diag::err_asm_invalid_input_constraint, diag::err_asm_invalid_output_constraint})
            ci.getDiagnostics().setSeverity(constraint, diag::Severity::Ignored, SourceLocation());
    ci.createFileManager(files_of(front));
    const auto files = std::make_shared<DependencyCollector>();
    if (front->included)
        ci.addDependencyCollector(files);
    SpecAction action(front);
    ci.ExecuteAction(action);
    if (front->included)
        note_included(front, files->getDependencies());
}

extern "C" const char *spec_front_version(void) { return "LLVM " LLVM_VERSION_STRING; }

} // namespace mikgen
