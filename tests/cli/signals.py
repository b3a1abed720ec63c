#!/usr/bin/env python3
"""Ctrl-C and SIGTERM in every stage: exit code 130, nothing under a final name, no temporary file left.

    signals.py PROGRAM
"""
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile

from stages import Run

DOCUMENTS = 20_000
SIGNALS = [signal.SIGINT, signal.SIGTERM]


def make_input(path, rng):
    vocabulary = ["w%d" % i for i in range(3000)]
    with path.open("w") as out:
        text = ""
        for i in range(DOCUMENTS):
            if i % 3 != 1:
                text = " ".join(rng.choices(vocabulary, k=120))
            out.write('{"id":%d,"text":"%s"}\n' % (i, text))


# A verb with its flags and the outputs to try.
JOBS = [
    (["dedup", "--finder", "minhash"], ["out", "kept.jsonl"]),
    (["dedup", "--features", "words", "--threshold", "0.4"], ["out", "kept.jsonl"]),
    (["pairs", "--features", "words", "--threshold", "0.4"], ["pairs.tsv"]),
    (["clean", "--queries", "log.txt"], ["out", "kept.jsonl"]),
]


class Site:
    """A folder with an input, where runs are interrupted."""

    def __init__(self, program, name):
        self.program = program
        self.folder, self.temporary = pathlib.Path(name) / "work", pathlib.Path(name) / "temporary"
        self.folder.mkdir()
        self.temporary.mkdir()
        rng = random.Random(1)
        make_input(self.folder / "in.jsonl", rng)
        (self.folder / "log.txt").write_text("".join("w%d w%d\n" % (rng.randrange(3000), rng.randrange(3000)) for _ in range(3000)))

    def run(self, flags, source="in.jsonl", output=None, **options):
        command = [self.program, flags[0], source, *flags[1:]] + (["-o", output] if output else [])
        return Run(command, cwd=self.folder, env=dict(os.environ, TMPDIR=str(self.temporary)), stdout=subprocess.DEVNULL, **options)

    def remove(self, output):
        path = self.folder / output
        shutil.rmtree(path) if path.is_dir() else path.unlink()

    def leftovers(self):
        allowed = {"in.jsonl", "log.txt"}
        names = [str(p) for p in self.temporary.iterdir()] + [p.name for p in self.folder.iterdir() if p.name not in allowed]
        return [f"left behind: {name}" for name in names]

    def interrupt(self, run, sent, output):
        """Sends the signal. Returns the exit code and what is wrong."""
        run.process.send_signal(sent)
        code = run.end()
        faults = []
        if code == 0:  # it came too late
            if not (self.folder / output).exists():
                faults.append("it succeeded without an output")
            else:
                self.remove(output)
        elif code != 130:
            faults.append(f"exit code {code}: {run.said.decode()}")
        return code, faults + self.leftovers()


def all_stages(site, flags, output):
    run = site.run(flags, output=output)
    if run.end() != 0:
        sys.exit(f"{' '.join(flags)}: {run.said.decode()}")
    site.remove(output)
    return run.stages()


def stalled_input(site):
    """Standard input that never ends must not keep the program from stopping."""
    run = site.run(["dedup"], source="-", stdin=subprocess.PIPE)
    run.process.stdin.write(b'{"text":"a"}\n' * 100_000)  # more than fits a pipe: it reads
    run.process.stdin.flush()
    run.process.send_signal(signal.SIGINT)
    code = run.process.wait()  # its input still open
    run.process.stdin.close()
    run.process.stderr.close()
    return ([] if code == 130 else [f"exit code {code} while waiting for standard input"]) + site.leftovers()


def main():
    failed = interrupted = runs = 0
    with tempfile.TemporaryDirectory(prefix="neardup-signals-") as name:
        site = Site(str(pathlib.Path(sys.argv[1]).resolve()), name)
        for flags, outputs in JOBS:
            hits = 0
            for stage in all_stages(site, flags, outputs[0]):
                for number, output in enumerate(outputs):
                    sent = SIGNALS[(stage + number) % 2]
                    run = site.run(flags, output=output)
                    run.reaches(stage)
                    code, faults = site.interrupt(run, sent, output)
                    runs += 1
                    hits += code == 130
                    failed += bool(faults)
                    for fault in faults:
                        print(f"{' '.join(flags)} -o {output}: {sent.name} in stage {stage}: {fault}")
            if hits == 0:
                failed += 1
                print(f"{' '.join(flags)}: no run was interrupted")
            interrupted += hits
        for fault in stalled_input(site):
            failed += 1
            print(fault)
    print(f"{runs} runs, {interrupted} of them interrupted with exit code 130, {failed} faults")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
