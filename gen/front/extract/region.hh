/* SPDX-License-Identifier: GPL-3.0-or-later */
// What a function that becomes a spec (gen/front/extract.h) reaches: variables, constants, arrays, and
// what they need.
//
// A walk over the function's statements keeps what is known at each place: the loops around, and sums that are never negative, from the
// loops' bounds and the conditions on the way. gen/front/extract/region_extents.cc makes extents of that, region_text.cc the text.
#ifndef MIKGEN_GEN_FRONT_EXTRACT_REGION_HH
#define MIKGEN_GEN_FRONT_EXTRACT_REGION_HH

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "gen/front/extract.h"
#include "gen/front/extract/poly.hh"
#include "gen/front/tree/errors.hh"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"
#include "clang/Lex/Preprocessor.h"

namespace mikgen
{

// What holds at a place.
struct Known {
    std::vector<const VarDecl *> loops; // variables of the loops around, outermost first
    std::vector<Poly> facts; // never negative
};

// One subscript: a polynomial, and what is added to it and is none.
struct Index {
    Poly sum;
    std::vector<const Expr *> others;
    const Expr *as_written; // the whole, if the text has it at one place
};

// An element or row of an array, or as a value the pointer to it.
struct Place {
    const VarDecl *var = nullptr;
    std::vector<Index> index;
};

struct ArrayUse {
    Place place;
    Known known;
    const Expr *at;
};

// A variable that becomes a parameter.
struct Reached {
    const VarDecl *var;
    bool is_array = false;
    bool is_written = false; // a scalar of file scope: an array of one element
    QualType elem; // of scalars the type itself
    std::vector<std::string> declared; // extents as the declaration has them, "" where it has none
    std::vector<ArrayUse> uses;
    const Expr *other = nullptr; // the first use that is no subscript
    bool is_argument = false; // that is what it is
    // Of gen/front/extract/region_extents.cc:
    std::vector<std::string> extents;
    std::vector<Monomial> strides; // of all but the last dimension, if one subscript becomes several
    std::vector<const VarDecl *> named; // parameters in the extents
};

// One function, or a loop of it.
class Region
{
  public:
    Region(Front *front, ASTContext &context, Preprocessor &pp, const ExtractOptions *opt, const FunctionDecl *f, const Stmt *body,
           bool is_helper)
        : front(front), context(context), pp(pp), sm(context.getSourceManager()), opt(opt), function(f), body(body), is_helper(is_helper)
    {
    }

    // Everything: what it reaches, and extents. Faults are noted.
    void look();

    const FunctionDecl *function_of() const { return function; }
    const Stmt *body_of() const { return body; }
    const std::vector<std::unique_ptr<Reached>> &reached() const { return all; }
    Reached *reached(const VarDecl *var) const
    {
        const auto known = by_variable.find(var->getCanonicalDecl());
        return known == by_variable.end() ? nullptr : known->second;
    }
    const ArrayUse *use_at(const Expr *e) const
    {
        const auto known = by_expression.find(e);
        return known == by_expression.end() ? nullptr : known->second;
    }
    // What is given to a call as a part of an array that has one subscript.
    const Place *part_at(const Expr *e) const
    {
        const auto known = parts.find(e);
        return known == parts.end() ? nullptr : &known->second;
    }
    // Local pointers that are only other names of places.
    bool is_other_name(const VarDecl *var) const { return names.count(var) != 0; }
    // Variables of the function around a loop that the loop sets before it reads them.
    const std::vector<const VarDecl *> &own() const { return own_variables; }

    // The name that the macro or the enumeration constant has that an integer is, as a parameter; "" if it is none.
    std::string constant_name(const Expr *e) const;
    std::string parameter_name(const std::string &constant) const;
    // What it is called in the file.
    const std::string &constant_of(const std::string &parameter) const { return constant_names.at(parameter); }
    bool is_parameter_constant(const std::string &name) const { return parameter_constants.count(name) != 0; }
    const std::map<std::string, std::string> &constants() const { return parameter_constants; }
    int64_t value_of(const std::string &name) const { return constant_values.at(name); }

    std::vector<const FunctionDecl *> callees; // with a body, in the order of their first calls
    std::map<const FunctionDecl *, const Region *> helpers; // what they do
    std::vector<const Decl *> needed; // tables of constants, types, enumerations
    std::vector<std::string> assumptions; // "lda >= n"
    int loops = 0;

