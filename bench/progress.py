#!/usr/bin/env python3
"""Does progress tell the truth? Runs a job and compares the time left that was shown with the time that was left.

    progress.py PROGRAM VERB ARGUMENTS...

Prints what was shown at every tenth of the run, how far off it was, and how long each stage took. The worst factor
counts from a tenth of the run on, without its last three seconds (where a rounded second is a large factor).
"""
import re
import subprocess
import sys
import time

LEFT = re.compile(r"(?:(\d+) h )?(?:(\d+) min )?(?:([\d.]+) s )?left$")


def seconds_left(line):
    found = LEFT.search(line)
    if not found or not any(found.groups()):
        return None
    hours, minutes, seconds = (float(group or 0) for group in found.groups())
    return 3600 * hours + 60 * minutes + seconds


def factor(shown, truth):
    return max(shown, truth) / max(0.01, min(shown, truth))


def main():
    process = subprocess.Popen(sys.argv[1:] + ["--progress", "always"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    started = time.monotonic()
    shown, buffer = [], b""
    while piece := process.stderr.read1(65536):
        now = time.monotonic() - started
        *lines, buffer = (buffer + piece).split(b"\r\x1b[K")
        shown += [(now, line.decode()) for line in lines + [buffer] if line.strip()]
    whole = time.monotonic() - started
    if process.wait() not in (0, 1):
        print(buffer.decode())
        return 1
    lines = [(now, line) for now, line in shown if "\n" not in line]

    stages = []
    for now, line in lines:
        name = line.split("  ")[0]
        if not stages or stages[-1][0] != name:
            stages.append((name, now))
    for (name, begin), (_, end) in zip(stages, stages[1:] + [("", whole)]):
        print(f"  {end - begin:7.2f} s  {name}")
    worst = 1.0
    for tenth in range(1, 10):
        moment = whole * tenth / 10
        before = [(now, line) for now, line in lines if now <= moment]
        if before:
            now, line = before[-1]
            left = seconds_left(line)
            print(f"  {tenth * 10:3d}%  {whole - now:6.1f} s were left, shown: {line}")
    for now, line in lines:
        left = seconds_left(line)
        if whole / 10 <= now <= whole - 3:
            worst = max(worst, factor(left, whole - now) if left is not None else float("inf"))
    print(f"{whole:.1f} s, worst factor {worst:.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
