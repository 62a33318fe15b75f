# SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output
"""Completions for shells, from what --help prints: completions.py FILE bash|zsh|fish MIKGEN"""
import re
import sys

import help_text

FOLDERS = ("DIR", "FOLDER")
FILES = ("FILE", "FILE.html", "PATH", "COMMAND")


class Row:
    """An option as it is called: `value`, None without one; `words`, those that a value may be; `meaning`, one line."""

    def __init__(self, name, value, words, meaning):
        self.name, self.value, self.words, self.meaning = name, value, words, meaning


def rows(helps):
    found = {}
    for option in helps.options():
        for name, value in option.spellings():
            found.setdefault(name, Row(name, value, option.values(value), first_clause(option.meaning)))
    return [found[name] for name in sorted(found)]


def rows_of_cc(main, cc):
    """Its own options, and those of loop-invariant code motion."""
    shared = help_text.Help("")
    shared.sections = cc.sections + [section for section in main.sections if section.title.startswith("Loop-invariant")]
    return rows(shared)


def first_clause(text):
    """Short enough for a menu."""
    text = re.sub(r"\s*\([^()]*\)", "", text)
    for end in ("; ", ": ", ". "):
        if text.find(end) > 20:
            text = text[:text.find(end)]
    return text.strip()


def quoted(text):
    return "'" + text.replace("'", "'\\''") + "'"


def bash_cases(options):
    lines = []
    for row in options:
        if row.words:
            lines.append("    %s) COMPREPLY=($(compgen -W %s -- \"$value\")) ;;" % (row.name, quoted(" ".join(row.words))))
        elif row.value in FOLDERS:
            lines.append("    %s) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -d -- \"$value\") ;;" % row.name)
        elif row.value in FILES:
            lines.append("    %s) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- \"$value\") ;;" % row.name)
    return "\n".join(lines)


def bash_names(options):
    """With the = of those that want a value."""
    return " ".join(row.name + ("=" if row.value and row.name.startswith("--") else "") for row in options)


def bash(main, tune, cc):
    both = {row.name: row for row in tune + cc} | {row.name: row for row in main}
    return """# Completions of mikgen for bash, made from mikgen --help.
_mikgen()
{
    local word=${COMP_WORDS[COMP_CWORD]} option= value= names
    COMPREPLY=()
    # bash splits --option=value into three words.
    if [[ $word == = ]]; then
        option=${COMP_WORDS[COMP_CWORD-1]}
    elif ((COMP_CWORD >= 2)) && [[ ${COMP_WORDS[COMP_CWORD-1]} == = ]]; then
        option=${COMP_WORDS[COMP_CWORD-2]} value=$word
    elif [[ ${COMP_WORDS[COMP_CWORD-1]} == -[oI] ]]; then
        option=${COMP_WORDS[COMP_CWORD-1]} value=$word
    fi
    case $option in
%s
    esac
    [[ -z $option ]] || return 0
    if [[ $word == -* ]]; then
        names=%s
        [[ ${COMP_WORDS[1]} != tune ]] || names=%s
        [[ ${COMP_WORDS[1]} != cc ]] || names=%s
        COMPREPLY=($(compgen -W "$names" -- "$word"))
        [[ ${COMPREPLY[0]} != *= ]] || compopt -o nospace
        return 0
    fi
    compopt -o filenames
    mapfile -t COMPREPLY < <(compgen -f -- "$word")
    ((COMP_CWORD != 1)) || mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -W "tune cc" -- "$word")
}
complete -F _mikgen mikgen
""" % (bash_cases([both[name] for name in sorted(both)]), quoted(bash_names(main)), quoted(bash_names(tune)), quoted(bash_names(cc)))


def zsh_spec(row):
    meaning = row.meaning.replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]").replace(":", "\\:")
    action = "(%s)" % " ".join(row.words) if row.words else "_files -/" if row.value in FOLDERS else "_files" if row.value in FILES else " "
    spec = row.name + ("=" if row.value and row.name.startswith("--") else "") + "[%s]" % meaning
    return quoted(spec + (":%s:%s" % (row.value.split("|")[0].replace(":", "\\:") if not row.words else "value", action) if row.value else ""))


def zsh(main, tune, cc):
    def table(options):
        return " \\\n".join("        " + zsh_spec(row) for row in options)
    return """#compdef mikgen
# Completions of mikgen for zsh, made from mikgen --help.
if [[ ${words[2]} == tune ]]; then
    _arguments \\
%s \\
        '*:spec:_files'
elif [[ ${words[2]} == cc ]]; then
    _arguments \\
%s \\
        '*:compiler:_files'
else
    _arguments \\
%s \\
        '*:spec:_files'
fi
""" % (table(tune), table(cc), table(main))


def fish_line(row, condition):
    name = "-l " + row.name[2:] if row.name.startswith("--") else "-s " + row.name[1:]
    value = " -x -a " + quoted(" ".join(row.words)) if row.words else \
        " -x -a '(__fish_complete_directories)'" if row.value in FOLDERS else " -r -F" if row.value in FILES else " -x" if row.value else ""
    meaning = " -d " + quoted(row.meaning.replace("\\", "\\\\")) if row.meaning else ""
    return "complete -c mikgen -n %s %s%s%s" % (quoted(condition), name, value, meaning)


def fish(main, tune, cc):
    lines = ["# Completions of mikgen for fish, made from mikgen --help.",
             "complete -c mikgen -n __fish_use_subcommand -a tune -d 'measure this machine'",
             "complete -c mikgen -n __fish_use_subcommand -a cc -d 'run a compiler on rewritten sources'"]
    lines += [fish_line(row, "not __fish_seen_subcommand_from tune cc") for row in main]
    lines += [fish_line(row, "__fish_seen_subcommand_from tune") for row in tune]
    lines += [fish_line(row, "__fish_seen_subcommand_from cc") for row in cc]
    return "\n".join(lines) + "\n"


path, shell, mikgen = sys.argv[1:]
made = {"bash": bash, "zsh": zsh, "fish": fish}[shell]
with open(path, "w", encoding="utf-8") as f:
    f.write(made(rows(help_text.of_program(mikgen)), rows(help_text.of_program(mikgen, "tune")),
                        rows_of_cc(help_text.of_program(mikgen), help_text.of_program(mikgen, "cc"))))
