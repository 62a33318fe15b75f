/* SPDX-License-Identifier: GPL-3.0-or-later */
// The text of the spec that is made of a function. Macros appear as what they stand for; comments between
// statements stay.
#ifndef MIKGEN_GEN_FRONT_EXTRACT_REGION_TEXT_HH
#define MIKGEN_GEN_FRONT_EXTRACT_REGION_TEXT_HH

#include <string>
#include <vector>

#include "gen/front/extract/region.hh"
#include "clang/AST/PrettyPrinter.h"
#include "llvm/Support/raw_ostream.h"

namespace mikgen
{

// The parameters of a helper in the order that its spec has them: numbers first, for they may be extents.
std::vector<unsigned> helper_order(const FunctionDecl *fd);

// Prints statements and expressions of a region as C; `marks`, which may be nullptr, gets what they were made of.
class RegionText : public PrinterHelper
{
  public:
    RegionText(const Front *front, const ASTContext &context, const Region &region, raw_ostream &os, std::vector<Mark> *marks);
    void expr(const Expr *e) { e->printPretty(os, this, policy, 0, "\n", &context); }

    void stmt(const Stmt *s, int indent);

    // { ... } with its newline.
    void block(const CompoundStmt *s, int indent);
    void mark(SourceRange range);

    bool handledStmt(Stmt *s, raw_ostream &out) override;

    // int i = 0, a[3]
    void variables(const DeclStmt *d);

  private:
    const Front *front;
    const ASTContext &context;
    const SourceManager &sm;
    const Region &region;
    raw_ostream &os;
    std::vector<Mark> *marks;
    PrintingPolicy policy;

    void comments(SourceLocation from, SourceLocation to, int indent, bool skips_line);
    void line_comment(SourceLocation end, int indent);
    void body(const Stmt *s, int indent);
    void head_of_for(const ForStmt *s);
    void place(const Place &p);
    std::string subscript(const Index &i);
    bool named_or_literal(const Expr *e);
    bool is_left_out(const DeclStmt *d) const;
    bool helper_call(const CallExpr *e);
    bool row(const FunctionDecl *fd, const CallExpr *e, unsigned i);
};

} // namespace mikgen

#endif
