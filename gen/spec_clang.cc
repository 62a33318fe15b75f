// The Clang front end: C source text in, the tree of ir/node.h out. The only C++ of the project.
//
// Clang parses and types the text; Builder walks its syntax tree once and makes ours, bottom-up. What is
// outside the subset is noted as a fault of Front at its place and yields nullptr, which travels up to the
// enclosing statement; the walk goes on with the next one. Checks that need no Clang are in gen/semantic.c.
#include <cstdlib>
#include <string>

#include "gen/clang_errors.hh"
#include "gen/clang_tokens.hh"
#include "gen/spec_clang.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/VirtualFileSystem.h"

namespace
{

// Deeper trees than this are refused, so that no later pass can run out of stack.
const int kMaxDepth = 2000;

const char *const kFileName = "/mikgen/input.spec";
const char *const kPreludeName = "/mikgen/include/prelude.h";
const char *const kHeaders[] = {"math.h",  "stdint.h", "stddef.h", "stdbool.h",
                                "float.h", "limits.h", "stdlib.h"};

struct LibmEntry {
    const char *name;
    Type result;
};
const LibmEntry kLibm[] = {
#define LIBM(n, result, ...) {#n, result},
#include "ir/libm.def"
};

// ---------------------------------------------------------------- the builder

const Expr *bare(const Expr *e)
{
    return e->IgnoreParenImpCasts();
}

const VarDecl *as_variable(const Expr *e)
{
    const auto *ref = dyn_cast<DeclRefExpr>(bare(e));
    return ref ? dyn_cast<VarDecl>(ref->getDecl()) : nullptr;
}

class Builder
{
  public:
    Builder(Front *front, ASTContext &context)
        : front(front), ir(front->ir), context(context), sm(context.getSourceManager())
    {
    }

    void translation_unit();

  private:
    Front *front;
    Ir *ir;
    ASTContext &context;
    const SourceManager &sm;
    llvm::DenseMap<const Decl *, Sym *> symbols;         // nullptr: its declaration was refused
    llvm::DenseMap<const FunctionDecl *, Sym *> helpers; // nullptr: refused
    llvm::DenseMap<const FunctionDecl *, bool> building; // open, to find recursion
    Refusal effect = R_EFFECT_VALUE;                     // what a side effect at this place is called
    int depth = 0;
    bool found_deep = false, found_struct = false;

    // Places and faults.
    Loc at(SourceRange range)
    {
        return place(sm, context.getLangOpts(), range);
    }
    Loc at(const Expr *e)
    {
        return at(e->getSourceRange());
    }
    std::nullptr_t no(Refusal why, SourceRange range, const std::string &name = "")
    {
        if (why == R_DEEP || why == R_STRUCT) { // once is enough: what follows from the first is everywhere
            bool &known = why == R_DEEP ? found_deep : found_struct;
            if (known)
                return nullptr;
            known = true;
        }
        refuse(front, why, at(range), name);
        return nullptr;
    }

    // No tree without a fault: what has none of its own gets one here.
    std::nullptr_t lost(const Expr *e)
    {
        return front->faults.count ? nullptr : no(R_EXPR, e->getSourceRange(), e->getStmtClassName());
    }

    // Types.
    bool scalar_type(QualType type, Type *out);
    bool value_type(QualType type, SourceRange range, Type *out);
    const char *standard_spelling(QualType type);

    // Declarations.
    bool array_extents(QualType type, const ParmVarDecl *param, SourceRange range,
                       SmallVectorImpl<Node *> &extents, QualType *elem);
    Sym *parameter(const ParmVarDecl *param);
    void local(const VarDecl *var, Vec *out);
    Func *function(const FunctionDecl *fd, bool is_helper);
    Sym *helper(const FunctionDecl *fd, SourceRange use);
    void global(const VarDecl *var);

    // Expressions; nullptr after a fault.
    Node *make(Kind kind, Type type, Sym *sym, ArrayRef<Node *> kids, const Expr *e)
    {
        for (Node *kid : kids)
            if (!kid)
                return nullptr;
        return mk_expr(ir, kind, type, sym, (int)kids.size(), kids.data(), at(e));
    }
    Node *expr(const Expr *e);
    Node *expr_below(const Expr *e);
    Node *in_context(Refusal side_effect, const Expr *e);
    Node *integer(Type type, const llvm::APSInt &value)
    {
        return mk_int(ir, type, value.isSigned() ? value.getSExtValue() : (int64_t)value.getZExtValue());
    }
    Node *floating(Type type, const llvm::APFloat &value);
    Node *folded(const Expr *e);
    Node *reference(const DeclRefExpr *e);
    Node *unary(const UnaryOperator *e);
    Node *binary(const BinaryOperator *e);
    Node *cast(const CastExpr *e);
    Node *call(const CallExpr *e);
    Node *builtin(StringRef name, const CallExpr *e);
    Node *argument(const Expr *e, const ParmVarDecl *param);
    bool arguments(const CallExpr *e, const FunctionDecl *fd, SmallVectorImpl<Node *> &args);
    bool is_array(const Expr *e)
    {
        const VarDecl *var = as_variable(e);
        Sym *s = var ? symbols.lookup(var) : nullptr;
        return s && s->rank;
    }
    Sym *subscripted(const Expr *e, SmallVectorImpl<Node *> &subscripts);

