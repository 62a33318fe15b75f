class Error(Exception):
    """A call that came back with another status than 0; `status` is the number, `name` what C calls it."""

    def __init__(self, operator, status, more=""):
        self.status = status
        self.name, text = _STATUSES[status] if 0 <= status < len(_STATUSES) else ("MIKGEN_%d" % status, "unknown")
        super().__init__("%s: %s: %s%s" % (operator, self.name, text, more))


# ---------------------------------------------------------------- the library

_FOLDER = os.path.dirname(os.path.abspath(__file__))
_STEM = os.path.splitext(os.path.basename(__file__))[0]
_LIBRARY = os.path.join(_FOLDER, "lib%s_dyn%s" % (_STEM, {"darwin": ".dylib", "win32": ".dll"}.get(sys.platform, ".so")))
_state = {"library": None, "openmp": True, "pool": None}
_lock = threading.Lock()


def _compile(command, text):
    done = subprocess.run(command, input=text, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True, check=False)
    return done.returncode == 0, done.stdout


def build(source=None, library=None, cc=None, openmp=True):
    """Compiles the C file into a shared library with the system's compiler, and returns the library's path.

    source   the C file that mikgen wrote for the same specs; default: NAME_dyn.c beside this module NAME.py
    library  what to write; default: libNAME_dyn.so there, where load() finds it
    cc       the compiler and its options; default: $CC, else cc, and -O2 where no option begins with -O
    openmp   False: without OpenMP. Where the compiler has none, or it is not wanted, Python's threads run what threads= asks for
    """
    source = source or os.path.join(_FOLDER, _STEM + "_dyn.c")
    library = library or _LIBRARY
    command = shlex.split(cc or os.environ.get("CC", "cc")) + ["-shared", "-fPIC"]
    if not any(word.startswith("-O") for word in command):
        command.append("-O2")
    with open(source, encoding="utf-8") as f:
        if "FNV-1a %s." % _HASH not in f.read(1 << 16):
            raise ValueError("%s is not made from the specs of this module, %s: generate both again" % (source, _SPECS))
    sources = [source] + [os.path.join(os.path.dirname(os.path.abspath(source)), name) for name in _ENGINE]
    partial = "%s.%d" % (library, os.getpid())
    try:
        if openmp and _compile(command + ["-fopenmp", "-x", "c", "-", "-o", partial], "#include <omp.h>\nint mik_probe(void) { return omp_get_max_threads(); }\n")[0]:
            command.append("-fopenmp")
        # What load() asks the library.
        stamp = "int %s(void);\nint %s(void)\n{\n#ifdef _OPENMP\n    return 2;\n#else\n    return 1;\n#endif\n}\n" % (_STAMP, _STAMP)
        done, output = _compile(command + sources + ["-x", "c", "-", "-x", "none", "-lm", "-o", partial], stamp)
        if not done:
            raise RuntimeError("%s:\n%s" % (" ".join(command + sources), output))
        os.replace(partial, library)
    finally:
        if os.path.exists(partial):
            os.remove(partial)
    return library


def load(library=None):
    """Loads the library, default: the one that build() writes. The first call of an operator does so by itself."""
    path = library or _LIBRARY
    if not os.path.exists(path):
        raise ImportError("%s is not there: write python3 %s --build, or call build()" % (path, os.path.abspath(__file__)))
    loaded = ctypes.CDLL(path)
    try:
        openmp = loaded[_STAMP]() == 2
        for operator in _OPERATORS:
            operator.bind(loaded)
    except AttributeError as error:
        raise ImportError("%s is not made from the specs of this module, %s: build it again" % (path, _SPECS)) from error
    _state.update(library=loaded, openmp=openmp)


def _loaded():
    with _lock:
        if _state["library"] is None:
            load()


# ---------------------------------------------------------------- options

_Task = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int)
_ParallelFor = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int, _Task, ctypes.c_void_p)


