#!/usr/bin/env python3
"""The C++ examples of a page are programs: this cuts them out, and checks what they print.

    examples.py split PAGE FOLDER           every ```cpp block with a main() becomes FOLDER/PAGE-N.cpp, and the ```text block
                                            behind it FOLDER/PAGE-N.txt; prints the names, separated by semicolons
    examples.py run PROGRAM EXPECTED DATA   runs the program in a copy of the folder DATA and compares its output
"""
import difflib
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

BLOCKS = re.compile(r"^```(cpp|text)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def programs(page):
    """Yields (source, output) for every whole program of a page."""
    source = None
    for match in BLOCKS.finditer(page.read_text(encoding="utf-8")):
        kind, text = match.groups()
        if kind == "cpp":
            if source is not None:
                sys.exit(f"{page}: an example without its output:\n{source}")
            source = text if "int main(" in text else None
        elif source is not None:
            yield source, text
            source = None
    if source is not None:
        sys.exit(f"{page}: an example without its output:\n{source}")


def write_if_changed(path, text):
    """An unchanged file keeps its time, so that it is not compiled again."""
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def split(page, folder):
    folder.mkdir(parents=True, exist_ok=True)
    names = []
    for number, (source, output) in enumerate(programs(page), 1):
        name = f"{page.stem.lower()}-{number}"
        write_if_changed(folder / f"{name}.cpp", source)
        write_if_changed(folder / f"{name}.txt", output)
        names.append(name)
    if not names:
        sys.exit(f"{page}: no examples")
    print(";".join(names), end="")


def run(program, expected, data):
    with tempfile.TemporaryDirectory(prefix="neardup-docs-") as folder:
        work = pathlib.Path(folder) / "work"
        shutil.copytree(data, work)
        done = subprocess.run([program], cwd=work, capture_output=True, text=True, check=False)
    wanted = pathlib.Path(expected).read_text(encoding="utf-8")
    if done.returncode != 0 or done.stdout != wanted:
        print(f"exit code {done.returncode}\n{done.stderr}", end="")
        print("".join(difflib.unified_diff(wanted.splitlines(True), done.stdout.splitlines(True), "the page", "the program")))
        sys.exit(1)


if __name__ == "__main__":
    if sys.argv[1] == "split":
        split(pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]))
    else:
        run(*sys.argv[2:5])
