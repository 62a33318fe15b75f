/* SPDX-License-Identifier: GPL-3.0-or-later */
// Expressions, calls and their arguments.
#include "gen/front/tree/expressions.hh"

#include "gen/front/tree/builder.hh"
#include "gen/front/tree/suggest.hh"

namespace mikgen
{

const LibmEntry kLibm[] = {
#define LIBM(n, result, ...) {#n, result},
#include "ir/libm.def"
};

// ---------------------------------------------------------------- expressions

Node *Builder::expr(const Expr *e)
{
    if (depth >= kMaxDepth)
        return no(R_DEEP, e->getExprLoc());
    depth++;
    Node *n = expr_below(e);
    depth--;
    return n ? n : lost(e);
}

// Whether `e`, whose truth is asked, is an array: a fault.
bool Builder::tests_array(const Expr *e)
{
    if (keeps || !e->getType()->isPointerType() || !is_array(e))
        return false;
    no(R_ARRAY_TEST, e->getSourceRange(), as_variable(e)->getNameAsString());
    return true;
}

bool Builder::is_null(const Expr *e)
{
    return e->getType()->isPointerType() && e->isNullPointerConstant(context, Expr::NPC_ValueDependentIsNotNull);
}

Node *Builder::in_context(Refusal side_effect, const Expr *e)
{
    Refusal outer = effect;
    if (side_effect != R_EFFECT_SUB || keeps || (effect != R_EFFECT_COND && effect != R_EFFECT_SOMETIMES))
        effect = side_effect; // what is not always made is that in subscripts, too
    Node *n = expr(e);
    effect = outer;
    return n;
}

Node *Builder::expr_below(const Expr *e)
{
    Type type;
    if (const auto *p = dyn_cast<ParenExpr>(e))
        return expr(p->getSubExpr());
    if (!keeps && e->getType()->isAnyComplexType()) // C leaves it as it is only where zero or not is asked
        return complex_truth(e);
    if (const auto *c = dyn_cast<ConstantExpr>(e))
        return expr(c->getSubExpr());
    if (const auto *g = dyn_cast<GenericSelectionExpr>(e))
        return expr(g->getResultExpr());
    if (const auto *r = dyn_cast<DeclRefExpr>(e))
        return reference(r);
    if (const auto *u = dyn_cast<UnaryOperator>(e))
        return unary(u);
    if (const auto *b = dyn_cast<BinaryOperator>(e))
        return binary(b);
    if (const auto *c = dyn_cast<CastExpr>(e))
        return cast(c);
    if (const auto *c = dyn_cast<CallExpr>(e))
        return call(c);
    if (isa<IntegerLiteral>(e) || isa<CharacterLiteral>(e) || isa<FloatingLiteral>(e) || isa<OffsetOfExpr>(e))
        return folded(e);
    if (isa<UnaryExprOrTypeTraitExpr>(e)) {
        Node *n = folded(e);
        return n ? n : no(R_SIZEOF, e->getSourceRange());
    }
    if (isa<ArraySubscriptExpr>(e))
        return element(e);
    if (const auto *c = dyn_cast<ConditionalOperator>(e)) {
        Node *cond = sometimes(R_EFFECT_COND, c->getCond());
        Node *a = perhaps(c->getTrueExpr()), *b = perhaps(c->getFalseExpr());
        if (!value_type(e->getType(), e->getSourceRange(), &type))
            return nullptr;
        return make(N_SEL, type, nullptr, {cond, a, b}, e);
    }
    if (isa<StringLiteral>(e) || isa<PredefinedExpr>(e))
        return no(R_STRING, e->getSourceRange());
    if (isa<MemberExpr>(e))
        return keeps ? no(R_STRUCT, e->getSourceRange()) : element(e);
    if (isa<StmtExpr>(e))
        return no(R_STMT_EXPR, e->getBeginLoc());
    if (isa<CompoundLiteralExpr>(e))
        return no(R_COMPOUND_LIT, e->getSourceRange());
    if (isa<InitListExpr>(e))
        return no(R_INIT_LIST, e->getSourceRange());
    if (isa<BinaryConditionalOperator>(e))
        return no(R_ELVIS, e->getSourceRange());
    return no(e->getType()->isAnyComplexType() ? R_COMPLEX : R_EXPR, e->getSourceRange(), e->getStmtClassName());
}

Node *Builder::element(const Expr *e)
{
    Type type;
    SmallVector<Node *, 4> subscripts;
    Sym *array = subscripted(e, subscripts);
    if (!array || !value_type(e->getType(), e->getSourceRange(), &type))
        return nullptr;
    if (!array->rank)
        return make(N_VAR, array->type, array, {}, e);
    if (Node *known = array->table ? table_element(array, subscripts) : nullptr)
        return known;
    return make(N_LOAD, array->type, array, subscripts, e);
}

Node *Builder::floating(Type type, const llvm::APFloat &value)
{
    // Decimal digits enough for every format, so that no format's bit layout need be known here.
    llvm::SmallString<64> digits;
    value.toString(digits, 40);
    return mk_float(ir, type, value.isNaN() ? (long double)__builtin_nan("") : std::strtold(digits.c_str(), nullptr));
}

// The value of a constant expression, or nullptr without a fault.
Node *Builder::folded(const Expr *e)
{
    Expr::EvalResult result;
    Type type;
    if (!scalar_type(e->getType(), &type) || !e->EvaluateAsRValue(result, context))
        return nullptr;
    if (result.Val.isInt())
        return integer(type, result.Val.getInt());
    return result.Val.isFloat() ? floating(type, result.Val.getFloat()) : nullptr;
}

Node *Builder::reference(const DeclRefExpr *e)
{
    const ValueDecl *d = e->getDecl();
    if (const auto *c = dyn_cast<EnumConstantDecl>(d)) {
        Type type;
        return scalar_type(e->getType(), &type) ? integer(type, c->getInitVal()) : nullptr;
    }
    if (isa<FunctionDecl>(d))
        return no(R_FUNC_POINTER, e->getSourceRange());
    const auto *var = dyn_cast<VarDecl>(d);
    if (var && var->isFileVarDecl() && !var->getType()->isArrayType()) {
        Node *n = folded(e);
        if (!n)
            global(var);
        return n;
    }
    if (var && is_struct(var->getType()))
        return no(R_STRUCT_VALUE, e->getSourceRange());
    Sym *s = var ? symbol_of(var) : symbols.lookup(d);
    if (!s)
        return nullptr;
    if (s->rank)
        return no(R_ARRAY_VALUE, e->getSourceRange(), s->name);
    return make(N_VAR, s->type, s, {}, e);
}

// The address of a number as one of another type?
static bool reads_bits(const Expr *address)
{
    const auto *as = dyn_cast<CStyleCastExpr>(address->IgnoreParenImpCasts());
    const QualType from = as ? as->getSubExpr()->IgnoreParenImpCasts()->getType() : QualType();
    const clang::Type *pointee = from.isNull() ? nullptr : from->getPointeeOrArrayElementType();
    return pointee && pointee->isArithmeticType() &&
           pointee->getCanonicalTypeUnqualified() != as->getType()->getPointeeType()->getCanonicalTypeUnqualified();
}

Node *Builder::unary(const UnaryOperator *e)
{
    Type type;
    switch (e->getOpcode()) {
    case UO_AddrOf: return no(R_ADDRESS, e->getSourceRange());
    case UO_Deref:
        if (const VarDecl *var = as_variable(e->getSubExpr()); var && symbols.count(var) && !symbols.lookup(var))
            return nullptr; // its declaration was refused
        return no_but(reads_bits(e->getSubExpr()) ? Suggest(context).bits_as(e->getType()) : "", R_DEREF, e->getSourceRange());
    case UO_Plus:
    case UO_Extension: return expr(e->getSubExpr());
    case UO_LNot:
        if (!keeps && e->getSubExpr()->getType()->isAnyComplexType())
            return make(N_LNOT, T_INT, nullptr, {complex_truth(e->getSubExpr())}, e);
        return tests_array(e->getSubExpr()) ? nullptr : make(N_LNOT, T_INT, nullptr, {expr(e->getSubExpr())}, e);
    case UO_Minus:
    case UO_Not:
        if (!value_type(e->getType(), e->getSourceRange(), &type))
            return nullptr;
        return make(e->getOpcode() == UO_Minus ? N_NEG : N_BNOT, type, nullptr, {expr(e->getSubExpr())}, e);
    case UO_Real:
    case UO_Imag: {
        if (keeps || !value_type(e->getType(), e->getSourceRange(), &type))
            return no(R_COMPLEX, e->getSourceRange());
        Pair p = complete(pair(e->getSubExpr()), type);
        return e->getOpcode() == UO_Real ? p.re : p.im;
    }
    default: return effect_value(e, e->getSubExpr()); // ++ and --
    }
}

Kind binary_kind(BinaryOperatorKind op)
{
    if (BinaryOperator::isCompoundAssignmentOp(op))
        op = BinaryOperator::getOpForCompoundAssignment(op);
    for (int kind = 0; kind < N_COUNT; kind++)
        if (kind_info[kind].kids == 2 && BinaryOperator::getOpcodeStr(op) == kind_info[kind].spelling)
            return (Kind)kind;
    return N_NONE;
}

Node *Builder::binary(const BinaryOperator *e)
{
    if (e->getOpcode() == BO_Comma)
        return no(R_COMMA, e->getOperatorLoc());
    if (e->isAssignmentOp())
        return effect_value(e, e->getLHS());
    const bool null_is_left = is_null(e->getLHS());
    if (e->isEqualityOp() && (null_is_left || is_null(e->getRHS())) && tests_array(null_is_left ? e->getRHS() : e->getLHS()))
        return nullptr;
    if (e->isLogicalOp() && (tests_array(e->getLHS()) || tests_array(e->getRHS())))
        return nullptr;
    if (e->getLHS()->getType()->isPointerType() || e->getRHS()->getType()->isPointerType())
        return no(R_POINTER_MATH, e->getSourceRange());
    Type type;
    if (!keeps && e->isEqualityOp() && (e->getLHS()->getType()->isAnyComplexType() || e->getRHS()->getType()->isAnyComplexType()))
        return complex_equal(e);
    if (e->isComparisonOp() || e->isLogicalOp())
        type = T_INT; // of C++ too, whose bool is the same number
    else if (!value_type(e->getType(), e->getSourceRange(), &type))
        return nullptr;
    if (Node *immediate = keeps ? constant_arithmetic(e, type) : nullptr)
        return immediate;
    Node *a = expr(e->getLHS());
    Node *b = e->isLogicalOp() ? perhaps(e->getRHS()) : expr(e->getRHS());
    return make(binary_kind(e->getOpcode()), type, nullptr, {a, b}, e);
}

// Sizes of lowered code are constants, often macros: (OH * OW) is an immediate like any other. Conditions keep
// their form. nullptr if it is not constant, or not defined.
Node *Builder::constant_arithmetic(const BinaryOperator *e, Type type)
{
    Expr::EvalResult result;
    bool is_arithmetic = type_is_integer(type) && !e->isComparisonOp() && !e->isLogicalOp();
    if (!is_arithmetic || !e->EvaluateAsRValue(result, context) || result.HasSideEffects || result.HasUndefinedBehavior ||
        !result.Val.isInt())
        return nullptr;
    return integer(type, result.Val.getInt());
}

Node *Builder::cast(const CastExpr *e)
{
    const Expr *sub = e->getSubExpr();
    Type type;
    switch (e->getCastKind()) {
    case CK_LValueToRValue:
    case CK_NoOp: return expr(sub);
    case CK_ArrayToPointerDecay:
    case CK_BitCast:
    case CK_PointerToIntegral:
    case CK_IntegralToPointer:
    case CK_PointerToBoolean:
    case CK_NullToPointer:
        if (e->getCastKind() == CK_PointerToBoolean && tests_array(sub))
            return nullptr;
        if (is_array(sub))
            return expr(bare(sub)); // names the array in its fault
        return isa<StringLiteral>(bare(sub))        ? no(R_STRING, sub->getSourceRange())
               : isa<ArraySubscriptExpr>(bare(sub)) ? no(R_TOO_FEW, e->getSourceRange())
                                                    : no(R_POINTER_VALUE, e->getSourceRange());
    default:
        if (!value_type(e->getType(), e->getSourceRange(), &type))
            return nullptr;
        if (!keeps && e->getCastKind() == CK_FloatingComplexToBoolean)
            return complex_truth(sub);
        Node *n = !keeps && e->getCastKind() == CK_FloatingComplexToReal ? complete(pair(sub), type).re : expr(sub);
        return !n || (Type)n->type == type ? n : make(N_CAST, type, nullptr, {n}, e);
    }
}

// The array below a chain of subscripts, which are appended in order. The chain may end at a row.
Sym *Builder::subscripted(const Expr *e, SmallVectorImpl<Node *> &subscripts)
{
    SmallVector<const Expr *, 4> chain;
    const Expr *whole = e = bare(e);
    for (const auto *s = dyn_cast<ArraySubscriptExpr>(e); s; s = dyn_cast<ArraySubscriptExpr>(e)) {
        chain.push_back(s->getIdx());
        e = bare(s->getBase());
    }
    if (isa<MemberExpr>(e) && !keeps)
        return subscripted_member(whole, subscripts);
    const VarDecl *var = as_variable(e);
    if (const auto *choice = dyn_cast<ConditionalOperator>(e); choice && !keeps && !chain.empty())
        return no_but(Suggest(context).choice(choice, chain), R_TOO_FEW, e->getSourceRange());
    if (!var) {
        expr(e); // says what it is
        return lost(e);
    }
    if (struct_locals.count(var) || struct_aliases.count(var))
        return no(R_STRUCT_VALUE, whole->getSourceRange());
    Sym *array = symbol_of(var);
    for (size_t i = chain.size(); i-- > 0;) {
        Node *n = in_context(R_EFFECT_SUB, chain[i]);
        if (!n)
            return nullptr;
        subscripts.push_back(n);
    }
    return array && array->rank ? array : lost(e);
}

// How many bits are 1, of 32 or 64, as processors without an instruction count them: a helper, so that the plans for vectors recognise it.
static Sym *popcount_helper(Ir *ir, Type type, Loc loc)
{
    const uint64_t ones = type_bits(type) == 64 ? UINT64_MAX : UINT32_MAX;
    Sym *param = sym_new(ir, S_PARAM, type, "word", loc), *local = sym_new(ir, S_LOCAL, type, "counts", loc);
    Node *v = mk_var(ir, local);
    auto number = [&](uint64_t n) { return mk_int(ir, type, (int64_t)n); };
    auto shifted = [&](Node *e, int n) { return mk_binary(ir, N_SHR, e, mk_int(ir, T_INT, n)); };
    auto masked = [&](Node *e, uint64_t by) { return mk_binary(ir, N_AND, e, number(ones / by)); };
    auto set = [&](Node *value) { return mk_assign(ir, local, value, N_NONE, loc); };
    Node *bytes = mk_binary(ir, N_MUL, v, number(ones / 255));
    Node *count = mk_cast(ir, T_INT, shifted(bytes, type_bits(type) - 8));
    Node *body[] = {mk_decl(ir, local, mk_var(ir, param), loc), set(mk_binary(ir, N_SUB, v, masked(shifted(v, 1), 3))),
                    set(mk_binary(ir, N_ADD, masked(v, 5), masked(shifted(v, 2), 5))),
                    set(masked(mk_binary(ir, N_ADD, v, shifted(v, 4)), 17)), mk_return(ir, count, loc)};
    Func *f = arena_new_array(ir->arena, Func, 1);
    f->name = "popcount";
    f->result = T_INT;
    f->params = arena_new_array(ir->arena, Sym *, 1);
    f->params[0] = param;
    f->nparams = 1;
    f->body = mk_block(ir, 5, body, loc);
    f->is_helper = true;
    f->loc = loc;
    Sym *s = sym_new(ir, S_FUNC, T_INT, f->name, loc);
    s->func = f;
    return s;
}

// isnan and its like, which are macros over builtins in the prelude, and population counts.
Node *Builder::builtin(StringRef name, const CallExpr *e)
{
    if (Node *n = folded(e))
        return n; // INFINITY and NAN
    if (!keeps && (name == "__builtin_popcount" || name == "__builtin_popcountl" || name == "__builtin_popcountll")) {
        Node *x = expr(e->getArg(0));
        return x ? make(N_CALL, T_INT, popcount_helper(ir, (Type)x->type, at(e->getSourceRange())), {x}, e) : nullptr;
    }
    if (name != "__builtin_isnan" && name != "__builtin_isinf" && name != "__builtin_isfinite")
        return no(R_NO_BODY, e->getSourceRange(), name.str());
    Node *x = expr(e->getArg(0));
    if (!x)
        return nullptr;
    Type t = (Type)x->type;
    Node *inf = mk_float(ir, t, __builtin_infl());
    Node *minus_inf = mk_float(ir, t, -__builtin_infl());
    if (name == "__builtin_isnan")
        return mk_binary(ir, N_NE, x, x);
    if (name == "__builtin_isinf")
        return mk_binary(ir, N_LOR, mk_binary(ir, N_EQ, x, inf), mk_binary(ir, N_EQ, x, minus_inf));
    return mk_binary(ir, N_LAND, mk_binary(ir, N_LT, minus_inf, x), mk_binary(ir, N_LT, x, inf));
}

const LibmEntry *libm_entry(StringRef name)
{
    for (const LibmEntry &entry : kLibm)
        if (name == entry.name)
            return &entry;
    return nullptr;
}

// nullptr if it is none.
Sym *Builder::libm_function(const FunctionDecl *fd)
{
    const LibmEntry *entry = libm_entry(fd->getName());
    if (!entry)
        return nullptr;
    Sym *&s = symbols[fd->getCanonicalDecl()];
    if (!s) {
        s = sym_new(ir, S_FUNC, entry->result, entry->name, Loc{0, 0});
        s->libm = (int)(entry - kLibm) + 1;
    }
    return s;
}

// What the prelude has instead of casts for the floats that C cannot have; nullptr if it is no such call.
Node *Builder::fp8_conversion(const FunctionDecl *fd, const CallExpr *e)
{
    Type type, from;
    if (keeps || fd->hasBody() || fd->getNumParams() != 1 || is_written(sm, fd->getLocation()) ||
        !scalar_type(fd->getReturnType(), &type) || !scalar_type(fd->getParamDecl(0)->getType(), &from) ||
        type_is_fp8(type) == type_is_fp8(from))
        return nullptr;
    Node *n = expr(e->getArg(0));
    return n ? make(N_CAST, type, nullptr, {n}, e) : nullptr;
}

Node *Builder::call(const CallExpr *e)
{
    const FunctionDecl *fd = e->getDirectCallee();
    if (!fd) {
        const VarDecl *var = as_variable(e->getCallee());
        return var && symbols.count(var) ? nullptr : no(R_FUNC_POINTER, e->getCallee()->getSourceRange());
    }
    StringRef name = fd->getName();
    if (name.starts_with("__builtin_"))
        return builtin(name, e);
    if (Node *n = fp8_conversion(fd, e))
        return n;
    bool found;
    if (Node *n = real_call(fd, e, &found); found)
        return n;
    SourceRange callee = e->getCallee()->getSourceRange();
    Sym *s = nullptr;
    const FunctionDecl *definition = nullptr;
    if (fd->hasBody(definition)) {
        fd = definition; // its parameters, not the prototype's
        const Inlined version = helper(fd, callee, rows_of(e, fd));
        s = version.s;
        use_parameters(fd, version);
    } else {
        s = libm_function(fd);
        if (!s)
            return no(R_NO_BODY, callee, name.str());
    }
    SmallVector<Node *, 8> args;
    if (!s || !arguments(e, fd, args))
        return nullptr;
    return make(N_CALL, s->type, s, args, e);
}

bool Builder::arguments(const CallExpr *e, const FunctionDecl *fd, SmallVectorImpl<Node *> &args)
{
    bool good = e->getNumArgs() == fd->getNumParams();
    if (!good) // possible where the callee was declared in the old style
        no(R_C_ARGUMENTS, e->getSourceRange(), "wrong number of arguments");
    for (unsigned i = 0; good && i < e->getNumArgs(); i++) {
        const ParmVarDecl *param = fd->getParamDecl(i);
        if (param->getType()->isPointerType()) {
            good = argument(e->getArg(i), param, args);
            continue;
        }
        if (Type type; complex_type(param->getType(), &type)) {
            Pair p = complete(pair(e->getArg(i)), type);
            args.append({p.re, p.im});
            good = p.good;
            continue;
        }
        if (is_struct(param->getType())) {
            good = struct_argument(e, fd, i, args);
            continue;
        }
        args.push_back(expr(e->getArg(i)));
        good = args.back() != nullptr;
    }
    return good;
}

// An array or a row of one, passed to array parameter `param`.
bool Builder::argument(const Expr *e, const ParmVarDecl *param, SmallVectorImpl<Node *> &args)
{
    SmallVector<Node *, 4> subscripts;
    const Expr *inner = bare(e);
    std::string name = param->getNameAsString();
    if (const auto *u = dyn_cast<UnaryOperator>(inner); u && u->getOpcode() == UO_AddrOf)
        return no_but(Suggest(context).array_and_subscript(bare(u->getSubExpr())), R_ADDRESS, e->getSourceRange()), false;
    if (const auto *b = dyn_cast<BinaryOperator>(inner); b && b->isAdditiveOp())
        return no(R_POINTER_MATH, e->getSourceRange()), false;
    Access member;
    const Expr *base = member_below(inner);
    if (base && !access(inner, &member))
        return false;
    if (base && member.array->whole) // its numbers lie apart
        return no(R_ARG_MEMBER, base->getSourceRange(), name), false;
    if (!base && !isa<ArraySubscriptExpr>(inner) && !isa<DeclRefExpr>(inner))
        return no(R_ARG_ARRAY, e->getSourceRange(), name), false;
    Sym *array = base ? place_of(member, subscripts) : subscripted(inner, subscripts);
    Sym *to = symbols.lookup(param);
    if (!array || !to)
        return false;
    if (array->rank - (int)subscripts.size() != to->rank)
        return no(R_ARG_RANK, e->getSourceRange(), name), false;
    if (array->type != to->type || array->elements != to->elements)
        return no(R_ARG_ELEM, e->getSourceRange(), name), false;
    if (array->is_const && !to->is_const)
        return no(R_CONST_PASS, e->getSourceRange(), array->name), false;
    if (array->elements)
        return struct_arguments(e, array, to, subscripts, args);
    args.push_back(make(N_REF, array->type, array, subscripts, e));
    return args.back() != nullptr;
}

} // namespace mikgen