    // Statements.
    Node *block(const Stmt *s);
    void stmt(const Stmt *s, Vec *out);
    void stmt_below(const Stmt *s, Vec *out);
    void expr_stmt(const Expr *e, Vec *out);
    void assign(const Expr *target, Node *value, Kind compound, const Expr *whole, Vec *out);
    void compound(const CompoundAssignOperator *e, Vec *out);
    void step_stmt(const UnaryOperator *e, Vec *out);
    void loop(const ForStmt *s, Vec *out);
    const VarDecl *loop_start(const ForStmt *s, Node **lo, bool *declares);
    Node *loop_condition(const ForStmt *s, const VarDecl *var, bool *up, bool *down);
    bool loop_step(const ForStmt *s, const VarDecl *var, int64_t *step);
    bool constant(const Expr *e, Type type, int64_t *value);
};

// ---------------------------------------------------------------- types

bool Builder::scalar_type(QualType type, Type *out)
{
    type = type.getCanonicalType();
    if (const auto *e = type->getAs<EnumType>())
        type = e->getDecl()->getIntegerType().getCanonicalType();
    const auto *b = dyn_cast_or_null<BuiltinType>(type.isNull() ? nullptr : type.getTypePtr());
    if (!b)
        return false;
    switch (b->getKind()) {
    case BuiltinType::Bool: *out = T_BOOL; return true;
    case BuiltinType::Char_S:
    case BuiltinType::Char_U: *out = T_CHAR; return true;
    case BuiltinType::SChar: *out = T_SCHAR; return true;
    case BuiltinType::UChar: *out = T_UCHAR; return true;
    case BuiltinType::Short: *out = T_SHORT; return true;
    case BuiltinType::UShort: *out = T_USHORT; return true;
    case BuiltinType::Int: *out = T_INT; return true;
    case BuiltinType::UInt: *out = T_UINT; return true;
    case BuiltinType::Long: *out = T_LONG; return true;
    case BuiltinType::ULong: *out = T_ULONG; return true;
    case BuiltinType::LongLong: *out = T_LLONG; return true;
    case BuiltinType::ULongLong: *out = T_ULLONG; return true;
    case BuiltinType::Float16: *out = T_HALF; return true;
    case BuiltinType::BFloat16: *out = T_BF16; return true;
    case BuiltinType::Float: *out = T_FLOAT; return true;
    case BuiltinType::Double: *out = T_DOUBLE; return true;
    case BuiltinType::LongDouble: *out = T_LDOUBLE; return true;
    default: return false;
    }
}

// The type of something that has a value, or a fault that names what it is instead.
bool Builder::value_type(QualType type, SourceRange range, Type *out)
{
    QualType c = type.getCanonicalType();
    if (c.isVolatileQualified() || c->isAtomicType())
        no(R_VOLATILE, range);
    else if (scalar_type(type, out))
        return true;
    else if (c->isAnyComplexType())
        no(R_COMPLEX, range);
    else if (c->isSpecificBuiltinType(BuiltinType::Int128) || c->isSpecificBuiltinType(BuiltinType::UInt128))
        no(R_INT128, range);
    else if (c->isRecordType())
        no(R_STRUCT, range);
    else if (c->isFunctionPointerType() || c->isFunctionType())
        no(R_FUNC_POINTER, range);
    else if (c->isPointerType() || c->isArrayType())
        no(R_TOO_FEW, range);
    else
        no(R_TYPE, range, type.getUnqualifiedType().getAsString(context.getPrintingPolicy()));
    return false;
}

// "int64_t" and its like when the declaration goes through one, else NULL.
const char *Builder::standard_spelling(QualType type)
{
    while (const auto *t = type->getAs<TypedefType>()) {
        const TypedefNameDecl *decl = t->getDecl();
        if (!sm.isWrittenInMainFile(decl->getLocation()) && decl->getName().ends_with("_t"))
            return arena_strndup(ir->arena, decl->getName().data(), decl->getName().size());
        type = decl->getUnderlyingType();
    }
    return nullptr;
}

// ---------------------------------------------------------------- declarations

bool is_extent_expr(const Node *n)
{
    if (n->kind == N_LOAD || n->kind == N_CALL || n->kind == N_REF || n->kind == N_FLOAT)
        return false;
    for (int i = 0; i < n->nkids; i++)
        if (!is_extent_expr(n->kid[i]))
            return false;
    return true;
}

bool Builder::array_extents(QualType type, const ParmVarDecl *param, SourceRange range,
                            SmallVectorImpl<Node *> &extents, QualType *elem)
{
    while (const ArrayType *a = context.getAsArrayType(type)) {
        if (const auto *c = dyn_cast<ConstantArrayType>(a)) {
            int64_t n = c->getSize().getSExtValue();
            extents.push_back(mk_int(ir, n <= INT32_MAX ? T_INT : T_LONG, n));
        } else if (const auto *v = dyn_cast<VariableArrayType>(a)) {
            if (!v->getSizeExpr())
                return no(R_STAR_EXTENT, range), false;
            Node *n = in_context(R_EFFECT_SUB, v->getSizeExpr());
            if (!n)
                return false;
            if (!is_extent_expr(n))
                return no(R_EXTENT, v->getSizeExpr()->getSourceRange()), false;
            extents.push_back(n);
        } else {
            return no(R_OPEN_EXTENT, range, param ? param->getNameAsString() : ""), false;
        }
        type = a->getElementType();
    }
    *elem = type;
    return true;
}

Sym *Builder::parameter(const ParmVarDecl *param)
{
    std::string name = param->getNameAsString();
    QualType type = param->getOriginalType();
    if (const auto *decayed = type->getAs<DecayedType>())
        type = decayed->getOriginalType();
    SourceRange range = param->getLocation();
    if (type->isFunctionType() || type->isFunctionPointerType())
        return no(R_FUNC_POINTER, range);
    if (type->isPointerType())
        return no(R_POINTER_PARAM, range, name);
    SmallVector<Node *, 4> extents;
    QualType elem;
    Type t;
    if (!array_extents(type, param, range, extents, &elem) || !value_type(elem, range, &t))
        return nullptr;
    Sym *s = extents.empty()
                 ? sym_new(ir, S_PARAM, t, name.c_str(), at(range))
                 : sym_new_array(ir, S_ARRAY, t, name.c_str(), (int)extents.size(), extents.data(), at(range));
    s->is_const = elem.isConstQualified();
    s->is_restrict = param->getType().isRestrictQualified();
    s->spelling = standard_spelling(elem);
    return s;
}

// Whether every element of the list is a constant zero.
bool is_zero_list(const InitListExpr *list, const ASTContext &context)
{
    for (const Expr *e : list->inits()) {
        if (const auto *inner = dyn_cast<InitListExpr>(e)) {
            if (!is_zero_list(inner, context))
                return false;
        } else if (!isa<ImplicitValueInitExpr>(e)) {
            Expr::EvalResult result;
            if (!e->EvaluateAsRValue(result, context))
                return false;
            if (!(result.Val.isInt() ? result.Val.getInt() == 0
                                     : result.Val.isFloat() && result.Val.getFloat().isPosZero()))
                return false;
        }
    }
    return true;
}

void Builder::local(const VarDecl *var, Vec *out)
{
    std::string name = var->getNameAsString();
    SourceRange range = var->getLocation();
    symbols[var] = nullptr;
    if (var->getStorageClass() == SC_Static || var->getStorageClass() == SC_Extern)
        return (void)no(var->getStorageClass() == SC_Static ? R_STATIC : R_EXTERN, range, name);
    QualType type = var->getType(), elem;
    if (type->isPointerType() && !type->isFunctionPointerType())
        return (void)no(R_POINTER_VAR, range, name);
    SmallVector<Node *, 4> extents;
    Type t;
    if (!array_extents(type, nullptr, range, extents, &elem) || !value_type(elem, range, &t))
        return;
    const Expr *init = var->getInit();
    const auto *list = init ? dyn_cast<InitListExpr>(init) : nullptr;
    if (!extents.empty()) {
        Sym *s =
            sym_new_array(ir, S_LOCAL_ARRAY, t, name.c_str(), (int)extents.size(), extents.data(), at(range));
        s->is_const = elem.isConstQualified() && !list;
        symbols[var] = s;
        if (init && !list)
            return (void)no(R_STRING, init->getSourceRange());
        if (list && !is_zero_list(list, context))
            return (void)no(R_INIT_LIST, list->getSourceRange());
        vec_push(ir->arena, out, mk_decl(ir, s, nullptr, at(range)));
        Node *zero = type_is_float(t) ? mk_float(ir, t, 0) : mk_int(ir, t, 0);
        if (list) // a store without subscripts: gen/semantic.c makes the loops
            vec_push(ir->arena, out, mk_store(ir, s, 0, nullptr, zero, N_NONE, at(range)));
        return;
    }
    if (list && list->getNumInits() == 1)
        init = list->getInit(0);
    Node *value = init ? expr(init) : nullptr;
    if (init && !value)
        return;
    Sym *s = sym_new(ir, S_LOCAL, t, name.c_str(), at(range));
    s->is_const = elem.isConstQualified();
    vec_push(ir->arena, out, mk_decl(ir, s, value, at(range)));
    symbols[var] = s;
}

Func *Builder::function(const FunctionDecl *fd, bool is_helper)
{
    std::string name = fd->getNameAsString();
    int faults = front->faults.count;
    Func *f = arena_new_array(ir->arena, Func, 1);
    f->name = arena_strndup(ir->arena, name.data(), name.size());
    f->is_helper = is_helper;
    f->loc = at(fd->getLocation());
    QualType result = fd->getReturnType();
    if (fd->isVariadic())
        return no(R_VARIADIC, fd->getLocation(), name);
    if (!fd->hasWrittenPrototype() && fd->getNumParams())
        return no(R_OLD_STYLE, fd->getLocation(), name);
    if (!is_helper && !result->isVoidType())
        return no(R_RESULT, fd->getLocation(), name);
    f->result = T_VOID;
    if (!result->isVoidType() && (result->isPointerType() || result->isRecordType()))
        return no(R_HELPER_RESULT, fd->getLocation(), name);
    if (!result->isVoidType() && !value_type(result, fd->getLocation(), &f->result))
        return nullptr;
    f->nparams = (int)fd->getNumParams();
    f->params = arena_new_array(ir->arena, Sym *, f->nparams + 1);
    for (int i = 0; i < f->nparams; i++)
        f->params[i] = symbols[fd->getParamDecl(i)] = parameter(fd->getParamDecl(i));
    building[fd] = true;
    f->body = block(fd->getBody());
    building[fd] = false;
    return front->faults.count == faults ? f : nullptr;
}

// The symbol of a function that is inlined where it is called.
Sym *Builder::helper(const FunctionDecl *fd, SourceRange use)
{
    if (building.lookup(fd))
        return no(R_RECURSION, use, fd->getNameAsString());
    auto known = helpers.find(fd);
    if (known != helpers.end())
        return known->second;
    Refusal outer = effect;
    effect = R_EFFECT_VALUE;
    Func *f = function(fd, true);
    effect = outer;
    Sym *s = nullptr;
    if (f) {
        s = sym_new(ir, S_FUNC, f->result, f->name, f->loc);
        s->func = f;
        Definition *d = arena_new_array(ir->arena, Definition, 1);
        *d = {f, at(fd->getSourceRange())};
        vec_push(ir->arena, &front->helpers, d);
    }
    return helpers[fd] = s;
}

// Constants at file scope are folded where they are used; anything else is refused.
void Builder::global(const VarDecl *var)
{
    Type t;
    Expr::EvalResult value;
    bool is_constant = var->getType().isConstQualified() && scalar_type(var->getType(), &t) && var->getInit() &&
                       var->getInit()->EvaluateAsRValue(value, context);
    QualType type = var->getType();
    if (!is_constant)
        no(type->isRecordType()  ? R_STRUCT
           : type->isArrayType() ? R_GLOBAL_ARRAY
                                 : R_GLOBAL,
           var->getLocation(), var->getNameAsString());
}

void Builder::translation_unit()
{
    for (const Decl *d : context.getTranslationUnitDecl()->decls()) {
        if (!sm.isWrittenInMainFile(sm.getFileLoc(d->getLocation())) || d->isImplicit())
            continue;
        if (const auto *fd = dyn_cast<FunctionDecl>(d)) {
            if (!fd->isThisDeclarationADefinition())
                continue;
            if (!fd->isExternallyVisible()) {
                helper(fd, fd->getLocation());
            } else if (Func *f = function(fd, false)) {
                Definition *def = arena_new_array(ir->arena, Definition, 1);
                *def = {f, at(fd->getSourceRange())};
                vec_push(ir->arena, &front->operators, def);
            }
        } else if (const auto *var = dyn_cast<VarDecl>(d)) {
            global(var);
        } else if (isa<RecordDecl>(d)) {
            no(R_STRUCT, d->getLocation());
        } else if (isa<FileScopeAsmDecl>(d)) {
            no(R_INLINE_ASM, d->getLocation());
        } else if (!isa<TypedefDecl>(d) && !isa<EnumDecl>(d) && !isa<EmptyDecl>(d) &&
                   !isa<StaticAssertDecl>(d)) {
            no(R_DECL, d->getSourceRange());
        }
    }
}

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

Node *Builder::in_context(Refusal side_effect, const Expr *e)
{
    Refusal outer = effect;
    effect = side_effect;
    Node *n = expr(e);
    effect = outer;
    return n;
}

Node *Builder::expr_below(const Expr *e)
{
    Type type;
    if (const auto *p = dyn_cast<ParenExpr>(e))
        return expr(p->getSubExpr());
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
    if (isa<ArraySubscriptExpr>(e)) {
        SmallVector<Node *, 4> subscripts;
        Sym *array = subscripted(e, subscripts);
        if (!array || !value_type(e->getType(), e->getSourceRange(), &type))
            return nullptr;
        return make(N_LOAD, array->type, array, subscripts, e);
    }
    if (const auto *c = dyn_cast<ConditionalOperator>(e)) {
        Node *cond = in_context(R_EFFECT_COND, c->getCond());
        Node *a = expr(c->getTrueExpr()), *b = expr(c->getFalseExpr());
        if (!value_type(e->getType(), e->getSourceRange(), &type))
            return nullptr;
        return make(N_SEL, type, nullptr, {cond, a, b}, e);
    }
    if (isa<StringLiteral>(e) || isa<PredefinedExpr>(e))
        return no(R_STRING, e->getSourceRange());
    if (isa<MemberExpr>(e))
        return no(R_STRUCT, e->getSourceRange());
    if (isa<StmtExpr>(e))
        return no(R_STMT_EXPR, e->getBeginLoc());
    if (isa<CompoundLiteralExpr>(e))
        return no(R_COMPOUND_LIT, e->getSourceRange());
    if (isa<InitListExpr>(e))
        return no(R_INIT_LIST, e->getSourceRange());
    if (isa<BinaryConditionalOperator>(e))
        return no(R_ELVIS, e->getSourceRange());
    return no(e->getType()->isAnyComplexType() ? R_COMPLEX : R_EXPR, e->getSourceRange(),
              e->getStmtClassName());
}

Node *Builder::floating(Type type, const llvm::APFloat &value)
{
    // Decimal digits enough for every format, so that no format's bit layout need be known here.
    llvm::SmallString<64> digits;
    value.toString(digits, 40);
    return mk_float(ir, type,
                    value.isNaN() ? (long double)__builtin_nan("") : std::strtold(digits.c_str(), nullptr));
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
    if (var && var->isFileVarDecl())
        return folded(e); // what cannot be folded was refused at its declaration
    Sym *s = symbols.lookup(d);
    if (!s)
        return nullptr;
    if (s->rank)
        return no(R_ARRAY_VALUE, e->getSourceRange(), s->name);
    return make(N_VAR, s->type, s, {}, e);
}

Node *Builder::unary(const UnaryOperator *e)
{
    Type type;
    switch (e->getOpcode()) {
    case UO_AddrOf: return no(R_ADDRESS, e->getSourceRange());
    case UO_Deref: return no(R_DEREF, e->getSourceRange());
    case UO_Plus:
    case UO_Extension: return expr(e->getSubExpr());
    case UO_LNot: return make(N_LNOT, T_INT, nullptr, {expr(e->getSubExpr())}, e);
    case UO_Minus:
    case UO_Not:
        if (!value_type(e->getType(), e->getSourceRange(), &type))
            return nullptr;
        return make(e->getOpcode() == UO_Minus ? N_NEG : N_BNOT, type, nullptr, {expr(e->getSubExpr())}, e);
    case UO_Real:
    case UO_Imag: return no(R_COMPLEX, e->getSourceRange());
    default: return no(effect, e->getSourceRange()); // ++ and --
    }
}

// The node kind of C's operator, by its spelling in ir/ops.def.
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
        return no(effect, e->getSourceRange());
    if (e->getLHS()->getType()->isPointerType() || e->getRHS()->getType()->isPointerType())
        return no(R_POINTER_MATH, e->getSourceRange());
    Type type;
    if (!value_type(e->getType(), e->getSourceRange(), &type))
        return nullptr;
    Node *a = expr(e->getLHS()), *b = expr(e->getRHS());
    return make(binary_kind(e->getOpcode()), type, nullptr, {a, b}, e);
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
        if (is_array(sub))
            return expr(bare(sub)); // names the array in its fault
        return isa<StringLiteral>(bare(sub))        ? no(R_STRING, sub->getSourceRange())
               : isa<ArraySubscriptExpr>(bare(sub)) ? no(R_TOO_FEW, e->getSourceRange())
                                                    : no(R_POINTER_VALUE, e->getSourceRange());
    default:
        if (!value_type(e->getType(), e->getSourceRange(), &type))
            return nullptr;
        Node *n = expr(sub);
        return !n || (Type)n->type == type ? n : make(N_CAST, type, nullptr, {n}, e);
    }
}

