/* SPDX-License-Identifier: GPL-3.0-or-later */
// Texts of source-to-source mode, pieces of C that are not understood and stay as they are: an
// expression (a call of a function whose name is the text) or statements (N_OPAQUE), each with the variables that it names.
#include "gen/front/kept/keep.hh"

#include "gen/front/kept/keep_changes.hh"
#include "gen/front/kept/visitor.hh"
#include "ir/effect.h"
#include "clang/Lex/Lexer.h"

namespace mikgen
{

// ---------------------------------------------------------------- the variables of a text

// Every variable that the text names, in types and assertions too. Arrays are named whole.
void Keeper::name_all(const Stmt *s, llvm::SetVector<Node *> &named)
{
    struct Variables : Visitor {
        Keeper *keeper;
        llvm::SetVector<Node *> *named;
        llvm::DenseSet<const VarDecl *> own; // which end with the text; trees that were given up may have symbols for them
        bool visit(const Decl *d) override
        {
            if (const auto *var = dyn_cast<VarDecl>(d); var && !var->isLocalExternDecl())
                own.insert(var);
            return true;
        }
        bool visit(const Stmt *inner) override
        {
            const auto *e = dyn_cast<DeclRefExpr>(inner);
            const auto *var = e ? dyn_cast<VarDecl>(e->getDecl()) : nullptr;
            Ir *ir = keeper->ir;
            if (Sym *sym = var && !own.count(var) ? keeper->symbol_of(var) : nullptr)
                named->insert(sym->rank ? mk_expr(ir, N_REF, sym->type, sym, 0, nullptr, Loc{0, 0}) : mk_var(ir, sym));
            return true;
        }
    } variables;
    variables.keeper = this;
    variables.named = &named;
    variables.walk(s);
}

// The variables of that name that may be meant: of text that the compiler does not see today.
void Keeper::name_words(Loc loc, llvm::SetVector<Node *> &named)
{
    StringRef all = StringRef(front->text, front->len).slice(loc.beg - 1, loc.end - 1);
    std::set<StringRef> words;
    for (size_t i = 0; i < all.size();) {
        size_t n = 0;
        while (i + n < all.size() && isAsciiIdentifierContinue(all[i + n]))
            n++;
        if (n)
            words.insert(all.substr(i, n));
        i += n + 1;
    }
    for (const VarDecl *var : scope)
        if (Sym *sym = symbols.lookup(var); sym && words.count(var->getName()))
            named.insert(sym->rank ? mk_expr(ir, N_REF, sym->type, sym, 0, nullptr, Loc{0, 0}) : mk_var(ir, sym));
}

// All that may have another value than in front of it. What is const has one wherever it is in scope.
void Keeper::name_scope(llvm::SetVector<Node *> &named)
{
    for (const VarDecl *var : scope)
        if (Sym *known = symbols.lookup(var); known && !known->rank && !var->getType().isConstQualified())
            named.insert(mk_var(ir, known));
}

// ---------------------------------------------------------------- expressions

// What a text changes, given these. If nobody knows, that may be any of them.
void Keeper::note_changes(const Stmt *s, ArrayRef<Node *> named, KeptSym *of)
{
    const Changes changes(s);
    llvm::SetVector<const Sym *> list;
    of->only_reads = changes.is_known && !changes.calls;
    for (const VarDecl *var : changes.assigned) {
        const bool is_pointer = var->getType()->isPointerType();
        const Sym *sym = symbol_of(var);
        if (sym)
            list.insert(sym);
        if (is_pointer) // members of what it leads to have symbols of their own
            list.insert(&effect_pointer_store);
        of->only_reads &= sym || is_pointer;
    }
    for (const VarDecl *var : changes.stored) {
        const Sym *sym = symbol_of(var);
        if (sym)
            list.insert(sym);
        of->only_reads &= sym != nullptr;
    }
    for (const Node *n : changes.is_known ? ArrayRef<Node *>() : named)
        list.insert(n->sym);
    Vec all = {};
    for (const Sym *sym : list) {
        vec_push(ir->arena, &all, const_cast<Sym *>(sym));
        if (!sym->rank && sym != &effect_pointer_store)
            kept_part(const_cast<Sym *>(sym))->is_assigned = true;
    }
    vec_push(ir->arena, &all, nullptr);
    of->changed = (const Sym *const *)all.items;
}

// An expression that is not understood, as a call that is given the variables in it.
Node *Keeper::as_text(SourceRange range, const Stmt *s, Type type)
{
    Loc loc;
    if (!text.spelled(range, &loc))
        return no(R_KEEP_MACRO, range);
    if (front->text[loc.end - 2] == ';') // of a declaration
        loc.end--;
    llvm::SetVector<Node *> named;
    name_all(s, named);
    for (Node *n : named)
        n->sym->is_spelled = true;
    std::string words = StringRef(front->text, front->len).slice(loc.beg - 1, loc.end - 1).str();
    Sym *sym = sym_new(ir, S_FUNC, type, words.c_str(), loc);
    kept_part(sym)->is_text = true;
    note_changes(s, named.getArrayRef(), kept_part(sym));
    because(loc, R_KEEP_PART, "({ })");
    return mk_call(ir, sym, (int)named.size(), named.getArrayRef().data());
}

// The printer puts parentheses around it where they are needed.
Node *Keeper::as_text(const Expr *e, Type type)
{
    const Expr *inner = e->IgnoreParenImpCasts(); // a conversion may stand around the parentheses
    const auto *b = dyn_cast<BinaryOperator>(inner);
    Loc loc;
    const bool keeps_own = (b && (b->getOpcode() == BO_Comma || b->isAssignmentOp())) || !text.spelled(inner->getSourceRange(), &loc);
    Node *n = as_text((keeps_own ? e : inner)->getSourceRange(), e, type);
    if (n && keeps_own && inner->getSourceRange() != e->getSourceRange())
        kept_part(n->sym)->is_closed = true;
    return n;
}

// ---------------------------------------------------------------- statements

static bool has_label(const Stmt *s)
{
    return isa<LabelStmt>(s) || std::any_of(s->child_begin(), s->child_end(), [](const Stmt *kid) { return kid && has_label(kid); });
}

// The first whose place nobody keeps yet; nullptr: there is none.
const Directive *Keeper::directive_in(Loc loc) const
{
    const ArrayRef<Directive> inside = text.directives_in(loc.beg, loc.end);
    const auto *found = llvm::find_if(inside, [&](const Directive &d) {
        return loc.beg <= d.loc.beg && d.loc.end <= loc.end && !d.used && !(d.words.size() > 1 && d.words[1] == "mikgen");
    });
    return found == inside.end() ? nullptr : found;
}

// The file's text for statements, the last one's ';' included.
bool Keeper::statement_text(SourceRange range, Loc *loc)
{
    if (text.spelled_statement(range, loc))
        return true;
    return text.spelled(range, loc) && front->text[loc->end - 2] == '}';
}

void Keeper::opaque(const Stmt *s, Vec *out)
{
    Loc loc;
    if (!statement_text(s->getSourceRange(), &loc))
        return (void)no(R_KEEP_MACRO, s->getSourceRange());
    because(loc, R_KEEP_PART, isa<SwitchStmt>(s) ? "switch" : isa<GotoStmt>(s) ? "goto" : isa<GCCAsmStmt>(s) ? "asm" : "({ })");
    opaque_text(loc, s, out);
}

// No tree may name what a text declares: it would not know where.
void Keeper::forget_variables(const Stmt *s)
{
    if (const auto *d = dyn_cast<DeclStmt>(s))
        for (const Decl *decl : d->decls())
            if (const auto *var = dyn_cast<VarDecl>(decl); var && !var->isLocalExternDecl())
                symbols[var] = nullptr;
}

// Text that stays as it is, with what of it the compiler sees.
void Keeper::opaque_text(Loc loc, ArrayRef<const Stmt *> inside, Vec *out)
{
    llvm::SetVector<Node *> named;
    if (!claim_text(loc).beg)
        return (void)refuse(front, R_KEEP_MACRO, loc, "");
    for (const Stmt *s : inside)
        name_all(s, named);
    const bool is_entry = scan->has_label && std::any_of(inside.begin(), inside.end(), has_label);
    if (is_entry)
        name_scope(named);
    if (directive_in(loc))
        name_words(loc, named);
    for (Directive &d : text.directives_in(loc.beg, loc.end))
        d.used |= loc.beg <= d.loc.beg && d.loc.end <= loc.end;
    Node *n = mk_opaque(ir, (int)named.size(), named.getArrayRef().data(), loc);
    const bool declares = llvm::all_of(inside, [](const Stmt *s) { return isa<DeclStmt>(s); });
    for (const Stmt *s : inside)
        forget_variables(s);
    n->aux = is_entry ? OPAQUE_LABEL : declares ? OPAQUE_DECLARES : 0;
    vec_push(ir->arena, out, n);
}

// Whoever comes here by a goto has computed nothing that stands in front of it.
void Keeper::label(const LabelStmt *s, Vec *out)
{
    Loc loc;
    if (!text.spelled(s->getBeginLoc(), &loc))
        return (void)no(R_KEEP_MACRO, s->getBeginLoc());
    StringRef all = StringRef(front->text, front->len);
    loc.end = (uint32_t)all.find(':', loc.end - 1) + 2;
    if (!(loc = claim_text(loc)).beg)
        return (void)no(R_KEEP_MACRO, s->getBeginLoc());
    llvm::SetVector<Node *> named;
    name_scope(named);
    Node *n = mk_opaque(ir, (int)named.size(), named.getArrayRef().data(), loc);
    n->aux = OPAQUE_LABEL;
    vec_push(ir->arena, out, n);
    with_pragmas(loc.end, s->getSubStmt(), out);
}

// ---------------------------------------------------------------- directives and macros

// Pragmas between two statements: what marks a place stays there as text. The last one, if nobody knows what it does to the statement
// behind it; nullptr: there is none such.
const Directive *Keeper::markers(uint32_t from, uint32_t to, Vec *out)
{
    const Directive *last = nullptr;
    for (Directive &d : text.directives_in(from, to)) {
        bool is_known = !d.words.empty() && (d.words[0] == "pragma" || is_marker(d));
        if (d.loc.beg < from || d.loc.beg >= to || d.used || !is_known || is_loop_pragma(d))
            continue;
        if (d.words.size() > 1 && d.words[1] == "mikgen")
            continue;
        d.used = true;
        if (last)
            continue; // inside the text that begins there
        if (is_marker(d))
            vec_push(ir->arena, out, mk_opaque(ir, 0, nullptr, claim_text(d.loc)));
        else
            last = &d;
    }
    return last;
}

// A statement and the pragmas between it and `from`: it stays with those that nobody knows.
void Keeper::with_pragmas(uint32_t from, const Stmt *s, Vec *out)
{
    const Directive *pins = markers(from, at(s->getSourceRange()).beg, out);
    Loc loc;
    if (!pins)
        return stmt(s, out);
    if (!statement_text(s->getSourceRange(), &loc))
        return (void)no(R_KEEP_MACRO, s->getSourceRange());
    loc.beg = pins->loc.beg;
    because(loc, R_KEEP_PART, pins->name());
    opaque_text(loc, s, out);
}

// Whether directive number i is an #if, #else, #endif or the like.
bool Keeper::is_conditional(size_t i, StringRef word) const
{
    return StringRef(text.directives[i].words.empty() ? "" : text.directives[i].words[0]).starts_with(word);
}

// Makes the text longer until no #if in it lacks its #endif, and no other way round.
bool Keeper::close_conditionals(Loc *loc) const
{
    int depth = 0;
    for (size_t last = text.first_directive(loc->beg); last < text.directives.size() && (depth || text.directives[last].loc.beg < loc->end);
         last++) {
        depth += is_conditional(last, "if") ? 1 : is_conditional(last, "endif") ? -1 : 0;
        if (depth < 0 || (!depth && is_conditional(last, "el")))
            return false;
        if (is_conditional(last, "endif"))
            loc->end = std::max(loc->end, text.directives[last].loc.end);
    }
    return !depth;
}

// What lies between #if and #endif, whichever part of it holds, with the statements that only begin or end there: those from `*behind` on
// stand behind it. True if it begins in front of the end of statement `first` and ends behind it, `to` being the end of the block.
bool Keeper::conditional_region(ArrayRef<const Stmt *> stmts, size_t first, uint32_t from, uint32_t to, Loc *region, size_t *behind)
{
    Loc next = {to, to}, loc;
    const Stmt *s = first < stmts.size() ? stmts[first] : nullptr;
    const bool has_next = s && statement_text(s->getSourceRange(), &next);
    if (s && !has_next)
        next.end = at(s->getSourceRange()).beg;
    auto d = text.directives.begin() + (ptrdiff_t)text.first_directive(from);
    while (d != text.directives.end() && d->used)
        ++d;
    if (d == text.directives.end() || d->loc.beg >= next.end || !is_conditional(d - text.directives.begin(), "if"))
        return false;
    *region = has_next && next.beg < d->loc.beg ? next : Loc{d->loc.beg, d->loc.end};
    bool good = close_conditionals(region) && region->end <= to;
    if (!good || (has_next && region->end == next.end))
        return false; // all of it is inside the statement, perhaps of another one
    for (*behind = first; good && *behind < stmts.size() && at(stmts[*behind]->getSourceRange()).beg < region->end; ++*behind) {
        good = statement_text(stmts[*behind]->getSourceRange(), &loc);
        region->end = good ? std::max(region->end, loc.end) : region->end;
        good = good && close_conditionals(region) && region->end <= to;
    }
    return good;
}

// Such a region stays as it is.
bool Keeper::conditional_text(ArrayRef<const Stmt *> stmts, size_t *at_stmt, uint32_t from, uint32_t to, Vec *out)
{
    Loc region;
    size_t behind;
    if (!conditional_region(stmts, *at_stmt, from, to, &region, &behind))
        return false;
    because(region, R_KEEP_PART, directive_in(region)->name());
    opaque_text(region, stmts.slice(*at_stmt, behind - *at_stmt), out);
    *at_stmt = behind;
    return true;
}

// Several statements that one macro makes.
bool Keeper::macro_text(ArrayRef<const Stmt *> stmts, size_t *at_stmt, Vec *out)
{
    Loc loc;
    const Stmt *first = stmts[*at_stmt];
    if (!first->getBeginLoc().isMacroID() || statement_text(first->getSourceRange(), &loc))
        return false;
    for (size_t last = *at_stmt + 1; last < stmts.size(); last++)
        if (statement_text(SourceRange(first->getBeginLoc(), stmts[last]->getEndLoc()), &loc)) {
            because(loc, R_KEEP_PART, Lexer::getImmediateMacroName(first->getBeginLoc(), sm, context.getLangOpts()).str());
            opaque_text(loc, stmts.slice(*at_stmt, last + 1 - *at_stmt), out);
            *at_stmt = last + 1;
            return true;
        }
    return false;
}

// It does nothing, whatever it is spelled like.
static bool does_nothing(const Stmt *s)
{
    if (const auto *c = dyn_cast<CompoundStmt>(s))
        return llvm::all_of(c->body(), does_nothing);
    if (const auto *d = dyn_cast<DoStmt>(s)) {
        const auto *again = dyn_cast<IntegerLiteral>(d->getCond()->IgnoreParenCasts());
        return again && again->getValue() == 0 && does_nothing(d->getBody());
    }
    return isa<NullStmt>(s);
}

// A macro that became nothing here is what stands between `from` and a semicolon.
bool Keeper::empty_macro(uint32_t from, const Stmt *s, Vec *out)
{
    const auto *semicolon = dyn_cast<NullStmt>(s);
    if (!from || !semicolon || !semicolon->hasLeadingEmptyMacro() || semicolon->getSemiLoc().isMacroID())
        return false;
    const SourceLocation start = sm.getLocForStartOfFile(sm.getMainFileID()).getLocWithOffset(from - 1);
    Token token;
    if (Lexer::getRawToken(start, token, sm, context.getLangOpts(), true))
        return false;
    const bool is_around = token.getLocation() == start && (token.isNot(tok::raw_identifier) || token.getRawIdentifier() == "else");
    std::optional<Token> next;
    if ((is_around || token.is(tok::comment)) && (next = Lexer::findNextToken(token.getLocation(), sm, context.getLangOpts())))
        token = *next;
    const Loc loc = {at(token.getLocation()).beg, at(semicolon->getSourceRange()).end};
    if (token.isNot(tok::raw_identifier) || loc.beg >= loc.end || !text.directives_in(loc.beg, loc.end).empty())
        return false;
    opaque_text(loc, s, out);
    return true;
}

// A macro that became `{}` or nothing says something with other -D: it stays as it is, as a call does.
bool Keeper::idle_text(uint32_t from, const Stmt *s, Vec *out)
{
    Loc loc;
    if (!s->getBeginLoc().isMacroID() || !does_nothing(s) || !statement_text(s->getSourceRange(), &loc))
        return empty_macro(from, s, out);
    opaque_text(loc, s, out);
    return true;
}

} // namespace mikgen
