/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gen/front/clang/rounding.hh"

#include <string>
#include <utility>
#include <vector>

#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"

namespace mikgen
{

// Finds the places, and which of the types that compilers may lack the spec names.
class Rounding
{
  public:
    Rounding(Front *front, const ASTContext &context, Insertions *insertions) : front(front), context(context), insertions(insertions) {}

    void translation_unit()
    {
        const TranslationUnitDecl *all = context.getTranslationUnitDecl();
        for (const Decl *decl : all->decls()) {
            const auto *named = dyn_cast<NamedDecl>(decl);
            if (!is_written(context.getSourceManager(), decl->getLocation())) {
                if ((isa<TypedefNameDecl>(decl) || isa<FunctionDecl>(decl)) && named->getIdentifier() && decl->isReferenced())
                    note_name(named->getName());
                continue;
            }
            if (const auto *function = dyn_cast<FunctionDecl>(decl))
                each(function->doesThisDeclarationHaveABody() ? function->getBody() : nullptr);
            else if (const auto *variable = dyn_cast<VarDecl>(decl))
                each(variable->getInit());
        }
        insertions->spell_macros();
    }

  private:
    Front *front;
    const ASTContext &context;
    Insertions *insertions;

    void note_name(StringRef name)
    {
        front->names_half |= name == "half";
        front->names_bf16 |= name == "bf16";
        front->names_fp8 |= name.contains("e4m3") || name.contains("e5m2");
    }

    // What C calls a type of 16 bits; nullptr: another type.
    static const char *narrow_name(QualType type)
    {
        const auto *builtin = type.isNull() ? nullptr : type->getAs<BuiltinType>();
        if (!builtin)
            return nullptr;
        return builtin->getKind() == BuiltinType::Float16 ? "_Float16" : builtin->getKind() == BuiltinType::BFloat16 ? "__bf16" : nullptr;
    }

    // All that is evaluated, outer expressions first.
    void each(const Stmt *root)
    {
        std::vector<std::pair<const Stmt *, const Stmt *>> open{{root, nullptr}};
        while (!open.empty()) {
            const auto [s, parent] = open.back();
            open.pop_back();
            if (!s || isa<UnaryExprOrTypeTraitExpr>(s))
                continue;
            if (const auto *choice = dyn_cast<GenericSelectionExpr>(s)) {
                open.push_back({choice->getResultExpr(), parent});
                continue;
            }
            if (const auto *e = dyn_cast<Expr>(s))
                look(e, parent);
            for (const Stmt *kid : s->children())
                open.push_back({kid, isa<ParenExpr>(s) ? parent : s});
        }
    }

    void look(const Expr *e, const Stmt *parent)
    {
        const char *type = narrow_name(e->getType());
        if (const auto *assign = dyn_cast<CompoundAssignOperator>(e)) {
            type = narrow_name(assign->getComputationResultType());
            if (type && !context.hasSameUnqualifiedType(assign->getLHS()->getType(), assign->getComputationResultType()))
                convert(assign, type);
            return;
        }
        const auto *operation = dyn_cast<BinaryOperator>(e);
        const bool rounds = operation && (operation->isMultiplicativeOp() || operation->isAdditiveOp());
        if (type && (rounds || isa<FloatingLiteral>(e) || is_converted_operand(e, parent))) {
            insertions->before(e->getBeginLoc(), "(" + std::string(type) + ")(");
            insertions->after(e->getEndLoc(), ")");
        }
        by_float(e);
    }

    // From one type of 16 bits to the other by way of float, which holds all numbers of both: clang 19 has no instructions for bf16 to half.
    void by_float(const Expr *e)
    {
        const auto *conversion = dyn_cast<CastExpr>(e);
        if (!conversion || conversion->getCastKind() != CK_FloatingCast || !narrow_name(e->getType()) ||
            !narrow_name(conversion->getSubExpr()->getType()))
            return;
        insertions->before(conversion->getSubExpr()->getBeginLoc(), "(float)(");
        insertions->after(conversion->getSubExpr()->getEndLoc(), ")");
    }

    // Of an operator with an operand of 16 bits the other, an integer, is rounded, too; gcc takes it as it is.
    bool is_converted_operand(const Expr *e, const Stmt *parent) const
    {
        const auto *conversion = dyn_cast<ImplicitCastExpr>(e);
        const auto *operation = dyn_cast_or_null<BinaryOperator>(parent);
        if (!conversion || !(operation ? operation->getOpcode() != BO_Assign : isa_and_nonnull<ConditionalOperator>(parent)))
            return false;
        const CastKind kind = conversion->getCastKind();
        const auto *literal = dyn_cast<IntegerLiteral>(conversion->getSubExpr());
        const bool is_small = literal && literal->getValue().ult(257); // bf16 has it
        return (kind == CK_IntegralToFloating && !is_small) ||
               (kind == CK_FloatingCast && narrow_name(conversion->getSubExpr()->getType()));
    }

    // x op= y, computed in 16 bits, of an x of another type: the result rounds before it is converted to that.
    void convert(const CompoundAssignOperator *e, const std::string &type)
    {
        const StringRef op = BinaryOperator::getOpcodeStr(BinaryOperator::getOpForCompoundAssignment(e->getOpcode()));
        const std::string float_first = narrow_name(e->getLHS()->getType()) ? "(float)" : "";
        insertions->before(e->getBeginLoc(), "({ __auto_type mik_at = &(");
        insertions->instead(e->getOperatorLoc(),
                            "); *mik_at = " + float_first + "(" + type + ")((" + type + ")" + float_first + "*mik_at " + op.str() + " (");
        insertions->after(e->getEndLoc(), ")); })");
    }
};

void round_operations(Front *front, const ASTContext &context, Insertions *insertions)
{
    Rounding(front, context, insertions).translation_unit();
}

} // namespace mikgen
