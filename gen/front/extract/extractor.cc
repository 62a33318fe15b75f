/* SPDX-License-Identifier: GPL-3.0-or-later */
// Makes specs of functions of a file (gen/front/extract.h): what stands in front of the function, its
// parameters, and how it is called.

#include "gen/front/extract/extractor.hh"

#include <functional>

#include "gen/front/extract/region_text.hh"
#include "clang/Basic/CharInfo.h"

namespace mikgen
{

class Extractor
{
  public:
    Extractor(Front *front, ASTContext &context, Preprocessor &pp)
        : front(front), context(context), pp(pp), sm(context.getSourceManager()), opt(front->extract->options),
          policy(context.getLangOpts()), os(text)
    {
    }

    void translation_unit()
    {
        for (const Decl *d : context.getTranslationUnitDecl()->decls()) {
            const auto *fd = dyn_cast<FunctionDecl>(d);
            if (!fd || !fd->doesThisDeclarationHaveABody() || !is_written(sm, fd->getLocation()))
                continue;
            const bool here = sm.isWrittenInMainFile(sm.getFileLoc(fd->getLocation()));
            if (opt->function ? fd->getName() == opt->function : here && Region::has_loop(fd->getBody()))
                function(fd);
        }
    }

  private:
    Front *front;
    ASTContext &context;
    Preprocessor &pp;
    const SourceManager &sm;
    const ExtractOptions *opt;
    PrintingPolicy policy;
    std::string text;
    llvm::raw_string_ostream os;
    std::vector<Mark> marks;

    std::vector<std::unique_ptr<Region>> helpers; // callees before callers
    std::vector<const FunctionDecl *> open;
    std::vector<const Decl *> printed;

    struct Parameter {
        std::string declaration, argument;
        const VarDecl *var; // nullptr: a constant
    };

