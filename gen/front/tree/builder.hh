/* SPDX-License-Identifier: GPL-3.0-or-later */
// The builder of our tree from Clang's, its state and its parts.
//
// Builder walks Clang's syntax tree once and makes ours, bottom-up. What is outside the subset is noted as a
// fault of Front at its place and yields nullptr, which travels up to the enclosing statement; the walk goes on
// with the next one.
#ifndef MIKGEN_GEN_FRONT_TREE_BUILDER_HH
#define MIKGEN_GEN_FRONT_TREE_BUILDER_HH

#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gen/front/tree/errors.hh"
#include "gen/front/tree/queries.hh"
#include "gen/front/jumps.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/DenseMap.h"

namespace mikgen
{

// Deeper trees than this are refused, so that no later pass can run out of stack.
const int kMaxDepth = 2000;

// A full expression that is evaluated once, whenever its statement is: assignments inside of it can become
// statements of their own, `a = b = c` for example { b = c; a = b; }.
struct Sequence {
    const Expr *whole;                        // nullptr: a place where they cannot
    Vec *before;                              // where those statements go
    Vec *after;                               // the same for i++, whose value is the old one; may be nullptr
    llvm::DenseMap<const Expr *, Node *> done{}; // what stands for them; nullptr after a fault
};

// One side of a comma in the first part of a loop: a declaration, or `var = start`; something else has no var.
struct LoopStart {
    const VarDecl *var;
    const Expr *start, *whole; // whole: nullptr for a declaration
};

// The head of a loop, taken apart at its commas; what concerns its counter is starts[counter] and steps[step].
struct LoopHead {
    SmallVector<LoopStart, 2> starts;
    SmallVector<const Expr *, 2> steps;
    size_t counter = 0, step = 0;
    bool counts = false; // there is such a counter
};

// A loop whose head does not start a counter: a while, a do, a for of another form.
struct FreeLoop {
    const Expr *cond; // nullptr: none
    SmallVector<const Expr *, 2> steps; // at the end of each iteration
    const Stmt *body;
    const Stmt *loop; // the whole
    Loc loc;
};

// A product of integers.
struct Product {
    int64_t constant = 1;
    SmallVector<Node *, 4> factors{};
};

// A scalar below a member of a struct, perhaps of a struct inside: the members that lead to it, and the array that stands for it.
struct Leaf {
    SmallVector<const FieldDecl *, 2> path;
    std::string name; // "scale_lo"
    SmallVector<Node *, 2> dims; // of the arrays on the way
    const Member *member;
    Sym *view; // nullptr: not used so far
    SmallVector<Sym *, 4> elements; // of an operator's parameter: the scalars that are passed for what is an array
};

// A parameter that is an array of structs; or a local variable that is a struct or an array of them, or a parameter that is a struct, whose
// leaves are variables.
struct StructArray {
    Sym *whole; // nullptr: of a variable
    std::vector<Leaf> leaves;
    std::vector<Sym *> scalars; // of an operator's parameter that is a struct: those that are passed for it
    Loc loc;
};

// A function that is inlined, in one of its versions, and what its parameters are to callers.
struct Inlined {
    Sym *s = nullptr; // nullptr: refused
    SmallVector<Sym *, 8> symbols{};
    SmallVector<StructArray *, 8> values{};
};

// A part of one of them: the way that subscripts and members take to it.
struct Access {
    StructArray *array = nullptr;
    SmallVector<Node *, 4> outer{}; // subscripts in front of the first member
    SmallVector<std::pair<Node *, int64_t>, 4> inner{}; // behind it, and how many bytes there are from one to the next
    SmallVector<const FieldDecl *, 2> path{};
    int64_t offset = 0; // in bytes, of the members

    void enter(const FieldDecl *field, const ASTContext &context)
    {
        offset += (int64_t)context.getFieldOffset(field) / 8;
        path.push_back(field);
    }
    void subscript(Node *n, int64_t bytes)
    {
        if (path.empty())
            outer.push_back(n);
        else
            inner.push_back({n, bytes});
    }
};

struct Section; // of a switch

// The parts of a complex number. nullptr: it has none such, as a real number has no imaginary part.
struct Pair {
    Node *re = nullptr, *im = nullptr;
    bool good = false; // false after a fault
};

// Of C++ a comparison is a bool; where its truth is asked for, the tree has C's int.
inline bool is_bool_truth(const Node *n) { return n->kind == N_CAST && n->type == T_BOOL && kind_info[n->kid[0]->kind].flags & F_REL; }
inline Node *truth_of(Node *n) { return n && is_bool_truth(n) ? n->kid[0] : n; }

class Builder
{
  public:
    Builder(Front *front, ASTContext &context) : front(front), ir(front->ir), context(context), sm(context.getSourceManager()) {}

