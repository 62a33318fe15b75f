/* SPDX-License-Identifier: GPL-3.0-or-later */
// What to write instead of text that Clang itself refuses, or would warn about. There is no tree yet: all
// that is known is the text around.

#include "gen/front/tree/hints.hh"

#include "clang/Basic/CharInfo.h"
#include "clang/Basic/DiagnosticSema.h"
#include "llvm/ADT/StringSwitch.h"

namespace mikgen
{

StringRef line_around(StringRef text, size_t at)
{
    const size_t from = text.rfind('\n', at) + 1;
    return text.slice(from, text.find('\n', at));
}

StringRef name_at(StringRef text)
{
    return text.take_while([](char c) { return clang::isAsciiIdentifierContinue(c); });
}

static StringRef name_in_front(StringRef text)
{
    text = text.rtrim();
    return text.take_back(text.size() - 1 - text.find_last_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"));
}

Refusal foreign_word(StringRef word)
{
    return llvm::StringSwitch<Refusal>(word)
        .Cases("template", "class", "namespace", "using", "typename", "constexpr", "std", "nullptr", "public", "decltype", R_CPP)
        .Cases("__global__", "__device__", "__host__", "__shared__", "__syncthreads", R_CUDA)
        .Cases("blockIdx", "threadIdx", "blockDim", "gridDim", R_CUDA)
        .Default(R_COUNT);
}

StringRef word_of_cpp(StringRef text, size_t at)
{
    if (text.substr(at).starts_with("::"))
        return "::";
    const char before = text.take_front(at).rtrim().empty() ? 0 : text.take_front(at).rtrim().back();
    if (at < text.size() && text[at] == '&' && (clang::isAsciiIdentifierContinue(before) || before == '>'))
        return "&";
    return name_in_front(text.take_front(at)) == "auto" ? "auto" : "";
}

std::string instead_of_function(StringRef name)
{
    const std::string sign = name == "max" ? ">" : "<";
    if (name == "max" || name == "min")
        return "write 'f" + name.str() + "f(a, b)' of floats, or a helper: 'static int " + name.str() + "(int a, int b) { return a " +
               sign + " b ? a : b; }'";
    if (name == "rand" || name == "drand48" || name == "srand")
        return "the same arguments give the same results: pass random numbers in an array";
    if (name == "free")
        return "leave it out: a local array, 'float t[N];', ends with its block";
    return "";
}

std::string declared_in_head(StringRef text, size_t at)
{
    const StringRef front = text.take_front(at).rtrim();
    if (!front.ends_with("(") || name_in_front(front.drop_back()) != "for")
        return "";
    return "write 'for (int " + name_at(text.substr(at)).str() + " = ...'";
}

std::string comma_in_brackets(StringRef line)
{
    for (size_t open = line.find('['); open != StringRef::npos; open = line.find('[', open + 1)) {
        const StringRef inside = line.slice(open + 1, line.find(']', open));
        const std::pair<StringRef, StringRef> parts = inside.split(',');
        if (parts.second.empty() || inside.contains('(') || inside.contains('['))
            continue;
        const std::string name = name_in_front(line.take_front(open)).str();
        return "write '" + name + "[" + parts.first.trim().str() + "][" + parts.second.trim().str() + "]' instead of '" + name + "[" +
               inside.str() + "]'";
    }
    return "";
}

Refusal refused_warning(unsigned id)
{
    switch (id) {
    case clang::diag::warn_uninit_var: return R_C_UNSET;
    case clang::diag::warn_wrong_absolute_value_type: return R_C_ABS;
    case clang::diag::warn_sizeof_array_param: return R_SIZEOF_PARAM;
    case clang::diag::warn_empty_for_body:
    case clang::diag::warn_empty_if_body:
    case clang::diag::warn_empty_while_body: return R_C_EMPTY;
    default: return R_COUNT;
    }
}

} // namespace mikgen
