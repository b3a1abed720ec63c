#!/usr/bin/env python3
"""The experiments of Sood and Loguinov, "Probabilistic Near-Duplicate Detection Using Simhash" (2011), again.

Usage: bench/paper-sood2011/run.py               a few minutes on two cores
       bench/paper-sood2011/run.py --full        60 million fingerprints, a million queries; about 16 GB of memory
Prints what stands behind Tables 1 and 2 and Figures 1 to 9, the paper's figures beside ours where it prints any, and
the recall on real documents; writes the figures as SVG and everything as results.json. Exit code 1 when two exact
designs disagree, a probable one finds more than there is, or the trees of flip sets miss or repeat a set.
"""

import argparse
import json
import math
import os
import sys
import tempfile
import time

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(FOLDER))
sys.path.insert(0, os.path.join(os.path.dirname(FOLDER), "paper-manku2007"))

import corpus  # noqa: E402
import documents_part  # noqa: E402
import flips_part  # noqa: E402
import hamming_search  # noqa: E402
import plot  # noqa: E402
import report  # noqa: E402
import scaling_part  # noqa: E402

SIZES = {"documents": 6_000, "base": 4_000_000, "queries": 200_000}
FULL = {"documents": 12_000, "base": 60_000_000, "queries": 1_000_000}
PROGRAMS = {
    "neardup": ["neardup"],
    "hamming": ["bench", "hamming"],
    "volatile_lab": ["bench", "volatile_lab"],
    "cosine_lab": ["bench", "cosine_lab"],
}


def say(text):
    print(f"[{time.strftime('%H:%M:%S')}] {text}", file=sys.stderr, flush=True)


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--full", action="store_true", help="60 million fingerprints, twice the documents")
    parser.add_argument("--records", type=float, default=1, metavar="FACTOR", help="so many times of everything")
    parser.add_argument(
        "--out", metavar="FOLDER", help="for results.json and the plots (default: paper-sood2011 in the cache)"
    )
    parser.add_argument("--data", default=corpus.default_data(), help="real collections (default: %(default)s)")
    parser.add_argument("--build", default=os.path.join(corpus.ROOT, "build", "release"), help="where neardup is")
    parser.add_argument("--cache", default=os.path.join(corpus.ROOT, "build", "bench"), help="the data that is made")
    options = parser.parse_args()
    options.cache = os.path.abspath(options.cache)
    options.out = options.out or os.path.join(options.cache, "paper-sood2011")
    return options


class Paper:
    """What all experiments share: programs, data, and where results go."""

    def __init__(self, options, scratch):
        self.options, self.scratch, self.wrong, self.say = options, scratch, [], say
        self.programs = {name: os.path.join(options.build, *path) for name, path in PROGRAMS.items()}
        for program in self.programs.values():
            if not os.path.exists(program):
                raise SystemExit(f"{program} is missing: make build, or --build FOLDER")
        sizes = FULL if options.full else SIZES
        self.sizes = {name: max(200, round(size * options.records)) for name, size in sizes.items()}
        self.base, self.queries = self.sizes["base"], self.sizes["queries"]
        self.folder = hamming_search.make_data(options.build, options.cache, self.base, self.queries, say)
        self.depth = max(16, min(26, round(math.log2(self.base))))  # the paper's d; headers have 16 to 26 bits

    def run(self, program, verb, folder, counts, **flags):
        return hamming_search.run_program(self.programs[program], folder, verb, counts, flags, say)

    def search(self, n, queries, **flags):
        return self.run("hamming", "search", self.folder, [n, queries], **flags)

    def lab(self, verb, n, queries, **flags):
        return self.run("volatile_lab", verb, self.folder, [n, queries], **flags)

    def draw(self, name, *arguments, **named):
        plot.line_plot(os.path.join(self.options.out, f"{name}.svg"), *arguments, **named)

    def check(self, right, text):
        if not right:
            self.wrong.append(text)


def main():
    options = parse()
    for folder in (options.out, options.cache):
        os.makedirs(folder, exist_ok=True)
    where, start = report.machine(), time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="paper-", dir=options.cache) as scratch:
        paper = Paper(options, scratch)
        print(
            f"Machine: {where['cpu']}, {where['cores']} cores, load {where['load']:.1f} at the start. "
            f"Times are CPU time of one thread."
        )
        found = flips_part.reproduce(paper)
        found |= scaling_part.reproduce(paper, found["figure5"])
        found |= documents_part.reproduce(paper)
    where["load_at_end"] = os.getloadavg()[0]
    with open(os.path.join(options.out, "results.json"), "w") as file:
        json.dump({"machine": where, "sizes": paper.sizes} | found | {"wrong": paper.wrong}, file, indent=1)
    print(
        f"\n{time.perf_counter() - start:.0f} s, load {where['load_at_end']:.1f} at the end; figures and results.json "
        f"are in {options.out}"
    )
    print("Answers: " + ("as they must be" if not paper.wrong else "WRONG\n  " + "\n  ".join(paper.wrong)))
    sys.exit(1 if paper.wrong else 0)


if __name__ == "__main__":
    main()
