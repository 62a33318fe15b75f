/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gen/front/clang/tokens.hh"

#include <set>

#include "clang/Lex/Preprocessor.h"

namespace mikgen
{

// One statement of more tokens than this need not be shallow enough; Clang's parser recurses per token.
const int kMaxStatementTokens = 30000; // R_LONG names it
const int kMaxElseChain = 500;
// Clang's conversion of longer numbers can fail.
const unsigned kMaxNumber = 1000; // R_NUMBER names it
// A list of parameters is as long as it likes to be up to here. Clang counts no more than 65535 of them.
const int kMaxParameters = 4096; // R_PARAMETERS names it

// The words of every #pragma mikgen.
class MikgenPragma : public PragmaHandler
{
  public:
    explicit MikgenPragma(Front *front) : PragmaHandler("mikgen"), front(front) {}

    void HandlePragma(Preprocessor &pp, PragmaIntroducer, Token &first) override
    {
        Arena *arena = front->ir->arena;
        Pragma *pragma = arena_new_array(arena, Pragma, 1);
        pragma->loc = place(front, pp.getSourceManager(), pp.getLangOpts(), first.getLocation());
        SmallVector<Word, 16> words;
        Token token;
        for (pp.Lex(token); token.isNot(tok::eod) && token.isNot(tok::eof); pp.Lex(token)) {
            std::string text = pp.getSpelling(token);
            words.push_back({arena_strndup(arena, text.data(), text.size()),
                             place(front, pp.getSourceManager(), pp.getLangOpts(), token.getLocation())});
        }
        pragma->nwords = (int)words.size();
        pragma->words = arena_new_array(arena, Word, words.size() + 1);
        std::copy(words.begin(), words.end(), pragma->words);
        vec_push(arena, &front->pragmas, pragma);
    }

  private:
    Front *front;
};

// What a word becomes depends on its place: it is noted where the text has it, or the macro that it is in.
static void note_placed(Front *front, const SourceManager &sm, SourceLocation at, bool counts)
{
    at = sm.getExpansionLoc(at);
    if (!sm.isWrittenInMainFile(at))
        return;
    Loc *copy = arena_new_array(front->ir->arena, Loc, 1);
    copy->beg = sm.getFileOffset(at) + 1;
    copy->end = copy->beg + 1;
    vec_push(front->ir->arena, &front->kept->placed, copy);
    if (counts)
        vec_push(front->ir->arena, &front->kept->counters, copy);
}

// Every _Pragma("..."), which a body that is printed afresh would lose, and whether `bool` is what it should be.
class HiddenPragmas : public PPCallbacks
{
  public:
    HiddenPragmas(Front *front, const Preprocessor &pp) : front(front), pp(pp) {}

    void PragmaDirective(SourceLocation loc, PragmaIntroducerKind kind) override
    {
        if (kind == PIK_HashPragma)
            return;
        Loc *copy = arena_new_array(front->ir->arena, Loc, 1);
        *copy = place(front, pp.getSourceManager(), pp.getLangOpts(), loc);
        vec_push(front->ir->arena, &front->kept->hidden, copy);
    }

    void MacroExpands(const Token &name, const MacroDefinition &macro, SourceRange, const MacroArgs *) override
    {
        static const std::set<StringRef> words = {"__LINE__", "__FILE__",      "__FILE_NAME__",     "__BASE_FILE__", "__DATE__",
                                                  "__TIME__", "__TIMESTAMP__", "__INCLUDE_LEVEL__", "__COUNTER__"};
        const StringRef word = name.getIdentifierInfo()->getName();
        if (macro.getMacroInfo()->isBuiltinMacro() && words.count(word))
            note_placed(front, pp.getSourceManager(), name.getLocation(), word == "__COUNTER__");
    }

    void MacroDefined(const Token &name, const MacroDirective *macro) override
    {
        const MacroInfo *info = macro->getMacroInfo();
        bool usual = info->getNumTokens() == 1 && info->getReplacementToken(0).is(tok::kw__Bool);
        front->kept->other_bool |= names_bool(name) && !usual;
    }

    void MacroUndefined(const Token &name, const MacroDefinition &, const MacroDirective *) override
    {
        front->kept->other_bool |= names_bool(name);
    }

  private:
    Front *front;
    const Preprocessor &pp;

