"""Render one template: python3 -I -B render.py TEMPLATES NAME < model.json > text

A fault of a template is reported as "templates/x.j2:6: UndefinedError: ..." with exit status 1 and no text.
"""
import json
import os
import sys
import traceback

import jinja2


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


def main():
    folder, name = sys.argv[1:]
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(folder), undefined=jinja2.StrictUndefined, autoescape=False,
        trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True, extensions=["jinja2.ext.do"])
    try:
        model = json.load(sys.stdin)
        text = environment.get_template(name).render(model)
    except Exception as error:  # every fault of a template ends here, with its place
        fail("%s: %s: %s" % (place(error, folder), type(error).__name__, error))
    sys.stdout.write(text)


main()
