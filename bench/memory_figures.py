#!/usr/bin/env python3
"""Does the figure that a refused --memory names suffice?

    memory_figures.py PROGRAM FOLDER [PART OF A ROW'S NAME]

For short and for ordinary texts and for every finder: starts with 16M, follows the figure that each refusal names, and prints how
often the run was refused, the memory with which it succeeded, and the peak of that run. FOLDER holds the texts between runs.
"""
import pathlib
import random
import re
import subprocess
import sys

TEXTS = {"short": (300_000, 8), "ordinary": (40_000, 120)}  # documents, words
RUNS = {
    "exact": ("dedup", []),
    "exact, folder": ("dedup", ["-o", "out", "--force"]),
    "minhash": ("dedup", ["--finder", "minhash"]),
    "minhash, folder": ("dedup", ["--finder", "minhash", "-o", "out", "--force"]),
    "simhash": ("dedup", ["--finder", "simhash", "--distance", "8"]),
    "hamming": ("dedup", ["--measure", "hamming", "--distance", "3"]),
    "pairs": ("pairs", ["-o", "out.tsv", "--force"]),
    "fingerprint": ("fingerprint", ["-o", "out.fps", "--force"]),
}


def texts(path, documents, words):
    """A third of the documents are copies with one changed word."""
    rng = random.Random(7)
    originals = []
    with open(path, "w", encoding="utf-8") as out:
        for number in range(documents):
            if originals and rng.random() < 0.3:
                text = list(rng.choice(originals))
                text[rng.randrange(len(text))] = "changed"
            else:
                text = [f"w{int(30_000 * rng.random() ** 3)}" for _ in range(rng.randrange(words // 2, words * 2))]
                if len(originals) < 2000:
                    originals.append(text)
            out.write('{"id":%d,"text":"%s"}\n' % (number, " ".join(text)))


def run(program, folder, arguments):
    """The exit code, what was said, and the peak in MiB."""
    command = ["/usr/bin/time", "-f", "%M", program, *arguments, "--quiet"]
    done = subprocess.run(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
    lines = done.stderr.strip().split("\n")
    return done.returncode, "\n".join(lines[:-1]), int(lines[-1]) // 1024


def main():
    program, folder = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    wanted = sys.argv[3] if len(sys.argv) > 3 else ""
    for kind, (documents, words) in TEXTS.items():
        path = folder / f"{kind}.jsonl"
        if not path.exists():
            texts(path, documents, words)
        for name, (verb, flags) in RUNS.items():
            if wanted not in f"{kind} {name}":
                continue
            memory, figures = 16, []
            code, said, peak = run(program, folder, [verb, path.name, *flags, "--memory", f"{memory}M"])
            while code != 0 and len(figures) < 10:
                figure = re.search(r"takes? about (\d+)M", said)
                if figure is None:
                    sys.exit(f"{kind} {name}: {said}")
                figures.append(int(figure.group(1)))
                memory = max(memory + 1, figures[-1])
                code, said, peak = run(program, folder, [verb, path.name, *flags, "--memory", f"{memory}M"])
            print(f"{kind:9} {name:16} refused {len(figures)}x {figures}, succeeded with {memory}M, peak {peak} MiB", flush=True)


main()
