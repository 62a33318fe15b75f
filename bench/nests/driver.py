# SPDX-License-Identifier: GPL-3.0-or-later
"""The C text that tells bench/nests/measure.c about one case: its arrays, and how each candidate is called."""
from cases import TYPES

APART = "apart_"

OWN = """
static int {prefix}own(void *const *arrays)
{{
    if (threads == 1)
        return {name}({arguments});
    {name}_options options = {{.threads = threads, .parallel_for = parallel_for}};
    return {name}_with(&options, {arguments});
}}
static int {prefix}own_with(void *const *arrays)
{{
    {name}_options options = {{.threads = threads, .parallel_for = parallel_for}};
    options.workspace = workspace;
    options.workspace_bytes = workspace_bytes;
    return {name}_with(&options, {arguments});
}}
static size_t {prefix}own_workspace(void)
{{
    {name}_options options = {{.threads = threads, .parallel_for = parallel_for}};
    return {name}_workspace(&options, {extents});
}}
"""


def declaration(parameter):
    if not parameter.is_array:
        return f"{parameter.type} {parameter.name}"
    return f"{'const ' if parameter.is_const else ''}void *{parameter.name}"


def constant(parameter, value):
    if parameter.type == "int":
        return f"enum {{ {parameter.name} = {value} }};"
    return f"static const {parameter.type} {parameter.name} = ({parameter.type}){float(value)!r};"


def array_row(array):
    count = " * ".join(["(int64_t)1", *(f"({extent})" for extent in array.extents)])
    flags = [array.is_output, array.is_read]
    return (f'    {{"{array.name}", {TYPES[array.type]}, {", ".join(str(f).lower() for f in flags)}, {count}, '
            f"{array.low}, {array.high}, {str(array.is_sorted).lower()}, {array.extents[0] if array.is_dominant else 0}}},")


def arguments(case):
    at = {array.name: f"arrays[{i}]" for i, array in enumerate(case.arrays)}
    return ", ".join(at.get(p.name, p.name) for p in case.parameters)


def text(case, specs, headers, peers=()):
    """specs: pairs of a candidate's name and the symbol of the spec as it was compiled for it; headers: of what is emitted, and of what
    is emitted without fusion if that is a candidate; peers: pairs of a candidate's name and a function that is linked with it and
    takes the case's arrays, as Candidate.run does."""
    prototype = ", ".join(declaration(p) for p in case.parameters)
    scalars = [p for p in case.parameters if not p.is_array]
    extents = ", ".join(p.name for p in case.parameters if p.type == "int" and not p.is_array)
    lines = ["#include <stdlib.h>", "", '#include "case.h"', *(f'#include "{header}"' for header in headers), ""]
    lines += [constant(p, case.values[p.name]) for p in scalars]
    lines += ["static const Array all_arrays[] = {", *map(array_row, case.arrays), "};", ""]
    candidates = []
    for i, (name, symbol) in enumerate(specs):
        lines += [f"void {symbol}({prototype});",
                  f"static int spec_{i}(void *const *arrays)", "{", f"    {symbol}({arguments(case)});", "    return 0;", "}"]
        candidates.append((name, f"spec_{i}"))
    for name, symbol in peers:
        lines.append(f"int {symbol}(void *const *arrays);")
        candidates.append((name, symbol))
    workspaces = []
    for prefix, what in ("", "emitted"), (APART, "apart"):
        if prefix and len(headers) == 1:
            continue
        lines += [OWN.format(name=prefix + case.operator, prefix=prefix, arguments=arguments(case), extents=extents)]
        candidates += [(what, f"{prefix}own"), (f"{what}, workspace", f"{prefix}own_with")]
        workspaces.append(f"{prefix}own_workspace()")
    lines += ["size_t case_workspace(void)", "{", f"    const size_t bytes[] = {{{', '.join(workspaces)}}};", "    size_t most = 0;",
              "    for (size_t i = 0; i < sizeof bytes / sizeof *bytes; i++)", "        most = bytes[i] > most ? bytes[i] : most;",
              "    return most;", "}"]
    lines += ["static const Candidate all_candidates[] = {", *(f'    {{"{name}", {f}, {str(f.endswith("_with")).lower()}}},' for name, f in candidates), "};",
              "const Case the_case = {", "    all_arrays, sizeof all_arrays / sizeof *all_arrays,",
              "    all_candidates, sizeof all_candidates / sizeof *all_candidates,",
              f"    1.0 * {case.flops}, {case.tolerance}, " + ", ".join(str(word).lower() for word in (case.has_limit, case.is_long)),
              "};"]
    return "\n".join(lines) + "\n"
