#!/usr/bin/env python3
"""Ctrl-C and SIGTERM at many moments: exit code 130, nothing under a final name, no temporary file left.

    signals.py PROGRAM
"""
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

TRIALS = 12
DOCUMENTS = 40_000


def make_input(path, rng):
    vocabulary = ["w%d" % i for i in range(3000)]
    with path.open("w") as out:
        text = ""
        for i in range(DOCUMENTS):
            if i % 3 != 1:
                text = " ".join(rng.choices(vocabulary, k=120))
            out.write('{"id":%d,"text":"%s"}\n' % (i, text))


def leftovers(folder, temporary):
    allowed = {"in.jsonl", "log.txt"}
    return [str(p) for p in temporary.iterdir()] + [p.name for p in folder.iterdir() if p.name not in allowed]


# A verb with its flags and the outputs to try.
JOBS = [
    (["dedup", "--finder", "minhash"], ["out", "kept.jsonl"]),
    (["dedup", "--features", "words", "--threshold", "0.4"], ["out", "kept.jsonl"]),
    (["pairs", "--features", "words", "--threshold", "0.4"], ["pairs.tsv"]),
    (["clean", "--queries", "log.txt"], ["out", "kept.jsonl"]),
]


def command(program, flags, source, output):
    return [program, flags[0], source, "-o", output, "--quiet", *flags[1:]]


def trial(program, folder, temporary, flags, output, number, delay, use_stdin):
    """One run, interrupted after `delay` seconds. Returns its exit code and what is wrong."""
    environment = dict(os.environ, TMPDIR=str(temporary))
    source = (folder / "in.jsonl").open("rb") if use_stdin else subprocess.DEVNULL
    process = subprocess.Popen(command(program, flags, "-" if use_stdin else "in.jsonl", output.name), cwd=folder, env=environment, stdin=source, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    time.sleep(delay)
    sent = signal.SIGINT if number % 2 == 0 else signal.SIGTERM
    process.send_signal(sent)
    said = process.communicate(timeout=120)[1].decode()
    code = process.returncode
    faults = []
    if code == 0:
        if not output.exists():
            faults.append("it succeeded without an output")
        subprocess.run(["rm", "-rf", str(output)], check=True)
    elif code not in (130, -sent):  # the signal may come before the program listens
        faults.append(f"exit code {code}: {said}")
    faults += [f"left behind: {name}" for name in leftovers(folder, temporary)]
    return code, faults


def stalled_input(program, folder, temporary):
    """Standard input that never ends must not keep the program from stopping."""
    environment = dict(os.environ, TMPDIR=str(temporary))
    process = subprocess.Popen([program, "dedup", "-", "--quiet"], cwd=folder, env=environment, stdin=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdin.write(b'{"text":"a"}\n')
    process.stdin.flush()
    while not any(path.is_file() and path.stat().st_size > 0 for path in temporary.rglob("*")):  # it has read all there is
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    try:
        process.wait(timeout=20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        for path in temporary.iterdir():
            subprocess.run(["rm", "-rf", str(path)], check=True)
        return ["a signal does not stop it while it waits for standard input"]
    faults = [] if process.returncode == 130 else [f"exit code {process.returncode} while waiting for standard input"]
    return faults + [f"left behind: {name}" for name in leftovers(folder, temporary)]


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    rng = random.Random(1)
    failed = interrupted = 0
    with tempfile.TemporaryDirectory(prefix="neardup-signals-") as name:
        folder, temporary = pathlib.Path(name) / "work", pathlib.Path(name) / "temporary"
        folder.mkdir()
        temporary.mkdir()
        make_input(folder / "in.jsonl", rng)
        (folder / "log.txt").write_text("".join("w%d w%d\n" % (rng.randrange(3000), rng.randrange(3000)) for _ in range(3000)))
        for flags, outputs in JOBS:
            started = time.monotonic()
            subprocess.run(command(program, flags, "in.jsonl", outputs[0]), cwd=folder, check=True)
            whole = time.monotonic() - started
            subprocess.run(["rm", "-rf", str(folder / outputs[0])], check=True)
            hits = 0
            for number in range(TRIALS):
                delay = whole * (number + rng.random()) / TRIALS
                output = folder / outputs[number % len(outputs)]
                code, faults = trial(program, folder, temporary, flags, output, number, delay, use_stdin=number % 5 == 4)
                hits += code == 130
                failed += bool(faults)
                for fault in faults:
                    print(f"{' '.join(flags)}: signal after {delay:.2f} of {whole:.2f} s: {fault}")
            if hits == 0:
                failed += 1
                print(f"{' '.join(flags)}: no run was interrupted")
            interrupted += hits
        for fault in stalled_input(program, folder, temporary):
            failed += 1
            print(fault)
    print(f"{TRIALS * len(JOBS)} runs, {interrupted} of them interrupted with exit code 130, {failed} faults")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