class _Options(ctypes.Structure):
    _fields_ = [("threads", ctypes.c_int), ("isa", ctypes.c_int), ("plan", ctypes.c_int), ("workspace", ctypes.c_void_p),
                ("workspace_bytes", ctypes.c_size_t), ("parallel_for", _ParallelFor), ("parallel_ctx", ctypes.c_void_p),
                ("speeds", ctypes.POINTER(ctypes.c_float))]


def _pool(threads):
    """So many threads of Python; ctypes lets go of the interpreter's lock while they are in C."""
    with _lock:
        if _state["pool"] is None or _state["pool"][0] < threads:
            _state["pool"] = threads, concurrent.futures.ThreadPoolExecutor(threads)
        return _state["pool"][1]


@_ParallelFor
def _by_threads(_, n, task, arg):
    waiting = []
    try:
        pool = _pool(n - 1) if n > 1 else None
        for i in range(1, n):
            waiting.append(pool.submit(task, arg, i))
    except RuntimeError:  # no more threads: the rest here
        pass
    for i in [0] + list(range(len(waiting) + 1, n)):
        task(arg, i)
    concurrent.futures.wait(waiting)


def aligned(nbytes):
    """Memory for workspace=: bytes, aligned to 64; for none of them one, since an empty part begins where the whole does."""
    nbytes = max(nbytes, 1)
    raw = np.empty(nbytes + 64, np.uint8)
    at = -raw.ctypes.data % 64
    return raw[at:at + nbytes]


def _options(threads, isa, workspace=None, speeds=None):
    """The struct that C takes, and what must live as long."""
    options = _Options()
    options.threads = _integer("threads", threads, np.dtype("int32"))
    if isinstance(isa, str):
        if isa not in _ISAS:
            raise ValueError("isa: there is no '%s', only %s" % (isa, ", ".join(_ISAS)))
        isa = _ISAS.index(isa) + 1
    options.isa = 0 if isa is None else _integer("isa", isa, np.dtype("int32"))
    kept = []
    if workspace is not None:
        room = np.frombuffer(workspace, np.uint8)
        if not room.flags.writeable:
            raise ValueError("workspace: this memory may not be written")
        if room.ctypes.data % 64 and room.size:
            raise ValueError("workspace: must be aligned to 64 bytes, as what aligned() returns is")
        options.workspace, options.workspace_bytes = room.ctypes.data, room.size
        kept.append(room)
    if speeds is not None:
        numbers = [float(x) for x in speeds]
        if len(numbers) < threads or not all(0 < x < float("inf") for x in numbers):
            raise ValueError("speeds: one number above 0 for each of %d threads" % threads)
        options.speeds = (ctypes.c_float * len(numbers))(*numbers)
    if options.threads > 1 and not _state["openmp"]:
        options.parallel_for = _by_threads
    return options, kept


# ---------------------------------------------------------------- arguments

def _integer(name, value, dtype):
    value = operator.index(value)
    limits = np.iinfo(dtype) if dtype.kind in "iu" else None
    low, high = (int(limits.min), int(limits.max)) if limits else (0, 1)
    if not low <= value <= high:
        raise OverflowError("%s: %d is not from %d to %d" % (name, value, low, high))
    return value


def _quotient(a, b):
    """As in C: towards 0."""
    if b == 0:
        raise ZeroDivisionError("an extent divides by zero")
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def _remainder(a, b):
    return a - b * _quotient(a, b)


def _wrapped(value, bits, signed):
    value = int(value) & ((1 << bits) - 1)
    return value - (1 << bits) if signed and value >> (bits - 1) else value


def _bf16_bits(value):
    """To the nearest, ties to even."""
    bits = int(np.float32(value).view(np.uint32))
    if bits & 0x7fffffff > 0x7f800000:
        return bits >> 16 | 0x40
    return (bits + 0x7fff + (bits >> 16 & 1)) >> 16


def _half_bits(value):
    return int(np.float16(value).view(np.uint16))


def _fp8_bits(value):
    return _integer("a float of 8 bits is passed as its bits, which", value, np.dtype("uint8"))


