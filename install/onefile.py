# SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output
"""mikgen as one file: the executable, and behind it a zip archive of what it needs beside itself.

    onefile.py FILE PROGRAM TEMPLATES COMPILED [NAME=FILE...]

An executable may be followed by anything, and an archive have anything before it: Python runs the file itself. In the archive are the
templates, what the build has compiled of them, and the Jinja and MarkupSafe of the Python that runs this script, as sources and as this
Python compiles them; another Python takes the sources. NAME=FILE: another file, and what it is called there. Same parts, same bytes.
"""
import importlib._bootstrap_external
import importlib.util
import os
import shutil
import sys
import zipfile

import jinja2
import markupsafe


def files_of(folder):
    """Of a folder, by their names in it."""
    found = {}
    for path, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name != "__pycache__"]
        for name in names:
            full = os.path.join(path, name)
            with open(full, "rb") as f:
                found[os.path.relpath(full, folder)] = f.read()
    return found


def compiled(name, source):
    """As in a .pyc file that does not ask how old its source is."""
    code = compile(source, name, "exec", dont_inherit=True)
    return importlib._bootstrap_external._code_to_hash_pyc(code, importlib.util.source_hash(source), checked=False)


def python_files(files, folder):
    """The modules among them, below the folder, with what becomes of them."""
    names = {os.path.join(folder, name): source for name, source in files.items() if name.endswith(".py")}
    return {**names, **{name + "c": compiled(name, source) for name, source in names.items()}}


def main():
    path, program, templates, ahead = sys.argv[1:5]
    files = files_of(templates)
    files["__main__.py"] = files.pop("render.py")
    files["__main__.pyc"] = compiled("render.py", files["__main__.py"])
    files.update({os.path.join("compiled", name): data for name, data in files_of(ahead).items()})
    for package in (jinja2, markupsafe):
        files.update(python_files(files_of(os.path.dirname(package.__file__)), package.__name__))
    for name, source in (word.split("=", 1) for word in sys.argv[5:]):
        with open(source, "rb") as f:
            files[name] = f.read()
    partial = path + ".partial"
    shutil.copy(program, partial)
    with zipfile.ZipFile(partial, "a", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(files):
            archive.writestr(zipfile.ZipInfo(name), files[name], zipfile.ZIP_DEFLATED)
    os.replace(partial, path)


main()
