/* SPDX-License-Identifier: GPL-3.0-or-later */
// Polynomials with integer coefficients over variables of the source, for subscripts, the bounds of loops
// and extents.
#ifndef MIKGEN_GEN_FRONT_EXTRACT_POLY_HH
#define MIKGEN_GEN_FRONT_EXTRACT_POLY_HH

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "clang/AST/Decl.h"

namespace mikgen
{

using clang::VarDecl;

// What is multiplied: a variable, or a constant or expression of constants that goes by its text.
struct Atom {
    std::string name;
    const VarDecl *var; // nullptr: none

    bool operator==(const Atom &other) const { return name == other.name && var == other.var; }
    bool operator<(const Atom &other) const { return name != other.name ? name < other.name : var < other.var; }
};

using Monomial = std::vector<Atom>; // sorted; empty: 1

class Poly
{
  public:
    Poly() = default;
    Poly(int64_t c) { add({}, c); }
    Poly(const Atom &a) { add({a}, 1); }
    Poly(Monomial m, int64_t c) { add(std::move(m), c); }

    std::map<Monomial, int64_t> terms;

    bool operator==(const Poly &other) const { return terms == other.terms; }
    Poly operator+(const Poly &other) const;
    Poly operator-(const Poly &other) const { return *this + other * Poly(-1); }
    Poly operator*(const Poly &other) const;
    bool is_zero() const { return terms.empty(); }
    std::optional<int64_t> constant() const;
    // Never negative where no atom is: extents and strides are not.
    bool is_never_negative() const;
    bool has(const VarDecl *var) const;
    // What `var` is multiplied with, and what is left without it; nullopt if it is multiplied with itself.
    std::optional<std::pair<Poly, Poly>> linear_in(const VarDecl *var) const;

    // As C, positive terms first, the constant last.
    std::string text() const;

  private:
    void add(const Monomial &m, int64_t c);
};

// m / by; nullopt if that is none.
std::optional<Monomial> quotient(const Monomial &m, const Monomial &by);

} // namespace mikgen

#endif