// The array below a chain of subscripts, which are appended in order. The chain may end at a row.
Sym *Builder::subscripted(const Expr *e, SmallVectorImpl<Node *> &subscripts)
{
    SmallVector<const Expr *, 4> chain;
    e = bare(e);
    for (const auto *s = dyn_cast<ArraySubscriptExpr>(e); s; s = dyn_cast<ArraySubscriptExpr>(e)) {
        chain.push_back(s->getIdx());
        e = bare(s->getBase());
    }
    const VarDecl *var = as_variable(e);
    if (!var) {
        expr(e); // says what it is
        return lost(e);
    }
    Sym *array = symbols.lookup(var);
    for (size_t i = chain.size(); i-- > 0;) {
        Node *n = in_context(R_EFFECT_SUB, chain[i]);
        if (!n)
            return nullptr;
        subscripts.push_back(n);
    }
    return array && array->rank ? array : lost(e);
}

// isnan and its like, which are macros over builtins in the prelude.
Node *Builder::builtin(StringRef name, const CallExpr *e)
{
    if (Node *n = folded(e))
        return n; // INFINITY and NAN
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
    SourceRange callee = e->getCallee()->getSourceRange();
    Sym *s = nullptr;
    const FunctionDecl *definition = nullptr;
    if (fd->hasBody(definition)) {
        s = helper(definition, callee);
        fd = definition; // its parameters, not the prototype's
    } else {
        for (size_t i = 0; i < sizeof kLibm / sizeof *kLibm; i++)
            if (name == kLibm[i].name) {
                const FunctionDecl *first = fd->getCanonicalDecl();
                s = symbols.lookup(first);
                if (s)
                    break;
                s = symbols[first] = sym_new(ir, S_FUNC, kLibm[i].result, kLibm[i].name, Loc{0, 0});
                s->libm = (int)i + 1;
            }
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
        Node *n = param->getType()->isPointerType() ? argument(e->getArg(i), param) : expr(e->getArg(i));
        good = n != nullptr;
        args.push_back(n);
    }
    return good;
}

