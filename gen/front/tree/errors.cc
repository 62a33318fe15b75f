/* SPDX-License-Identifier: GPL-3.0-or-later */
// Places in the source text, and Clang's own errors in our form.

#include "gen/front/tree/errors.hh"

#include <string>
#include <utility>

#include "gen/front/tree/hints.hh"
#include "clang/AST/Decl.h"
#include "clang/Basic/AllDiagnostics.h"
#include "clang/Basic/CharInfo.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/SmallString.h"

namespace mikgen
{

bool is_built_in(StringRef path) { return path.starts_with("/mikgen/"); }

bool is_written(const SourceManager &sm, SourceLocation at)
{
    at = sm.getFileLoc(at);
    return sm.isWrittenInMainFile(at) ||
           (at.isValid() && !sm.isInSystemHeader(at) && !sm.getFilename(at).empty() && !is_built_in(sm.getFilename(at)));
}

const Included *known_file(const Front *front, FileEntryRef entry)
{
    for (int i = 0; i < front->files.count; i++) {
        const auto *file = static_cast<const Included *>(front->files.items[i]);
        if (file->file == &entry.getFileEntry())
            return file;
    }
    return nullptr;
}

Loc place(const Front *front, const SourceManager &sm, const LangOptions &lang, SourceRange range)
{
    if (range.getEnd().isInvalid())
        range = range.getBegin();
    if (range.isInvalid())
        return {0, 0};
    SourceLocation beg = sm.getFileLoc(range.getBegin()), end = sm.getFileLoc(range.getEnd());
    const FileID file = sm.getFileID(beg);
    const OptionalFileEntryRef entry = sm.getFileEntryRefForID(file);
    const Included *included = entry && file != sm.getMainFileID() ? known_file(front, *entry) : nullptr;
    if (file != sm.getMainFileID() && !included)
        return {0, 0};
    const uint32_t base = included ? included->base : front->base;
    uint32_t from = sm.getFileOffset(beg);
    uint32_t to = sm.getFileID(end) == file ? sm.getFileOffset(end) + Lexer::MeasureTokenLength(end, sm, lang) : from;
    if (to <= from)
        to = from + Lexer::MeasureTokenLength(beg, sm, lang);
    return {base + from + 1, base + to + 1};
}

// The text that a place is in, and where.
static StringRef text_around(const Front *front, Loc loc, size_t *at)
{
    const uint32_t offset = loc.beg - 1;
    for (int i = 0; i < front->files.count; i++) {
        const auto *file = static_cast<const Included *>(front->files.items[i]);
        *at = offset - file->base;
        if (offset >= file->base && *at <= file->len)
            return StringRef(file->text, file->len);
    }
    *at = offset - front->base;
    return StringRef(front->text, front->len);
}

void refuse(Front *front, Refusal why, Loc loc, const std::string &name)
{
    front_refuse(front, why, loc, arena_strndup(front->ir->arena, name.data(), name.size()));
}

void help_last(Front *front, const std::string &help)
{
    if (!help.empty() && front->faults.count)
        static_cast<Fault *>(front->faults.items[front->faults.count - 1])->help = arena_strndup(front->ir->arena, help.data(),
                                                                                                 help.size());
}

// Clang's errors in our words where ours say more, else in Clang's. One error for a line, and none after a
// syntax error: what follows it is mostly noise.
class ErrorCollector : public DiagnosticConsumer
{
  public:
    explicit ErrorCollector(Front *front) : front(front) {}

    void HandleDiagnostic(DiagnosticsEngine::Level level, const Diagnostic &info) override
    {
        DiagnosticConsumer::HandleDiagnostic(level, info);
        if (level == DiagnosticsEngine::Note)
            return note(info);
        told_last = false;
        if (level < DiagnosticsEngine::Error && (front->kept || refused_warning(info.getID()) == R_COUNT))
            return;
        if (after_syntax_error || cut_off() || info.getID() == diag::fatal_too_many_errors)
            return;
        if (front->kept && info.getID() == diag::ext_implicit_function_decl_c99) { // declared for the next attempt
            front->kept->wants_min |= argument(info, 0) == "min";
            front->kept->wants_max |= argument(info, 0) == "max";
        }
        Loc loc = {0, 0};
        unsigned line = 0;
        FileID file;
        if (info.hasSourceManager() && info.getLocation().isValid()) {
            const SourceManager &sm = info.getSourceManager();
            SourceRange range = info.getLocation();
            for (const CharSourceRange &r : info.getRanges())
                if (r.isTokenRange() && r.getBegin() == info.getLocation())
                    range = r.getAsRange();
            loc = place(front, sm, lang, range);
            line = sm.getExpansionLineNumber(info.getLocation());
            file = sm.getFileID(sm.getExpansionLoc(info.getLocation()));
            if (!loc.beg && front->kept)
                return in_header(info, sm.getFileLoc(info.getLocation()), sm);
        }
        if (line && line == last_line && file == last_file)
            return;
        last_line = line;
        last_file = file;
        llvm::StringRef category = DiagnosticIDs::getCategoryNameFromID(DiagnosticIDs::getCategoryNumberForDiag(info.getID()));
        after_syntax_error = category == "Parse Issue" && !is_unknown_type(info.getID());
        report(info, loc);
        told_last = front->faults.count && static_cast<Fault *>(front->faults.items[front->faults.count - 1])->why == R_C;
    }

