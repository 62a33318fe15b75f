/* SPDX-License-Identifier: GPL-3.0-or-later */
// What goes into the text of --emit=reference between its tokens.
#ifndef MIKGEN_GEN_FRONT_CLANG_INSERTIONS_HH
#define MIKGEN_GEN_FRONT_CLANG_INSERTIONS_HH

#include <string>
#include <vector>

#include "gen/front/tree/errors.hh"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/DenseMap.h"

namespace mikgen
{

// What goes into a text between the tokens of expressions. Where these come out of a macro's definition, the macro's name gives way to what
// it stands for.
class Insertions
{
  public:
    explicit Insertions(const Preprocessor &pp) : pp(pp), sm(pp.getSourceManager()) {}

    // Every token that the parser gets.
    void watch(const Token &token);

    // In front of the token at a place; what is there already is farther outside.
    void before(SourceLocation at, const std::string &text);

    // Behind it, likewise.
    void after(SourceLocation at, const std::string &text);

    // In its place.
    void instead(SourceLocation at, const std::string &text);

    // After the last of these calls: macros become what they stand for.
    void spell_macros();

    // The part of a file from one offset to another, with all that goes into it.
    std::string text(FileID file, StringRef all, unsigned from, unsigned to) const;

  private:
    enum Order { AFTER, BEFORE, INSTEAD };
    struct Change {
        Order order;
        unsigned removed;
        std::string text;
        unsigned at = 0;
        int turn = 0;
    };
    struct Around {
        std::string before, instead, after;
        std::string of(const std::string &token) const { return before + (instead.empty() ? token : instead) + after; }
    };
    const Preprocessor &pp;
    const SourceManager &sm;
    llvm::DenseMap<FileID, std::vector<Change>> files;
    llvm::DenseMap<SourceLocation, SourceLocation> expansions; // those that are spelled out: the first and the last token of the use
    llvm::DenseMap<SourceLocation, Around> arounds; // by tokens of these
    std::vector<Token> expanded_tokens;
    int turns = 0;
    unsigned length(SourceLocation at) const { return Lexer::MeasureTokenLength(at, sm, pp.getLangOpts()); }

    void note(SourceLocation at, unsigned behind, Change change);
    Around &within(SourceLocation at);
    static bool precedes(const Change &a, const Change &b);
};

} // namespace mikgen

#endif