// An array or a row of one, passed to array parameter `param`.
Node *Builder::argument(const Expr *e, const ParmVarDecl *param)
{
    SmallVector<Node *, 4> subscripts;
    const Expr *inner = bare(e);
    std::string name = param->getNameAsString();
    if (const auto *u = dyn_cast<UnaryOperator>(inner); u && u->getOpcode() == UO_AddrOf)
        return no(R_ADDRESS, e->getSourceRange());
    if (const auto *b = dyn_cast<BinaryOperator>(inner); b && b->isAdditiveOp())
        return no(R_POINTER_MATH, e->getSourceRange());
    if (!isa<ArraySubscriptExpr>(inner) && !isa<DeclRefExpr>(inner))
        return no(R_ARG_ARRAY, e->getSourceRange(), name);
    Sym *array = subscripted(inner, subscripts);
    const Sym *to = symbols.lookup(param);
    if (!array || !to)
        return nullptr;
    if (array->rank - (int)subscripts.size() != to->rank)
        return no(R_ARG_RANK, e->getSourceRange(), name);
    if (array->type != to->type)
        return no(R_ARG_ELEM, e->getSourceRange(), name);
    if (array->is_const && !to->is_const)
        return no(R_CONST_PASS, e->getSourceRange(), array->name);
    return make(N_REF, array->type, array, subscripts, e);
}

