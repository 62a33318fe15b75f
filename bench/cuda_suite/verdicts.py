# SPDX-License-Identifier: GPL-3.0-or-later
"""A kernel before and after."""
COSTS = ("registers", "spill stores", "spill loads", "stack", "shared")
ORDER = ("worse", "other", "better", "same")


class Change:
    """A kernel whose machine code changed on one machine."""

    def __init__(self, name, arch, old, new):
        self.name, self.arch, self.old, self.new = name, arch, old, new

    def verdict(self):
        pairs = [(self.old[cost], self.new[cost]) for cost in COSTS]
        loops = list(zip(self.old["innermost"], self.new["innermost"]))
        is_other = len(self.old["innermost"]) != len(self.new["innermost"])
        if not is_other:
            pairs += loops
        if any(new > old for old, new in pairs):
            return "worse"
        if is_other:
            return "other"
        return "better" if any(new < old for old, new in pairs) else "same"

    def cells(self):
        """What differs, in words, and the instructions of innermost loops and of all."""
        differs = [f"{cost} {self.old[cost]} > {self.new[cost]}" for cost in COSTS if self.old[cost] != self.new[cost]]
        old, new = self.old["innermost"], self.new["innermost"]
        if len(old) == len(new):
            loops = [f"{x} > {y}" for x, y in zip(old, new) if x != y]
        else:
            loops = [f"{' '.join(map(str, old)) or 'none'} > {' '.join(map(str, new)) or 'none'}"]
        return [self.verdict(), ", ".join(differs) or "-", ", ".join(loops) or "-", f"{self.old['instructions']} > {self.new['instructions']}"]


def changes(arch, old, new):
    """Of the kernels of one text and another; a kernel that is in one alone is an error."""
    if old.keys() != new.keys():
        raise ValueError(f"other kernels: {' '.join(sorted(old.keys() ^ new.keys()))}")
    return [Change(name, arch, old[name], new[name]) for name in old if old[name]["code"] != new[name]["code"]]


def worst(each):
    return min((change.verdict() for change in each), key=ORDER.index)
