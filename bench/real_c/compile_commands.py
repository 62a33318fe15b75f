# SPDX-License-Identifier: GPL-3.0-or-later
"""Compiles what a compile_commands.json lists, by $CC with $CFLAGS behind: compile_commands.py FILE. Folders are relative to the
file's, or within the one where it was made."""
import json
import os
import shlex
import subprocess
import sys

commands = json.load(open(sys.argv[1], encoding="utf-8"))
here = os.path.dirname(os.path.abspath(sys.argv[1]))
# A copy of a tree has other folders than its list says.
folders = [os.path.join(here, each["directory"]) for each in commands]
files = [os.path.join(folder, os.path.dirname(each["file"])) for folder, each in zip(folders, commands)]
made_in = os.path.commonpath([os.path.normpath(path) for path in folders + files])
for each in commands:
    if not each["file"].endswith(".c"):
        continue
    words = each.get("arguments") or shlex.split(each["command"])
    words = [word.replace(made_in, here) for word in [*words[1:], *shlex.split(os.environ.get("CFLAGS", ""))]]
    folder = os.path.join(here, each["directory"]).replace(made_in, here)
    os.makedirs(folder, exist_ok=True)
    if "-o" in words:
        os.makedirs(os.path.join(folder, os.path.dirname(words[words.index("-o") + 1])), exist_ok=True)
    subprocess.run([os.environ["CC"], *words], cwd=folder, check=True)