// ---------------------------------------------------------------- statements

Node *Builder::block(const Stmt *s)
{
    Vec stmts = {};
    if (const auto *c = dyn_cast<CompoundStmt>(s))
        for (const Stmt *inner : c->body())
            stmt(inner, &stmts);
    else
        stmt(s, &stmts);
    return mk_block(ir, stmts.count, (Node *const *)stmts.items, at(s->getSourceRange()));
}

void Builder::stmt(const Stmt *s, Vec *out)
{
    if (depth >= kMaxDepth)
        return (void)no(R_DEEP, s->getBeginLoc());
    depth++;
    stmt_below(s, out);
    depth--;
}

void Builder::stmt_below(const Stmt *s, Vec *out)
{
    SourceRange here = s->getBeginLoc();
    switch (s->getStmtClass()) {
    case Stmt::CompoundStmtClass: vec_push(ir->arena, out, block(s)); return;
    case Stmt::NullStmtClass: return;
    case Stmt::ForStmtClass: loop(llvm::cast<ForStmt>(s), out); return;
    case Stmt::AttributedStmtClass: stmt(llvm::cast<AttributedStmt>(s)->getSubStmt(), out); return;
    case Stmt::DeclStmtClass:
        for (const Decl *d : llvm::cast<DeclStmt>(s)->decls()) {
            if (const auto *var = dyn_cast<VarDecl>(d))
                local(var, out);
            else if (isa<RecordDecl>(d))
                no(R_STRUCT, d->getLocation());
            else if (!isa<TypedefDecl>(d) && !isa<EnumDecl>(d) && !isa<StaticAssertDecl>(d) &&
                     !isa<FunctionDecl>(d))
                no(R_DECL, d->getSourceRange());
        }
        return;
    case Stmt::IfStmtClass: {
        const auto *i = llvm::cast<IfStmt>(s);
        Node *cond = in_context(R_EFFECT_COND, i->getCond());
        Node *then = block(i->getThen());
        Node *otherwise = i->getElse() ? block(i->getElse()) : nullptr;
        if (cond)
            vec_push(ir->arena, out, mk_if(ir, cond, then, otherwise, at(s->getSourceRange())));
        return;
    }
    case Stmt::ReturnStmtClass: {
        const Expr *value = llvm::cast<ReturnStmt>(s)->getRetValue();
        Node *n = value ? expr(value) : nullptr;
        if (n || !value)
            vec_push(ir->arena, out, mk_return(ir, n, at(s->getSourceRange())));
        return;
    }
    case Stmt::GotoStmtClass:
    case Stmt::IndirectGotoStmtClass: no(R_GOTO, here); return;
    case Stmt::LabelStmtClass:
        no(R_LABEL, here);
        stmt(llvm::cast<LabelStmt>(s)->getSubStmt(), out);
        return;
    case Stmt::WhileStmtClass: no(R_WHILE, here); return;
    case Stmt::DoStmtClass: no(R_DO, here); return;
    case Stmt::SwitchStmtClass: no(R_SWITCH, here); return;
    case Stmt::BreakStmtClass: no(R_BREAK, here); return;
    case Stmt::ContinueStmtClass: no(R_CONTINUE, here); return;
    case Stmt::GCCAsmStmtClass:
    case Stmt::MSAsmStmtClass: no(R_INLINE_ASM, here); return;
    default:
        if (const auto *e = dyn_cast<Expr>(s))
            expr_stmt(e, out);
        else
            no(R_STMT, here, s->getStmtClassName());
    }
}

