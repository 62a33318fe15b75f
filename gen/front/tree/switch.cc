/* SPDX-License-Identifier: GPL-3.0-or-later */
// A switch of a spec. Its sections, each with the labels in front of it, become a chain of conditions on the value:
//
//     switch (v) {                      ->  if (v == 1 || v == 2) { if (v == 1) { A } B } else { C }
//     case 1: A;
//     case 2: B; break;
//     default: C;
//     }
//
// A `break` elsewhere than at the end of its section leads to the end of the whole, a block marked BLOCK_SWITCH: gen/front/jumps.c.
#include <algorithm>

#include "gen/front/tree/builder.hh"
#include "gen/front/tree/suggest.hh"

namespace mikgen
{

// More comparisons in one condition, or sections, are refused, so that no later pass can run out of stack.
const size_t kMaxLabels = 500;

// The statements from some labels to the next.
struct Section {
    SmallVector<const SwitchCase *, 4> labels{};
    SmallVector<const Stmt *, 8> stmts{};
    SmallVector<int64_t, 4> values{}; // of the labels
    bool is_default = false;
    Node *body = nullptr;
};

// ---------------------------------------------------------------- sections

// Whether what stands behind `s` is reached only by a label.
static bool always_jumps(const Stmt *s)
{
    if (isa<BreakStmt>(s) || isa<ContinueStmt>(s) || isa<ReturnStmt>(s))
        return true;
    if (const auto *c = dyn_cast<CompoundStmt>(s))
        return !c->body_empty() && always_jumps(c->body_back());
    const auto *i = dyn_cast<IfStmt>(s);
    return i && i->getElse() && always_jumps(i->getThen()) && always_jumps(i->getElse());
}

static bool falls_through(const Section &section) { return section.stmts.empty() || !always_jumps(section.stmts.back()); }

// Takes the text between the braces apart. False after a fault.
bool Builder::switch_sections(const SwitchStmt *s, SmallVectorImpl<Section> &sections)
{
    const auto *body = dyn_cast<CompoundStmt>(s->getBody());
    const Stmt *single = s->getBody();
    size_t found = 0, all = 0;
    for (const Stmt *inner : body ? llvm::ArrayRef<const Stmt *>(body->body_begin(), body->size()) : llvm::ArrayRef(single)) {
        for (const auto *label = dyn_cast<SwitchCase>(inner); label; label = dyn_cast<SwitchCase>(inner)) {
            if (sections.empty() || !sections.back().stmts.empty())
                sections.emplace_back();
            sections.back().labels.push_back(label);
            sections.back().is_default |= isa<DefaultStmt>(label);
            inner = label->getSubStmt();
            found++;
        }
        if (sections.empty())
            return no(R_SWITCH_FRONT, inner->getSourceRange()), false;
        if (!isa<NullStmt>(inner))
            sections.back().stmts.push_back(inner);
    }
    for (const SwitchCase *label = s->getSwitchCaseList(); label; label = label->getNextSwitchCase())
        all++;
    if (found == all)
        return switch_names(sections);
    const SwitchCase *inside = nullptr; // the list begins with the last
    for (const SwitchCase *label = s->getSwitchCaseList(); label; label = label->getNextSwitchCase())
        if (llvm::none_of(sections, [=](const Section &section) { return llvm::is_contained(section.labels, label); }))
            inside = label;
    return no(R_SWITCH_LABEL, inside->getKeywordLoc()), false;
}

// Each section is a block of its own: what it declares, later ones do not know.
bool Builder::switch_names(ArrayRef<Section> sections)
{
    for (size_t i = 0; i < sections.size(); i++)
        for (const Stmt *s : sections[i].stmts) {
            const auto *declares = dyn_cast<DeclStmt>(s);
            for (const Decl *d : declares ? declares->decls() : DeclStmt::decl_const_range({}, {})) {
                const auto *var = dyn_cast<VarDecl>(d);
                for (size_t later = i + 1; var && later < sections.size(); later++)
                    if (llvm::any_of(sections[later].stmts, [=](const Stmt *use) { return mentions(use, var); }))
                        return no(R_SWITCH_DECL, var->getLocation(), var->getNameAsString()), false;
            }
        }
    return true;
}

// The numbers that the labels compare with, as the value's type has them.
bool Builder::switch_labels(const SwitchStmt *s, Section *section)
{
    const unsigned bits = (unsigned)context.getIntWidth(s->getCond()->getType());
    for (const SwitchCase *label : section->labels) {
        const auto *c = dyn_cast<CaseStmt>(label);
        if (!c)
            continue;
        if (c->caseStmtIsGNURange())
            return no_but(Suggest(context).labels(c), R_SWITCH_RANGE, SourceRange(c->getLHS()->getBeginLoc(), c->getRHS()->getEndLoc())),
                   false;
        llvm::APSInt value = c->getLHS()->EvaluateKnownConstInt(context).extOrTrunc(bits);
        value.setIsSigned(s->getCond()->getType()->isSignedIntegerOrEnumerationType());
        section->values.push_back(value.isSigned() ? value.getSExtValue() : (int64_t)value.getZExtValue());
    }
    return true;
}

// ---------------------------------------------------------------- conditions

// Whether `e` has the same value whenever the switch asks for it: it is made of numbers and of scalars that the body does not change.
static bool is_steady(const Stmt *e, const Stmt *body)
{
    if (isa<CallExpr>(e) || isa<ArraySubscriptExpr>(e) || isa<MemberExpr>(e))
        return false;
    const auto *ref = dyn_cast<DeclRefExpr>(e);
    const auto *var = ref ? dyn_cast<VarDecl>(ref->getDecl()) : nullptr;
    const auto *u = dyn_cast<UnaryOperator>(e);
    const auto *b = dyn_cast<BinaryOperator>(e);
    if ((u && u->isIncrementDecrementOp()) || (b && b->isAssignmentOp()) || (var && changes_below(body, var, nullptr)))
        return false;
    return llvm::all_of(e->children(), [=](const Stmt *kid) { return !kid || is_steady(kid, body); });
}

// What the labels are compared with: the expression itself where it stays what it is, else a variable that is set once.
Node *Builder::switch_value(const SwitchStmt *s, Vec *out)
{
    const Expr *e = s->getCond();
    Vec after = {};
    Node *value = full_expr(e, e, out, &after);
    if (!value || value->kind == N_INT || is_steady(e, s->getBody()))
        return value;
    Sym *chosen = sym_new(ir, S_LOCAL, (Type)value->type, "chosen", at(e));
    chosen->is_const = true;
    vec_push(ir->arena, out, mk_decl(ir, chosen, value, at(e)));
    append(out, after);
    return mk_var(ir, chosen);
}

// The least and the greatest value, as far as that is to be seen: compilers warn of comparisons that are never, or always, true.
struct Bounds {
    __int128 lo, hi;
};

static Bounds bounds_of(const Node *n)
{
    const Type type = (Type)n->type;
    const int bits = type == T_BOOL ? 1 : type_bits(type);
    const bool is_signed = type_is_signed(type);
    const Bounds all = {is_signed ? -((__int128)1 << (bits - 1)) : 0, ((__int128)1 << (is_signed ? bits - 1 : bits)) - 1};
    const Node *by = n->nkids == 2 && n->kid[1]->kind == N_INT ? n->kid[1] : nullptr;
    if (n->kind == N_CAST && type_is_integer((Type)n->kid[0]->type)) {
        const Bounds inner = bounds_of(n->kid[0]);
        return inner.lo >= all.lo && inner.hi <= all.hi ? inner : all;
    }
    if (n->kind == N_LNOT || n->kind == N_LAND || n->kind == N_LOR || (n->kind >= N_LT && n->kind <= N_NE))
        return {0, 1};
    if (by && by->u.i > 0 && (n->kind == N_AND || n->kind == N_MOD)) {
        const __int128 most = n->kind == N_AND ? by->u.i : by->u.i - 1;
        return {n->kind == N_AND || bounds_of(n->kid[0]).lo >= 0 ? 0 : -most, most};
    }
    return all;
}

// The same of bits: whether v & 6 can be 1, and v | 1 can be 2.
static bool has_bits(const Node *value, int64_t n)
{
    const Node *by = value->nkids == 2 && value->kid[1]->kind == N_INT ? value->kid[1] : nullptr;
    return !by || (value->kind == N_AND ? (n & ~by->u.i) == 0 : value->kind != N_OR || (n & by->u.i) == by->u.i);
}

// lo <= value && value <= hi, without what holds anyway.
Node *Builder::is_between(Node *value, __int128 lo, __int128 hi)
{
    const Bounds bounds = bounds_of(value);
    const auto number = [&](__int128 n) { return mk_int(ir, (Type)value->type, (int64_t)n); };
    if (lo == hi)
        return mk_binary(ir, N_EQ, value, number(lo));
    Node *from = lo > bounds.lo ? mk_binary(ir, N_GE, value, number(lo)) : nullptr;
    Node *to = hi < bounds.hi ? mk_binary(ir, N_LE, value, number(hi)) : nullptr;
    return from && to ? mk_binary(ir, N_LAND, from, to) : from ? from : to ? to : mk_int(ir, T_INT, 1);
}

// Is the value one of these? Neighbours are a range. nullptr: it is none of them.
Node *Builder::is_among(Node *value, ArrayRef<int64_t> labels, SourceRange range)
{
    const Bounds bounds = bounds_of(value);
    const bool is_signed = type_is_signed((Type)value->type);
    SmallVector<__int128, 8> numbers;
    Node *any = nullptr;
    size_t comparisons = 0;
    for (const int64_t label : labels) {
        const __int128 n = is_signed ? (__int128)label : (__int128)(uint64_t)label;
        if (n >= bounds.lo && n <= bounds.hi && has_bits(value, label))
            numbers.push_back(n);
    }
    std::sort(numbers.begin(), numbers.end());
    for (size_t i = 0, end; i < numbers.size(); i = end) {
        for (end = i + 1; end < numbers.size() && numbers[end] == numbers[end - 1] + 1;)
            end++;
        end = end - i < 3 ? i + 1 : end;
        Node *one = is_between(value, numbers[i], numbers[end - 1]);
        any = any ? mk_binary(ir, N_LOR, any, one) : one;
        if (++comparisons > kMaxLabels)
            return no(R_DEEP, range);
    }
    return any;
}

static void note_values(ArrayRef<Section> sections, SmallVectorImpl<int64_t> &out)
{
    for (const Section &section : sections)
        out.append(section.values.begin(), section.values.end());
}

static bool has_default(ArrayRef<Section> sections)
{
    return llvm::any_of(sections, [](const Section &section) { return section.is_default; });
}

// ---------------------------------------------------------------- statements

// Sections of which each but the last goes on into the next, where the value is known to lead to one of them.
Node *Builder::switch_group(ArrayRef<Section> group, Node *value, SourceRange range)
{
    if (group.size() == 1)
        return group[0].body;
    Vec stmts = {};
    for (size_t i = 0; i < group.size(); i++) {
        const bool by_others = has_default(group.take_front(i + 1)); // then the labels of the later sections say it shorter
        SmallVector<int64_t, 8> numbers;
        note_values(by_others ? group.drop_front(i + 1) : group.take_front(i + 1), numbers);
        Node *body = group[i].body, *cond = i + 1 < group.size() ? is_among(value, numbers, range) : nullptr;
        if (i + 1 < group.size() && !cond && !by_others) // no label so far is met
            continue;
        if (cond && body->nkids)
            body = mk_if(ir, by_others ? mk_unary(ir, N_LNOT, cond) : cond, body, nullptr, body->loc);
        vec_push(ir->arena, &stmts, body);
    }
    return mk_block(ir, stmts.count, (Node *const *)stmts.items, at(range));
}

// The last `break` of a section leads where the section ends anyway.
void Builder::drop_last_break(Node *block)
{
    Node *last = block->nkids ? block->kid[block->nkids - 1] : nullptr;
    if (last && last->kind == N_BLOCK && last->aux == 0)
        return drop_last_break(last);
    if (!last || last->kind != N_BREAK)
        return;
    block->nkids--;
    --*switch_breaks;
}

void Builder::switch_bodies(MutableArrayRef<Section> sections)
{
    for (Section &section : sections) {
        Vec stmts = {};
        for (const Stmt *inner : section.stmts)
            stmt(inner, &stmts);
        section.body = mk_block(ir, stmts.count, (Node *const *)stmts.items, at(section.labels[0]->getSourceRange()));
        if (!falls_through(section))
            drop_last_break(section.body);
    }
}

// The chain, from its last condition on.
Node *Builder::switch_chain(ArrayRef<Section> sections, Node *value, SourceRange range)
{
    SmallVector<ArrayRef<Section>, 8> groups;
    Node *chain = nullptr;
    for (size_t i = 0, end; i < sections.size(); i = end) {
        for (end = i + 1; end < sections.size() && falls_through(sections[end - 1]);)
            end++;
        if (has_default(sections.slice(i, end - i)))
            chain = switch_group(sections.slice(i, end - i), value, range);
        else
            groups.push_back(sections.slice(i, end - i));
    }
    if (groups.size() > kMaxLabels)
        return no(R_DEEP, range);
    for (size_t i = groups.size(); i-- > 0;) {
        SmallVector<int64_t, 8> numbers;
        note_values(groups[i], numbers);
        Node *cond = is_among(value, numbers, range), *body = switch_group(groups[i], value, range);
        if (!cond) // none of its labels is met
            continue;
        chain = mk_if(ir, cond, body, chain && chain->nkids ? chain : nullptr, at(range));
        chain = mk_block(ir, 1, &chain, at(range));
    }
    return chain;
}

// A constant leads to one section, whatever the others are.
Node *Builder::switch_constant(ArrayRef<Section> sections, int64_t value, SourceRange range)
{
    size_t entry = 0, end;
    while (entry < sections.size() && !llvm::is_contained(sections[entry].values, value))
        entry++;
    for (size_t i = 0; i < sections.size() && entry == sections.size(); i++)
        entry = sections[i].is_default ? i : entry;
    Vec stmts = {};
    for (end = entry; end < sections.size(); end++) {
        vec_push(ir->arena, &stmts, sections[end].body);
        if (!falls_through(sections[end]))
            break;
    }
    return mk_block(ir, stmts.count, (Node *const *)stmts.items, at(range));
}

void Builder::choice(const SwitchStmt *s, Vec *out)
{
    SmallVector<Section, 8> sections;
    const SourceRange range = s->getSourceRange();
    const int faults = front->faults.count;
    int breaks = 0;
    Node *value = switch_value(s, out);
    bool good = switch_sections(s, sections);
    for (Section &section : sections)
        good = good && switch_labels(s, &section);
    if (!good)
        return;
    int *outer = std::exchange(switch_breaks, &breaks);
    switch_bodies(sections);
    switch_breaks = outer;
    if (!value || front->faults.count > faults)
        return;
    Node *chain = value->kind == N_INT ? switch_constant(sections, value->u.i, range) : switch_chain(sections, value, range);
    if (chain && breaks)
        chain->aux = BLOCK_SWITCH;
    if (chain && chain->nkids)
        vec_push(ir->arena, out, chain);
}

} // namespace mikgen
