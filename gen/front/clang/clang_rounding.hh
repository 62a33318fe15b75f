/* SPDX-License-Identifier: GPL-3.0-or-later */
// Part of gen/front/clang/spec_clang.cc: casts in the text of --emit=reference, at which 16-bit floats round. Each operation rounds to its type,
// but compilers may compute an expression in float and round at its end.
#ifndef MIKGEN_GEN_FRONT_CLANG_CLANG_ROUNDING_HH
#define MIKGEN_GEN_FRONT_CLANG_CLANG_ROUNDING_HH

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "gen/front/tree/clang_errors.hh"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/DenseMap.h"

namespace
{

// What goes into a text between the tokens of expressions. Where these come out of a macro's definition, the macro's name gives way to what
// it stands for.
class Insertions
{
  public:
    explicit Insertions(const Preprocessor &pp) : pp(pp), sm(pp.getSourceManager()) {}

    // Every token that the parser gets.
    void watch(const Token &token)
    {
        if (!token.isAnnotation() && token.getLocation().isMacroID())
            expanded_tokens.push_back(token);
    }

    // In front of the token at a place; what is there already is farther outside.
    void before(SourceLocation at, const std::string &text)
    {
        SourceLocation in_file = at;
        if (at.isFileID() || Lexer::isAtStartOfMacroExpansion(at, sm, pp.getLangOpts(), &in_file))
            note(in_file, 0, {BEFORE, 0, text});
        else
            within(at).before += text;
    }

    // Behind it, likewise.
    void after(SourceLocation at, const std::string &text)
    {
        SourceLocation in_file = at;
        if (at.isFileID() || Lexer::isAtEndOfMacroExpansion(at, sm, pp.getLangOpts(), &in_file)) {
            note(in_file, length(in_file), {AFTER, 0, text});
        } else {
            Around &around = within(at);
            around.after = text + around.after;
        }
    }

    // In its place.
    void instead(SourceLocation at, const std::string &text)
    {
        if (at.isFileID())
            note(at, 0, {INSTEAD, length(at), text});
        else
            within(at).instead = text;
    }

    // After the last of these calls: macros become what they stand for.
    void spell_macros()
    {
        llvm::DenseMap<SourceLocation, std::string> texts;
        for (const Token &token : expanded_tokens) {
            const SourceLocation begin = sm.getExpansionLoc(token.getLocation());
            if (!expansions.count(begin))
                continue;
            const auto around = arounds.find(token.getLocation());
            const std::string spelled = pp.getSpelling(token);
            std::string &text = texts[begin];
            text += text.empty() ? "" : " ";
            text += around == arounds.end() ? spelled : around->second.of(spelled);
        }
        for (const auto &[begin, end] : expansions)
            note(begin, 0, {INSTEAD, sm.getFileOffset(end) + length(end) - sm.getFileOffset(begin), texts[begin]});
        for (auto &[file, changes] : files)
            std::sort(changes.begin(), changes.end(), precedes);
    }

    // The part of a file from one offset to another, with all that goes into it.
    std::string text(FileID file, StringRef all, unsigned from, unsigned to) const
    {
        std::string out;
        const auto found = files.find(file);
        if (found != files.end())
            for (const Change &change : found->second) {
                if (change.at < from || change.at + change.removed > to)
                    continue;
                out += all.slice(from, change.at).str() + change.text;
                from = change.at + change.removed;
            }
        return out + all.slice(from, to).str();
    }

  private:
    enum Order { AFTER, BEFORE, INSTEAD };
    struct Change {
        Order order;
        unsigned removed;
        std::string text;
        unsigned at = 0;
        int turn = 0;
    };
    struct Around {
        std::string before, instead, after;
        std::string of(const std::string &token) const { return before + (instead.empty() ? token : instead) + after; }
    };
    const Preprocessor &pp;
    const SourceManager &sm;
    llvm::DenseMap<FileID, std::vector<Change>> files;
    llvm::DenseMap<SourceLocation, SourceLocation> expansions; // those that are spelled out: the first and the last token of the use
    llvm::DenseMap<SourceLocation, Around> arounds; // by tokens of these
    std::vector<Token> expanded_tokens;
    int turns = 0;

    unsigned length(SourceLocation at) const { return Lexer::MeasureTokenLength(at, sm, pp.getLangOpts()); }

    void note(SourceLocation at, unsigned behind, Change change)
    {
        change.at = sm.getFileOffset(at) + behind;
        change.turn = turns++;
        files[sm.getFileID(at)].push_back(change);
    }

    Around &within(SourceLocation at)
    {
        const CharSourceRange use = sm.getExpansionRange(at);
        expansions[use.getBegin()] = use.getEnd();
        return arounds[at];
    }

    // At one place ends come first, inner ones before outer ones.
    static bool precedes(const Change &a, const Change &b)
    {
        if (a.at != b.at || a.order != b.order)
            return a.at != b.at ? a.at < b.at : a.order < b.order;
        return a.order == AFTER ? a.turn > b.turn : a.turn < b.turn;
    }
};

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

} // namespace

#endif
