/* SPDX-License-Identifier: GPL-3.0-or-later */
// Expressions and calls of source-to-source mode.
#include "gen/front/kept/keep.hh"

#include "gen/front/kept/keep_changes.hh"
#include "gen/front/tree/expressions.hh"
#include "gen/front/text/source_prelude.h"
#include "ir/effect.h"
#include "clang/AST/ExprCXX.h"

namespace mikgen
{

// What has no fault of its own names a variable without a symbol, mostly.
std::nullptr_t Keeper::lost(const Expr *e)
{
    if (front->faults.count > faults_before)
        return nullptr;
    const Expr *inner = bare(e);
    while (const auto *s = dyn_cast<ArraySubscriptExpr>(inner))
        inner = bare(s->getBase());
    if (const VarDecl *var = as_variable(inner))
        return no(R_KEEP_UNKNOWN, e->getSourceRange(), var->getNameAsString());
    return Builder::lost(e);
}

Node *Keeper::expr_below(const Expr *e)
{
    if (is_placed(e->getSourceRange()))
        return no(R_KEEP_UNKNOWN, e->getSourceRange());
    noted = nullptr;
    Node *n = value_below(e);
    if (n && (n != noted || isa<ParenExpr>(e)))
        note_number(n, e);
    noted = n;
    if (n)
        note_left(n, e);
    if (!n || !is_cpp() || !e->getType()->isBooleanType() || !(kind_info[n->kind].flags & F_REL) || isa<ParenExpr>(e))
        return n;
    return implied_cast(T_BOOL, n);
}

// Conversions that the text leaves to C where compilers may warn of them: in a comparison, an arm of ?: or an argument.
void Keeper::note_left(const Node *n, const Expr *e)
{
    if (!(kind_info[n->kind].flags & F_REL) && !llvm::is_contained({N_SEL, N_CALL, N_MIN, N_MAX}, n->kind))
        return; // made of something else, as a load is of __ldg(p)
    SmallVector<const Expr *, 4> operands; // as the last kids of n
    if (const auto *b = dyn_cast<BinaryOperator>(e); b && b->isComparisonOp())
        operands = {b->getLHS(), b->getRHS()};
    else if (const auto *c = dyn_cast<ConditionalOperator>(e))
        operands = {c->getTrueExpr(), c->getFalseExpr()};
    else if (const auto *call = dyn_cast<CallExpr>(e))
        operands.append(call->arg_begin(), call->arg_end());
    if (n->nkids < (int)operands.size())
        return;
    Node *const *kid = n->kid + n->nkids - operands.size();
    for (size_t i = 0; i < operands.size(); i++)
        if (kid[i]->kind == N_CAST && !isa<ExplicitCastExpr>(operands[i]->IgnoreParens()))
            *map_at(ir->arena, &source->is_left, kid[i]->id) = kid[i];
}

Node *Keeper::value_below(const Expr *e)
{
    if (const auto *m = dyn_cast<MemberExpr>(e)) {
        if (Sym *s = index_variable(m))
            return mk_var(ir, s);
        Sym *s = member(m);
        Node *first = mk_int(ir, T_INT, 0);
        return s && sym_is_member(s) ? mk_load(ir, s, 1, &first) : no(R_KEEP_UNKNOWN, e->getSourceRange());
    }
    const auto *u = dyn_cast<UnaryOperator>(e);
    if (u && u->getOpcode() == UO_Minus && isa<IntegerLiteral>(u->getSubExpr()))
        return folded(e); // a number, as what the printer writes so
    if (const auto *truth = dyn_cast<CXXBoolLiteralExpr>(e))
        return mk_int(ir, T_BOOL, truth->getValue());
    Node *n = is_deref(e) ? element(e) : Builder::expr_below(e);
    if (n && n->kind == N_NEG && n->kid[0]->kind == N_INT) // -(4 * 0)
        if (Node *number = folded(e))
            return number;
    return n;
}

// What is added to a pointer, before C promotes it, which it does not do to a subscript.
static const Expr *unpromoted(const Expr *e)
{
    const auto *promotion = dyn_cast<ImplicitCastExpr>(e);
    return promotion && promotion->getCastKind() == CK_IntegralCast ? promotion->getSubExpr() : e;
}

// The array below subscripts and stars: *p is p[0], and *(p + i) is p[i].
Sym *Keeper::subscripted(const Expr *e, SmallVectorImpl<Node *> &subscripts)
{
    SmallVector<const Expr *, 4> chain; // nullptr: 0
    for (e = bare(e); isa<ArraySubscriptExpr>(e) || is_deref(e); e = bare(e)) {
        if (const auto *s = dyn_cast<ArraySubscriptExpr>(e)) {
            chain.push_back(s->getIdx());
            e = s->getBase();
            continue;
        }
        e = bare(llvm::cast<UnaryOperator>(e)->getSubExpr());
        const auto *sum = dyn_cast<BinaryOperator>(e);
        if (!sum || sum->getOpcode() != BO_Add) {
            chain.push_back(nullptr);
            continue;
        }
        bool pointer_first = sum->getLHS()->getType()->isPointerType();
        chain.push_back(unpromoted(pointer_first ? sum->getRHS() : sum->getLHS()));
        e = pointer_first ? sum->getLHS() : sum->getRHS();
    }
    const auto *inside = dyn_cast<MemberExpr>(e);
    const VarDecl *var = as_variable(e);
    if ((!var && !inside) || (var && is_captured(var, e->getExprLoc())))
        return no(R_KEEP_UNKNOWN, e->getSourceRange());
    Sym *array = inside ? member(inside) : symbol_of(var);
    if (!array || !array->rank || (inside && sym_is_member(array) != chain.empty()))
        return lost(e);
    if (inside && chain.empty())
        chain.push_back(nullptr);
    for (size_t i = chain.size(); i-- > 0;) {
        subscripts.push_back(chain[i] ? in_context(R_EFFECT_SUB, chain[i]) : note_number(mk_int(ir, T_INT, 0), e, false));
        if (!subscripts.back())
            return nullptr;
    }
    return array;
}

// A word in it becomes what depends on its place, as __LINE__ does.
bool Keeper::is_placed(SourceRange range) const
{
    if (placed.empty() || range.isInvalid())
        return false;
    const SourceLocation beg = sm.getExpansionLoc(range.getBegin()), end = sm.getExpansionRange(range.getEnd()).getEnd();
    if (!sm.isWrittenInMainFile(beg) || !sm.isWrittenInMainFile(end))
        return false;
    const auto first = llvm::lower_bound(placed, sm.getFileOffset(beg) + 1);
    return first != placed.end() && *first <= sm.getFileOffset(end) + 1;
}

// Printed, its name would be taken for a macro's: it stands inside of that, or has parentheses around it that the text would not have.
bool Keeper::is_captured(const NamedDecl *d, SourceLocation at) const
{
    const IdentifierInfo *name = d->getIdentifier();
    return name && name->hadMacroDefinition() && (at.isInvalid() || at.isMacroID());
}

// Whether it has a text of its own, or is all that a macro stands for which means the same all over the function.
bool Keeper::spells_number(const Expr *e, Loc *loc) const
{
    const bool is_atom = isa<IntegerLiteral>(e) || isa<CharacterLiteral>(e) || isa<FloatingLiteral>(e) || isa<CXXBoolLiteralExpr>(e) ||
                         isa<ParenExpr>(e) || isa<CallExpr>(e);
    if (const SourceLocation beg = e->getBeginLoc();
        is_atom && beg == e->getEndLoc() && sm.isMacroArgExpansion(beg) && sm.getImmediateSpellingLoc(beg).isFileID())
        return text.spelled(sm.getImmediateSpellingLoc(beg), loc); // a token that a macro is given
    if (!is_atom || !text.spelled(e->getSourceRange(), loc))
        return false;
    if (e->getBeginLoc().isFileID() && e->getEndLoc().isFileID())
        return !isa<ParenExpr>(e);
    const StringRef words = StringRef(front->text, front->len).slice(loc->beg - 1, loc->end - 1);
    return !moves_macros && llvm::all_of(words, [](char c) { return isAsciiIdentifierContinue(c); });
}

// Where a number stands, and how it is spelled there. What stands in parentheses stands in the same place.
Node *Keeper::note_number(Node *n, const Expr *e, bool may_spell)
{
    auto *number = arena_new_array(ir->arena, NumberPlace, 1);
    number->place = at(e);
    if ((n->kind != N_INT && n->kind != N_FLOAT) || !number->place.beg)
        return n;
    if (!may_spell || !spells_number(e, &number->text))
        number->text = {0, 0};
    void **entry = map_at(ir->arena, &source->numbers, n->id);
    if (!*entry)
        *entry = arena_new_array(ir->arena, Vec, 1);
    auto *all = static_cast<Vec *>(*entry);
    for (int i = all->count; isa<ParenExpr>(e) && i-- > 0;) { // of what is inside
        auto *inner = static_cast<NumberPlace *>(all->items[i]);
        if (inner->place.beg < number->place.beg)
            break;
        if (number->text.beg && inner->place.end <= number->place.end)
            inner->text = number->text;
    }
    if (isa<ParenExpr>(e))
        return n;
    vec_push(ir->arena, all, number);
    for (int i = all->count - 1; i > 0; i--) { // mostly they come in order
        if (static_cast<const NumberPlace *>(all->items[i - 1])->place.beg <= number->place.beg)
            break;
        std::swap(all->items[i - 1], all->items[i]);
    }
    return n;
}

// threadIdx.x and its like: never written, within what GPUs allow.
Sym *Keeper::index_variable(const MemberExpr *e)
{
    static const struct {
        const char *name;
        int64_t lo, hi[3];
    } known[] = {{"threadIdx", 0, {1023, 1023, 63}},
                 {"blockIdx", 0, {INT32_MAX - 1, 65534, 65534}},
                 {"blockDim", 1, {1024, 1024, 64}},
                 {"gridDim", 1, {INT32_MAX, 65535, 65535}}};
    const VarDecl *var = as_variable(e->getBase());
    if (!source->cuda || !var || sm.isWrittenInMainFile(var->getLocation()))
        return nullptr;
    for (const auto &k : known) {
        if (var->getName() != k.name)
            continue;
        std::string name = var->getNameAsString() + "." + e->getMemberDecl()->getNameAsString();
        Sym *&s = indices[name];
        if (!s) {
            s = sym_new(ir, S_PARAM, T_UINT, name.c_str(), at(e));
            s->is_const = s->has_range = true;
            s->lo = k.lo;
            s->hi = k.hi[name.back() - 'x'];
            vec_push(ir->arena, &kept->indices, s);
        }
        return s;
    }
    return nullptr;
}

// "s->n" of a struct that a variable is or points to: a scalar, an array of scalars or a pointer to such. Another name may lead to the
// same place. nullptr without a fault if it is something else.
Sym *Keeper::member(const MemberExpr *e)
{
    std::string path;
    const Expr *base = e;
    for (; const auto *m = dyn_cast<MemberExpr>(base); base = m->getBase()->IgnoreParenImpCasts()) {
        const auto *field = dyn_cast<FieldDecl>(m->getMemberDecl());
        if (!field || field->isBitField() || m->getBase()->getType().isVolatileQualified() || is_captured(field, m->getMemberLoc()))
            return nullptr;
        if (!field->getName().empty())
            path = (m->isArrow() ? "->" : ".") + field->getNameAsString() + path;
        else if (m->isArrow()) // what has no name is reached by that of its member
            path.replace(0, 1, "->");
    }
    const VarDecl *var = as_variable(base);
    if (!var || var->getType().isVolatileQualified())
        return nullptr;
    Sym *&s = members[{var, path}];
    QualType type = e->getType(), elem;
    SmallVector<Node *, 4> extents;
    Type t;
    if (s)
        return s;
    Attempt a = attempt();
    bool is_pointer = type->isPointerType() && !type.isVolatileQualified(), is_array = type->isArrayType();
    if (is_pointer) {
        extents.push_back(nullptr);
        type = type->getPointeeType();
    }
    bool good = array_extents(type, nullptr, e->getMemberLoc(), extents, &elem) && value_type(elem, e->getMemberLoc(), &t) &&
                !elem.isVolatileQualified();
    good &= !failed(a);
    forget(a);
    if (!good)
        return nullptr;
    if (!is_pointer && !is_array)
        extents.push_back(nullptr);
    s = sym_new_array(ir, S_ARRAY, t, (var->getNameAsString() + path).c_str(), (int)extents.size(), extents.data(), at(e->getMemberLoc()));
    kept_part(s)->is_member = !is_pointer && !is_array;
    s->alias = ALIAS_POINTER;
    return s;
}

Node *Keeper::value(const Expr *e, Type type)
{
    Attempt a = attempt();
    Node *n = expr(e);
    if (!failed(a) && n)
        return n;
    forget(a);
    return as_text(e, type);
}

// What is understood of a condition; the rest is text.
Node *Keeper::condition(Refusal side_effect, const Expr *e)
{
    Attempt a = attempt();
    Node *n = in_context(side_effect, e);
    if (!failed(a) && n)
        return truth_of(n);
    forget(a);
    const auto *b = dyn_cast<BinaryOperator>(e->IgnoreParens());
    if (b && b->isLogicalOp()) {
        Node *left = condition(side_effect, b->getLHS()), *right = condition(side_effect, b->getRHS());
        if (!failed(a) && left && right)
            return mk_binary(ir, b->getOpcode() == BO_LAnd ? N_LAND : N_LOR, left, right);
        forget(a);
    }
    return as_text(e, T_INT);
}

Node *Keeper::reference(const DeclRefExpr *e)
{
    const auto *var = dyn_cast<VarDecl>(e->getDecl());
    if (!var)
        return Builder::reference(e);
    if (var->isFileVarDecl() && var->getType().isConstQualified() && !var->getType().isVolatileQualified())
        if (Node *n = folded(e))
            return n;
    Sym *s = is_captured(var, e->getLocation()) ? no(R_KEEP_UNKNOWN, e->getSourceRange()) : symbol_of(var);
    if (!s)
        return nullptr;
    return s->rank ? no(R_ARRAY_VALUE, e->getSourceRange(), s->name) : make(N_VAR, s->type, s, {}, e);
}

// One that C does by itself.
Node *Keeper::implied_cast(Type type, Node *value)
{
    Node *n = mk_cast(ir, type, value);
    *map_at(ir->arena, &source->is_implied, n->id) = n;
    return n;
}

Node *Keeper::cast(const CastExpr *e)
{
    Node *n = Builder::cast(e);
    if (!n || n->kind != N_CAST)
        return n;
    if (is_bool_truth(n->kid[0]) && type_is_integer((Type)n->type) && n->type != T_BOOL) // C's int is what it becomes
        n = mk_cast(ir, (Type)n->type, n->kid[0]->kid[0]);
    if (n->kind != N_CAST)
        return n;
    const auto *implicit = dyn_cast<ImplicitCastExpr>(e);
    Expr::EvalResult result;
    if (implicit && n->kid[0]->kind == N_INT && type_is_integer((Type)n->type) && n->type != T_BOOL &&
        e->EvaluateAsRValue(result, context) && result.Val.isInt()) {
        return integer((Type)n->type, result.Val.getInt()); // of long i, i + 1 adds an immediate like any other
    }
    if (isa<ExplicitCastExpr>(e))
        *map_at(ir->arena, &source->is_cast, n->id) = n;
    else if (implicit && !implicit->isPartOfExplicitCast())
        *map_at(ir->arena, &source->is_implied, n->id) = n;
    return n;
}

// Of C++, one overload of several has libm's own types.
bool Keeper::is_libm(const FunctionDecl *fd)
{
    Type result;
    const LibmEntry *math = libm_entry(fd->getName());
    return math && (!is_cpp() || (scalar_type(fd->getReturnType(), &result) && result == math->result));
}

// Of CUDA, what its headers declare and depends on numbers alone: the overloads of <cmath>, and the toolkit's own.
bool Keeper::is_intrinsic(const FunctionDecl *fd)
{
    if (!fd->getDeclName().isIdentifier() || sm.isWrittenInMainFile(fd->getLocation()))
        return false;
    Type type;
    const bool of_numbers = llvm::all_of(fd->parameters(), [&](const ParmVarDecl *p) { return scalar_type(p->getType(), &type); });
    return of_numbers && (libm_entry(fd->getName()) || is_pure_name(fd->getNameAsString().c_str()));
}

// Any function that is not libm's is one symbol without a body.
Sym *Keeper::function_symbol(const FunctionDecl *fd)
{
    if (is_libm(fd) && !fd->hasBody())
        return libm_function(fd);
    Sym *&s = symbols[fd->getCanonicalDecl()];
    Type result = T_VOID;
    if (!s && (fd->getReturnType()->isVoidType() || scalar_type(fd->getReturnType(), &result))) {
        s = sym_new(ir, S_FUNC, result, fd->getNameAsString().c_str(), at(fd->getLocation()));
        s->is_pure = fd->getMostRecentDecl()->hasAttr<ConstAttr>() || (source->cuda && is_intrinsic(fd));
        if (fd->getMostRecentDecl()->hasAttr<PureAttr>())
            kept_part(s)->only_reads = true;
    }
    return s;
}

// What is declared otherwise than it is called: one name for several types, whose declaration here has been made up. Others tell something
// of the text of their arguments.
static bool is_generic(const FunctionDecl *fd, const CallExpr *e)
{
    const ASTContext &context = fd->getASTContext();
    const StringRef name = fd->getName();
    return !context.hasSameUnqualifiedType(e->getType(), fd->getCallResultType()) || name.starts_with("__sync_") ||
           name == "__builtin_constant_p" || name.ends_with("object_size");
}

Node *Keeper::call(const CallExpr *e)
{
    const FunctionDecl *fd = e->getDirectCallee();
    if (!fd)
        return no(R_FUNC_POINTER, e->getCallee()->getSourceRange());
    if (!fd->getDeclName().isIdentifier())
        return no(R_KEEP_UNKNOWN, e->getSourceRange());
    StringRef name = fd->getName();
    if (is_generic(fd, e) || is_captured(fd, {}))
        return no(R_KEEP_UNKNOWN, e->getSourceRange());
    if ((name == "min" || name == "max") && fd->isImplicit())
        (name == "min" ? kept->wants_min : kept->wants_max) = true; // and all is read once more
    if ((name == "min" || name == "max") && (fd->hasAttr<OverloadableAttr>() || is_cpp()) && e->getType()->isIntegerType() &&
        !sm.isWrittenInMainFile(fd->getLocation()))
        return extremum(e, name);
    if (name.starts_with("__builtin_"))
        if (Node *n = folded(e))
            return n; // INFINITY and NAN
    Sym *s = function_symbol(fd);
    if (!s)
        return no(R_KEEP_UNKNOWN, e->getSourceRange());
    SmallVector<Node *, 8> args;
    const bool is_assert = name == "assert" && !sm.isWrittenInMainFile(fd->getLocation()); // whose message shows its argument
    for (const Expr *arg : e->arguments()) {
        args.push_back(is_assert ? as_text(arg, T_BOOL) : argument_of(arg));
        if (!args.back())
            return nullptr;
    }
    return make(N_CALL, s->type, s, args, e);
}

// A number, an array or a row of one.
Node *Keeper::argument_of(const Expr *e)
{
    if (!e->getType()->isPointerType())
        return expr(e);
    const Expr *inner = bare(e);
    SmallVector<Node *, 4> subscripts;
    if (!isa<ArraySubscriptExpr>(inner) && !as_variable(inner))
        return no(R_KEEP_UNKNOWN, e->getSourceRange());
    Sym *array = subscripted(inner, subscripts);
    return array ? make(N_REF, array->type, array, subscripts, e) : nullptr;
}

Node *Keeper::extremum(const CallExpr *e, StringRef name)
{
    Node *a = expr(e->getArg(0)), *b = expr(e->getArg(1));
    if (!a || !b)
        return nullptr;
    Type type = type_common((Type)a->type, (Type)b->type);
    for (Node **n : {&a, &b})
        if ((*n)->type != type)
            *n = (*n)->kind == N_INT && (*n)->u.i >= 0 ? note_number(mk_int(ir, type, (*n)->u.i), e, false) : implied_cast(type, *n);
    return mk_binary(ir, name == "min" ? N_MIN : N_MAX, a, b);
}

} // namespace mikgen