    virtual ~Builder() = default;

    void translation_unit();

  protected:
    Front *front;
    Ir *ir;
    ASTContext &context;
    const SourceManager &sm;
    llvm::DenseMap<const Decl *, Sym *> symbols; // nullptr: its declaration was refused
    std::map<std::pair<const FunctionDecl *, unsigned>, Inlined> helpers; // by helper_key()
    llvm::DenseMap<const FunctionDecl *, bool> building; // open, to find recursion
    llvm::DenseMap<const VarDecl *, std::pair<Sym *, Sym *>> complexes; // scalars
    int returned_part = 0; // of the function that is being built, if its result is complex: 1 is the imaginary one
    unsigned rows = 0; // which of its parameters are elements of arrays of structs, by bits: gen/front/tree/struct_values.cc
    Vec entry{}; // statements in front of its body
    llvm::DenseMap<const RecordDecl *, StructType *> structs; // nullptr: refused
    std::vector<std::unique_ptr<StructArray>> arrays;
    StructArray *declared_struct = nullptr; // the variable whose scalars are declared with their values now
    llvm::DenseMap<const Sym *, StructArray *> struct_arrays; // by their symbols
    llvm::DenseMap<const VarDecl *, StructArray *> struct_locals;
    llvm::DenseMap<const VarDecl *, StructArray *> struct_values; // parameters, as they are passed
    llvm::DenseMap<const VarDecl *, Access> struct_aliases; // locals that are another name of an element
    Refusal effect = R_EFFECT_VALUE; // what a side effect at this place is called
    Sequence *sequence = nullptr; // the full expression that is being built
    Sym *returned = nullptr; // where the value of the operator that is being built goes
    bool never_in_front = false; // what is built is not evaluated exactly once when its statement is
    int *switch_breaks = nullptr; // `break` leaves the switch that has so many of them so far; nullptr: a loop
    int depth = 0;
    bool found_deep = false, found_struct = false;
    bool keeps = false; // source-to-source mode: objects may be volatile, and outer extents unknown
    int faults_before = 0; // those of earlier statements

    // Places and faults.
    Loc at(SourceRange range) { return place(front, sm, context.getLangOpts(), range); }
    Loc at(const Expr *e) { return at(e->getSourceRange()); }
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
    // `help` says what to write instead; "": the refusal's own help does.
    std::nullptr_t no_but(const std::string &help, Refusal why, SourceRange range, const std::string &name = "")
    {
        no(why, range, name);
        helped(help);
        return nullptr;
    }
    // The same of the last fault.
    void helped(const std::string &help) { help_last(front, help); }

    // No tree without a fault: what has none of its own gets one here.
    virtual std::nullptr_t lost(const Expr *e)
    {
        return front->faults.count > faults_before ? nullptr : no(R_EXPR, e->getSourceRange(), e->getStmtClassName());
    }

    // Types.
    bool scalar_type(QualType type, Type *out);
    bool value_type(QualType type, SourceRange range, Type *out);
    const char *standard_spelling(QualType type);

    // Structs: gen/front/tree/structs.cc.
    StructType *struct_type(const RecordDecl *rd);
    bool member(const FieldDecl *field, Member *m);
    const char *struct_tag(const RecordDecl *rd);
    std::string member_list(const RecordDecl *rd, const std::string &prefix, const char *between);
    StructArray *struct_array(Sym *s) { return s ? struct_arrays.lookup(s) : nullptr; }
    Sym *struct_parameter(const ParmVarDecl *param, ArrayRef<Node *> extents, QualType elem, bool is_helper);
    void add_leaves(StructArray *array, const RecordDecl *rd, const Leaf &outer);
    Sym *view(StructArray *array, Leaf *leaf);
    bool access(const Expr *e, Access *out);
    Sym *place_of(const Access &a, SmallVectorImpl<Node *> &subscripts);
    Sym *subscripted_member(const Expr *e, SmallVectorImpl<Node *> &subscripts);
    Node *sum(Node *a, Node *b);
    void parameters(const FunctionDecl *fd, Func *f);
    bool struct_arguments(const Expr *e, Sym *array, Sym *to, ArrayRef<Node *> subscripts, SmallVectorImpl<Node *> &args);

