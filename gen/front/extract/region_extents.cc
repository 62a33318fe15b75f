/* SPDX-License-Identifier: GPL-3.0-or-later */
// Extents of arrays of which a function only has a pointer, from the subscripts and the loops around them.
//
// A subscript's greatest value: loops' variables are replaced, innermost first, by what a fact says they are not above (below, where they
// count against the subscript). a[i * lda + j] becomes a[i][j] where j stays below lda; what cannot be shown, that lda is no less than
// the bound of j, is an assumption that the spec states. All variables of extents are taken to be no less than 0, as extents are.

#include "gen/front/extract/region.hh"

#include "gen/front/tree/queries.hh"

namespace mikgen
{

const size_t kMostBounds = 32;

// Bounds of p from above (top) or below, without loops' variables.
void Region::bounds(const Poly &p, const Known &known, size_t nloops, bool top, std::vector<Poly> *out) const
{
    size_t i = nloops;
    while (i > 0 && !p.has(known.loops[i - 1]))
        i--;
    if (i == 0) {
        if (out->size() < kMostBounds && !llvm::is_contained(*out, p))
            out->push_back(p);
        return;
    }
    const VarDecl *var = known.loops[i - 1];
    const auto parts = p.linear_in(var);
    if (!parts)
        return;
    const auto &[factor, rest] = *parts;
    const bool grows = factor.is_never_negative();
    if (!grows && !(factor * Poly(-1)).is_never_negative())
        return;
    const int64_t sign = grows == top ? -1 : 1; // of the variable in facts that bound it on this side
    for (const Poly &fact : known.facts) {
        const auto of = fact.linear_in(var);
        if (!of || of->first.constant() != std::optional<int64_t>(sign))
            continue;
        const Poly limit = of->second * Poly(-sign);
        bool from_inside = false;
        for (size_t k = i; k < known.loops.size(); k++)
            from_inside |= limit.has(known.loops[k]);
        if (!from_inside && out->size() < kMostBounds)
            bounds(rest + factor * limit, known, i - 1 + (limit.has(var) ? 1 : 0), top, out);
    }
}

// The closest of them that can be told to be so, else the shortest.
std::optional<Poly> Region::bound(const Poly &p, const Known &known, bool top) const
{
    std::vector<Poly> all;
    bounds(p, known, known.loops.size(), top, &all);
    const Poly *best = nullptr;
    for (const Poly &b : all) {
        const bool closer = best && (top ? *best - b : b - *best).is_never_negative();
        const bool farther = best && (top ? b - *best : *best - b).is_never_negative();
        if (!best || closer || (!farther && b.terms.size() < best->terms.size()))
            best = &b;
    }
    return best ? std::optional(*best) : std::nullopt;
}

// Is great >= small? Perhaps under an assumption, which is noted.
bool Region::covers(const Poly &great, const Poly &small, std::vector<std::string> *assumed) const
{
    const Poly more = great - small;
    if (more.is_never_negative())
        return true;
    Poly plus, minus;
    for (const auto &[m, c] : more.terms)
        (c > 0 ? plus : minus) = (c > 0 ? plus : minus) + Poly(m, c > 0 ? c : -c);
    // n >= 1, lda >= n, ld >= n + 2: one variable against what is there
    if (plus.terms.size() != 1 || plus.constant() || plus.terms.begin()->second != 1 || minus.terms.size() > 2)
        return false;
    if (assumed && !llvm::is_contained(*assumed, plus.text() + " >= " + minus.text()))
        assumed->push_back(plus.text() + " >= " + minus.text());
    return true;
}

// The one that no other exceeds; nullopt if that is not to be seen.
std::optional<Poly> Region::greatest(const std::vector<Poly> &all, std::vector<std::string> *assumed) const
{
    for (const Poly &candidate : all)
        if (llvm::all_of(all, [&](const Poly &p) { return (candidate - p).is_never_negative(); }))
            return candidate;
    for (const Poly &candidate : all) { // n against constants
        std::vector<std::string> own;
        const bool is_greatest = llvm::all_of(all, [&](const Poly &p) {
            const std::optional<int64_t> c = (candidate - p).constant();
            return c ? *c >= 0 : p.constant() ? covers(candidate, p, &own) : (candidate - p).is_never_negative();
        });
        if (is_greatest) {
            assumed->insert(assumed->end(), own.begin(), own.end());
            return candidate;
        }
    }
    return std::nullopt;
}

// The subscripts that p is in an array with these strides, outermost first.
std::vector<Poly> Region::split(const Reached &r, const Poly &p) const
{
    std::vector<Poly> parts(r.strides.size() + 1);
    for (const auto &[m, c] : p.terms) {
        size_t i = 0;
        while (i < r.strides.size() && !quotient(m, r.strides[i]))
            i++;
        parts[i] = parts[i] + Poly(i < r.strides.size() ? *quotient(m, r.strides[i]) : m, c);
    }
    return parts;
}

// The greatest first subscript, plus one. `unknown`: the subscript for which there is none.
std::optional<Poly> Region::outer_extent(Reached *r, std::vector<std::string> *assumed, const Expr **unknown) const
{
    std::vector<Poly> tops;
    for (const ArrayUse &u : r->uses) {
        const Index &first = u.place.index[0];
        const std::optional<Poly> top = first.others.empty() ? bound(split(*r, first.sum)[0], u.known, true) : std::nullopt;
        if (!top) {
            *unknown = u.at;
            return std::nullopt;
        }
        if (!llvm::is_contained(tops, *top + Poly(1)))
            tops.push_back(*top + Poly(1));
    }
    const std::optional<Poly> most = greatest(tops, assumed);
    if (!most)
        *unknown = r->uses.back().at;
    return most;
}

// Finds strides with which one subscript becomes several; false if there are none.
bool Region::separate(Reached *r, std::vector<std::string> *assumed) const
{
    std::set<Monomial> strides;
    for (const ArrayUse &u : r->uses) {
        if (!u.place.index[0].others.empty())
            return false;
        for (const auto &[m, c] : u.place.index[0].sum.terms) {
            Monomial stride;
            for (const Atom &a : m)
                if (!llvm::is_contained(u.known.loops, a.var))
                    stride.push_back(a);
            if (!stride.empty() && stride.size() < m.size())
                strides.insert(stride);
        }
    }
    std::vector<Monomial> sorted(strides.begin(), strides.end());
    std::sort(sorted.begin(), sorted.end(),
              [](const Monomial &a, const Monomial &b) { return a.size() != b.size() ? a.size() > b.size() : a < b; });
    for (size_t i = 1; i < sorted.size(); i++)
        if (!quotient(sorted[i - 1], sorted[i]))
            return false;
    r->strides = sorted;
    for (const ArrayUse &u : r->uses) {
        const std::vector<Poly> parts = split(*r, u.place.index[0].sum);
        for (size_t k = 1; k < parts.size(); k++) {
            const Poly extent(*quotient(sorted[k - 1], k < sorted.size() ? sorted[k] : Monomial()), 1);
            const std::optional<Poly> top = bound(parts[k], u.known, true), low = bound(parts[k], u.known, false);
            if (!top || !low || !low->is_never_negative() || !covers(extent - Poly(1), *top, assumed)) {
                r->strides.clear();
                return false;
            }
        }
    }
    return !sorted.empty();
}

void Region::name_parameters(Reached *r, const Poly &p)
{
    for (const auto &[m, c] : p.terms)
        for (const Atom &a : m)
            if (a.var && !llvm::is_contained(r->named, a.var))
                r->named.push_back(a.var);
}

void Region::set_outer(Reached *r, const Poly &extent)
{
    name_parameters(r, extent);
    r->extents.push_back(extent.text());
    for (size_t k = 0; k < r->strides.size(); k++) {
        const Monomial inner = *quotient(r->strides[k], k + 1 < r->strides.size() ? r->strides[k + 1] : Monomial());
        name_parameters(r, Poly(inner, 1));
        r->extents.push_back(Poly(inner, 1).text());
    }
    r->extents.insert(r->extents.end(), r->declared.begin() + 1, r->declared.end());
}

// Sums and products of names, parameters or constants, and numbers.
std::optional<Poly> Region::parse_extent(StringRef text) const
{
    const auto split_at = [&](char c, std::optional<Poly> *left, std::optional<Poly> *right) {
        int depth = 0;
        for (size_t i = text.size(); i-- > 1;) {
            depth += text[i] == ')' ? 1 : text[i] == '(' ? -1 : 0;
            if (depth == 0 && text[i] == c) {
                *left = parse_extent(text.take_front(i));
                *right = parse_extent(text.drop_front(i + 1));
                return true;
            }
        }
        return false;
    };
    std::optional<Poly> a, b;
    int64_t value;
    text = text.trim();
    for (const char c : {'+', '-', '*'})
        if (split_at(c, &a, &b))
            return !a || !b ? std::nullopt : std::optional(c == '+' ? *a + *b : c == '-' ? *a - *b : *a * *b);
    if (text.starts_with("(") && text.ends_with(")"))
        return parse_extent(text.drop_front().drop_back());
    if (!text.getAsInteger(10, value))
        return Poly(value);
    if (const std::string name = parameter_name(text.str()); is_parameter_constant(name))
        return Poly(Atom{name, nullptr});
    for (const auto &r : all)
        if (!r->is_array && !r->is_written && r->var->getType()->isIntegerType() && r->var->getName() == text)
            return Poly(Atom{text.str(), r->var});
    return std::nullopt;
}

// --extent=A:n,m
bool Region::given_extents(Reached *r)
{
    for (int i = 0; opt->extents && i < opt->extents->count; i++) {
        const auto [name, list] = StringRef(static_cast<const char *>(opt->extents->items[i])).split(':');
        if (name != r->var->getName())
            continue;
        SmallVector<StringRef, 4> texts;
        std::vector<Poly> dims;
        list.split(texts, ',');
        for (StringRef text : texts) {
            const std::optional<Poly> p = parse_extent(text);
            if (!p || p->terms.empty()) {
                no(R_EXTRACT_GIVEN, r->var->getLocation(), text.str());
                return true;
            }
            dims.push_back(*p);
        }
        // A subscript that reads memory cannot be divided: the array stays flat.
        const bool is_flat = llvm::any_of(r->uses, [](const ArrayUse &u) { return !u.place.index[0].others.empty(); });
        for (; is_flat && dims.size() > 1; dims.pop_back())
            dims[0] = dims[0] * dims.back();
        Poly stride(1);
        for (size_t k = dims.size(); k-- > 1;) {
            stride = stride * dims[k];
            if (stride.terms.size() != 1 || stride.terms.begin()->second != 1) {
                no(R_EXTRACT_GIVEN, r->var->getLocation(), texts[k].str());
                return true;
            }
            r->strides.insert(r->strides.begin(), stride.terms.begin()->first);
        }
        set_outer(r, dims[0]);
        return true;
    }
    return false;
}

// Those of the declaration, unless it has none or needs a parameter more than the loops do.
void Region::extents(Reached *r)
{
    if (!is_helper && given_extents(r))
        return;
    std::vector<std::string> assumed;
    const Expr *unknown = nullptr;
    const bool is_open = r->declared[0].empty();
    if (is_open && r->other && !is_helper)
        return no(r->is_argument ? R_EXTRACT_ARGUMENT : R_EXTRACT_POINTER, r->other->getSourceRange(), r->var->getNameAsString());
    if (r->uses.empty()) {
        r->extents = r->declared;
        return;
    }
    if (r->declared.size() == 1 && is_open && !is_helper && !separate(r, &assumed))
        assumed.clear();
    const std::optional<Poly> outer = outer_extent(r, &assumed, &unknown);
    if (!outer && is_open) {
        const std::string name = r->var->getNameAsString();
        return no(R_EXTRACT_EXTENT, unknown->getSourceRange(), name);
    }
    const bool says_more = outer && outer->terms.size() <= 2 && is_parameter_constant(r->declared[0]);
    if (is_open || says_more)
        set_outer(r, *outer);
    else
        r->extents = r->declared;
    for (const std::string &a : assumed)
        if ((is_open || says_more) && !llvm::is_contained(assumptions, a))
            assumptions.push_back(a);
}

} // namespace mikgen
