// The Clang front end: C source text in, the tree of ir/node.h out. The only C++ of the project.
//
// Clang parses and types the text; Builder (gen/clang_builder.hh) makes our tree of its. Checks that need no
// Clang are in gen/semantic.c.
#include "gen/clang_builder.hh"
#include "gen/clang_declarations.hh"
#include "gen/clang_expressions.hh"
#include "gen/clang_statements.hh"
#include "gen/clang_tokens.hh"
#include "clang/AST/ASTConsumer.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "llvm/Support/VirtualFileSystem.h"

namespace
{

const char *const kFileName = "/mikgen/input.spec";
const char *const kPreludeName = "/mikgen/include/prelude.h";
const char *const kHeaders[] = {"math.h",  "stdint.h", "stddef.h", "stdbool.h",
                                "float.h", "limits.h", "stdlib.h"};

// ---------------------------------------------------------------- running Clang

class SpecAction : public ASTFrontendAction
{
  public:
    explicit SpecAction(Front *front) : front(front) {}

    bool BeginSourceFileAction(CompilerInstance &ci) override
    {
        Preprocessor &pp = ci.getPreprocessor();
        pp.AddPragmaHandler(new MikgenPragma(front)); // owned by the preprocessor
        pp.setTokenWatcher(DepthGuard(front, pp));
        return true;
    }

    std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &, StringRef) override
    {
        return std::make_unique<Walk>(front);
    }

  private:
    struct Walk : ASTConsumer {
        Front *front;
        explicit Walk(Front *front) : front(front) {}
        void HandleTranslationUnit(ASTContext &context) override
        {
            if (!context.getDiagnostics().hasErrorOccurred() && !front->faults.count)
                Builder(front, context).translation_unit();
        }
    };
    Front *front;
};

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> virtual_files(const Front *front)
{
    auto files = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
    files->addFile(kFileName, 0,
                   llvm::MemoryBuffer::getMemBuffer(StringRef(front->text, front->len), kFileName));
    files->addFile(kPreludeName, 0, llvm::MemoryBuffer::getMemBuffer(front->prelude, kPreludeName));
    for (const char *header : kHeaders) // the prelude, always included, holds what they declare
        files->addFile(std::string("/mikgen/include/") + header, 0,
                       llvm::MemoryBuffer::getMemBuffer("", header));
    return files;
}

} // namespace

extern "C" void front_parse(Front *front)
{
    // One target for all hosts: the tree does not depend on where mikgen runs.
    const char *const args[] = {"-triple",
                                "x86_64-unknown-linux-gnu",
                                "-x",
                                "c",
                                "-std=c11",
                                "-fgnu-keywords",
                                "-w",
                                "-nostdsysteminc",
                                "-nobuiltininc",
                                "-internal-isystem",
                                "/mikgen/include",
                                "-include",
                                kPreludeName,
                                "-ferror-limit",
                                "50",
                                kFileName};
    CompilerInstance ci;
    DiagnosticsEngine early(new DiagnosticIDs, new DiagnosticOptions, new IgnoringDiagConsumer);
    CompilerInvocation::CreateFromArgs(ci.getInvocation(), args, early);
    ci.setVerboseOutputStream(llvm::nulls());
    ErrorCollector errors(front);
    ci.createDiagnostics(&errors, false);
    ci.createFileManager(virtual_files(front));
    SpecAction action(front);
    ci.ExecuteAction(action);
}

extern "C" const char *spec_front_version(void)
{
    return "LLVM " LLVM_VERSION_STRING;
}
