/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gen/front/extract/poly.hh"

#include <algorithm>
#include <iterator>

namespace mikgen
{

Poly Poly::operator+(const Poly &other) const
{
    Poly sum = *this;
    for (const auto &[m, c] : other.terms)
        sum.add(m, c);
    return sum;
}

Poly Poly::operator*(const Poly &other) const
{
    Poly product;
    for (const auto &[m, c] : terms)
        for (const auto &[n, d] : other.terms) {
            Monomial both(m);
            both.insert(both.end(), n.begin(), n.end());
            std::sort(both.begin(), both.end());
            product.add(both, (int64_t)((uint64_t)c * (uint64_t)d));
        }
    return product;
}

std::optional<int64_t> Poly::constant() const
{
    if (terms.empty())
        return 0;
    return terms.size() == 1 && terms.begin()->first.empty() ? std::optional(terms.begin()->second) : std::nullopt;
}

bool Poly::is_never_negative() const
{
    return std::all_of(terms.begin(), terms.end(), [](const auto &t) { return t.second >= 0; });
}

bool Poly::has(const VarDecl *var) const
{
    for (const auto &[m, c] : terms)
        for (const Atom &a : m)
            if (a.var == var)
                return true;
    return false;
}

std::optional<std::pair<Poly, Poly>> Poly::linear_in(const VarDecl *var) const
{
    Poly factor, rest;
    for (const auto &[m, c] : terms) {
        Monomial without;
        for (const Atom &a : m)
            if (a.var != var)
                without.push_back(a);
        if (m.size() > without.size() + 1)
            return std::nullopt;
        (m.size() == without.size() ? rest : factor).add(without, c);
    }
    return std::pair(factor, rest);
}

std::string Poly::text() const
{
    std::vector<std::pair<Monomial, int64_t>> sorted(terms.begin(), terms.end());
    std::sort(sorted.begin(), sorted.end(), [](const auto &a, const auto &b) {
        const bool no_a = a.first.empty(), no_b = b.first.empty();
        if (no_a != no_b)
            return no_b;
        if ((a.second > 0) != (b.second > 0))
            return a.second > 0;
        return a.first.size() != b.first.size() ? a.first.size() > b.first.size() : a.first < b.first;
    });
    if (sorted.size() > 1 && sorted[0].second < 0 && sorted.back().second > 0) // 1 - i
        std::rotate(sorted.begin(), sorted.end() - 1, sorted.end());
    std::string out;
    for (const auto &[m, c] : sorted) {
        const int64_t size = c < 0 ? -c : c;
        out += out.empty() ? (c < 0 ? "-" : "") : c < 0 ? " - " : " + ";
        if (size != 1 || m.empty())
            out += std::to_string(size) + (m.empty() ? "" : " * ");
        for (size_t i = 0; i < m.size(); i++)
            out += (i ? " * " : "") + m[i].name;
    }
    return out.empty() ? "0" : out;
}

void Poly::add(const Monomial &m, int64_t c)
{
    const int64_t sum = (int64_t)((uint64_t)terms[m] + (uint64_t)c);
    if (sum)
        terms[m] = sum;
    else
        terms.erase(m);
}

std::optional<Monomial> quotient(const Monomial &m, const Monomial &by)
{
    if (!std::includes(m.begin(), m.end(), by.begin(), by.end()))
        return std::nullopt;
    Monomial rest;
    std::set_difference(m.begin(), m.end(), by.begin(), by.end(), std::back_inserter(rest));
    return rest;
}

} // namespace mikgen
