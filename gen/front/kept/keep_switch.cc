/* SPDX-License-Identifier: GPL-3.0-or-later */
// A switch of source-to-source mode that has loops in it. Its labels and the jumps out of it are texts.
#include "gen/front/kept/keep.hh"

namespace mikgen
{

static bool contains_loop(const Stmt *s)
{
    return is_real_loop(s) || llvm::any_of(s->children(), [](const Stmt *kid) { return kid && contains_loop(kid); });
}

// Whether all its labels stand among the statements of its body, and no variable is declared there that several of them could see.
static bool is_sectioned(const SwitchStmt *s)
{
    const auto *body = dyn_cast<CompoundStmt>(s->getBody());
    llvm::DenseSet<const SwitchCase *> own;
    if (!body || body->body_empty() || !isa<SwitchCase>(body->body_front()))
        return false;
    for (const Stmt *inner : body->body()) {
        const Stmt *bare = inner;
        for (const auto *label = dyn_cast<SwitchCase>(bare); label; label = dyn_cast<SwitchCase>(bare = label->getSubStmt()))
            own.insert(label);
        if (isa<DeclStmt>(bare))
            return false;
    }
    for (const SwitchCase *label = s->getSwitchCaseList(); label; label = label->getNextSwitchCase())
        if (!own.count(label))
            return false;
    return true;
}

// The labels in front of a statement of a switch, and the statement; nullptr after a fault.
const Stmt *Keeper::case_labels(const SwitchCase *first, Loc *loc, Vec *out)
{
    const SwitchCase *last = first;
    while (const auto *next = dyn_cast<SwitchCase>(last->getSubStmt()))
        last = next;
    Loc whole;
    if (!text.spelled(SourceRange(first->getBeginLoc(), last->getColonLoc()), loc) || !close_conditionals(&(whole = *loc)) ||
        whole.end != loc->end || !claim_text(*loc).beg)
        return no(R_KEEP_MACRO, first->getBeginLoc());
    for (Directive &d : text.directives_in(loc->beg, loc->end))
        d.used |= loc->beg <= d.loc.beg && d.loc.end <= loc->end;
    Node *n = mk_opaque(ir, 0, nullptr, *loc);
    n->aux = OPAQUE_CASE;
    vec_push(ir->arena, out, n);
    return last->getSubStmt();
}

// Statements without labels, as a block: nobody comes into the middle of it.
void Keeper::section(std::vector<const Stmt *> &stmts, Loc loc, Vec *out)
{
    Vec made = {};
    if (stmts.empty())
        return;
    sequence(stmts, loc.beg, loc.end, &made);
    stmts.clear();
    loc.beg = made.count ? static_cast<Node *>(made.items[0])->loc.beg : 0;
    vec_push(ir->arena, out, mk_block(ir, made.count, (Node *const *)made.items, loc.beg ? loc : Loc{0, 0}));
}

// A region of #if in which labels stand stays whole.
bool Keeper::conditional_cases(ArrayRef<const Stmt *> stmts, size_t *at_stmt, uint32_t from, uint32_t to, Vec *out)
{
    Loc region;
    size_t behind;
    const bool found = conditional_region(stmts, *at_stmt, from, to, &region, &behind);
    return found && llvm::any_of(stmts.slice(*at_stmt, behind - *at_stmt), [](const Stmt *s) { return isa<SwitchCase>(s); }) &&
           conditional_text(stmts, at_stmt, from, to, out);
}

void Keeper::switch_tree(const SwitchStmt *s, Vec *out)
{
    if (!contains_loop(s) || !is_sectioned(s))
        return opaque(s, out);
    const auto *body = llvm::cast<CompoundStmt>(s->getBody());
    const std::vector<const Stmt *> stmts(body->body_begin(), body->body_end());
    const uint32_t end = at(body->getRBracLoc()).beg;
    const Loc loc = claim(s->getSourceRange());
    Type type = T_INT;
    scalar_type(s->getCond()->getType(), &type);
    Node *value = this->value(s->getCond(), type);
    const Loc braces = claim(body->getSourceRange());
    Vec parts = {};
    std::vector<const Stmt *> open; // of the section that is being collected
    Loc place = {at(body->getLBracLoc()).end, end};
    const bool outer = std::exchange(in_switch, true);
    uint32_t from = place.beg;
    for (size_t i = 0; i < stmts.size();) {
        size_t next = i;
        Vec region = {};
        if (conditional_cases(stmts, &next, from, end, &region)) {
            auto *n = static_cast<Node *>(region.items[0]);
            section(open, {place.beg, n->loc.beg}, &parts);
            vec_push(ir->arena, &parts, n);
            from = place.beg = n->loc.end;
            i = next;
            continue;
        }
        const Stmt *inner = stmts[i++];
        if (const auto *label = dyn_cast<SwitchCase>(inner)) {
            const uint32_t beg = at(label->getBeginLoc()).beg;
            section(open, {place.beg, beg}, &parts);
            if (!(inner = case_labels(label, &place, &parts)))
                break;
            place.beg = place.end;
        }
        open.push_back(inner);
        from = at(inner->getSourceRange()).end;
    }
    section(open, {place.beg, end}, &parts);
    in_switch = outer;
    if (value)
        vec_push(ir->arena, out, mk_switch(ir, value, mk_block(ir, parts.count, (Node *const *)parts.items, braces), loc));
}

} // namespace mikgen
