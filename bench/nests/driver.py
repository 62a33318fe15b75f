"""The C text that tells bench/nests/measure.c about one case: its arrays, and how each candidate is called."""
import re

from cases import TYPES

APART = "apart_"

# call: NAME, or NAME_packed, which has other arguments.
OWN = """
static int {prefix}{way}(void *const *arrays)
{{
    if (threads == 1)
        return {call}({arguments});
    {name}_options options = {{.threads = threads, .parallel_for = parallel_for}};
    return {call}_with(&options, {arguments});
}}
static int {prefix}{way}_with(void *const *arrays)
{{
    {name}_options options = {{.threads = threads, .parallel_for = parallel_for}};
    options.workspace = workspace;
    options.workspace_bytes = workspace_bytes;
    return {call}_with(&options, {arguments});
}}
static size_t {prefix}{way}_workspace(void)
{{
    {name}_options options = {{.threads = threads, .parallel_for = parallel_for}};
    return {call}_workspace(&options, {extents});
}}
"""

# Packs a constant, unless it is there.
PACK = """
static const void *{prefix}packed_{array}(void *const *arrays)
{{
    static void *packed;
    if (!packed) {{
        packed = aligned_alloc(64, {name}_{array}_size({extents}) + 64);
        if (!packed || {name}_{array}_pack({extents}{comma}arrays[{i}], packed))
            abort();
    }}
    return packed;
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


def arguments(case, prefix=None):
    """prefix: of the functions that pack constants, to hand over what these return."""
    at = {array.name: f"arrays[{i}]" for i, array in enumerate(case.arrays)}
    if prefix is not None:
        at |= {array.name: f"{prefix}packed_{array.name}(arrays)" for array in case.constants}
    return ", ".join(at.get(p.name, p.name) for p in case.parameters)


def packing(case, prefix):
    """The functions that pack constants; their arguments are the extents that a constant hangs on."""
    for array in case.constants:
        names = set(re.findall(r"[A-Za-z_]\w*", " ".join(array.extents)))
        extents = ", ".join(p.name for p in case.parameters if not p.is_array and p.name in names)
        yield PACK.format(prefix=prefix, name=prefix + case.operator, array=array.name, extents=extents, comma=", " * bool(extents),
                          i=case.arrays.index(array))


def text(case, specs, headers):
    """specs: pairs of a candidate's name and the symbol of the spec as it was compiled for it; headers: of what is emitted, and of what
    is emitted without fusion if that is a candidate."""
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
    workspaces = []
    for prefix, what in ("", "emitted"), (APART, "apart"):
        if prefix and len(headers) == 1:
            continue
        name = prefix + case.operator
        ways = [("own", what, name, arguments(case))]
        if case.constants:
            lines += packing(case, prefix)
            ways.append(("packed", f"{what}, packed", f"{name}_packed", arguments(case, prefix)))
        for way, label, call, given in ways:
            lines += [OWN.format(name=name, prefix=prefix, way=way, call=call, arguments=given, extents=extents)]
            candidates += [(label, f"{prefix}{way}"), (f"{label}, workspace", f"{prefix}{way}_with")]
            workspaces.append(f"{prefix}{way}_workspace()")
    lines += ["size_t case_workspace(void)", "{", f"    const size_t bytes[] = {{{', '.join(workspaces)}}};", "    size_t most = 0;",
              "    for (size_t i = 0; i < sizeof bytes / sizeof *bytes; i++)", "        most = bytes[i] > most ? bytes[i] : most;",
              "    return most;", "}"]
    lines += ["static const Candidate all_candidates[] = {", *(f'    {{"{name}", {f}, {str(f.endswith("_with")).lower()}}},' for name, f in candidates), "};",
              "const Case the_case = {", "    all_arrays, sizeof all_arrays / sizeof *all_arrays,",
              "    all_candidates, sizeof all_candidates / sizeof *all_candidates,",
              f"    1.0 * {case.flops}, {case.tolerance}, " + ", ".join(str(word).lower() for word in (case.has_limit, case.is_long, case.is_model)),
              "};"]
    return "\n".join(lines) + "\n"