void Builder::expr_stmt(const Expr *e, Vec *out)
{
    e = e->IgnoreParens();
    if (const auto *c = dyn_cast<CompoundAssignOperator>(e))
        return compound(c, out);
    if (const auto *b = dyn_cast<BinaryOperator>(e); b && b->getOpcode() == BO_Assign) {
        if (is_array(b->getLHS()))
            return (void)no(R_ARRAY_ASSIGN, b->getLHS()->getSourceRange(),
                            as_variable(b->getLHS())->getNameAsString());
        return assign(b->getLHS(), expr(b->getRHS()), N_NONE, e, out);
    }
    if (const auto *u = dyn_cast<UnaryOperator>(e); u && u->isIncrementDecrementOp())
        return step_stmt(u, out);
    if (const auto *c = dyn_cast<CallExpr>(e)) {
        Node *n = expr(c);
        if (n && n->type == T_VOID)
            vec_push(ir->arena, out, mk_eval(ir, n, at(e)));
        else if (n)
            no(R_NO_EFFECT, e->getSourceRange());
        return;
    }
    // `(void)x;` is how C says that x is not used.
    if (const auto *c = dyn_cast<CStyleCastExpr>(e); c && c->getCastKind() == CK_ToVoid) {
        if (c->getSubExpr()->getType()->isVoidType())
            return expr_stmt(c->getSubExpr(), out);
        if (!as_variable(c->getSubExpr()))
            expr(c->getSubExpr());
        return;
    }
    if (expr(e))
        no(R_NO_EFFECT, e->getSourceRange());
}

void Builder::assign(const Expr *target, Node *value, Kind compound, const Expr *whole, Vec *out)
{
    const Expr *t = target->IgnoreParens();
    Type type;
    if (isa<ArraySubscriptExpr>(t)) {
        SmallVector<Node *, 4> subscripts;
        Sym *array = subscripted(t, subscripts);
        if (array && value && value_type(t->getType(), t->getSourceRange(), &type))
            vec_push(
                ir->arena, out,
                mk_store(ir, array, (int)subscripts.size(), subscripts.data(), value, compound, at(whole)));
        return;
    }
    const VarDecl *var = as_variable(t);
    if (!var)
        return (void)expr(t); // says what it is
    Sym *s = symbols.lookup(var);
    if (s && value)
        vec_push(ir->arena, out, mk_assign(ir, s, value, compound, at(whole)));
}

// x op= e, with C's conversions: x = (type of x)((computation type)x op e).
void Builder::compound(const CompoundAssignOperator *e, Vec *out)
{
    Type left, result, target;
    if (e->getLHS()->getType()->isPointerType())
        return (void)no(R_POINTER_MATH, e->getSourceRange());
    if (!value_type(e->getComputationLHSType(), e->getSourceRange(), &left) ||
        !value_type(e->getComputationResultType(), e->getSourceRange(), &result) ||
        !value_type(e->getLHS()->getType(), e->getSourceRange(), &target))
        return;
    Node *old = expr(e->getLHS()), *by = expr(e->getRHS());
    if (!old || !by)
        return;
    Kind kind = binary_kind(e->getOpcode());
    assign(e->getLHS(), mk_cast(ir, target, mk_binary(ir, kind, mk_cast(ir, left, old), by)), kind, e, out);
}

