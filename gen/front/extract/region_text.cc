/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gen/front/extract/region_text.hh"

#include "gen/front/tree/queries.hh"
#include "clang/Basic/CharInfo.h"
#include "clang/Lex/Lexer.h"

namespace mikgen
{

std::vector<unsigned> helper_order(const FunctionDecl *fd)
{
    std::vector<unsigned> order;
    for (const bool pointers : {false, true})
        for (unsigned i = 0; i < fd->getNumParams(); i++)
            if (fd->getParamDecl(i)->getType()->isPointerType() == pointers)
                order.push_back(i);
    return order;
}

RegionText::RegionText(const Front *front, const ASTContext &context, const Region &region, raw_ostream &os, std::vector<Mark> *marks)
    : front(front), context(context), sm(context.getSourceManager()), region(region), os(os), marks(marks), policy(context.getLangOpts())
{
}

void RegionText::block(const CompoundStmt *s, int indent)
{
    os << "{\n";
    SourceLocation done = s->getLBracLoc();
    for (const Stmt *kid : s->body()) {
        comments(done, kid->getBeginLoc(), indent + 1, done != s->getLBracLoc());
        line_comment(kid->getEndLoc(), indent + 1);
        stmt(kid, indent + 1);
        done = kid->getEndLoc();
    }
    comments(done, s->getRBracLoc(), indent + 1, done != s->getLBracLoc());
    os << std::string(4 * (size_t)indent, ' ') << "}\n";
}

void RegionText::mark(SourceRange range)
{
    const Loc loc = marks ? mikgen::place(front, sm, context.getLangOpts(), range) : Loc{0, 0};
    if (loc.beg)
        marks->push_back({(uint32_t)os.tell(), loc});
}

std::string Region::spelled(const Stmt *s) const
{
    std::string text;
    llvm::raw_string_ostream os(text);
    RegionText(front, context, *this, os, nullptr).expr(llvm::cast<Expr>(s));
    return text;
}

// A constant by its name or as it is spelled.
bool RegionText::named_or_literal(const Expr *e)
{
    const std::string name = region.constant_name(e);
    if (region.is_parameter_constant(name)) {
        os << name;
        return true;
    }
    if (!isa<IntegerLiteral>(e) && !isa<FloatingLiteral>(e) && !isa<CharacterLiteral>(e))
        return false;
    SmallString<32> buffer;
    os << Lexer::getSpelling(sm.getSpellingLoc(e->getBeginLoc()), buffer, sm, context.getLangOpts());
    return true;
}

std::string RegionText::subscript(const Index &i)
{
    std::string text;
    llvm::raw_string_ostream out(text);
    RegionText inside(front, context, region, out, nullptr);
    if (i.as_written) {
        inside.expr(i.as_written);
        return text;
    }
    for (const Expr *other : i.others) {
        const bool is_simple = isa<DeclRefExpr>(bare(other)) || isa<ArraySubscriptExpr>(bare(other)) || isa<ParenExpr>(other);
        out << (text.empty() ? "" : " + ") << (is_simple ? "" : "(");
        inside.expr(other);
        out << (is_simple ? "" : ")");
    }
    if (i.others.empty())
        return i.sum.text();
    const std::string sum = i.sum.text();
    return i.sum.is_zero() ? text : text + (sum[0] == '-' ? " - " + sum.substr(1) : " + " + sum);
}

void RegionText::place(const Place &p)
{
    const Reached *r = region.reached(p.var);
    os << p.var->getName();
    for (size_t i = 0; i < p.index.size(); i++)
        if (i == 0 && !r->strides.empty())
            for (const Poly &part : region.split(*r, p.index[0].sum))
                os << "[" << part.text() << "]";
        else
            os << "[" << subscript(p.index[i]) << "]";
}

// a + i * n of an array with rows of n elements, given to what uses n of them.
bool RegionText::row(const FunctionDecl *fd, const CallExpr *e, unsigned i)
{
    const Place *p = region.part_at(bare(e->getArg(i)));
    const Reached *r = p ? region.reached(p->var) : nullptr;
    const auto helper = region.helpers.find(fd);
    const Reached *param = helper == region.helpers.end() ? nullptr : helper->second->reached(fd->getParamDecl(i));
    if (!r || r->strides.size() != 1 || !param || param->other || param->extents.size() != 1)
        return false;
    std::string used = param->extents[0];
    for (unsigned k = 0; k < fd->getNumParams(); k++)
        if (fd->getParamDecl(k)->getName() == param->extents[0])
            used = region.spelled(e->getArg(k));
    const std::vector<Poly> at = region.split(*r, p->index[0].sum);
    if (used != r->extents[1] || at.size() != 2 || !at[1].is_zero())
        return false;
    os << p->var->getName() << "[" << at[0].text() << "]";
    return true;
}

// A call of what comes along.
bool RegionText::helper_call(const CallExpr *e)
{
    const FunctionDecl *fd = e->getDirectCallee() ? e->getDirectCallee()->getDefinition() : nullptr;
    if (!fd || !llvm::is_contained(region.callees, fd) || e->getNumArgs() != fd->getNumParams())
        return false;
    os << fd->getName() << "(";
    const char *between = "";
    for (const unsigned i : helper_order(fd)) {
        os << between;
        if (!row(fd, e, i))
            expr(e->getArg(i));
        between = ", ";
    }
    os << ")";
    return true;
}

// What is not printed as Clang does.
bool RegionText::handledStmt(Stmt *s, raw_ostream &)
{
    const auto *e = dyn_cast<Expr>(s);
    if (!e)
        return false;
    mark(e->getSourceRange());
    if (const ArrayUse *use = region.use_at(e); use && !isa<DeclRefExpr>(e) && !isa<ImplicitCastExpr>(e)) {
        place(use->place);
        return true;
    }
    if (named_or_literal(e))
        return true;
    if (const auto *call = dyn_cast<CallExpr>(e); call && helper_call(call))
        return true;
    if (const auto *list = dyn_cast<InitListExpr>(e); list && list->isSemanticForm() && list->getSyntacticForm()) {
        expr(list->getSyntacticForm());
        return true;
    }
    const auto *ref = dyn_cast<DeclRefExpr>(e);
    const auto *var = ref ? dyn_cast<VarDecl>(ref->getDecl()) : nullptr;
    const Reached *r = var ? region.reached(var) : nullptr;
    if (r && r->is_written) {
        os << var->getName() << "[0]";
        return true;
    }
    return false;
}

// A comment behind a statement on its last line goes in front of it.
void RegionText::line_comment(SourceLocation end, int indent)
{
    end = sm.getExpansionRange(end).getEnd();
    const StringRef line = sm.getBufferData(sm.getFileID(end)).substr(sm.getFileOffset(end)).take_until([](char c) { return c == '\n'; });
    const size_t at = std::min(line.find("//"), line.find("/*"));
    if (at != StringRef::npos && line.find(';') < at && line.find_first_of("{}") == StringRef::npos &&
        (line[at + 1] == '/' || line.rtrim().ends_with("*/")))
        os << std::string(4 * (size_t)indent, ' ') << line.substr(at).rtrim() << "\n";
}

// Comments of the text between two places. `skips_line`: without those on the line of the first.
void RegionText::comments(SourceLocation from, SourceLocation to, int indent, bool skips_line)
{
    from = sm.getExpansionRange(from).getEnd();
    to = sm.getExpansionLoc(to);
    const FileID file = sm.getFileID(from);
    if (file != sm.getFileID(to) || sm.getFileOffset(from) >= sm.getFileOffset(to))
        return;
    const StringRef whole = sm.getBufferData(file);
    StringRef text = whole.slice(sm.getFileOffset(from), sm.getFileOffset(to));
    if (skips_line)
        text = text.substr(std::min(text.find('\n'), text.size()));
    bool at_line_start = false;
    while (!text.empty()) {
        if (text[0] == '#' && at_line_start) {
            text = text.drop_until([](char c) { return c == '\n'; });
            continue;
        }
        const bool is_line = text.starts_with("//");
        if (!is_line && !text.starts_with("/*")) {
            at_line_start = text[0] == '\n' || (at_line_start && isHorizontalWhitespace(text[0]));
            text = text.drop_front();
            continue;
        }
        size_t end = is_line ? text.find('\n') : text.find("*/", 2);
        end = end == StringRef::npos ? text.size() : end + (is_line ? 0 : 2);
        const StringRef comment = text.take_front(end);
        os << std::string(4 * (size_t)indent, ' ');
        SmallVector<StringRef, 8> lines;
        comment.split(lines, '\n');
        for (size_t i = 0; i < lines.size(); i++)
            os << (i ? std::string(4 * (size_t)indent + 1, ' ') : "") << (i ? lines[i].trim() : lines[i].rtrim()) << "\n";
        text = text.drop_front(end);
    }
}

void RegionText::body(const Stmt *s, int indent)
{
    if (const auto *c = dyn_cast<CompoundStmt>(s)) {
        os << " ";
        return block(c, indent);
    }
    os << "\n";
    stmt(s, indent + 1);
}

void RegionText::variables(const DeclStmt *d)
{
    bool first = true;
    for (const Decl *decl : d->decls()) {
        const auto *var = dyn_cast<VarDecl>(decl);
        if (!var || region.is_other_name(var))
            continue;
        QualType elem = var->getType();
        const std::vector<std::string> extents = elem->isPointerType() ? std::vector<std::string>() : region.extents_of(var, &elem);
        if (first)
            os << (var->isStaticLocal() ? "static " : "");
        os << (first ? "" : ", ");
        mark(var->getLocation());
        std::string name = var->getNameAsString();
        if (first)
            elem.getAsStringInternal(name, policy);
        os << name;
        for (const std::string &extent : extents)
            os << "[" << extent << "]";
        if (var->getInit()) {
            os << " = ";
            expr(var->getInit());
        }
        first = false;
    }
}

bool RegionText::is_left_out(const DeclStmt *d) const
{
    return llvm::all_of(d->decls(), [this](const Decl *decl) {
        const auto *var = dyn_cast<VarDecl>(decl);
        return !var || region.is_other_name(var);
    });
}

void RegionText::head_of_for(const ForStmt *s)
{
    os << "for (";
    if (const auto *d = dyn_cast_or_null<DeclStmt>(s->getInit()))
        variables(d);
    else if (s->getInit())
        expr(llvm::cast<Expr>(s->getInit()));
    os << ";";
    if (s->getCond()) {
        os << " ";
        expr(s->getCond());
    }
    os << ";";
    if (s->getInc()) {
        os << " ";
        expr(s->getInc());
    }
    os << ")";
}

void RegionText::stmt(const Stmt *s, int indent)
{
    const std::string margin(4 * (size_t)indent, ' ');
    const auto *d = dyn_cast<DeclStmt>(s);
    if (d && is_left_out(d))
        return;
    if (isa<CaseStmt>(s) || isa<DefaultStmt>(s))
        os << std::string(4 * (size_t)(indent ? indent - 1 : 0), ' ');
    else
        os << margin;
    mark(s->getSourceRange());
    if (const auto *e = dyn_cast<Expr>(s)) {
        expr(e);
        os << ";\n";
    } else if (d) {
        variables(d);
        os << ";\n";
    } else if (const auto *c = dyn_cast<CompoundStmt>(s)) {
        block(c, indent);
    } else if (const auto *loop = dyn_cast<ForStmt>(s)) {
        head_of_for(loop);
        body(loop->getBody(), indent);
    } else if (const auto *loop = dyn_cast<WhileStmt>(s)) {
        os << "while (";
        expr(loop->getCond());
        os << ")";
        body(loop->getBody(), indent);
    } else if (const auto *choice = dyn_cast<IfStmt>(s)) {
        os << "if (";
        expr(choice->getCond());
        os << ")";
        body(choice->getThen(), indent);
        if (choice->getElse()) {
            os << margin << "else";
            body(choice->getElse(), indent);
        }
    } else if (const auto *choice = dyn_cast<SwitchStmt>(s)) {
        os << "switch (";
        expr(choice->getCond());
        os << ")";
        body(choice->getBody(), indent);
    } else if (const auto *label = dyn_cast<CaseStmt>(s)) {
        os << "case ";
        expr(label->getLHS());
        os << ":\n";
        stmt(label->getSubStmt(), indent);
    } else if (const auto *label = dyn_cast<DefaultStmt>(s)) {
        os << "default:\n";
        stmt(label->getSubStmt(), indent);
    } else if (const auto *leave = dyn_cast<ReturnStmt>(s)) {
        os << "return";
        if (leave->getRetValue()) {
            os << " ";
            expr(leave->getRetValue());
        }
        os << ";\n";
    } else if (isa<BreakStmt>(s) || isa<ContinueStmt>(s)) {
        os << (isa<BreakStmt>(s) ? "break;\n" : "continue;\n");
    } else if (isa<NullStmt>(s)) {
        os << ";\n";
    } else { // is refused where specs are read
        s->printPretty(os, this, policy, 0, "\n", &context);
        os << "\n";
    }
}

} // namespace mikgen
