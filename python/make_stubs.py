#!/usr/bin/env python3
"""Writes the types of the extension module: what nanobind knows of them, made complete for mypy.

Usage: python/make_stubs.py PACKAGE_FOLDER [OUT]      `make stubs` calls it; without OUT it prints
"""

import pathlib
import re
import subprocess
import sys
import tempfile

HEAD = '"""The types of the extension module. Written by `make stubs`."""\n\n'
# What nanobind leaves open.
REPLACED = (
    (re.compile(r"Annotated\[(NDArray\[[a-z0-9_.]+\]), dict\(shape=\([^)]*\)[^)]*\)\]"), r"\1"),
    (re.compile(r"\bdict\b(?![\[(])"), "dict[str, Any]"),
    (re.compile(r"\blist\b(?!\[)"), "list[Any]"),
    (re.compile(r"\btuple\b(?!\[)"), "tuple[Any, ...]"),
    (re.compile(r"^from typing import .*$", re.MULTILINE), "from typing import Any"),
)


def stub(package):
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "core.pyi"
        command = [sys.executable, "-m", "nanobind.stubgen", "-q", "-i", package, "-m", "neardup._core", "-o", str(out)]
        subprocess.run(command, check=True)
        text = out.read_text()
    for pattern, words in REPLACED:
        text = pattern.sub(words, text)
    return HEAD + text


def main():
    text = stub(sys.argv[1])
    if len(sys.argv) > 2:
        pathlib.Path(sys.argv[2]).write_text(text)
    else:
        print(text, end="")


if __name__ == "__main__":
    main()