    // Parameters that are structs: gen/front/tree/struct_values.cc.
    void add_scalar(StructArray *value, ArrayRef<const FieldDecl *> path, const std::string &name, const std::string &place,
                    const StructPart &whole);
    void add_scalars(StructArray *value, QualType type, ArrayRef<const FieldDecl *> path, const std::string &name, const std::string &place,
                     const StructPart &whole);
    bool is_short(const StructArray *value, const ParmVarDecl *param);
    void declare_members(StructArray *value, const ParmVarDecl *param);
    void struct_value(const ParmVarDecl *param, const RecordDecl *rd, bool is_helper);
    Sym *array_of_elements(Leaf *leaf);
    Sym *member_symbol(Leaf *leaf, SmallVectorImpl<Node *> &subscripts);
    bool is_row(const CallExpr *e, const FunctionDecl *fd, unsigned i);
    unsigned rows_of(const CallExpr *e, const FunctionDecl *fd);
    bool struct_named(const Expr *e, QualType type, Access *out);
    bool copied_members(const Access &whole, const StructArray *to, QualType type, const Expr *e, StructArray *copy);
    bool struct_argument(const CallExpr *e, const FunctionDecl *fd, unsigned i, SmallVectorImpl<Node *> &args);
    bool struct_value_arguments(const Expr *e, const StructArray *to, QualType type, bool may_change, SmallVectorImpl<Node *> &args);

    // Local structs: gen/front/tree/struct_locals.cc.
    Sym *local_member(const Leaf &leaf, Loc loc);
    bool is_struct(QualType type);
    void struct_local(const VarDecl *var, ArrayRef<Node *> extents, QualType elem, Vec *out);
    bool struct_alias(const VarDecl *var, Vec *out);
    void declare_leaves(const VarDecl *var, StructArray *local, ArrayRef<Node *> extents, Vec *out);
    Node *settled(Node *n, const StructArray *changed, SourceRange range, Vec *out);
    void settle(Access *a, const StructArray *changed, SourceRange range, Vec *out);
    void put_scalar(const Access &to, Node *value, SourceRange range, Vec *out);
    void copy_scalar(const Access &to, const Access *from, Type type, SourceRange range, Vec *out);
    void put_copy(const Access &to, const Access *from, QualType type, SourceRange range, Vec *out);
    void put_list(const Access &to, QualType type, const InitListExpr *list, Vec *out);
    void put_value(const Access &to, QualType type, const Expr *value, Vec *out);
    void struct_assign(const BinaryOperator *e, Vec *out);

    // Complex numbers: gen/front/tree/complex.cc.
    bool complex_type(QualType type, Type *part);
    Node *term(Kind kind, Node *a, Node *b);
    Pair quotient(const Pair &a, const Pair &b);
    Pair arithmetic(Kind kind, Pair a, Pair b, Type type, SourceRange range);
    Pair named(Pair p, SourceRange range);
    Pair complete(Pair p, Type type);
    Sym *part_place(const Expr *e, int part, SmallVectorImpl<Node *> &subscripts);
    Pair part_loads(const Expr *e);
    Pair pair(const Expr *e);
    Pair pair_below(const Expr *e, Type type);
    Pair pair_cast(const CastExpr *e, Type type);
    Pair pair_call(const CallExpr *e, Type type);
    Pair full_pair(const Expr *e, Vec *before, Vec *after);
    Node *libm_call(const char *name, StringRef suffix, ArrayRef<Node *> args, const Expr *e);
    Pair product_of_functions(StringRef base, StringRef suffix, const Pair &z, const CallExpr *e);
    Pair square_root(StringRef suffix, const Pair &z, Type type, const CallExpr *e);
    Pair projection(StringRef suffix, const Pair &z, Type type, const CallExpr *e);
    Pair root_of(StringRef suffix, Node *re, Node *im, Type type, const CallExpr *e);
    Pair tangent(StringRef suffix, const Pair &z, bool hyperbolic, Type type, const CallExpr *e);
    Pair inverse(StringRef base, StringRef suffix, const Pair &z, Type type, const CallExpr *e);
    Pair inverse_tangent(StringRef suffix, const Pair &z, bool hyperbolic, Type type, const CallExpr *e);
    Pair power(StringRef suffix, const Pair &z, const Pair &w, Type type, const CallExpr *e);
    Pair complex_function(StringRef name, const CallExpr *e, Type type, bool *found);
    Node *real_call(const FunctionDecl *fd, const CallExpr *e, bool *found);
    Node *complex_equal(const BinaryOperator *e);
    Node *complex_truth(const Expr *e);
    void complex_scalar(const VarDecl *var, SymKind kind, Type type);
    void complex_local(const VarDecl *var, Type type, Vec *out);
    void set_part(const Expr *target, int part, Node *value, Kind compound, const Expr *whole, Vec *out);
    void set_parts(const Expr *target, const Pair &value, const Pair &used, Kind compound, const Expr *whole, Vec *out);
    void complex_assign(const BinaryOperator *e, Vec *out);
    void complex_compound(const CompoundAssignOperator *e, Vec *out);