    std::string spelled(const Stmt *s) const; // as C, with the names of constants
    std::vector<Poly> split(const Reached &r, const Poly &p) const;
    // The extents of a variable as its declaration has them, "" where it has none, and what its elements are.
    std::vector<std::string> extents_of(const VarDecl *var, QualType *elem) const
    {
        Reached r = {};
        r.var = var;
        declared_extents(&r);
        *elem = r.elem;
        return r.declared;
    }
    static bool has_loop(const Stmt *s);

  private:
    Front *front;
    ASTContext &context;
    Preprocessor &pp;
    const SourceManager &sm;
    const ExtractOptions *opt;
    const FunctionDecl *function;
    const Stmt *body;
    const bool is_helper;
    std::vector<std::unique_ptr<Reached>> all;
    std::map<const VarDecl *, Reached *> by_variable;
    std::unordered_map<const Expr *, ArrayUse *> by_expression;
    std::vector<std::unique_ptr<ArrayUse>> all_uses;
    bool in_argument = false; // of a call
    std::map<const Expr *, Place> parts;
    std::set<const VarDecl *> names;
    std::set<const VarDecl *> changed;
    std::set<const VarDecl *> inner; // declared in the region
    std::vector<const VarDecl *> own_variables;
    std::map<std::string, std::string> parameter_constants; // name, type
    std::map<std::string, int64_t> constant_values;
    std::map<std::string, std::string> constant_names; // by the parameter's
    std::set<std::string> fixed_constants; // that must stay constants

    Loc at(SourceRange range) const { return mikgen::place(front, sm, context.getLangOpts(), range); }
    void no(Refusal why, SourceRange range, const std::string &name, const std::string &help = "") const
    {
        refuse(front, why, at(range), name);
        help_last(front, help);
    }

    // What is there: before the walk.
    void survey(const Stmt *s, const FunctionDecl *inside);
    void survey_reference(const DeclRefExpr *ref, const FunctionDecl *inside);
    void reach(const VarDecl *var);
    void declared_extents(Reached *r) const;
    void note_extents(const VarDecl *var);
    void need(QualType type);
    std::string constant_in(const Expr *e) const;
    void note_constant(const Expr *e, const std::string &constant);
    void note_constants(const Stmt *s, bool fixed);
    void choose_constants(const Stmt *s);
    bool changes(const Stmt *s, const VarDecl *var) const;
    bool sets_first(const VarDecl *var) const;

    // Polynomials.
    std::optional<Poly> poly(const Expr *e, const Known &known, int depth = 0) const;
    std::optional<Poly> poly_of(const VarDecl *var, const Known &known, int depth) const;
    bool is_of_constants(const Stmt *s) const;
    Index index(const Expr *e, const Known &known) const;
    bool place(const Expr *e, const Known &known, Place *out, int depth = 0) const;
    bool pointer(const Expr *e, const Known &known, Place *out, int depth = 0) const;

    // The walk.
    void walk(const Stmt *s, Known &known);
    void walk_for(const ForStmt *s, Known &known);
    void walk_compound(const CompoundStmt *s, Known &known);
    void walk_call(const CallExpr *e, Known &known);
    void use(const Place &p, const Known &known, const Expr *e);
    bool whole_bytes(const CallExpr *e, const Known &known);
    void learn(const Expr *cond, bool holds, Known *known) const;
    void learn_less(const Expr *a, const Expr *b, bool strict, Known *known) const;
    const VarDecl *counter(const ForStmt *s, int *direction, const Expr **start) const;

    // Extents: gen/front/extract/region_extents.cc.
    void bounds(const Poly &p, const Known &known, size_t nloops, bool top, std::vector<Poly> *out) const;
    std::optional<Poly> bound(const Poly &p, const Known &known, bool top) const;
    bool covers(const Poly &great, const Poly &small, std::vector<std::string> *assumed) const;
    std::optional<Poly> greatest(const std::vector<Poly> &all, std::vector<std::string> *assumed) const;
    std::optional<Poly> outer_extent(Reached *r, std::vector<std::string> *assumed, const Expr **unknown) const;
    bool separate(Reached *r, std::vector<std::string> *assumed) const;
    void extents(Reached *r);
    void set_outer(Reached *r, const Poly &extent);
    bool given_extents(Reached *r);
    void name_parameters(Reached *r, const Poly &p);
    std::optional<Poly> parse_extent(StringRef text) const;
};

const VarDecl *canonical(const VarDecl *var);

} // namespace mikgen

#endif
