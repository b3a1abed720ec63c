#!/usr/bin/env python3
"""Runs the examples of a document and compares what they print.

    readme.py PROGRAM README.md

Every fenced block that opens with ```console is run, in order, in one fresh folder where `neardup` is the program. Lines that
start with `$ ` are commands (a line that ends in a backslash goes on); what follows a command is what it prints, on both
streams together, where `...` stands for anything. A block whose preceding line is `<!-- not run: REASON -->` is left alone.
Files that examples read are made by earlier commands, or lie in docs/examples and are copied first.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from matching import difference

BLOCK = re.compile(r"(<!-- not run:[^\n]*-->\s*\n)?```console\n(.*?)```", re.DOTALL)


def steps(block):
    """(command, expected output) of every step."""
    out, continues = [], False
    for line in block.splitlines(keepends=True):
        if line.startswith("$ "):
            out.append([line[2:], ""])
            continues = line.rstrip("\n").endswith("\\")
        elif continues:
            out[-1][0] += line
            continues = line.rstrip("\n").endswith("\\")
        elif out:
            out[-1][1] += line
    return out


def main():
    program, document = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    ran = failed = 0
    with tempfile.TemporaryDirectory(prefix="neardup-readme-") as name:
        base = pathlib.Path(name)
        (base / "bin").mkdir()
        (base / "bin" / "neardup").symlink_to(program)
        folder = base / "work"
        examples = next((place for place in (document.parent / "docs" / "examples", document.parent / "examples") if place.is_dir()), None)
        shutil.copytree(examples, folder) if examples else folder.mkdir()
        environment = dict(os.environ, PATH=f"{base / 'bin'}:{os.environ['PATH']}", LC_ALL="C.UTF-8")
        for not_run, block in BLOCK.findall(document.read_text(encoding="utf-8")):
            if not_run:
                continue
            for command, expected in steps(block):
                done = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, stdin=subprocess.DEVNULL, timeout=300,
                                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
                ran += 1
                differs = difference(expected, done.stdout.decode("utf-8", "backslashreplace"))
                if differs is not None:
                    failed += 1
                    print(f"{document.name}: $ {command}{differs}\n")
    print(f"{document.name}: {ran - failed} of {ran} commands print what it says")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
