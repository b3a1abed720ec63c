#!/usr/bin/env python3
"""What a person at a terminal sees: colour, one progress line that is rewritten, none of it without a terminal.

    terminal.py PROGRAM
"""
import fcntl
import os
import pathlib
import pty
import struct
import subprocess
import sys
import tempfile
import termios
import unicodedata


def at_terminal(command, folder, columns=0, **variables):
    """Exit code and what appears on a terminal of so many columns at standard error."""
    controller, terminal = pty.openpty()
    if columns:
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    environment = {k: v for k, v in os.environ.items() if k != "NO_COLOR"}
    environment.update(variables)
    process = subprocess.Popen(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=terminal)
    os.close(terminal)
    seen = b""
    try:
        while piece := os.read(controller, 65536):
            seen += piece
    except OSError:
        pass  # the terminal is gone once the program has ended
    os.close(controller)
    return process.wait(), seen.decode()


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    failed = []

    def expect(fact, what):
        if not fact:
            failed.append(what)

    with tempfile.TemporaryDirectory(prefix="neardup-terminal-") as folder:
        with open(os.path.join(folder, "in.jsonl"), "w", encoding="utf-8") as out:
            for i in range(5000):
                out.write('{"id":"%d","text":"document number %d of this collection"}\n' % (i, i // 2))
        code, seen = at_terminal([program, "dedup", "nowhere.jsonl"], folder)
        expect(code == 2 and seen.startswith("\x1b[1;31mneardup:\x1b[0m "), f"an error is red on a terminal: {seen!r}")
        code, seen = at_terminal([program, "dedup", "nowhere.jsonl"], folder, NO_COLOR="1")
        expect(code == 2 and seen.startswith("neardup: ") and "\x1b" not in seen, f"NO_COLOR is honoured: {seen!r}")
        code, seen = at_terminal([program, "dedup", "in.jsonl", "-o", "out"], folder)
        expect(code == 0 and "\r\x1b[K" in seen, f"progress is a rewritten line: {seen!r}")
        expect("5,000 documents read" in seen.split("\x1b[K")[-1], f"the progress line is gone before the summary: {seen!r}")
        code, seen = at_terminal([program, "dedup", "in.jsonl", "--progress", "never"], folder)
        expect(code == 0 and "\x1b" not in seen, f"--progress never shows none: {seen!r}")
        code, seen = at_terminal([program, "dedup", "in.jsonl", "--quiet"], folder)
        expect(code == 0 and seen == "", f"--quiet shows nothing: {seen!r}")
        with open(os.path.join(folder, "long.jsonl"), "w", encoding="utf-8") as out:
            for name, change in (("first", "ended"), ("second", "stopped")):
                words = " ".join(f"word{i}" for i in range(100)) + f" {change} 語語語語語語語語語語語語語語語語語語語語語語 " + "and on " * 40
                out.write('{"id":"%s","text":"%s"}\n' % (name, words))
        for columns in (60, 80, 200):
            code, seen = at_terminal([program, "dedup", "long.jsonl", "--threshold", "0.5"], folder, columns=columns)
            lines = seen.replace("\r", "").split("\n")
            shown = [line for line in lines if line.startswith(("   removed  ", "      kept  "))]
            widths = [sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line) for line in shown]
            expect(len(shown) == 2 and max(widths) <= columns, f"examples fit {columns} columns: {shown!r} {widths}")
            expect("stopped" in shown[0] and "ended" in shown[1], f"examples show what differs: {shown!r}")
        plain = subprocess.run([program, "dedup", "in.jsonl"], cwd=folder, capture_output=True, check=False)
        expect(b"\x1b" not in plain.stderr and b"\r" not in plain.stderr, f"no escapes without a terminal: {plain.stderr!r}")
        always = subprocess.run([program, "dedup", "in.jsonl", "--progress", "always"], cwd=folder, capture_output=True, check=False)
        expect(b"\r" in always.stderr, f"--progress always rewrites its line anywhere: {always.stderr!r}")
    for what in failed:
        print(f"not so: {what}")
    print("as expected" if not failed else f"{len(failed)} faults")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
