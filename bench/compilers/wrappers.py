# SPDX-License-Identifier: GPL-3.0-or-later
"""The C text between measure.c, which hands over a case's arrays, and what the other compilers made of the operator."""
import cases

HEAD = """#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "HalideRuntime.h"
#include "tvm/ffi/c_api.h"

static const struct halide_type_t f32 = {halide_type_float, 32, 1};

/* TVM's function in the library: what that calls in TVM's run-time library must be there before, and goes through variables. */
static void *tvm_function(const char *path)
{
    const char *needed[] = {TVM_LIBRARIES}, *called[] = {"__TVMBackendAllocWorkspace", "__TVMBackendFreeWorkspace",
                                                         "__TVMBackendParallelLaunch", "__TVMBackendParallelBarrier"};
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        dlopen(needed[i], RTLD_NOW | RTLD_GLOBAL);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL), *function = library ? dlsym(library, "__tvm_ffi_main") : NULL;
    if (!function) {
        fprintf(stderr, "%s\\n", dlerror());
        exit(1);
    }
    for (size_t i = 0; i < sizeof called / sizeof *called; i++) {
        void **variable = dlsym(library, called[i]);
        if (variable && !(*variable = dlsym(RTLD_DEFAULT, called[i] + 2))) {
            fprintf(stderr, "TVM has no %s\\n", called[i] + 2);
            exit(1);
        }
    }
    return function;
}
"""


def halide_buffer(at, extents, least):
    """A buffer named b<at> of the array `at`, outermost extent first, of which the elements from `least` on are handed over."""
    strides, dimensions, skipped = 1, [], 0
    for extent, low in zip(reversed(extents), least or [0] * len(extents), strict=True):
        dimensions.append(f"{{{low}, {extent - 2 * low}, {strides}, 0}}")
        skipped += low * strides
        strides *= extent
    return (f"    halide_dimension_t d{at}[] = {{{', '.join(dimensions)}}};\n"
            f"    halide_buffer_t b{at} = {{.host = (uint8_t *)((float *)arrays[{at}] + {skipped}), .type = f32, "
            f".dimensions = {len(extents)}, .dim = d{at}}};\n")


def halide(case, entry):
    """entry: of halide.json."""
    name = entry["name"]
    lines, words = "", []
    for at, array in enumerate(case.arrays):
        lines += halide_buffer(at, case.shape(array), entry["origin"] if array.is_output else None)
        words.append(f"&b{at}")
    words[-1:-1] = [case.values[attribute] for attribute in entry["attributes"]]
    return (f'#include "{name}.h"\nint {name}_run(void *const *arrays)\n{{\n{lines}'
            f"    return {name}({', '.join(words)});\n}}\n")


def tvm(case, entry, folder):
    """entry: of tvm.json."""
    name = entry["name"]
    lines, tensors = "", []
    for at, shape in enumerate(entry["shapes"]):
        lines += f"    static int64_t s{at}[] = {{{', '.join(map(str, shape))}}};\n"
        tensors.append(f"{{arrays[{at}], {{kDLCPU, 0}}, {len(shape)}, {{kDLFloat, 32, 1}}, s{at}, NULL, 0}}")
    count = len(tensors)
    return (f"int {name}_run(void *const *arrays)\n{{\n    static TVMFFISafeCallType function;\n    if (!function)\n"
            f'        *(void **)&function = tvm_function("{folder}/{name}.so");\n{lines}'
            f"    DLTensor tensors[] = {{{', '.join(tensors)}}};\n    TVMFFIAny words[{count}] = {{{{0}}}}, result = {{0}};\n"
            f"    for (int i = 0; i < {count}; i++) {{\n        words[i].type_index = kTVMFFIDLTensorPtr;\n"
            f"        words[i].v_ptr = &tensors[i];\n    }}\n    return function(NULL, words, {count}, &result);\n}}\n")


def ispc(case, symbol):
    """symbol: what ISPC exports, with the spec's parameters."""
    at = {array.name: f"arrays[{i}]" for i, array in enumerate(case.arrays)}
    types = ", ".join("void *" if p.is_array else p.type for p in case.parameters)
    words = ", ".join(at.get(p.name) or case.values[p.name] for p in case.parameters)
    return f"void {symbol}({types});\nint {symbol}_run(void *const *arrays)\n{{\n    {symbol}({words});\n    return 0;\n}}\n"


def text(case, parts):
    """parts: what the functions above returned. The types of cases.py that they have in common are floats."""
    assert all(cases.TYPES[array.type] == "F32" for array in case.arrays), case.name
    return HEAD + "\n" + "\n".join(parts)