class _Number:
    """A scalar parameter."""

    def __init__(self, name, dtype, convert=None, extent=False):
        self.name, self.dtype, self.convert, self.extent = name, np.dtype(dtype), convert, extent
        of = {"float16": ctypes.c_uint16, "longdouble": ctypes.c_longdouble}
        self.ctype = of.get(dtype) or np.ctypeslib.as_ctypes_type(self.dtype)

    def checked(self, value):
        if self.convert:
            return self.convert(value)
        return float(value) if self.dtype.kind == "f" else _integer(self.name, value, self.dtype)


class _Array:
    """An array parameter: of each axis the extent's text, the extent of v[name], and its terms and the rest where it is a sum. Of structs:
    bytes, of which a struct has `size`; of complex numbers: floats, of which each has two."""

    def __init__(self, name, dtype, others, role, axes, size=0):
        self.name, self.dtype, self.others, self.role, self.axes, self.size = name, np.dtype(dtype), others, role, axes, size
        self.ctype = ctypes.c_void_p

    def fail(self, kind, text, *values):
        raise kind("%s: %s" % (self.name, text % values))

    def seen(self, value):
        """`value` as an array of NumPy on the same memory."""
        if isinstance(value, np.ndarray):
            return value
        shared = None
        if hasattr(value, "__dlpack__") and hasattr(np, "from_dlpack"):
            try:
                shared = np.from_dlpack(value)
            except (BufferError, RuntimeError, TypeError) as error:
                self.fail(TypeError, "NumPy cannot read this through DLPack: %s", error)
            if self.role == "in" or shared.flags.writeable:
                return shared
        if not any(hasattr(value, word) for word in ("__array__", "__array_interface__", "__array_struct__")):
            try:
                return np.asarray(memoryview(value))
            except TypeError:
                self.fail(TypeError, "an array is expected, not %s", type(value).__name__)
        array = np.asarray(value)
        # Old versions of NumPy take all that comes through DLPack for read-only; a copy of what is to be written is no use.
        if self.role != "in" and not (array.flags.writeable and (shared is None or shared.ctypes.data == array.ctypes.data)):
            self.fail(ValueError, "this array may not be written")
        if self.role != "in" and shared is None and np.asarray(value).ctypes.data != array.ctypes.data:
            self.fail(ValueError, "this array cannot be written in place: it gives copies of itself")
        return array

    def checked(self, value):
        array = self.seen(value)
        if array.dtype.name in self.others and array.dtype.itemsize == self.dtype.itemsize:
            array = array.view(self.dtype)
        is_one = array.dtype.names or array.dtype.kind == "c" and self.dtype.kind == "f"
        if is_one and self.size and array.dtype.itemsize == self.size * self.dtype.itemsize and array.flags.c_contiguous:
            array = array.reshape(array.shape + (1,)).view(self.dtype)
        if array.dtype != self.dtype:
            self.fail(TypeError, "elements are %s, but must be %s", array.dtype, self.dtype.name + "".join(" or " + o for o in self.others))
        if array.ndim != len(self.axes):
            self.fail(ValueError, "there are %d axes, but must be %d: %s", array.ndim, len(self.axes), self.shape_text())
        if not array.flags.c_contiguous:
            self.fail(ValueError, "is not contiguous; numpy.ascontiguousarray makes it so")
        if not array.flags.aligned:
            self.fail(ValueError, "elements are not aligned")
        if self.role != "in" and not array.flags.writeable:
            self.fail(ValueError, "this array may not be written")
        return array

    def shape_text(self):
        return "".join("[%s]" % text for text, _, _ in self.axes)


class Packed:
    """A constant in its packed form: `data` are its bytes, aligned to 64, `extents` the integers that they depend on."""

    def __init__(self, packing, extents, data):
        self.packing, self.extents, self.data = packing, extents, data


