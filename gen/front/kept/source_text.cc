/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gen/front/kept/source_text.hh"

#include "clang/Basic/CharInfo.h"
#include "clang/Lex/Lexer.h"

namespace mikgen
{

// Of OpenMP, what shares the iterations of one loop: between several loops nothing may stand.
static bool is_openmp_loop(const Directive &d)
{
    static const std::set<std::string> known = {"parallel", "for", "simd"}, never = {"collapse", "ordered", "tile", "sections"};
    bool shares = false;
    for (size_t i = 2; i < d.words.size() && d.words[1] == "omp"; i++) {
        shares |= d.words[i] == "for" || d.words[i] == "simd";
        if (never.count(d.words[i]))
            return false;
    }
    return shares && known.count(d.words[2]);
}

bool is_loop_pragma(const Directive &d)
{
    auto word = [&](size_t i) { return i < d.words.size() ? d.words[i] : ""; };
    if (word(0) != "pragma")
        return false;
    return word(1) == "unroll" || word(1) == "nounroll" || (word(1) == "GCC" && (word(2) == "unroll" || word(2) == "ivdep")) ||
           (word(1) == "clang" && word(2) == "loop") || word(1) == "ivdep" || word(1) == "vector" || is_openmp_loop(d);
}

bool is_marker(const Directive &d)
{
    static const std::set<std::string> known = {"scop", "endscop", "message", "region", "endregion", "mark", "warning"};
    if (!d.words.empty() && (d.words[0] == "define" || d.words[0] == "undef"))
        return true;
    return d.words.size() > 1 && (known.count(d.words[1]) || (d.words.size() > 2 && d.words[2] == "diagnostic"));
}

// Whether one of them asks to unroll the loop. A count that is no number is taken for a large one.
bool asks_unrolling(const Directive &d)
{
    const std::vector<std::string> &w = d.words;
    auto counts = [&](size_t i) {
        while (i < w.size() && w[i] == "(")
            i++;
        return i >= w.size() || !isDigit(w[i][0]) || std::atoi(w[i].c_str()) > 1;
    };
    if (w[1] == "unroll")
        return counts(2);
    if (w[1] == "GCC")
        return w[2] == "unroll" && counts(3);
    for (size_t i = 3; i + 2 < w.size(); i++)
        if ((w[i] == "unroll" && (w[i + 2] == "enable" || w[i + 2] == "full")) || (w[i] == "unroll_count" && counts(i + 1)))
            return true;
    return false;
}

SourceText::SourceText(const Front *front, const ASTContext &context) : sm(context.getSourceManager()), lang(context.getLangOpts())
{
    scan(StringRef(front->text, front->len));
    for (const auto &entry : context.Idents)
        identifiers.insert(entry.getKey().str());
}

bool SourceText::spelled(SourceRange range, Loc *out) const
{
    SourceLocation beg = range.getBegin(), end = range.getEnd();
    if (beg.isInvalid() || (beg.isMacroID() && !Lexer::isAtStartOfMacroExpansion(beg, sm, lang, &beg)))
        return false;
    if (end.isMacroID()) {
        if (!Lexer::isAtEndOfMacroExpansion(end, sm, lang, &end))
            return false;
    }
    if (!sm.isWrittenInMainFile(beg) || !sm.isWrittenInMainFile(end))
        return false;
    uint32_t to = sm.getFileOffset(end) + Lexer::MeasureTokenLength(end, sm, lang);
    *out = {sm.getFileOffset(beg) + 1, to + 1};
    return out->beg < out->end;
}

bool SourceText::spelled_statement(SourceRange range, Loc *out) const
{
    if (!spelled(range, out))
        return false;
    StringRef text = sm.getBufferData(sm.getMainFileID());
    if (text[out->end - 2] == ';')
        return true;
    SourceLocation last = sm.getLocForStartOfFile(sm.getMainFileID()).getLocWithOffset(out->end - 2);
    std::optional<Token> next = Lexer::findNextToken(Lexer::GetBeginningOfToken(last, sm, lang), sm, lang);
    if (!next || next->isNot(tok::semi))
        return false;
    out->end = sm.getFileOffset(next->getLocation()) + 2;
    return true;
}

Loc SourceText::pragmas_before(uint32_t beg, bool *unrolled)
{
    StringRef text = sm.getBufferData(sm.getMainFileID());
    Loc all = {0, 0};
    for (size_t i = first_directive(beg); i-- > 0;) {
        Directive &d = directives[i];
        if (!is_loop_pragma(d) || !is_blank(text, d.loc.end - 1, (all.beg ? all.beg : beg) - 1))
            break;
        d.used = true;
        *unrolled |= asks_unrolling(d);
        all = {d.loc.beg, all.end ? all.end : d.loc.end};
    }
    return all;
}

bool SourceText::in_comment(uint32_t at) const
{
    const size_t behind = first_at(comments, at + 2, [](Loc c) { return c.beg; });
    return behind && at + 1 < comments[behind - 1].end;
}

llvm::MutableArrayRef<Directive> SourceText::directives_in(uint32_t beg, uint32_t end)
{
    auto place = [](const Directive &d) { return d.loc.beg; };
    const size_t first = first_at(directives, beg, place), behind = first_at(directives, end, place);
    return llvm::MutableArrayRef<Directive>(directives).slice(first, std::max(first, behind) - first);
}

std::vector<Loc> SourceText::comments_in(Loc loc) const
{
    auto place = [](Loc c) { return c.beg; };
    const size_t first = first_at(comments, loc.beg, place), behind = first_at(comments, loc.end, place);
    return {comments.begin() + (long)first, comments.begin() + (long)std::max(first, behind)};
}

size_t SourceText::first_directive(uint32_t beg) const
{
    return first_at(directives, beg, [](const Directive &d) { return d.loc.beg; });
}

bool SourceText::is_blank(StringRef text, uint32_t from, uint32_t to) const
{
    for (uint32_t at = from; at < to; at++)
        if (!isWhitespace(text[at]) && !in_comment(at))
            return false;
    return true;
}

// Every token of the text, whatever #if says.
void SourceText::scan(StringRef text)
{
    Lexer lexer(SourceLocation(), lang, text.begin(), text.begin(), text.end());
    lexer.SetCommentRetentionState(true);
    Token token;
    bool in_directive = false;
    for (lexer.LexFromRawLexer(token); token.isNot(tok::eof); lexer.LexFromRawLexer(token)) {
        uint32_t end = (uint32_t)(lexer.getBufferLocation() - text.begin());
        Loc loc = {end - token.getLength() + 1, end + 1};
        if (token.is(tok::comment)) {
            comments.push_back(loc);
            in_directive &= !token.isAtStartOfLine();
            continue;
        }
        std::string word = text.slice(loc.beg - 1, loc.end - 1).str();
        in_directive &= !token.isAtStartOfLine();
        if (token.is(tok::raw_identifier))
            identifiers.insert(word);
        says_bool |= word == "bool" || (in_directive && word == "stdbool");
        if (token.is(tok::hash) && token.isAtStartOfLine()) {
            directives.push_back({loc, {}, false});
            in_directive = true;
        } else if (in_directive) {
            directives.back().loc.end = loc.end;
            directives.back().words.push_back(word);
        }
    }
}

} // namespace mikgen