void Builder::step_stmt(const UnaryOperator *e, Vec *out)
{
    Type type;
    if (e->getType()->isPointerType())
        return (void)no(R_POINTER_MATH, e->getSourceRange());
    if (!value_type(e->getType(), e->getSourceRange(), &type))
        return;
    Node *old = expr(e->getSubExpr());
    if (!old)
        return;
    Type wide = type_promote(type);
    Node *one = type_is_float(wide) ? mk_float(ir, wide, 1) : mk_int(ir, wide, 1);
    Kind kind = e->isIncrementOp() ? N_ADD : N_SUB;
    assign(e->getSubExpr(), mk_cast(ir, type, mk_binary(ir, kind, mk_cast(ir, wide, old), one)), kind, e, out);
}

// ---------------------------------------------------------------- loops

// The variable of the loop's first part and its start.
const VarDecl *Builder::loop_start(const ForStmt *s, Node **lo, bool *declares)
{
    const Stmt *init = s->getInit();
    const VarDecl *var = nullptr;
    const Expr *start = nullptr;
    if (!init)
        return no(R_LOOP_INIT, s->getForLoc());
    if (const auto *d = dyn_cast<DeclStmt>(init)) {
        if (!d->isSingleDecl())
            return no(R_LOOP_TWO, init->getSourceRange());
        var = dyn_cast<VarDecl>(d->getSingleDecl());
        start = var ? var->getInit() : nullptr;
        *declares = true;
    } else if (const auto *b = dyn_cast<BinaryOperator>(llvm::cast<Expr>(init)->IgnoreParens())) {
        if (b->getOpcode() == BO_Comma)
            return no(R_LOOP_TWO, init->getSourceRange());
        var = b->getOpcode() == BO_Assign ? as_variable(b->getLHS()) : nullptr;
        start = b->getRHS();
        *declares = false;
    }
    if (!var || !start)
        return no(R_LOOP_INIT, init->getSourceRange());
    Type type;
    std::string name = var->getNameAsString();
    if (!scalar_type(var->getType(), &type) || !type_is_integer(type) || type == T_BOOL)
        return no(R_LOOP_VAR, init->getSourceRange(), name);
    *lo = expr(start);
    if (*declares)
        symbols[var] = sym_new(ir, S_LOOP, type, name.c_str(), at(var->getLocation()));
    return var;
}

Kind turned_round(Kind kind)
{
    switch (kind) {
    case N_LT: return N_GT;
    case N_GT: return N_LT;
    case N_LE: return N_GE;
    case N_GE: return N_LE;
    default: return kind;
    }
}

bool mentions(const Stmt *s, const VarDecl *var)
{
    if (const auto *ref = dyn_cast<DeclRefExpr>(s))
        return ref->getDecl() == var;
    for (const Stmt *kid : s->children())
        if (kid && mentions(kid, var))
            return true;
    return false;
}

// The condition, the variable on its left; up and down: which steps approach the bound.
Node *Builder::loop_condition(const ForStmt *s, const VarDecl *var, bool *up, bool *down)
{
    std::string name = var->getNameAsString();
    const Expr *cond = s->getCond();
    if (!cond)
        return no(R_LOOP_NO_COND, s->getForLoc());
    const auto *b = dyn_cast<BinaryOperator>(cond->IgnoreParenImpCasts());
    int faults = front->faults.count;
    bool compares = b && b->isComparisonOp() && b->getOpcode() != BO_EQ;
    bool on_left = compares && as_variable(b->getLHS()->IgnoreParenCasts()) == var;
    bool on_right = compares && as_variable(b->getRHS()->IgnoreParenCasts()) == var;
    if (on_left == on_right) {
        if (!in_context(R_EFFECT_COND, cond) && front->faults.count > faults)
            return nullptr; // something worse is wrong with it
        return no(R_LOOP_COND, cond->getSourceRange(), name);
    }
    if (mentions(on_left ? b->getRHS() : b->getLHS(), var))
        return no(R_LOOP_SELF, cond->getSourceRange(), name);
    Kind kind = binary_kind(b->getOpcode());
    Node *left = in_context(R_EFFECT_COND, b->getLHS()), *right = in_context(R_EFFECT_COND, b->getRHS());
    if (on_right) {
        std::swap(left, right);
        kind = turned_round(kind);
    }
    *up = kind == N_LT || kind == N_LE || kind == N_NE;
    *down = kind == N_GT || kind == N_GE || kind == N_NE;
    return make(kind, T_INT, nullptr, {left, right}, cond);
}

// The value of a constant integer expression as the loop variable of `type` takes it, signed.
bool Builder::constant(const Expr *e, Type type, int64_t *value)
{
    Expr::EvalResult result;
    if (!e || !e->getType()->isIntegerType() || !e->EvaluateAsInt(result, context))
        return false;
    const llvm::APSInt &n = result.Val.getInt();
    *value = n.isSigned() ? n.getSExtValue() : (int64_t)n.getZExtValue();
    if (type_bits(type) == 32) // -1 arrives as 4294967295 when the variable is unsigned
        *value = (int32_t)*value;
    return true;
}

