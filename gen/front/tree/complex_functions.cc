/* SPDX-License-Identifier: GPL-3.0-or-later */
// What <complex.h> has, in terms of functions of real numbers. As products are the plain formulas, so are
// these: where a part is infinite or no number, or overflows on the way, another part may be no number that C's library would know.
#include <cmath>

#include "gen/front/tree/builder.hh"
#include "gen/front/tree/expressions.hh"

namespace mikgen
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

// The root of a number that an expression is.
Pair Builder::root_of(StringRef suffix, Node *re, Node *im, Type type, const CallExpr *e)
{
    return square_root(suffix, named({re, im, true}, e->getSourceRange()), type, e);
}

// With t = tanh(re) and s = 1 / cosh(re), of z or of z / I: (t + I * sin(im) * cos(im) * s * s) / (t * t + (cos(im) * s)^2), in which nothing
// cancels or overflows.
Pair Builder::tangent(StringRef suffix, const Pair &z, bool hyperbolic, Type type, const CallExpr *e)
{
    const SourceRange range = e->getSourceRange();
    Node *along = hyperbolic ? z.re : z.im, *around = hyperbolic ? z.im : z.re;
    Node *one = mk_float(ir, type, 1);
    const Pair t = named({libm_call("tanh", suffix, {along}, e), mk_binary(ir, N_DIV, one, libm_call("cosh", suffix, {along}, e)), true},
                         range);
    const Pair turn = named({mk_binary(ir, N_MUL, libm_call("cos", suffix, {around}, e), t.im),
                             mk_binary(ir, N_MUL, libm_call("sin", suffix, {around}, e), t.im), true},
                            range);
    Node *square = term(N_ADD, term(N_MUL, t.re, t.re), term(N_MUL, turn.re, turn.re));
    const Pair below = named({square, nullptr, true}, range);
    Node *main = mk_binary(ir, N_DIV, t.re, below.re), *other = mk_binary(ir, N_DIV, term(N_MUL, turn.im, turn.re), below.re);
    return hyperbolic ? Pair{main, other, true} : Pair{other, main, true};
}

// asin, acos, asinh, acosh of the two roots between which the function has its cuts, as Kahan has them (Branch cuts for complex elementary
// functions, 1987).
Pair Builder::inverse(StringRef base, StringRef suffix, const Pair &z, Type type, const CallExpr *e)
{
    const SourceRange range = e->getSourceRange();
    Node *one = mk_float(ir, type, 1), *two = mk_float(ir, type, 2);
    Node *minus_re = mk_unary(ir, N_NEG, z.re), *minus_im = mk_unary(ir, N_NEG, z.im);
    Pair a, b; // roots of 1 - z and 1 + z; of z - 1 and z + 1; of 1 + I * z and 1 - I * z
    if (base == "cacosh") {
        a = root_of(suffix, mk_binary(ir, N_SUB, z.re, one), z.im, type, e);
        b = root_of(suffix, mk_binary(ir, N_ADD, z.re, one), z.im, type, e);
    } else if (base == "casinh") {
        a = root_of(suffix, mk_binary(ir, N_SUB, one, z.im), z.re, type, e);
        b = root_of(suffix, mk_binary(ir, N_ADD, one, z.im), minus_re, type, e);
    } else {
        a = root_of(suffix, mk_binary(ir, N_SUB, one, z.re), minus_im, type, e);
        b = root_of(suffix, mk_binary(ir, N_ADD, one, z.re), z.im, type, e);
    }
    a = named(a, range);
    b = named(b, range);
    Node *re = term(N_SUB, term(N_MUL, a.re, b.re), term(N_MUL, a.im, b.im)); // of a * b
    if (base == "casin") // conj(a) * b
        return {libm_call("atan2", suffix, {z.re, re}, e),
                libm_call("asinh", suffix, {term(N_SUB, term(N_MUL, a.re, b.im), term(N_MUL, a.im, b.re))}, e), true};
    if (base == "casinh") // a * conj(b)
        return {libm_call("asinh", suffix, {term(N_SUB, term(N_MUL, a.im, b.re), term(N_MUL, a.re, b.im))}, e),
                libm_call("atan2", suffix, {z.im, re}, e), true};
    if (base == "cacos")
        return {mk_binary(ir, N_MUL, two, libm_call("atan2", suffix, {a.re, b.re}, e)),
                libm_call("asinh", suffix, {term(N_SUB, term(N_MUL, a.im, b.re), term(N_MUL, a.re, b.im))}, e), true};
    return {libm_call("asinh", suffix, {term(N_ADD, term(N_MUL, a.re, b.re), term(N_MUL, a.im, b.im))}, e),
            mk_binary(ir, N_MUL, two, libm_call("atan2", suffix, {a.im, b.re}, e)), true};
}

