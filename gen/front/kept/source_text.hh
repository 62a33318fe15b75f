/* SPDX-License-Identifier: GPL-3.0-or-later */
// What source-to-source mode must know of the text itself, which no syntax tree
// holds: comments, directives, and which places a construct fills exactly.
#ifndef MIKGEN_GEN_FRONT_KEPT_SOURCE_TEXT_HH
#define MIKGEN_GEN_FRONT_KEPT_SOURCE_TEXT_HH

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "gen/front/tree/errors.hh"
#include "clang/AST/ASTContext.h"

namespace mikgen
{

struct Directive {
    Loc loc; // from '#' to the last character that is no comment
    std::vector<std::string> words;
    bool used; // its place in the output is known
    std::string name() const
    {
        return words.size() > 1 && words[0] == "pragma" ? "#pragma " + words[1] : words.empty() ? "#" : "#" + words[0];
    }
};

// Pragmas that speak about the loop behind them.
bool is_loop_pragma(const Directive &d);

// Pragmas that mark a place, and say nothing of a statement.
bool is_marker(const Directive &d);

class SourceText
{
  public:
    std::vector<Directive> directives;
    std::vector<Loc> comments;
    std::set<std::string> identifiers; // of the text, and of all that it includes
    bool says_bool = false;
    SourceText(const Front *front, const ASTContext &context);

    // The file's text that spells `range` and nothing else, whole macros included.
    bool spelled(SourceRange range, Loc *out) const;

    // The same with the ';' behind it.
    bool spelled_statement(SourceRange range, Loc *out) const;

    // The loop pragmas directly in front of what stands at `beg`; nothing if there are none.
    Loc pragmas_before(uint32_t beg, bool *unrolled);

    bool in_comment(uint32_t at) const;

    // Those that begin in [beg, end). A file may have very many.
    ArrayRef<Directive> directives_in(uint32_t beg, uint32_t end) const { return const_cast<SourceText *>(this)->directives_in(beg, end); }
    llvm::MutableArrayRef<Directive> directives_in(uint32_t beg, uint32_t end);
    std::vector<Loc> comments_in(Loc loc) const;
    // Of the directives, the first that begins at `beg` or behind it.
    size_t first_directive(uint32_t beg) const;

  private:
    // Of a list by place, the first that begins at `beg` or behind it.
    template <class T, class Place> static size_t first_at(const std::vector<T> &list, uint32_t beg, Place place)
    {
        auto before = [&](const T &item, uint32_t at) { return place(item) < at; };
        return (size_t)(std::lower_bound(list.begin(), list.end(), beg, before) - list.begin());
    }

    const SourceManager &sm;
    const LangOptions &lang;

    bool is_blank(StringRef text, uint32_t from, uint32_t to) const;
    void scan(StringRef text);
};

} // namespace mikgen

#endif
