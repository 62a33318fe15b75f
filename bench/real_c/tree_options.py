# SPDX-License-Identifier: GPL-3.0-or-later
"""The options of benches that rewrite trees of sources: bench/real_c.sh and bench/cuda_suite.sh."""
import argparse
import shlex
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def parser(script):
    """With what all of them have: the trees, and whose mikgen does what with which options where."""
    words = argparse.ArgumentParser(prog=f"bench/{script}.sh", add_help=False, allow_abbrev=False)
    words.add_argument("trees", nargs="+", type=Path)
    words.add_argument("--mikgen", type=Path, default=ROOT / "build" / "mikgen")
    words.add_argument("--out", type=Path, default=Path(script))
    words.add_argument("--mikgen-flags", default="", type=shlex.split)
    return words


def parse(words):
    """The command line; ends with a message if it is wrong."""
    given = words.parse_args()
    given.out = given.out.resolve()
    for tree in given.trees:
        if not tree.is_dir():
            words.error(f"{tree} is no folder")
    return given
