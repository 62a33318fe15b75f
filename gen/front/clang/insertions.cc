/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gen/front/clang/insertions.hh"

#include <algorithm>

#include "clang/Lex/Lexer.h"

namespace mikgen
{

void Insertions::watch(const Token &token)
{
    if (!token.isAnnotation() && token.getLocation().isMacroID())
        expanded_tokens.push_back(token);
}

void Insertions::before(SourceLocation at, const std::string &text)
{
    SourceLocation in_file = at;
    if (at.isFileID() || Lexer::isAtStartOfMacroExpansion(at, sm, pp.getLangOpts(), &in_file))
        note(in_file, 0, {BEFORE, 0, text});
    else
        within(at).before += text;
}

void Insertions::after(SourceLocation at, const std::string &text)
{
    SourceLocation in_file = at;
    if (at.isFileID() || Lexer::isAtEndOfMacroExpansion(at, sm, pp.getLangOpts(), &in_file)) {
        note(in_file, length(in_file), {AFTER, 0, text});
    } else {
        Around &around = within(at);
        around.after = text + around.after;
    }
}

void Insertions::instead(SourceLocation at, const std::string &text)
{
    if (at.isFileID())
        note(at, 0, {INSTEAD, length(at), text});
    else
        within(at).instead = text;
}

void Insertions::spell_macros()
{
    llvm::DenseMap<SourceLocation, std::string> texts;
    for (const Token &token : expanded_tokens) {
        const SourceLocation begin = sm.getExpansionLoc(token.getLocation());
        if (!expansions.count(begin))
            continue;
        const auto around = arounds.find(token.getLocation());
        const std::string spelled = pp.getSpelling(token);
        std::string &text = texts[begin];
        text += text.empty() ? "" : " ";
        text += around == arounds.end() ? spelled : around->second.of(spelled);
    }
    for (const auto &[begin, end] : expansions)
        note(begin, 0, {INSTEAD, sm.getFileOffset(end) + length(end) - sm.getFileOffset(begin), texts[begin]});
    for (auto &[file, changes] : files)
        std::sort(changes.begin(), changes.end(), precedes);
}

std::string Insertions::text(FileID file, StringRef all, unsigned from, unsigned to) const
{
    std::string out;
    const auto found = files.find(file);
    if (found != files.end())
        for (const Change &change : found->second) {
            if (change.at < from || change.at + change.removed > to)
                continue;
            out += all.slice(from, change.at).str() + change.text;
            from = change.at + change.removed;
        }
    return out + all.slice(from, to).str();
}

void Insertions::note(SourceLocation at, unsigned behind, Change change)
{
    change.at = sm.getFileOffset(at) + behind;
    change.turn = turns++;
    files[sm.getFileID(at)].push_back(change);
}

Insertions::Around &Insertions::within(SourceLocation at)
{
    const CharSourceRange use = sm.getExpansionRange(at);
    expansions[use.getBegin()] = use.getEnd();
    return arounds[at];
}

// At one place ends come first, inner ones before outer ones.
bool Insertions::precedes(const Change &a, const Change &b)
{
    if (a.at != b.at || a.order != b.order)
        return a.at != b.at ? a.at < b.at : a.order < b.order;
    return a.order == AFTER ? a.turn > b.turn : a.turn < b.turn;
}

} // namespace mikgen