class _Ahead:
    """A parameter that is a constant, prepacked."""

    def __init__(self, name, packing):
        self.name, self.packing, self.ctype = name, packing, ctypes.c_void_p

    def checked(self, value, v, why):
        """Its address; v gets the integers that it depends on."""
        if not isinstance(value, Packed) or value.packing is not self.packing:
            raise TypeError("%s: what %spack() or %sload() returns is expected, not %s"
                            % (self.name, self.packing.symbol, self.packing.symbol, type(value).__name__))
        for name, number in value.extents.items():
            if v.setdefault(name, number) != number:
                raise ValueError("%s: is packed for %s = %d, but %s is %d%s"
                                 % (self.name, name, number, name, v[name], " by " + why[name] if name in why else ""))
            why.setdefault(name, "what %s is packed for" % self.name)
        return value.data.ctypes.data


class _Operator:
    def __init__(self, name, symbol, params):
        self.name, self.symbol, self.params = name, symbol, params
        self.arrays = [p for p in params if isinstance(p, _Array)]
        self.integers = [p for p in params if isinstance(p, _Number) and not p.convert and p.dtype.kind != "f"]
        self.outs = [p for p in self.arrays if p.role == "out"]
        self.function = self.explanation = self.bytes = None

    def bind(self, library):
        head, ints = [ctypes.POINTER(_Options)], [p.ctype for p in self.integers]
        self.function = library[self.symbol + "_with"]
        self.function.argtypes, self.function.restype = head + [p.ctype for p in self.params], ctypes.c_int
        self.explanation = library[self.symbol + "_explain_with"]
        self.explanation.argtypes, self.explanation.restype = head + ints + [ctypes.c_char_p, ctypes.c_size_t], ctypes.c_int
        self.bytes = library[self.symbol + "_workspace"]
        self.bytes.argtypes, self.bytes.restype = head + ints, ctypes.c_size_t

    def with_outs(self, given, out):
        """`out` is an array or, of several, a tuple, in which None stands for arrays that are to be allocated."""
        outs = out if isinstance(out, tuple) else (out,) if out is not None else (None,) * len(self.outs)
        if len(outs) != len(self.outs):
            raise ValueError("out: %d arrays, but %s has %d outputs: %s"
                             % (len(outs), self.name, len(self.outs), ", ".join(p.name for p in self.outs)))
        return dict(given, **{p.name: array for p, array in zip(self.outs, outs)})

    def infer(self, arrays, v, why):
        """Integers that follow from shapes, one after the other: an axis whose extent is a sum of which one term is not known."""
        found = True
        while found:
            found = False
            for p in self.arrays:
                for axis, (text, _, linear) in enumerate(p.axes if p.name in arrays else ()):
                    unknown = [term for term in linear[0] if term[0] not in v] if linear else ()
                    if len(unknown) != 1:
                        continue
                    (name, scale), size = unknown[0], arrays[p.name].shape[axis]
                    rest = size - linear[1] - sum(by * v[other] for other, by in linear[0] if other != name)
                    if rest % scale:
                        p.fail(ValueError, "axis %d has %d elements, which %s cannot be", axis, size, text)
                    number = next(q for q in self.integers if q.name == name)
                    v[name] = _integer(name, rest // scale, number.dtype)
                    why[name] = "axis %d of %s" % (axis, p.name)
                    found = True
        for p in self.integers:
            if p.name not in v:
                raise TypeError("%s: %s does not follow from the shapes of what is given: add %s=%s"
                                % (self.name, p.name, p.name, ", or out=" if self.outs else ""))

    def fit(self, p, array, v, why):
        """Is the array's shape what the integers say? Allocates it where there is none."""
        shape = tuple(int(extent(v)) for _, extent, _ in p.axes)
        if array is None:
            if min(shape) < 0:
                p.fail(ValueError, "its shape %s is %s", p.shape_text(), shape)
            return np.zeros(shape, p.dtype)
        for axis, (text, _, linear) in enumerate(p.axes):
            if shape[axis] != array.shape[axis]:
                said = "".join("; %s is %d by %s" % (name, v[name], why[name]) for name, _ in (linear[0] if linear else ()) if name in why)
                p.fail(ValueError, "axis %d has %d elements, but %s is %d%s", axis, array.shape[axis], text, shape[axis], said)
        return array

    def overlaps(self, arrays):
        spans = [(p, arrays[p.name].ctypes.data, arrays[p.name].nbytes) for p in self.arrays]
        return "".join(": %s and %s" % (p.name, q.name) for i, (p, a, m) in enumerate(spans) for q, b, n in spans[:i]
                       if (p.role != "in" or q.role != "in") and a < b + n and b < a + m)


class _Packing(_Operator):
    """How an operator's constant is packed: out of these arrays, for these integers."""

    def __init__(self, owner, symbol, sources, integers):
        super().__init__(owner.name, symbol, [p for p in owner.params if p.name in sources or p.name in integers])

    def bind(self, library):
        ints = [p.ctype for p in self.integers]
        self.bytes = library[self.symbol + "size"]
        self.bytes.argtypes, self.bytes.restype = ints, ctypes.c_size_t
        self.function = library[self.symbol + "pack"]
        self.function.argtypes, self.function.restype = ints + [ctypes.c_void_p] * (len(self.arrays) + 1), ctypes.c_int


def _mik_pack(op, given):
    if op.function is None:
        _loaded()
    v = {p.name: p.checked(given[p.name]) for p in op.integers if given[p.name] is not None}
    arrays = {p.name: p.checked(given[p.name]) for p in op.arrays}
    why = {}
    op.infer(arrays, v, why)
    for p in op.arrays:
        op.fit(p, arrays[p.name], v, why)
    integers = [v[p.name] for p in op.integers]
    data = aligned(op.bytes(*integers))
    status = op.function(*integers, *[arrays[p.name].ctypes.data for p in op.arrays], data.ctypes.data)
    if status:
        raise Error(op.name, status)
    return Packed(op, v, data)


def _mik_packed_before(op, data, given):
    if op.function is None:
        _loaded()
    v = {p.name: p.checked(given[p.name]) for p in op.integers}
    kept, size = np.frombuffer(data, np.uint8), op.bytes(*[v[p.name] for p in op.integers])
    if kept.size != size:
        raise ValueError("data: has %d bytes, but must have %d" % (kept.size, size))
    if kept.ctypes.data % 64:
        copy = aligned(size)
        copy[:] = kept
        kept = copy
    return Packed(op, v, kept)


def _mik_call(op, given, out=None, threads=0, isa=None, workspace=None, speeds=None):
    if op.function is None:
        _loaded()
    if op.outs:
        given = op.with_outs(given, out)
    v = {p.name: p.checked(given[p.name]) for p in op.params if isinstance(p, _Number) and not (p.extent and given[p.name] is None)}
    arrays = {p.name: p.checked(given[p.name]) for p in op.arrays if given[p.name] is not None or p.role != "out"}
    why = {}
    ahead = {p.name: p.checked(given[p.name], v, why) for p in op.params if isinstance(p, _Ahead)}
    op.infer(arrays, v, why)
    for p in op.arrays:
        arrays[p.name] = op.fit(p, arrays.get(p.name), v, why)
    options, kept = _options(threads, isa, workspace, speeds)
    status = op.function(ctypes.byref(options), *[arrays[p.name].ctypes.data if p.name in arrays else ahead[p.name] if p.name in ahead else v[p.name]
                                                   for p in op.params])
    del kept
    if status:
        raise Error(op.name, status, op.overlaps(arrays) if status == _OVERLAP else "")
    results = tuple(arrays[p.name] if given[p.name] is None else given[p.name] for p in op.arrays if p.role != "in")
    return results[0] if len(results) == 1 else results


def _mik_explain(op, integers, threads=0, isa=None):
    if op.function is None:
        _loaded()
    options, _ = _options(threads, isa)
    values = [p.checked(x) for p, x in zip(op.integers, integers)]
    size = op.explanation(ctypes.byref(options), *values, None, 0) + 1
    text = ctypes.create_string_buffer(size)
    op.explanation(ctypes.byref(options), *values, text, size)
    return text.value.decode()


def _mik_workspace(op, integers, threads=0, isa=None):
    if op.function is None:
        _loaded()
    options, _ = _options(threads, isa)
    return op.bytes(ctypes.byref(options), *[p.checked(x) for p, x in zip(op.integers, integers)])