    void function(const FunctionDecl *fd);
    const Stmt *part(const FunctionDecl *fd);
    void add_helpers(Region &region);
    std::vector<Parameter> parameters(const Region &region, const std::string &body);
    std::string declaration(const Region &region, const Reached &r);
    void declare(const Decl *d, const Region &region);
    void helper(const Region &region);
    void head(const FunctionDecl *fd, const Region &region, const std::vector<Parameter> &all, const std::string &name);
};

static bool says(StringRef text, StringRef word)
{
    for (size_t i = 0; (i = text.find(word, i)) != StringRef::npos; i++) {
        const size_t end = i + word.size();
        if ((i == 0 || !isAsciiIdentifierContinue(text[i - 1])) && (end == text.size() || !isAsciiIdentifierContinue(text[end])))
            return true;
    }
    return false;
}

// The outermost loop that begins in the wanted line, or the first one behind; the body without a wish.
const Stmt *Extractor::part(const FunctionDecl *fd)
{
    if (!opt->line)
        return fd->getBody();
    const Stmt *found = nullptr;
    const std::function<void(const Stmt *)> look = [&](const Stmt *s) {
        const int line = (int)sm.getExpansionLineNumber(s->getBeginLoc());
        if (!found && line >= opt->line && isa<ForStmt>(s))
            found = s;
        for (const Stmt *kid : s->children())
            if (kid && !found)
                look(kid);
    };
    look(fd->getBody());
    return found;
}

void Extractor::add_helpers(Region &region)
{
    for (const FunctionDecl *fd : region.callees) {
        const auto is_it = [fd](const std::unique_ptr<Region> &h) { return h->function_of() == fd; };
        if (const auto known = llvm::find_if(helpers, is_it); known != helpers.end())
            region.helpers[fd] = known->get();
        if (llvm::any_of(helpers, is_it) || llvm::is_contained(open, fd))
            continue;
        open.push_back(fd);
        auto h = std::make_unique<Region>(front, context, pp, opt, fd, fd->getBody(), true);
        h->look();
        add_helpers(*h);
        open.pop_back();
        region.helpers[fd] = h.get();
        helpers.push_back(std::move(h));
    }
}

std::string Extractor::declaration(const Region &, const Reached &r)
{
    std::string name = r.var->getNameAsString();
    if (r.is_array)
        for (const std::string &extent : r.extents)
            name += "[" + extent + "]";
    else if (r.is_written)
        name += "[1]";
    QualType type = r.elem;
    if (!r.is_array)
        type.removeLocalConst();
    return type.getAsString(policy) + " " + name;
}

// In the order of the original, but what an extent names stands in front of it; constants stand where the first array needs them.
std::vector<Extractor::Parameter> Extractor::parameters(const Region &region, const std::string &body)
{
    std::vector<Parameter> out;
    std::set<std::string> done;
    std::set<const Reached *> placed;
    const auto constant = [&](const std::string &name, const std::string &type) {
        if (done.insert(name).second)
            out.push_back({type + " " + name, region.constant_of(name), nullptr});
    };
    const std::function<void(const Reached *)> put = [&](const Reached *r) {
        if (!r || !placed.insert(r).second || (r->is_array && r->extents.empty()) || (r->is_array && r->extents[0].empty()))
            return;
        if (r->is_array) {
            std::string extents;
            for (const std::string &extent : r->extents)
                extents += extent + " ";
            for (const auto &other : region.reached())
                if (!other->is_array && says(extents, other->var->getName()))
                    put(other.get());
            for (const auto &[name, type] : region.constants())
                if (says(extents, name))
                    constant(name, type);
        }
        std::string argument = r->var->getNameAsString();
        if (r->is_array && r->declared.size() > 1) {
            argument = "&" + argument;
            for (size_t i = 0; i < r->declared.size(); i++)
                argument += "[0]";
        }
        out.push_back({declaration(region, *r), (r->is_written ? "&" : "") + argument, r->var});
    };
    for (const auto &r : region.reached())
        put(r.get());
    std::vector<Parameter> constants;
    for (const auto &[name, type] : region.constants())
        if (!done.count(name) && says(body, name))
            constants.push_back({type + " " + name, region.constant_of(name), nullptr});
    out.insert(out.begin(), constants.begin(), constants.end());
    return out;
}

// A type, an enumeration or a table.
void Extractor::declare(const Decl *d, const Region &region)
{
    if (llvm::is_contained(printed, d))
        return;
    printed.push_back(d);
    marks.push_back({(uint32_t)os.tell(), mikgen::place(front, sm, context.getLangOpts(), d->getLocation())});
    if (const auto *record = dyn_cast<RecordDecl>(d); record && record->getTypedefNameForAnonDecl())
        return;
    if (const auto *name = dyn_cast<TypedefNameDecl>(d)) {
        const auto *type = name->getUnderlyingType()->getAs<RecordType>();
        if (type && type->getDecl()->getTypedefNameForAnonDecl() == name) {
            os << "typedef ";
            type->getDecl()->print(os, policy);
            os << " " << name->getName() << ";\n";
            return;
        }
    }
    if (const auto *var = dyn_cast<VarDecl>(d)) {
        QualType elem;
        const std::vector<std::string> extents = region.extents_of(var, &elem);
        os << "static " << elem.getAsString(policy) << " " << var->getName();
        for (const std::string &extent : extents)
            os << "[" << extent << "]";
        os << " = ";
        RegionText(front, context, region, os, &marks).expr(var->getInit());
        os << ";\n";
        return;
    }
    d->print(os, policy);
    os << ";\n";
}

void Extractor::helper(const Region &region)
{
    const FunctionDecl *fd = region.function_of();
    marks.push_back({(uint32_t)os.tell(), mikgen::place(front, sm, context.getLangOpts(), fd->getLocation())});
    os << "\nstatic " << fd->getReturnType().getAsString(policy) << " " << fd->getName() << "(";
    const char *between = "";
    for (const unsigned i : helper_order(fd)) {
        const Reached *r = region.reached(fd->getParamDecl(i));
        if (!r) // it is of no use, and a call says so
            continue;
        os << between;
        marks.push_back({(uint32_t)os.tell(), mikgen::place(front, sm, context.getLangOpts(), r->var->getLocation())});
        os << declaration(region, *r);
        between = ", ";
    }
    os << (*between ? ")\n" : "void)\n");
    RegionText(front, context, region, os, &marks).block(llvm::cast<CompoundStmt>(fd->getBody()), 0);
}

void Extractor::head(const FunctionDecl *fd, const Region &region, const std::vector<Parameter> &all, const std::string &name)
{
    const QualType result = fd->getReturnType();
    os << "/* " << fd->getName() << " of " << front->extract->name << (opt->line ? ", a part of it" : "")
       << ", as a spec. In its place:\n *     ";
    if (!result->isVoidType() && !opt->line)
        os << result.getAsString(policy) << " result;\n *     ";
    os << name << "(";
    const char *between = "";
    for (const Parameter &p : all) {
        os << between << p.argument;
        between = ", ";
    }
    if (!result->isVoidType() && !opt->line)
        os << between << "&result);\n *     return result";
    else
        os << ")";
    os << ";\n";
    for (const std::string &a : region.assumptions)
        os << " * Taken for granted: " << a << ".\n";
    os << " */\n";
}

void Extractor::function(const FunctionDecl *fd)
{
    const int faults = front->faults.count;
    auto *one = arena_new_array(front->ir->arena, Extracted, 1);
    one->function = arena_strndup(front->ir->arena, fd->getName().data(), fd->getName().size());
    one->loc = mikgen::place(front, sm, context.getLangOpts(), fd->getLocation());
    vec_push(front->ir->arena, front->extract->out, one);
    text.clear();
    marks.clear();
    helpers.clear();
    printed.clear();
    const Stmt *body = part(fd);
    if (body) {
        open.assign(1, fd);
        Region region(front, context, pp, opt, fd, body, false);
        region.look();
        one->loops = region.loops;
        add_helpers(region);
        std::string name = fd->getNameAsString() + (opt->line ? "_" + std::to_string(sm.getExpansionLineNumber(body->getBeginLoc())) : "");
        std::string only_body;
        llvm::raw_string_ostream body_os(only_body);
        RegionText(front, context, region, body_os, nullptr).stmt(body, 1);
        const std::vector<Parameter> all = parameters(region, only_body);
        head(fd, region, all, name);
        for (const auto &h : helpers)
            for (const Decl *d : h->needed)
                declare(d, *h);
        for (const Decl *d : region.needed)
            declare(d, region);
        for (const auto &h : helpers)
            helper(*h);
        if (!printed.empty() || !helpers.empty())
            os << "\n";
        marks.push_back({(uint32_t)os.tell(), one->loc});
        os << (opt->line ? "void" : fd->getReturnType().getUnqualifiedType().getAsString(policy)) << " " << name << "(";
        const char *between = "";
        for (const Parameter &p : all) {
            os << between;
            if (p.var)
                marks.push_back({(uint32_t)os.tell(), mikgen::place(front, sm, context.getLangOpts(), p.var->getLocation())});
            os << p.declaration;
            between = ", ";
        }
        os << (*between ? ")\n" : "void)\n");
        RegionText out(front, context, region, os, &marks);
        if (const auto *block = dyn_cast<CompoundStmt>(body)) {
            out.block(block, 0);
        } else {
            os << "{\n";
            for (const VarDecl *var : region.own())
                os << "    " << var->getType().getUnqualifiedType().getAsString(policy) << " " << var->getName() << ";\n";
            out.stmt(body, 1);
            os << "}\n";
        }
    } else {
        refuse(front, R_EXTRACT_LINE, one->loc, std::to_string(opt->line));
    }
    for (int i = faults; i < front->faults.count; i++)
        vec_push(front->ir->arena, &one->faults, front->faults.items[i]);
    front->faults.count = faults;
    if (!one->faults.count)
        one->text = arena_strndup(front->ir->arena, text.data(), text.size());
    for (const Mark &m : marks) {
        auto *copy = arena_new_array(front->ir->arena, Mark, 1);
        *copy = m;
        vec_push(front->ir->arena, &one->marks, copy);
    }
}

void extract_specs(Front *front, ASTContext &context, Preprocessor &pp) { Extractor(front, context, pp).translation_unit(); }

} // namespace mikgen
