#!/usr/bin/env python3
"""Checks that the library does not speak command line.

    tools/check_messages.py [REPOSITORY]

No string of src/ or include/ holds a flag (`--threshold`): messages name options by their ids, between backticks, and
errors carry the id of the option they are about. The command line must know every such id (apps/cli/option_names.cpp),
and must have every flag of that table. Prints one line per breach and exits 1 when there is one.
"""
import pathlib
import re
import sys

TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|R"\((?P<raw>.*?)\)"|"(?P<text>(?:[^"\\\n]|\\.)*)"|\'(?:[^\'\\\n]|\\.)+\'', re.DOTALL)
FLAG = re.compile(r"--[a-z]|(?:^|[ (])-o\b")
QUOTED = re.compile(r"`([a-z][a-z0-9_]*)(?:=[a-z0-9_-]+)?`")
ROW = re.compile(r'^ *\{"(?P<id>[a-z0-9_]+)(?:=[a-z]+)?", "(?P<flag>-[^"]+)"', re.MULTILINE)
# An error's last argument, when it is a word and not the message: the option.
OPTION = re.compile(r'\b(?:throw Error[({]ErrorCode::\w+|refuse)\b[^;]+?,\s*[^;]*?[^\s,][^;]*,\s*"([a-z][a-z0-9_]*)"\s*[)}]+;')
# Words between backticks that are no options: names of formats.
NOT_OPTIONS = {"sets"}


def strings(text):
    """Yields (line number, contents) of every string of a C++ file."""
    for match in TOKEN.finditer(text):
        contents = match.group("raw") if match.group("raw") is not None else match.group("text")
        if contents is not None:
            yield text.count("\n", 0, match.start()) + 1, contents


def check_file(path, known):
    """Yields (line number, reason) for every breach of one file of the library."""
    text = path.read_text(encoding="utf-8")
    for line, contents in strings(text):
        if FLAG.search(contents):
            yield line, f'a string names a flag: "{contents}"'
        for word in QUOTED.findall(contents):
            if word not in known | NOT_OPTIONS:
                yield line, f"`{word}` is not in apps/cli/option_names.cpp"
    for match in OPTION.finditer(text):
        if match.group(1) not in known:
            yield text.count("\n", 0, match.end()) + 1, f'the option "{match.group(1)}" is not in apps/cli/option_names.cpp'


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parent.parent)
    table = root / "apps/cli/option_names.cpp"
    rows = {match["id"]: match["flag"] for match in ROW.finditer(table.read_text(encoding="utf-8"))}
    files = [p for top in ("include", "src") for p in sorted((root / top).rglob("*")) if p.suffix in (".h", ".c", ".cpp")]
    breaches = [f"{p.relative_to(root)}:{line}: {why}" for p in files for line, why in check_file(p, set(rows))]
    flags = {name for p in (root / "apps/cli").glob("*.cpp") if p != table
             for _, contents in strings(p.read_text(encoding="utf-8")) for name in contents.split(",")}
    breaches += [f"{table.relative_to(root)}: the program has no flag {flag}" for flag in rows.values() if flag not in flags]
    print("\n".join(breaches) if breaches else f"{len(files)} files, {len(rows)} options: no message names a flag")
    return 1 if breaches else 0


if __name__ == "__main__":
    sys.exit(main())
