/* SPDX-License-Identifier: GPL-3.0-or-later */
// Calls operators through the overloads of --emit=cpp: spans.sh compiles it, for C++11 and for C++20.
#include <array>
#include <cstdio>
#include <string>
#include <vector>

#include "products.hpp"
#include "words.hpp"

static int failures;

static void expect(bool holds, const char *what)
{
    if (!holds)
        std::printf("FAILED: %s\n", what);
    failures += !holds;
}

// Does the call throw this, with that text in it?
template <class Exception, class Call> static void refuses(const char *text, Call call)
{
    try {
        call();
        expect(false, text);
    } catch (const Exception &exception) {
        expect(std::string(exception.what()).find(text) != std::string::npos, exception.what());
    }
}

static void products()
{
    const std::vector<float> a(33 * 20, 2), b(20 * 17, 3);
    std::vector<float> c(33 * 17);
    product(33, 17, 20, a, b, c);
    expect(c[0] == 120 && c.back() == 120, "product");
    mikgen_options options = mikgen_options();
    options.threads = 2;
    accumulate(33, 17, 20, a, b, c, options);
    expect(c[0] == 240 && c.back() == 240, "accumulate, with options");
    product(33, 17, 20, mikgen::span<const float>(a.data(), a.size()), {b.data(), b.size()}, c);
    expect(c[1] == 120 && product(33, 17, 20, a.data(), b.data(), c.data()) == MIKGEN_OK, "spans, and pointers");
    float none[1], two[4] = {1, 2, 3, 4};
    product(2, 2, 1, {two, 2}, {two + 2, 2}, {c.data(), 4});
    expect(c[3] == 8, "parts of arrays");
    product(0, 17, 20, {none, 0}, b, {none, 0});
    refuses<std::invalid_argument>("product: C: 561 elements, but the extents say 528",
                                   [&] { product(33, 16, 20, a, {b.data(), 320}, c); });
    refuses<std::invalid_argument>("product: A: an extent is -1", [&] { product(-1, 16, 20, a, b, c); });
    refuses<std::invalid_argument>("product: A: 660 elements, but the extents say 4611686014132420609",
                                   [&] { product(2147483647, 1, 2147483647, a, b, c); });
    refuses<mikgen::error>("overlaps", [&] { product(2, 2, 2, {two, 4}, {two, 4}, {two, 4}); });
    options.isa = 4;
#if defined(__x86_64__)
    refuses<mikgen::error>("product: the options ask for an instruction set", [&] { product(33, 17, 20, a, b, c, options); });
#endif
}

static void words()
{
    const std::array<float, 8> a{{0, 1, 2, 3, 4, 5, 6, 7}};
    const std::vector<float> b(16, 1), c(6, 1), d(1, 1), e(3, 1), f(7, 1), g(6, 1);
    std::array<float, 7> y;
    extents(7, 2, 0, a, b, c, d, e, f, g, y);
    expect(y[6] == 12, "extents");
    extents(7, 2, 4294967295u, a, b, c, {d.data(), 0}, e, f, g, y); // unsigned: w + 1 is 0
    refuses<std::invalid_argument>("extents: c: 6 elements, but the extents say 3",
                                   [&] { extents(7, 0, 0, a, {b.data(), 14}, c, d, e, f, g, y); });
    const bool truth[2] = {true, false};
    const char chars[2] = {1, 1};
    const int8_t bytes[2] = {1, 1};
    const unsigned char unsigned_bytes[2] = {1, 1};
    const short shorts[2] = {1, 1};
    const uint16_t unsigned_shorts[2] = {1, 1};
    const int ints[2] = {1, 1};
    const unsigned unsigneds[2] = {1, 1};
    const long longs[2] = {1, 1};
    const unsigned long unsigned_longs[2] = {1, 1};
    const int64_t wide[2] = {1, 1};
    int64_t sums[2];
    integers(2, true, 1, 1, 1, 1, 1, 4000000000u, 1, 1, 1, 1, truth, chars, bytes, unsigned_bytes, shorts, unsigned_shorts, ints, unsigneds,
             longs, unsigned_longs, wide, sums);
    expect(sums[0] == 4000000011 && sums[1] == 4000000010, "integers");
}

int main()
{
    products();
    words();
    std::printf("overloads over spans, C++ %ld: %d failed\n", static_cast<long>(__cplusplus), failures);
    return failures != 0;
}
