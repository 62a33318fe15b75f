# SPDX-License-Identifier: GPL-3.0-or-later OR LicenseRef-mikgen-output
"""Render one template: python3 -I -B render.py TEMPLATES NAME COMPILED < model.json > text
Compile all of them:  python3 -I -B render.py --compile TEMPLATES COMPILED

A fault of a template is reported as "templates/x.j2:6: UndefinedError: ..." with exit status 1 and no text; exit status 3
says that there is no Jinja.
Parsing templates takes longer than rendering them, so a build compiles them ahead into the folder COMPILED. What is
there is used as far as it was made from the very text that the template has now, and by the same Jinja and Python.
TEMPLATES and COMPILED may lie in a zip archive, as they do in an executable that is one file (install/onefile.py).
"""
import json
import os
import sys
import traceback
import types
import zipimport

try:
    import jinja2
except ImportError as missing:
    sys.stderr.write("mikgen: error: %s lacks Jinja: %s\nhelp: install it there: apt-get install python3-jinja2\n"
                     % (sys.executable, missing))
    sys.exit(3)


def reader_of(folder):
    """What reads files of the folder, ARCHIVE/FOLDER or ARCHIVE by their names in it, as text; OSError: there is no such file."""
    try:
        archive = zipimport.zipimporter(folder)
    except zipimport.ZipImportError:
        archive = None

    def data(name):
        if archive:
            return archive.get_data(os.path.join(folder, name))
        with open(os.path.join(folder, name), "rb") as f:
            return f.read()
    return data


class Sources(jinja2.BaseLoader):
    """Templates by their names."""

    def __init__(self, folder):
        self.folder, self.data = folder, reader_of(folder)

    def get_source(self, environment, template):
        try:
            text = self.data(template).decode("utf-8")
        except OSError as error:
            raise jinja2.TemplateNotFound(template) from error
        return text, os.path.join(self.folder, template), None


class Compiled(jinja2.BytecodeCache):
    """Compiled templates in a folder, by name; Jinja checks the sum of the source that each file carries."""

    def __init__(self, folder, writes):
        self.folder, self.data = folder, reader_of(folder)
        self.writes = writes

    def get_cache_key(self, name, filename=None):
        return name.replace("/", "+")

    def load_bytecode(self, bucket):
        try:
            bucket.bytecode_from_string(self.data(bucket.key))
        except OSError:
            pass

    def dump_bytecode(self, bucket):
        if self.writes:
            with open(os.path.join(self.folder, bucket.key), "wb") as f:
                bucket.write_bytecode(f)


def module(name):
    """A module beside this one: -I keeps Python from looking there by itself."""
    folder = os.path.dirname(os.path.abspath(__file__))
    loaded = types.ModuleType(name)
    exec(compile(reader_of(folder)(name + ".py"), os.path.join(folder, name + ".py"), "exec"), loaded.__dict__)
    return loaded


def environment_of(folder, cache, sets=(), held=None):
    """sets: as emit/sets.h has them; the templates find them by name, best first. held: names of those that the file has; None: all."""
    environment = jinja2.Environment(
        loader=Sources(folder), undefined=jinja2.StrictUndefined, autoescape=False, bytecode_cache=cache,
        trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True, extensions=["jinja2.ext.do"])
    data, assemble, about_sets = reader_of(folder), module("assemble"), module("sets")

    def engine_file(name):
        return data("engine/" + name).decode("utf-8").splitlines(True)
    by_name = environment.globals["instruction_sets"] = about_sets.held_of(sets, held)
    environment.globals["held_sets"] = "" if held is None else ", ".join(held)
    environment.globals["held_bits"] = about_sets.held_bits(by_name)
    runs = environment.globals["runs"] = about_sets.runs_in(by_name)
    environment.globals["family_needs"] = about_sets.family_needs_in(by_name)
    environment.globals["engine"] = assemble.reader(engine_file, runs, by_name, about_sets)
    environment.globals["vectors"] = module("vectors").reader(engine_file, assemble.resolve, by_name)
    return environment


def fail(message):
    sys.stderr.write(message + "\n")
    sys.exit(1)


def place(error, folder):
    """Where in the templates `error` arose: the last traceback frame inside the folder."""
    if isinstance(error, jinja2.TemplateSyntaxError):
        return "%s:%d" % (error.filename or error.name, error.lineno)
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if frame.filename.startswith(folder) and frame.filename.endswith(".j2"):
            return "%s:%d" % (frame.filename, frame.lineno)
    return folder


def compile_all(folder, compiled):
    environment = environment_of(folder, Compiled(compiled, True))
    os.makedirs(compiled, exist_ok=True)
    for name in jinja2.FileSystemLoader(folder).list_templates():
        if name.endswith(".j2"):
            environment.get_template(name)


def main():
    if sys.argv[1] == "--compile":
        compile_all(*sys.argv[2:])
        return
    folder, name, compiled = sys.argv[1:]
    try:
        model = json.load(sys.stdin.buffer)
        sets = model.pop("instruction_sets", ()), model.pop("sets", None)
        try:
            text = environment_of(folder, Compiled(compiled, False), *sets).get_template(name).render(model)
        except Exception:  # once more from the sources: compiled code may have been made from them elsewhere
            text = environment_of(folder, None, *sets).get_template(name).render(model)
        data = text.encode("utf-8")
    except Exception as error:  # every fault of a template ends here, with its place
        fail("%s: %s: %s" % (place(error, folder), type(error).__name__, error))
    sys.stdout.buffer.write(data)


main()
