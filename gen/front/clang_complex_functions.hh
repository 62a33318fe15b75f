/* SPDX-License-Identifier: GPL-3.0-or-later */
// Part of gen/front/spec_clang.cc: what <complex.h> has, in terms of functions of real numbers. As products are the plain formulas, so are
// these: where a part is infinite or no number, or overflows on the way, another part may be no number that C's library would know.
#ifndef MIKGEN_GEN_CLANG_COMPLEX_FUNCTIONS_HH
#define MIKGEN_GEN_CLANG_COMPLEX_FUNCTIONS_HH

#include <cmath>

#include "gen/front/clang_builder.hh"
#include "gen/front/clang_expressions.hh"

namespace
{

// A function of <math.h>, of the type that the suffix says.
Node *Builder::libm_call(const char *name, StringRef suffix, ArrayRef<Node *> args, const Expr *e)
{
    const auto result = context.getTranslationUnitDecl()->lookup(&context.Idents.get(std::string(name) + suffix.str()));
    Sym *s = libm_function(llvm::cast<FunctionDecl>(result.front()));
    return make(N_CALL, s->type, s, args, e);
}

// exp(re) * cos(im) + I * exp(re) * sin(im), and its kin.
Pair Builder::product_of_functions(StringRef base, StringRef suffix, const Pair &z, const CallExpr *e)
{
    static const struct {
        const char *name, *re[2], *im[2];
    } known[] = {{"cexp", {"exp", "cos"}, {"exp", "sin"}},
                 {"csin", {"sin", "cosh"}, {"cos", "sinh"}},
                 {"ccos", {"cos", "cosh"}, {"sin", "sinh"}},
                 {"csinh", {"sinh", "cos"}, {"cosh", "sin"}},
                 {"ccosh", {"cosh", "cos"}, {"sinh", "sin"}}};
    for (const auto &k : known) {
        if (base != k.name)
            continue;
        Node *re[2] = {libm_call(k.re[0], suffix, {z.re}, e), libm_call(k.re[1], suffix, {z.im}, e)};
        Node *im[2] = {libm_call(k.im[0], suffix, {z.re}, e), libm_call(k.im[1], suffix, {z.im}, e)};
        if (base == "cexp" && z.re->kind == N_FLOAT && z.re->u.f == 0) // of a number on the imaginary axis
            re[0] = im[0] = mk_float(ir, (Type)z.re->type, 1);
        Node *second = term(N_MUL, im[0], im[1]);
        return {term(N_MUL, re[0], re[1]), base == "ccos" ? mk_unary(ir, N_NEG, second) : second, true};
    }
    return {};
}

// Half of |re| + |z| has the root t; the other part is im / 2t. Without cancellation on either side of the imaginary axis.
Pair Builder::square_root(StringRef suffix, const Pair &z, Type type, const CallExpr *e)
{
    const SourceRange range = e->getSourceRange();
    Node *zero = mk_float(ir, type, 0), *half = mk_float(ir, type, 0.5L);
    Node *sum = mk_binary(ir, N_ADD, libm_call("fabs", suffix, {z.re}, e), libm_call("hypot", suffix, {z.re, z.im}, e));
    Node *t = named({libm_call("sqrt", suffix, {mk_binary(ir, N_MUL, half, sum)}, e), nullptr, true}, range).re;
    Node *quotient = mk_binary(ir, N_DIV, mk_binary(ir, N_MUL, half, z.im), t);
    Node *other = named({make(N_SEL, type, nullptr, {mk_binary(ir, N_EQ, t, zero), z.im, quotient}, e), nullptr, true}, range).re;
    Node *right = mk_binary(ir, N_GE, z.re, zero);
    return {make(N_SEL, type, nullptr, {right, t, libm_call("fabs", suffix, {other}, e)}, e),
            make(N_SEL, type, nullptr, {right, other, libm_call("copysign", suffix, {t, z.im}, e)}, e), true};
}

// All that is infinite in one point.
Pair Builder::projection(StringRef suffix, const Pair &z, Type type, const CallExpr *e)
{
    Node *infinity = mk_float(ir, type, HUGE_VALL), *zero = mk_float(ir, type, 0);
    Node *is_infinite = mk_binary(ir, N_LOR, mk_binary(ir, N_EQ, libm_call("fabs", suffix, {z.re}, e), infinity),
                                  mk_binary(ir, N_EQ, libm_call("fabs", suffix, {z.im}, e), infinity));
    return {make(N_SEL, type, nullptr, {is_infinite, infinity, z.re}, e),
            make(N_SEL, type, nullptr, {is_infinite, libm_call("copysign", suffix, {zero, z.im}, e), z.im}, e), true};
}

// A function of one complex number with a complex value; *found: it is known.
Pair Builder::complex_function(StringRef name, const CallExpr *e, Type type, bool *found)
{
    static const char *const known[] = {"conj", "cexp", "clog", "csqrt", "cproj", "csinh", "ccosh", "csin", "ccos"};
    const StringRef suffix = type == T_FLOAT ? "f" : type == T_LDOUBLE ? "l" : "";
    const StringRef base = name.ends_with(suffix) ? name.drop_back(suffix.size()) : "";
    *found = e->getNumArgs() == 1 && std::find(std::begin(known), std::end(known), base) != std::end(known);
    Pair z = *found ? complete(pair(e->getArg(0)), type) : Pair{};
    if (!z.good)
        return z;
    if (base == "conj")
        return {z.re, mk_unary(ir, N_NEG, z.im), true};
    if (!sequence || !sequence->before) // names for what is used twice have no place
        return no(R_COMPLEX_ARM, e->getSourceRange(), name.str()), Pair{};
    z = named(z, e->getSourceRange());
    if (base == "csqrt")
        return square_root(suffix, z, type, e);
    if (base == "cproj")
        return projection(suffix, z, type, e);
    if (base == "clog")
        return {libm_call("log", suffix, {libm_call("hypot", suffix, {z.re, z.im}, e)}, e), libm_call("atan2", suffix, {z.im, z.re}, e),
                true};
    return product_of_functions(base, suffix, z, e);
}

} // namespace

#endif