    // Declarations.
    bool array_extents(QualType type, const ParmVarDecl *param, SourceRange range, SmallVectorImpl<Node *> &extents, QualType *elem);
    std::string pointer_parameter(const ParmVarDecl *param);
    Sym *parameter(const ParmVarDecl *param, bool is_helper);
    std::string kept_by_caller(const VarDecl *var);
    void local(const VarDecl *var, Vec *out);
    Sym *place_of_value(Func *f, QualType type);
    Func *function(const FunctionDecl *fd, bool is_helper);
    Inlined helper(const FunctionDecl *fd, SourceRange use, unsigned rows = 0, int part = 0);
    void use_parameters(const FunctionDecl *fd, const Inlined &version);
    void global(const VarDecl *var);
    bool flatten(const APValue &value, Type type, ArrayRef<Node *> extents, SmallVectorImpl<Node *> &out);
    const ConstantTable *table_values(const VarDecl *var, Type type, ArrayRef<Node *> extents);
    Sym *table_symbol(const VarDecl *var, Type type, ArrayRef<Node *> extents, const ConstantTable *values);
    Sym *table(const VarDecl *var);
    Node *table_element(const Sym *array, ArrayRef<Node *> subscripts);
    void fill_parts(Sym *array, const Expr *init, SmallVectorImpl<Node *> &subscripts, Vec *out);
    void fill_singly(Sym *array, const Expr *init, SmallVectorImpl<Node *> &subscripts, Vec *out);
    void fill_local(const VarDecl *var, Sym *array, const InitListExpr *list, Vec *out);
    Node *zero(Type type) { return type_is_float(type) ? mk_float(ir, type, 0) : mk_int(ir, type, 0); }
    void included(const Decl *d);

    // Expressions; nullptr after a fault.
    Node *make(Kind kind, Type type, Sym *sym, ArrayRef<Node *> kids, const Expr *e)
    {
        SmallVector<Node *, 4> used(kids);
        for (Node *&kid : used)
            if (!kid)
                return nullptr;
            else if (kind == N_LAND || kind == N_LOR || kind == N_LNOT || (kind == N_SEL && &kid == &used[0]))
                kid = truth_of(kid);
        return mk_expr(ir, kind, type, sym, (int)used.size(), used.data(), at(e));
    }
    Node *expr(const Expr *e);
    virtual Node *expr_below(const Expr *e);
    bool tests_array(const Expr *e);
    bool is_null(const Expr *e);
    Node *in_context(Refusal side_effect, const Expr *e);
    Node *full_expr(const Expr *e, const Expr *whole, Vec *before, Vec *after);
    Node *sometimes(Refusal side_effect, const Expr *e);
    Node *perhaps(const Expr *e);
    Node *effect_value(const Expr *e, const Expr *target);
    Node *integer(Type type, const llvm::APSInt &value)
    {
        return mk_int(ir, type, value.isSigned() ? value.getSExtValue() : (int64_t)value.getZExtValue());
    }
    Node *floating(Type type, const llvm::APFloat &value);
    Node *folded(const Expr *e);
    virtual Node *reference(const DeclRefExpr *e);
    Node *element(const Expr *e);
    Node *unary(const UnaryOperator *e);
    Node *binary(const BinaryOperator *e);
    Node *constant_arithmetic(const BinaryOperator *e, Type type);
    virtual Node *cast(const CastExpr *e);
    virtual Node *call(const CallExpr *e);
    Sym *libm_function(const FunctionDecl *fd);
    Node *fp8_conversion(const FunctionDecl *fd, const CallExpr *e);
    Node *builtin(StringRef name, const CallExpr *e);
    bool argument(const Expr *e, const ParmVarDecl *param, SmallVectorImpl<Node *> &args);
    bool arguments(const CallExpr *e, const FunctionDecl *fd, SmallVectorImpl<Node *> &args);
    // What stands for a variable; nullptr if nothing does.
    virtual Sym *symbol_of(const VarDecl *var)
    {
        if (var->isFileVarDecl() && !table(var))
            global(var);
        return symbols.lookup(var->isFileVarDecl() ? var->getCanonicalDecl() : var);
    }
    bool is_array(const Expr *e)
    {
        const VarDecl *var = as_variable(e);
        Sym *s = var ? symbol_of(var) : nullptr;
        return s && s->rank;
    }
    // What a side effect is called in an operand that is not always evaluated.
    Refusal seldom() const { return keeps || effect == R_EFFECT_COND ? effect : R_EFFECT_SOMETIMES; }
    virtual Sym *subscripted(const Expr *e, SmallVectorImpl<Node *> &subscripts);

