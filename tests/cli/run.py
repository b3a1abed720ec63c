#!/usr/bin/env python3
"""Runs plain-text cases of the command line.

    run.py PROGRAM FILE.test [PART OF A CASE'S NAME]

A file holds cases, and a case holds sections; lines before the first case are comments.

    === one of each group is kept              the name of the case
    --- file in.jsonl                          a file to create: the lines below
    {"id":"a","text":"one two three"}
    --- bytes in.gz                            a file of bytes: Python escapes (\\x00, \\n, ...); lines are joined
    --- run                                    what to run, in bash, in a fresh folder; `neardup` is the program
    neardup dedup in.jsonl -o out
    --- exit 1                                 the exit code; 0 when left out
    --- stdout                                 what it prints; nothing when left out
    --- stderr                                 what it says; not checked when left out
    --- output out/kept.jsonl                  a file it must have written
    --- absent out/bad.jsonl                   a path that must not exist
    --- unless root                            skips the case for the superuser
    --- unless sanitized                       skips it where NEARDUP_SANITIZED is set: memory counts differently there

In expectations, `...` alone on a line stands for any number of lines, and inside a line for any characters.
After every case the temporary folder must be empty, and no hidden or temporary file may lie beside the outputs.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

from matching import difference

TIMEOUT_SECONDS = 120


class Case:
    def __init__(self, name, line):
        self.name, self.line, self.sections = name, line, []

    def texts(self, kind):
        """(argument, text) of every section of a kind."""
        return [(argument, "".join(lines)) for k, argument, lines in self.sections if k == kind]

    def first(self, kind, default):
        found = self.texts(kind)
        return found[0] if found else default


def parse(path):
    cases = []
    kinds = {"file", "bytes", "run", "exit", "stdout", "stderr", "output", "absent", "unless"}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(keepends=True), 1):
        if line.startswith("=== "):
            cases.append(Case(line[4:].strip(), number))
        elif line.startswith("--- "):
            kind, _, argument = line[4:].strip().partition(" ")
            if kind not in kinds:
                sys.exit(f"{path}:{number}: there is no section {kind}")
            cases[-1].sections.append((kind, argument.strip(), []))
        elif cases and cases[-1].sections:
            cases[-1].sections[-1][2].append(line)
    for case in cases:
        if not case.texts("run"):
            sys.exit(f"{path}:{case.line}: nothing to run")
        # The blank line before the next case belongs to nobody.
        last = case.sections[-1][2]
        while last and last[-1].strip() == "":
            last.pop()
    return cases


def create(folder, case):
    for name, text in case.texts("file"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    for name, text in case.texts("bytes"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(text.replace("\n", "").encode("utf-8").decode("unicode_escape").encode("latin-1"))


def leftovers(folder, temporary):
    paths = list(temporary.iterdir()) + [p for p in folder.rglob("*") if p.name.startswith(".") or ".tmp" in p.name]
    return [f"left behind: {path.relative_to(folder.parent)}" for path in paths]


def check(folder, case, done):
    """Every way in which a case did not go as expected."""
    wanted_code = int(case.first("exit", ("0", ""))[0])
    if done.returncode != wanted_code:
        yield f"exit code {done.returncode}, expected {wanted_code}"
    streams = [("standard output", case.first("stdout", ("", ""))[1], done.stdout)]
    if case.texts("stderr"):
        streams.append(("standard error", case.first("stderr", None)[1], done.stderr))
    for path, text in case.texts("output"):
        if (folder / path).is_file():
            streams.append((path, text, (folder / path).read_bytes()))
        else:
            yield f"{path} was not written"
    for what, wanted, got in streams:
        differs = difference(wanted, got.decode("utf-8", "backslashreplace"))
        if differs is not None:
            yield f"{what} differs:\n{differs}"
    for path, _ in case.texts("absent"):
        if os.path.lexists(folder / path):
            yield f"{path} should not exist"


def run(program, case):
    with tempfile.TemporaryDirectory(prefix="neardup-cli-") as name:
        base = pathlib.Path(name)
        folder, temporary, binaries = base / "case", base / "temporary", base / "bin"
        for path in (folder, temporary, binaries):
            path.mkdir()
        (binaries / "neardup").symlink_to(program)
        create(folder, case)
        environment = {k: v for k, v in os.environ.items() if not k.startswith("NEARDUP_")}
        environment.update(PATH=f"{binaries}:{os.environ['PATH']}", TMPDIR=str(temporary), LC_ALL="C.UTF-8")
        done = subprocess.run(["bash", "-c", case.first("run", None)[1]], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=TIMEOUT_SECONDS, check=False)
        faults = list(check(folder, case, done)) + leftovers(folder, temporary)
        if faults and not case.texts("stderr"):
            faults.append("standard error was:\n" + done.stderr.decode("utf-8", "backslashreplace"))
        return faults


def main():
    program, path = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
    wanted = sys.argv[3] if len(sys.argv) > 3 else ""
    cases = [case for case in parse(path) if wanted in case.name]
    failed = 0
    for case in cases:
        conditions = [argument for argument, _ in case.texts("unless")]
        if "root" in conditions and os.geteuid() == 0:
            print(f"skipped for the superuser: {case.name}")
            continue
        if "sanitized" in conditions and "NEARDUP_SANITIZED" in os.environ:
            print(f"skipped under sanitizers: {case.name}")
            continue
        faults = run(program, case)
        failed += bool(faults)
        for fault in faults:
            print(f"{path}:{case.line}: {case.name}\n    " + fault.replace("\n", "\n    "))
    print(f"{path.name}: {len(cases) - failed} of {len(cases)} cases passed")
    return 1 if failed or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