bool Builder::loop_step(const ForStmt *s, const VarDecl *var, int64_t *step)
{
    std::string name = var->getNameAsString();
    const Expr *inc = s->getInc() ? s->getInc()->IgnoreParens() : nullptr;
    Type type;
    if (!inc || !scalar_type(var->getType(), &type))
        return no(R_LOOP_STEP, s->getForLoc(), name), false;
    const auto *u = dyn_cast<UnaryOperator>(inc);
    const auto *b = dyn_cast<BinaryOperator>(inc);
    bool good = false, negate = false;
    if (b && b->getOpcode() == BO_Comma)
        return no(R_LOOP_TWO, inc->getSourceRange()), false;
    if (u && u->isIncrementDecrementOp()) {
        good = as_variable(u->getSubExpr()) == var;
        *step = u->isIncrementOp() ? 1 : -1;
    } else if (b && as_variable(b->getLHS()) == var) {
        const auto *sum = dyn_cast<BinaryOperator>(bare(b->getRHS()));
        negate = b->getOpcode() == BO_SubAssign || (sum && sum->getOpcode() == BO_Sub);
        if (b->getOpcode() == BO_AddAssign || b->getOpcode() == BO_SubAssign)
            good = constant(b->getRHS(), type, step);
        else if (b->getOpcode() == BO_Assign && sum && sum->isAdditiveOp() && as_variable(sum->getLHS()) == var)
            good = constant(sum->getRHS(), type, step);
        else if (b->getOpcode() == BO_Assign && sum && sum->getOpcode() == BO_Add &&
                 as_variable(sum->getRHS()) == var)
            good = constant(sum->getLHS(), type, step);
    }
    if (!good)
        return no(R_LOOP_STEP, inc->getSourceRange(), name), false;
    if (negate)
        *step = -*step;
    return *step ? true : (no(R_LOOP_ZERO, inc->getSourceRange(), name), false);
}

void Builder::loop(const ForStmt *s, Vec *out)
{
    Node *lo = nullptr;
    bool declares = false, up = false, down = false;
    int64_t step = 0;
    const VarDecl *var = loop_start(s, &lo, &declares);
    Node *cond = var ? loop_condition(s, var, &up, &down) : nullptr;
    bool steps = cond && loop_step(s, var, &step);
    if (steps && !(step > 0 ? up : down))
        no(R_LOOP_AWAY, s->getInc()->getSourceRange(), var->getNameAsString());
    const Node *bound = steps && cond->kind == N_GE ? cond->kid[1] : nullptr;
    while (bound && bound->kind == N_CAST)
        bound = bound->kid[0];
    if (bound && bound->kind == N_INT && bound->u.i == 0 && !type_is_signed((Type)cond->kid[0]->type))
        no(R_LOOP_ENDLESS, s->getCond()->getSourceRange(), var->getNameAsString());
    Node *body = block(s->getBody());
    Sym *sym = var ? symbols.lookup(var) : nullptr;
    if (lo && steps && sym)
        vec_push(ir->arena, out, mk_for(ir, sym, lo, cond, step, body, declares, at(s->getForLoc())));
}

// ---------------------------------------------------------------- running Clang

class SpecAction : public ASTFrontendAction
{
  public:
    explicit SpecAction(Front *front) : front(front) {}

    bool BeginSourceFileAction(CompilerInstance &ci) override
    {
        Preprocessor &pp = ci.getPreprocessor();
        pp.AddPragmaHandler(new MikgenPragma(front)); // owned by the preprocessor
        pp.setTokenWatcher(DepthGuard(front, pp));
        return true;
    }

    std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &, StringRef) override
    {
        return std::make_unique<Walk>(front);
    }

  private:
    struct Walk : ASTConsumer {
        Front *front;
        explicit Walk(Front *front) : front(front) {}
        void HandleTranslationUnit(ASTContext &context) override
        {
            if (!context.getDiagnostics().hasErrorOccurred() && !front->faults.count)
                Builder(front, context).translation_unit();
        }
    };
    Front *front;
};

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> virtual_files(const Front *front)
{
    auto files = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
    files->addFile(kFileName, 0,
                   llvm::MemoryBuffer::getMemBuffer(StringRef(front->text, front->len), kFileName));
    files->addFile(kPreludeName, 0, llvm::MemoryBuffer::getMemBuffer(front->prelude, kPreludeName));
    for (const char *header : kHeaders) // the prelude, always included, holds what they declare
        files->addFile(std::string("/mikgen/include/") + header, 0,
                       llvm::MemoryBuffer::getMemBuffer("", header));
    return files;
}

} // namespace

extern "C" void front_parse(Front *front)
{
    // One target for all hosts: the tree does not depend on where mikgen runs.
    const char *const args[] = {"-triple",
                                "x86_64-unknown-linux-gnu",
                                "-x",
                                "c",
                                "-std=c11",
                                "-fgnu-keywords",
                                "-w",
                                "-nostdsysteminc",
                                "-nobuiltininc",
                                "-internal-isystem",
                                "/mikgen/include",
                                "-include",
                                kPreludeName,
                                "-ferror-limit",
                                "50",
                                kFileName};
    CompilerInstance ci;
    DiagnosticsEngine early(new DiagnosticIDs, new DiagnosticOptions, new IgnoringDiagConsumer);
    CompilerInvocation::CreateFromArgs(ci.getInvocation(), args, early);
    ci.setVerboseOutputStream(llvm::nulls());
    ErrorCollector errors(front);
    ci.createDiagnostics(&errors, false);
    ci.createFileManager(virtual_files(front));
    SpecAction action(front);
    ci.ExecuteAction(action);
}

extern "C" const char *spec_front_version(void)
{
    return "LLVM " LLVM_VERSION_STRING;
}
