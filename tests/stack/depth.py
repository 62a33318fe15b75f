# SPDX-License-Identifier: GPL-3.0-or-later
"""The deepest stack below each entry point of an emitted file, from what gcc -fcallgraph-info=su says.

    depth.py FILE.ci LIMIT ENTRY...

Calls through pointers are those of the engine: a run of a contraction calls the workers' tasks (mik_*_work, mik_*_work_part);
what calls kernels calls nothing else; the rest may call an operator's own functions too. What the C
library needs below is not in it. Fails where an entry point needs more than LIMIT bytes, for recursion, and for a frame without a bound.
"""
import re
import sys


def parse(path):
    """Frames and callees by function."""
    frame, calls = {}, {}
    for line in open(path, encoding="utf-8"):
        node = re.match(r'node: \{ title: "([^"]*)" label: "([^"]*)"', line)
        edge = re.match(r'edge: \{ sourcename: "([^"]*)" targetname: "([^"]*)"', line)
        if node:
            size = re.search(r"(\d+) bytes \(([^)]*)\)", node[2])
            if size and "static" not in size[2] and "bounded" not in size[2]:
                sys.exit("FAILED: the frame of %s has no bound: %s" % (node[1], size[2]))
            frame[node[1]] = int(size[1]) if size else 0
        elif edge:
            calls.setdefault(edge[1], set()).add(edge[2])
    return frame, calls


def short(name):
    return name.split(":")[-1].split(".")[0]


class Stack:
    def __init__(self, frame, calls, entries):
        self.frame, self.calls, self.entries = frame, calls, set(entries)
        called = set().union(*calls.values()) if calls else set()
        alone = [f for f in frame if f not in called and frame[f] and ":" in f]
        self.tasks = [f for f in alone if re.search(r"_work(_part)?$", short(f))]
        self.hooks = [f for f in alone if short(f).endswith("_of")]
        self.kernels = [f for f in alone if f not in self.tasks and f not in self.hooks and not self.is_engine(f)]
        self.known, self.running = {}, {}

    def is_engine(self, f):
        """Does it, or what it calls by name, call through pointers?"""
        return any(c == "__indirect_call" or self.is_engine(c) for c in self.calls.get(f, ()))

    def callees(self, f):
        for callee in sorted(self.calls.get(f, ())):
            if callee != "__indirect_call":
                yield callee
            elif re.search(r"mik_parallel|_run(_splits|_tasks)?$", short(f)):
                yield from self.tasks + self.hooks + self.kernels
            elif re.search(r"_(shallow|shallow_column|dot_rows|run_column|column|covered|narrow|part|of)$|_sweep|_pack_|_store_", short(f)):
                yield from self.kernels
            else:
                yield from self.hooks + self.kernels

    def depth(self, f):
        """(bytes, chain of names)"""
        if f in self.known:
            return self.known[f]
        if f in self.running:
            sys.exit("FAILED: %s calls itself, by way of %s" % (f, ", ".join(self.running)))
        self.running[f] = True
        deepest = (0, [])
        for callee in self.callees(f):
            below = self.depth(callee)
            deepest = max(deepest, below, key=lambda d: d[0])
        del self.running[f]
        own = self.frame.get(f, 0)
        self.known[f] = (own + deepest[0], ["%s %d" % (short(f), own)] + deepest[1])
        return self.known[f]


def main():
    path, limit, entries = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
    stack = Stack(*parse(path), entries)
    missing = set(entries) - {short(f) for f in stack.frame}
    if missing:
        sys.exit("FAILED: no function %s" % ", ".join(sorted(missing)))
    failed = False
    for f in sorted(stack.frame):
        if short(f) not in stack.entries:
            continue
        need, chain = stack.depth(f)
        print("%s: %d bytes: %s" % (short(f), need, ", ".join(chain)))
        failed = failed or need > limit
    if failed:
        sys.exit("FAILED: more than %d bytes" % limit)


main()