    // Statements.
    const Stmt *done_once(const DoStmt *s);
    Node *block(const Stmt *s);
    void stmt(const Stmt *s, Vec *out);
    virtual void stmt_below(const Stmt *s, Vec *out);
    void leave(const ReturnStmt *s, Vec *out);
    void leave_complex(const Pair &value, const ReturnStmt *s, Vec *out);
    void full_stmt(const Expr *e, Vec *out);
    void expr_stmt(const Expr *e, Vec *out);
    void append(Vec *out, const Vec &stmts)
    {
        for (int i = 0; i < stmts.count; i++)
            vec_push(ir->arena, out, stmts.items[i]);
    }
    void assign(const Expr *target, Node *value, Kind compound, const Expr *whole, Vec *out);
    void compound(const CompoundAssignOperator *e, Vec *out);
    bool moves_bytes(const CallExpr *e);
    void byte_stmt(const CallExpr *e, Vec *out);
    bool size_factors(QualType type, const Expr *e, Product *out);
    bool bytes_factors(const Expr *e, Product *out);
    Sym *row(const Expr *e, SmallVectorImpl<Node *> &subscripts);
    Node *row_count(const Sym *array, size_t given, const Expr *bytes);
    Node *repeated_byte(const Sym *array, const Expr *e);
    void step_stmt(const UnaryOperator *e, Vec *out);
    void loop(const ForStmt *s, Vec *out);
    void loop_head(const ForStmt *s, LoopHead *head);
    const VarDecl *loop_start(const LoopHead &head, Node **lo, Vec *before);
    void other_starts(const LoopHead &head, size_t from, size_t to, Vec *out);
    Node *loop_condition(const ForStmt *s, const VarDecl *var, bool *up, bool *down);
    Node *other_condition(const Expr *cond, const VarDecl *var, bool *up, bool *down);
    bool loop_step(const Expr *inc, const VarDecl *var, int64_t *step);
    Node *loop_body(const Stmt *loop, ArrayRef<const Expr *> steps, const Expr *own);
    bool comes_to_end(const ForStmt *s, const Expr *inc, const VarDecl *var, const Node *cond, int64_t step, bool approaches);
    bool counted_for(const ForStmt *s, const LoopHead &head, Vec *out);

    // Other loops: gen/front/tree/free_loops.cc.
    void free_loop(const FreeLoop &l, Vec *out);
    bool counted_loop(const FreeLoop &l, Vec *out);
    bool stepped_by_condition(const FreeLoop &l, Vec *out);
    Node *tested_step(const UnaryOperator *step, const Expr *test, bool alone, Sym *var);
    Node *start_in_front(const Sym *var, const Vec *out);
    Sym *free_counter(const FreeLoop &l, const VarDecl *var, const Expr *step);
    void tests(const Expr *cond, Vec *out);
    bool may_end(const FreeLoop &l);
    bool constant(const Expr *e, Type type, int64_t *value);

    // Switches: gen/front/tree/switch.cc.
    void choice(const SwitchStmt *s, Vec *out);
    bool switch_sections(const SwitchStmt *s, SmallVectorImpl<Section> &sections);
    bool switch_names(ArrayRef<Section> sections);
    bool switch_labels(const SwitchStmt *s, Section *section);
    Node *switch_value(const SwitchStmt *s, Vec *out);
    Node *is_between(Node *value, __int128 lo, __int128 hi);
    Node *is_among(Node *value, ArrayRef<int64_t> labels, SourceRange range);
    Node *switch_group(ArrayRef<Section> group, Node *value, SourceRange range);
    void drop_last_break(Node *block);
    void switch_bodies(MutableArrayRef<Section> sections);
    Node *switch_chain(ArrayRef<Section> sections, Node *value, SourceRange range);
    Node *switch_constant(ArrayRef<Section> sections, int64_t value, SourceRange range);
};

} // namespace mikgen

#endif