  private:
    Front *front;
    LangOptions lang;
    unsigned last_line = 0;
    FileID last_file;
    bool after_syntax_error = false;
    bool told_last = false; // the last error became a fault in Clang's words: notes behind it are about that

    // Of a bracket without its partner, where the partner is.
    void note(const Diagnostic &info)
    {
        if (info.getID() != diag::note_matching || !std::exchange(told_last, false))
            return;
        llvm::SmallString<40> text;
        info.FormatDiagnostic(text); // to match this '{'
        const unsigned at = info.getSourceManager().getSpellingLineNumber(info.getLocation());
        help_last(front, "the " + text.substr(text.find("'")).str() + " of line " + std::to_string(at) + " is still open");
    }

    // A text in another language: one word of it is enough.
    bool foreign(Refusal why, StringRef word, Loc loc)
    {
        if (front->kept || why == R_COUNT)
            return false;
        after_syntax_error = true;
        refuse(front, why, loc, word.str());
        return true;
    }

    // DepthGuard has ended the file early: what follows is our doing.
    bool cut_off() const
    {
        const auto *last = front->faults.count ? static_cast<Fault *>(front->faults.items[front->faults.count - 1]) : nullptr;
        return last && refuses_rest(last->why);
    }

    static bool refuses_rest(Refusal why)
    {
        switch (why) {
#define REFUSE(id, message, help)
#define REFUSE_REST(id, message, help) case id:
#include "gen/front/refusal.def"
            return true;
        default: return false;
        }
    }

    // A fault of an included file is told at the #include of the text.
    void in_header(const Diagnostic &info, SourceLocation at, const SourceManager &sm)
    {
        llvm::SmallString<200> text;
        info.FormatDiagnostic(text);
        StringRef path = sm.getFilename(at);
        std::string where = path.substr(path.rfind('/') + 1).str() + ":" + std::to_string(sm.getSpellingLineNumber(at));
        while (at.isValid() && !sm.isWrittenInMainFile(at))
            at = sm.getIncludeLoc(sm.getFileID(at));
        Loc loc = place(front, sm, lang, at);
        for (int i = 0; i < front->faults.count; i++) // the first says enough
            if (static_cast<Fault *>(front->faults.items[i])->loc.beg == loc.beg)
                return;
        refuse(front, R_C, loc, where + ": " + text.str().str());
    }

    static bool is_unknown_type(unsigned id) { return id == diag::err_unknown_typename || id == diag::err_unknown_typename_suggest; }

    static std::string argument(const Diagnostic &info, unsigned i)
    {
        if (i >= info.getNumArgs())
            return "";
        switch (info.getArgKind(i)) {
        case DiagnosticsEngine::ak_std_string: return info.getArgStdStr(i);
        case DiagnosticsEngine::ak_c_string: return info.getArgCStr(i);
        case DiagnosticsEngine::ak_identifierinfo: return info.getArgIdentifier(i)->getName().str();
        case DiagnosticsEngine::ak_declarationname: return DeclarationName::getFromOpaqueInteger(info.getRawArg(i)).getAsString();
        case DiagnosticsEngine::ak_nameddecl: return reinterpret_cast<const NamedDecl *>(info.getRawArg(i))->getNameAsString();
        default: return "";
        }
    }

    // A name that an earlier faulty line should have declared, or that was missing there already, is no news.
    void undeclared(const std::string &name, Loc loc)
    {
        for (int i = 0; i < front->faults.count; i++) {
            Loc earlier = static_cast<Fault *>(front->faults.items[i])->loc;
            if (earlier.beg && line_has_word(earlier, name))
                return;
        }
        refuse(front, R_UNDECLARED, loc, name);
        size_t at;
        const StringRef text = loc.beg ? text_around(front, loc, &at) : "";
        if (!text.empty())
            help_last(front, declared_in_head(text, at));
    }

    void undeclared_function(const std::string &name, Loc loc)
    {
        if (foreign(foreign_word(name), name, loc))
            return;
        refuse(front, R_UNDECLARED_FN, loc, name);
        if (!front->kept)
            help_last(front, instead_of_function(name));
    }

    // Too few subscripts, or a comma between them.
    void not_a_number(Loc loc)
    {
        refuse(front, R_TOO_FEW, loc, "");
        size_t at;
        const StringRef text = loc.beg ? text_around(front, loc, &at) : "";
        if (!front->kept && !text.empty())
            help_last(front, comma_in_brackets(line_around(text, at)));
    }