    static bool names_bool(const Token &name) { return name.getIdentifierInfo() && name.getIdentifierInfo()->isStr("bool"); }
};

// Ends the file early when a statement is so long or an else-chain so deep that the parser's own recursion
// could overflow the stack. Sees every token after macro expansion.
class DepthGuard
{
  public:
    DepthGuard(Front *front, Preprocessor &pp) : front(front), pp(pp) {}

    void operator()(const Token &token)
    {
        Refusal why = excess(token);
        if (reported || why != R_C) {
            if (!reported)
                refuse(front, why, place(front, pp.getSourceManager(), pp.getLangOpts(), token.getLocation()), "");
            reported = true;
            const_cast<Token &>(token).setKind(tok::eof);
            return;
        }
        if (front->kept &&
            token.isOneOf(tok::kw___builtin_LINE, tok::kw___builtin_COLUMN, tok::kw___builtin_FILE, tok::kw___builtin_FILE_NAME))
            note_placed(front, pp.getSourceManager(), token.getLocation(), false);
        bool ended = statement_ended;
        statement_ended = false;
        if (ended && token.isNot(tok::kw_else))
            else_chain[depth] = 0;
        if (token.is(tok::kw_else))
            else_chain[depth]++;
        tokens++;
        if (depth == 0)
            outside(token);
        const bool opens_list = before == tok::equal || (is_list[depth] && before != tok::l_paren);
        before = token.getKind();
        if (token.is(tok::l_paren))
            parens++;
        else if (token.is(tok::r_paren))
            parens--;
        else if (token.is(tok::comma) && parens <= 0 && is_list[depth])
            tokens = 0; // values stand beside each other, not in each other
        else if (token.is(tok::l_brace)) {
            tokens = parens = 0;
            if (depth + 1 < kMaxBraces) {
                is_list[++depth] = opens_list;
                else_chain[depth] = 0;
            }
        } else if (token.is(tok::r_brace)) {
            tokens = 0;
            depth -= depth > 0;
            statement_ended = true;
        } else if (token.is(tok::semi) && parens <= 0) {
            tokens = 0;
            statement_ended = true;
        }
    }

  private:
    // What there is too much of; R_C: nothing.
    Refusal excess(const Token &token) const
    {
        if (token.is(tok::numeric_constant) && token.getLength() > kMaxNumber)
            return R_NUMBER;
        if (parameters >= kMaxParameters)
            return R_PARAMETERS;
        if (token.is(tok::coloncolon) && !pp.getLangOpts().CPlusPlus && may_begin_type())
            return R_COLONS;
        return tokens > kMaxStatementTokens ? R_LONG : else_chain[depth] > kMaxElseChain ? R_DEEP : R_C;
    }

    // Where '::' might be the begin of a type Clang's parser of C does not get on. Behind these it is no begin: names of attributes, asm.
    bool may_begin_type() const { return !llvm::is_contained({tok::identifier, tok::string_literal, tok::r_paren, tok::colon}, before); }

    // Outside of functions: parameters stand beside each other, not in each other; their commas are counted.
    void outside(const Token &token)
    {
        assigned = token.is(tok::equal) || (assigned && token.isNot(tok::semi));
        if (token.is(tok::comma) && parens <= 1 && !assigned) {
            tokens = 0;
            parameters += parens;
        } else if (token.is(tok::r_paren) || token.is(tok::semi)) {
            parameters = parens > 1 ? parameters : 0;
        }
    }

    static const int kMaxBraces = 300; // Clang itself stops at 256
    Front *front;
    Preprocessor &pp;
    int tokens = 0, parens = 0, depth = 0, parameters = 0;
    int else_chain[kMaxBraces] = {0};
    bool is_list[kMaxBraces] = {false}; // of values
    tok::TokenKind before = tok::unknown;
    bool statement_ended = false, assigned = false, reported = false;
};

PragmaHandler *mikgen_pragma(Front *front) { return new MikgenPragma(front); }

std::unique_ptr<PPCallbacks> watch_hidden(Front *front, const Preprocessor &pp) { return std::make_unique<HiddenPragmas>(front, pp); }

std::function<void(const Token &)> depth_guard(Front *front, Preprocessor &pp) { return DepthGuard(front, pp); }

} // namespace mikgen
