/* SPDX-License-Identifier: GPL-3.0-or-later */
// What a function of source-to-source mode does with its variables, seen before any
// of it is built: which are written, whose address escapes, what could leave the function in an unusual way.
#ifndef MIKGEN_GEN_FRONT_KEPT_SCAN_HH
#define MIKGEN_GEN_FRONT_KEPT_SCAN_HH

#include <string>
#include <vector>

#include "gen/front/tree/errors.hh"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace mikgen
{

// do { ... } while (0) is how macros are written.
bool is_real_loop(const Stmt *s);

class Scan
{
  public:
    struct Finding {
        Refusal why;
        SourceRange range;
        std::string name;
    };
    bool has_loop = false, has_label = false;
    llvm::DenseSet<const VarDecl *> written; // scalars and pointers
    llvm::DenseSet<const VarDecl *> escaped; // something else may reach the object from here on
    llvm::DenseSet<const VarDecl *> valued;  // pointers whose value goes somewhere, so that others may lead where they do
    llvm::DenseSet<const VarDecl *> passed;  // pointers that are arguments of calls
    bool has_pointers = false;               // there are pointers beside those of the caller, or these move
    std::vector<Finding> findings;           // faults if the function is to be kept in trees

    explicit Scan(const Stmt *s);

  private:
    static const VarDecl *object(const Expr *e);
    void write(const Expr *target);
    void escape(const Expr *e);
    void visit_kids(const Stmt *s);
    void visit_subscript(const ArraySubscriptExpr *s);
    void visit_sum(const BinaryOperator *sum);
    void visit_place(const Expr *e);
    void visit_call(const CallExpr *c);
    void visit_loop(const Stmt *s);
    void find_entries();
    void visit_asm(const GCCAsmStmt *s);
    void visit_unary(const UnaryOperator *u);
    void visit_label(const LabelStmt *l);
    void visit_declaration(const DeclStmt *d);

    std::vector<const Stmt *> loops;                                                 // around the statement at hand
    llvm::DenseMap<const LabelDecl *, const Stmt *> labels;                          // the innermost loop around each
    std::vector<std::pair<const LabelDecl *, std::vector<const Stmt *>>> gotos;      // and all loops around these

    void visit(const Stmt *s);
};

} // namespace mikgen

#endif