    // What Clang warns about.
    void doubtful(unsigned id, const std::string &words, Loc loc)
    {
        size_t at;
        const StringRef text = loc.beg ? text_around(front, loc, &at) : "";
        const bool is_size = id == diag::warn_sizeof_array_param; // at what is behind the word
        refuse(front, refused_warning(id), loc, is_size && !text.empty() ? name_at(text.substr(at).ltrim(" (")).str() : words);
    }

    bool line_has_word(Loc loc, StringRef word) const
    {
        size_t at;
        StringRef text = text_around(front, loc, &at), line = line_around(text, at);
        for (size_t i = 0; (i = line.find(word, i)) != StringRef::npos; i++) {
            bool starts = i == 0 || !isAsciiIdentifierContinue(line[i - 1]);
            if (starts && (i + word.size() == line.size() || !isAsciiIdentifierContinue(line[i + word.size()])))
                return true;
        }
        return false;
    }

    // A text in another language by its first words.
    bool is_foreign(const Diagnostic &info, Loc loc)
    {
        size_t at;
        const unsigned id = info.getID();
        if (id == diag::err_undeclared_var_use || is_unknown_type(id))
            return foreign(foreign_word(argument(info, 0)), argument(info, 0), loc);
        const StringRef text = loc.beg && (after_syntax_error || id == diag::ext_missing_type_specifier) ? text_around(front, loc, &at)
                                                                                                         : "";
        const StringRef word = text.empty() ? "" : word_of_cpp(text, at);
        return !word.empty() && foreign(R_CPP, word, loc);
    }

    // What Clang's words need a help of ours behind them.
    Refusal with_help(const Diagnostic &info) const
    {
        switch (info.getID()) {
        case diag::err_typecheck_invalid_operands:
        case diag::err_typecheck_unary_expr: return R_C_OPERANDS;
        case diag::err_typecheck_call_too_few_args:
        case diag::err_typecheck_call_too_few_args_one:
        case diag::err_typecheck_call_too_many_args:
        case diag::err_typecheck_call_too_many_args_one: return R_C_ARGUMENTS;
        case diag::err_typecheck_subscript_not_integer: return R_C_SUBSCRIPT;
        case diag::err_function_definition_not_allowed: return R_C_NESTED;
        case diag::ext_missing_type_specifier:
        case diag::err_unknown_typename:
        case diag::err_unknown_typename_suggest: return front->kept ? R_C : R_C_TYPE;
        case diag::err_array_incomplete_or_sizeless_type:
        case diag::err_array_size_non_int: return front->kept ? R_C : R_C_EXTENT;
        default: return R_C;
        }
    }

    void report(const Diagnostic &info, Loc loc)
    {
        llvm::SmallString<200> text;
        info.FormatDiagnostic(text);
        bool about_array = text.str().contains('*') || text.str().contains('[');
        if (text.str().contains("__nv_fp8_") && !about_array)
            return refuse(front, R_C_FP8, loc, text.str().str());
        if (refused_warning(info.getID()) != R_COUNT)
            return doubtful(info.getID(), text.str().str(), loc);
        if (is_foreign(info, loc))
            return;
        switch (info.getID()) {
        case diag::err_pp_file_not_found: return refuse(front, R_INCLUDE, loc, argument(info, 0));
        case diag::err_undeclared_var_use: return undeclared(argument(info, 0), loc);
        case diag::ext_implicit_function_decl_c99:
        case diag::ext_implicit_lib_function_decl_c99: return undeclared_function(argument(info, 0), loc);
        case diag::err_typecheck_subscript_value: return refuse(front, R_SUBSCRIPTS, loc, "");
        case diag::err_typecheck_array_not_modifiable_lvalue: return not_a_number(loc);
        case diag::err_typecheck_invalid_operands:
        case diag::err_typecheck_convert_incompatible:
        case diag::ext_typecheck_convert_pointer_int:
        case diag::err_typecheck_convert_pointer_int:
        case diag::err_typecheck_unary_expr:
            if (about_array)
                return not_a_number(loc);
            break;
        case diag::ext_typecheck_convert_int_pointer:
        case diag::err_typecheck_convert_int_pointer: return refuse(front, R_NOT_ARRAY, loc, "");
        case diag::err_typecheck_assign_const: return refuse(front, R_CONST_WRITE, loc, "");
        case diag::err_conflicting_types:
        case diag::err_static_non_static:
        case diag::err_redefinition_different_kind: return refuse(front, R_CONFLICT, loc, argument(info, 0));
        case diag::err_redefinition:
        case diag::err_redefinition_different_type: return refuse(front, R_DUPLICATE, loc, argument(info, 0));
        case diag::err_variable_object_no_init: return refuse(front, R_VLA_INIT, loc, "");
        case diag::err_array_star_in_function_definition: return refuse(front, R_STAR_EXTENT, loc, "");
        case diag::err_bracket_depth_exceeded: return refuse(front, R_DEEP, loc, "");
        default: break;
        }
        refuse(front, with_help(info), loc, text.str().str());
    }
};

std::unique_ptr<DiagnosticConsumer> error_collector(Front *front) { return std::make_unique<ErrorCollector>(front); }

} // namespace mikgen