// atanh of z, or atan, which is that of z * I through I: log1p(4 |x| / ((1 - |x|)^2 + y^2)) / 4 with x's sign, and the angle of
// (1 - x) * (1 + x) - y^2 + 2 * I * y halved.
Pair Builder::inverse_tangent(StringRef suffix, const Pair &z, bool hyperbolic, Type type, const CallExpr *e)
{
    const SourceRange range = e->getSourceRange();
    Node *x = hyperbolic ? z.re : z.im, *y = hyperbolic ? z.im : z.re;
    auto number = [&](long double value) { return mk_float(ir, type, value); };
    Node *size = libm_call("fabs", suffix, {x}, e);
    const Pair apart = named({mk_binary(ir, N_SUB, number(1), size), size, true}, range);
    Node *far = term(N_ADD, term(N_MUL, apart.re, apart.re), term(N_MUL, y, y));
    Node *ratio = mk_binary(ir, N_DIV, mk_binary(ir, N_MUL, number(4), apart.im), far);
    Node *log = mk_binary(ir, N_MUL, number(0.25L), libm_call("log1p", suffix, {ratio}, e));
    Node *below = term(N_SUB, term(N_MUL, apart.re, mk_binary(ir, N_ADD, number(1), apart.im)), term(N_MUL, y, y));
    Node *angle = mk_binary(ir, N_MUL, number(0.5L), libm_call("atan2", suffix, {mk_binary(ir, N_MUL, number(2), y), below}, e));
    Node *main = libm_call("copysign", suffix, {log, x}, e);
    return hyperbolic ? Pair{main, angle, true} : Pair{angle, main, true};
}

// pow(|z|, re) * exp(-im * arg(z)), at the angle im * log(|z|) + re * arg(z). The logarithm of zero is taken for zero: its power is that
// of the modulus.
Pair Builder::power(StringRef suffix, const Pair &z, const Pair &w, Type type, const CallExpr *e)
{
    const SourceRange range = e->getSourceRange();
    const bool real = w.im->kind == N_FLOAT && w.im->u.f == 0;
    const Pair polar = named({libm_call("hypot", suffix, {z.re, z.im}, e), libm_call("atan2", suffix, {z.im, z.re}, e), true}, range);
    Node *size = libm_call("pow", suffix, {polar.re, w.re}, e), *angle = mk_binary(ir, N_MUL, w.re, polar.im);
    if (!real) {
        Node *none = mk_binary(ir, N_EQ, polar.re, mk_float(ir, type, 0));
        Node *log = libm_call("log", suffix, {make(N_SEL, type, nullptr, {none, mk_float(ir, type, 1), polar.re}, e)}, e);
        angle = mk_binary(ir, N_ADD, mk_binary(ir, N_MUL, w.im, log), angle);
        size = mk_binary(ir, N_MUL, size, libm_call("exp", suffix, {mk_unary(ir, N_NEG, mk_binary(ir, N_MUL, w.im, polar.im))}, e));
    }
    const Pair r = named({size, angle, true}, range);
    return {mk_binary(ir, N_MUL, r.re, libm_call("cos", suffix, {r.im}, e)),
            mk_binary(ir, N_MUL, r.re, libm_call("sin", suffix, {r.im}, e)), true};
}

// A function of complex numbers with a complex value; *found: it is known.
Pair Builder::complex_function(StringRef name, const CallExpr *e, Type type, bool *found)
{
    static const char *const known[] = {"conj", "cexp",  "clog",  "csqrt", "cproj", "csinh",  "ccosh",  "csin",   "ccos",
                                        "ctan", "ctanh", "casin", "cacos", "catan", "casinh", "cacosh", "catanh", "cpow"};
    const StringRef suffix = type == T_FLOAT ? "f" : type == T_LDOUBLE ? "l" : "";
    const StringRef base = name.ends_with(suffix) ? name.drop_back(suffix.size()) : "";
    const bool two = base == "cpow";
    *found = e->getNumArgs() == 1u + two && std::find(std::begin(known), std::end(known), base) != std::end(known);
    Pair z = *found ? complete(pair(e->getArg(0)), type) : Pair{};
    Pair w = *found && two ? complete(pair(e->getArg(1)), type) : z;
    if (!z.good || !w.good)
        return {};
    if (base == "conj")
        return {z.re, mk_unary(ir, N_NEG, z.im), true};
    if (!sequence || !sequence->before) // names for what is used twice have no place
        return no(R_COMPLEX_ARM, e->getSourceRange(), name.str()), Pair{};
    z = named(z, e->getSourceRange());
    if (two)
        return power(suffix, z, named(w, e->getSourceRange()), type, e);
    if (base == "ctan" || base == "ctanh")
        return tangent(suffix, z, base == "ctanh", type, e);
    if (base == "catan" || base == "catanh")
        return inverse_tangent(suffix, z, base == "catanh", type, e);
    if (base.starts_with("ca"))
        return inverse(base, suffix, z, type, e);
    if (base == "csqrt")
        return square_root(suffix, z, type, e);
    if (base == "cproj")
        return projection(suffix, z, type, e);
    if (base == "clog")
        return {libm_call("log", suffix, {libm_call("hypot", suffix, {z.re, z.im}, e)}, e), libm_call("atan2", suffix, {z.im, z.re}, e),
                true};
    return product_of_functions(base, suffix, z, e);
}

} // namespace mikgen
