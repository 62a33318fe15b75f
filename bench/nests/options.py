# SPDX-License-Identifier: GPL-3.0-or-later
"""What the programs here are told alike."""
import argparse
from pathlib import Path


def parser(program, rounds):
    """program: the script by whose name the program is called; rounds: how often each candidate runs unless told."""
    common = argparse.ArgumentParser(prog=program)
    common.add_argument("mikgen", type=Path)
    common.add_argument("folder", type=Path)
    common.add_argument("--only", default=".")
    common.add_argument("--rounds", type=int, default=rounds)
    common.add_argument("--cc", default="gcc -std=c99 -O2")
    common.add_argument("--mikgen-flags", default="")
    return common


def read(common):
    given = common.parse_args()
    given.mikgen, given.folder = given.mikgen.resolve(), given.folder.resolve()
    given.folder.mkdir(parents=True, exist_ok=True)
    return given
