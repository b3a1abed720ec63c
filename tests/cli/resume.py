#!/usr/bin/env python3
"""dedup --resume after kill -9 in every stage: every output file is the one of an uninterrupted run, byte by byte.

    resume.py PROGRAM
"""
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile

from stages import Run

DOCUMENTS = 10_000
OLD_DOCUMENTS = 2_000

# Flags, output.
JOBS = [
    (["--features", "words:3"], "out"),
    (["--features", "words:3", "--memory", "64M", "--clusters", "star", "--annotate"], "kept.jsonl.gz"),
    (["--finder", "minhash", "--keep", "longest"], "out"),
    (["--against", "old.jsonl", "--on-bad-record", "quarantine"], "kept.jsonl"),
]


def write_documents(path, rng, count):
    vocabulary = ["w%d" % i for i in range(3000)]
    words = []
    with path.open("w") as out:
        for i in range(count):
            if i % 4 == 0:
                words = rng.choices(vocabulary, k=100)
            elif i % 4 != 3:
                words[rng.randrange(100)] = "other"
            out.write('{"id":%d,"text":"%s"}\n' % (i, " ".join(words)))
            if i % 1000 == 7:
                out.write("no json %d\n" % i)


def without_times(record):
    for name in ["seconds", "stage_seconds", "peak_memory_bytes", "resumed"]:
        record.pop(name, None)
    return record


def outputs(folder):
    """Every file that is not an input, by its name; hidden ones too."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        if path.is_file() and name not in ("in.jsonl", "old.jsonl"):
            content = path.read_bytes()
            if path.name == "report.html":
                content = content.split(b'id="data">')[1].split(b"</script>")[0]
                data = json.loads(content)
                content = {**data, "run": without_times(data["run"])}
            found[name] = without_times(json.loads(content)) if path.name == "run.json" else content
    return found


def clear(folder):
    for path in folder.iterdir():
        if path.name not in ("in.jsonl", "old.jsonl"):
            shutil.rmtree(path) if path.is_dir() else path.unlink()


def difference(got, expected):
    if set(got) != set(expected):
        return f"files {sorted(set(got) ^ set(expected))} are in one only"
    return ", ".join(f"{name} differs" for name in got if got[name] != expected[name])


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    failed = runs = killed = continued = 0
    with tempfile.TemporaryDirectory(prefix="neardup-resume-") as name:
        folder, temporary = pathlib.Path(name) / "work", pathlib.Path(name) / "temporary"
        folder.mkdir()
        temporary.mkdir()
        write_documents(folder / "in.jsonl", random.Random(6), DOCUMENTS)
        write_documents(folder / "old.jsonl", random.Random(6), OLD_DOCUMENTS)
        for flags, output in JOBS:

            def run():
                command = [program, "dedup", "in.jsonl", "-o", output, "--resume", "--json", *flags]
                return Run(command, cwd=folder, env=dict(os.environ, TMPDIR=str(temporary)), stdout=subprocess.PIPE)

            first = run()
            if first.end() != 1:  # some records are bad
                print(f"{' '.join(flags)}: {first.said.decode()}")
                return 1
            expected = outputs(folder)
            for stage in first.stages():
                clear(folder)
                runs += 1
                stopped = run()
                stopped.reaches(stage)
                stopped.process.send_signal(signal.SIGKILL)
                killed += stopped.end() == -signal.SIGKILL
                fault = ""
                if (folder / output).exists():  # it was over, but for its last words
                    shutil.rmtree(folder / (".%s.neardup-resume" % output), ignore_errors=True)
                else:
                    again = run()
                    if again.end() != 1:
                        fault = again.said.decode()
                    else:
                        continued += bool(json.loads(again.out)["resumed"])
                fault = fault or difference(outputs(folder), expected)
                if fault:
                    failed += 1
                    print(f"{' '.join(flags)}: killed in stage {stage}: {fault}")
            clear(folder)
    print(f"{runs} runs, {killed} killed, {continued} of them went on from a finished stage, {failed} faults")
    return 1 if failed or killed == 0 or continued == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
