#!/usr/bin/env python3
"""The experiments of Manku, Jain and Das Sarma, "Detecting Near-Duplicates for Web Crawling" (2007), again.

Usage: bench/paper-manku2007/run.py               a few minutes on two cores
       bench/paper-manku2007/run.py --full        60 million fingerprints; about 16 GB of memory
Prints what stands behind Figures 1 and 2, the designs of example 3.1, the compression of section 3.2 and the batch of
section 3.3, the paper's figures beside ours where it prints any; writes the figures as SVG and everything as
results.json. Exit code 1 when two designs disagree about the answer.
"""

import argparse
import itertools
import json
import math
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(FOLDER))

import corpus  # noqa: E402
import distribution  # noqa: E402
import documents  # noqa: E402
import hamming_search  # noqa: E402
import plot  # noqa: E402
import report  # noqa: E402

SIZES = {"documents": 20_000, "base": 8_000_000, "queries": 200_000}
FULL = {"documents": 40_000, "base": 60_000_000, "queries": 1_000_000}
MOST_SEARCHED = 200_000  # queries of the table of designs
CHECKED_QUERIES = 500  # compared with a scan of everything
DISTANCES = range(1, 11)
SAMPLE = 1_000  # pairs of each distance, at most
# What is fingerprinted: words or runs of words, weighing as often as they occur or all the same.
FEATURES = [("words:2", "occurrences"), ("words", "occurrences"), ("words", "binary"), ("words:5", "occurrences")]
SHARES = [1, 1 / 4, 1 / 16]  # of the originals, each with its copies

PAPER_CROSSING = (3, 0.75)
PAPER_LOG2 = 34  # of its number of fingerprints
PAPER_BATCH = 8e9 / 100 / 200  # fingerprints a second and mapper
# Design: blocks from which the leading ones are chosen, how many of them, and the fingerprints a probe of the paper.
DESIGNS = {
    "4": ([16] * 4, 1, "256K"),
    "10": ([13] * 4 + [12], 2, "512"),
    "16": ([16 + 12] * 16, 1, "64"),
    "20": ([11] * 4 + [10] * 2, 3, "8"),
}


def say(text):
    print(f"[{time.strftime('%H:%M:%S')}] {text}", file=sys.stderr, flush=True)


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--full", action="store_true", help="60 million fingerprints, twice the documents")
    parser.add_argument("--records", type=float, default=1, metavar="FACTOR", help="so many times of everything")
    parser.add_argument(
        "--out", metavar="FOLDER", help="for results.json and the plots (default: paper-manku2007 in the cache)"
    )
    parser.add_argument("--data", default=corpus.default_data(), help="real collections (default: %(default)s)")
    parser.add_argument("--build", default=os.path.join(corpus.ROOT, "build", "release"), help="where neardup is")
    parser.add_argument("--cache", default=os.path.join(corpus.ROOT, "build", "bench"), help="the data that is made")
    options = parser.parse_args()
    options.cache = os.path.abspath(options.cache)
    options.out = options.out or os.path.join(options.cache, "paper-manku2007")
    return options


class Paper:
    def __init__(self, options, scratch):
        self.options, self.scratch, self.wrong = options, scratch, []
        self.neardup = os.path.join(options.build, "neardup")
        self.hamming = os.path.join(options.build, "bench", "hamming")
        for program in (self.neardup, self.hamming):
            if not os.path.exists(program):
                raise SystemExit(f"{program} is missing: make build, or --build FOLDER")
        sizes = FULL if options.full else SIZES
        self.sizes = {name: max(200, round(size * options.records)) for name, size in sizes.items()}
        self.documents = documents.Documents(
            self.sizes["documents"], options.data, options.cache, self.neardup, scratch, say
        )
        self.base, self.queries = self.sizes["base"], self.sizes["queries"]
        self.folder = hamming_search.make_data(options.build, options.cache, self.base, self.queries, say)

    def measure(self, verb, queries=None, **flags):
        counts = [self.base, *([queries] if queries else [])]
        return hamming_search.run_program(self.hamming, self.folder, verb, counts, flags, say)

    def draw(self, name, *arguments, **named):
        plot.line_plot(os.path.join(self.options.out, f"{name}.svg"), *arguments, **named)

    # ---- Figure 1 ---------------------------------------------------------------------------------------------------

    def figure_1(self):
        """{features: {"pairs": by distance, "size": of a sample, "curves": by judgement, "crossings": likewise}}"""
        rng, found = random.Random(1), {}
        for features, weights in FEATURES:
            samples = self.documents.samples(features, weights, DISTANCES, SHARES, SAMPLE, rng)
            name = features if weights == "occurrences" else f"{features} {weights}"
            say(f"Figure 1, {name}: {samples[1].seen[1]:,} pairs at distance 1, {samples[1].seen[10]:,} at 10")
            equal = {share: samples[share].equal() for share in SHARES}
            curves = {
                each.name: {f"{share:g}": self.curve(equal[share], each) for share in SHARES}
                for each in documents.JUDGEMENTS
            }
            found[name] = {
                "pairs": samples[1].seen,
                "size": len(equal[1][1]),
                "curves": {judgement: shares["1"] for judgement, shares in curves.items()},
                "crossings": {
                    judgement: {share: documents.crossing(curve) for share, curve in shares.items()}
                    for judgement, shares in curves.items()
                },
            }
        return found

    def curve(self, samples, judgement):
        return documents.precision_and_recall(samples, lambda pair: self.documents.true(pair, judgement))

    def show_figure_1(self, found):
        print("Figure 1: precision and recall of everything within distance k")
        print(f"  {self.documents.described}")
        for each in documents.JUDGEMENTS:
            print(
                f"  {each.name}: a pair is a near-duplicate with at most {each.edits:g}% of the words edited between "
                f"copies of one original, or a Jaccard similarity of word 5-grams of at least {each.jaccard:g}"
            )
        for name, figures in found.items():
            print(f"\n  simhash of {name}; {figures['size']:,} pairs sampled of each distance")
            print(f"  {'k':32}" + "".join(f"{k:10}" for k in DISTANCES))
            print(f"  {'pairs at distance k':32}" + "".join(f"{figures['pairs'][k]:10,}" for k in DISTANCES))
            for judgement, curve in figures["curves"].items():
                cells = (f"{precision:.2f}/{recall:.2f}" for _, precision, recall in curve)
                print(f"  {'precision/recall, ' + judgement:32}" + "".join(f"{cell:>10}" for cell in cells))
        print(f"\n  Where they cross: k and value; the paper has k = {PAPER_CROSSING[0]}, {PAPER_CROSSING[1]}")
        columns = [f"{judgement.name}, {share:g}" for judgement in documents.JUDGEMENTS for share in SHARES]
        print(f"  {'judgement, share of originals':32}" + "".join(f"{column:>16}" for column in columns))
        for name, figures in found.items():
            cells = (shown_crossing(each) for shares in figures["crossings"].values() for each in shares.values())
            print(f"  {name:32}" + "".join(f"{cell:>16}" for cell in cells))
        self.draw_figure_1(found)

    def draw_figure_1(self, found):
        caption = self.documents.described.split(", ")
        for name, figures in found.items():
            curve = figures["curves"]["usual"]
            self.draw(
                "figure-1-" + name.replace(":", "").replace(" ", "-"),
                f"1: precision and recall, simhash of {name}",
                "k: largest distance of a reported pair",
                "share of sampled pairs",
                {"precision": [(k, p) for k, p, _ in curve], "recall": [(k, r) for k, _, r in curve]},
                caption,
                x_ticks=list(DISTANCES),
            )
        self.draw(
            "figure-1",
            "1: precision against recall, k = 1 to 10",
            "recall",
            "precision",
            {name: [(r, p) for _, p, r in figures["curves"]["usual"]] for name, figures in found.items()},
            caption,
        )

    # ---- Figure 2 ---------------------------------------------------------------------------------------------------

    def figure_2(self):
        """{collection: {"n", "leading": by position, "expected": likewise, "buckets"}}"""
        features, weights = FEATURES[0]
        collections = {
            f"documents, {features}": distribution.of_documents(
                self.neardup, self.documents.path, "--features", features, "--weights", weights
            ),
            "generated": distribution.of_file(os.path.join(self.folder, "data", "base60.bin")),
        }
        found = {}
        for name, codes in collections.items():
            leading = distribution.leading_bits(codes)
            different = sum(leading) + 1
            found[name] = {
                "n": len(codes),
                "different": different,
                "leading": leading,
                "expected": distribution.expected_leading_bits(different),
                "buckets": distribution.buckets(codes),
            }
        return found

    def show_figure_2(self, found):
        print("\nFigure 2(a): the highest bit in which sorted neighbours differ, % of neighbours; random: expectation")
        tops = {name: max(range(64), key=figures["expected"].__getitem__) for name, figures in found.items()}
        for name, figures in found.items():
            print(
                f"  {name}: {figures['n']:,} fingerprints, {figures['different']:,} different; the most common bit "
                f"of random ones is {tops[name]}"
            )
        print(f"  {'bits from there':>16}" + "".join(f"{name:>22}{'random':>12}" for name in found))
        steps = [range(4, 13), *([each] for each in (3, 2, 1, 0, -1, -2, -3, -4, -6, -8, -12, -16, -24))]
        for step in steps:
            cells = ""
            for name, figures in found.items():
                bits = [tops[name] + each for each in step if 0 <= tops[name] + each < 64]
                for column, width in (("leading", 22), ("expected", 12)):
                    share = 100 * sum(figures[column][bit] for bit in bits) / max(1, figures["different"] - 1)
                    cells += f"{share:{width}.4f}"
            print(f"  {step[0]:+16}{cells}" + (" (and above)" if len(step) > 1 else ""))
        for name, figures in found.items():
            below = range(max(0, tops[name] - 7))
            share = [sum(figures[column][bit] for bit in below) for column in ("leading", "expected")]
            pairs = max(1, figures["different"] - 1)
            print(f"  {name}: {share[0] / pairs:.2%} lie more than 7 bits below, of random ones {share[1] / pairs:.2%}")
        print("Figure 2(b): fingerprints in 128 ranges")
        for number, (name, figures) in enumerate(found.items()):
            mean, spread = figures["n"] / 128, statistics.pstdev(figures["buckets"])
            print(
                f"  {name}: {mean:,.0f} on average, {min(figures['buckets']):,} to {max(figures['buckets']):,}, "
                f"standard deviation {spread:,.0f} (random: {math.sqrt(mean):,.0f})"
            )
            self.draw_figure_2("" if number == 0 else f"-{name}", name, figures)

    def draw_figure_2(self, suffix, name, figures):
        pairs = max(1, figures["different"] - 1)
        caption = [f"{name}: {figures['n']:,} fingerprints, {figures['different']:,} different"]
        least = 0.2 / pairs  # what nobody would see once
        self.draw(
            "figure-2a" + suffix,
            "2(a): highest bit that differs between neighbours",
            "bit (63 is the highest)",
            "share of neighbours",
            {
                "measured": [(bit, count / pairs) for bit, count in enumerate(figures["leading"])],
                "random": [(b, each / pairs) for b, each in enumerate(figures["expected"]) if each / pairs > least],
            },
            caption,
            log=True,
            x_ticks=[0, 8, 16, 24, 32, 40, 48, 56, 63],
        )
        self.draw(
            "figure-2b" + suffix,
            "2(b): fingerprints in 128 ranges",
            "range",
            "fingerprints",
            {
                "measured": list(enumerate(figures["buckets"])),
                "all alike": [(bucket, figures["n"] / 128) for bucket in range(128)],
            },
            caption,
            x_ticks=[0, 16, 32, 48, 64, 80, 96, 112, 127],
        )

    # ---- sections 3.1 to 3.3 ----------------------------------------------------------------------------------------

    def codes(self):
        return {code: self.measure("decode", code=code) for code in ("huffman", "elias-fano")}

    def show_codes(self, found):
        n = found["huffman"]["fingerprints"]
        least = math.log2(math.e) + 64 - math.log2(n)
        print(f"\nSection 3.2: {n:,} different fingerprints of {self.base:,}; 64 bits each as they stand")
        print(f"  no code can do with fewer than about {least:.2f} bits where fingerprints are random")
        for code, figures in found.items():
            bits = figures["bits_per_fingerprint"]
            there = bits - (PAPER_LOG2 - math.log2(n))
            print(
                f"  {code:11} {bits:6.2f} bits a fingerprint, {bits / 64:.3f} of the size; "
                f"{figures['decode_nanoseconds']:.2f} ns to decode one; with the paper's 2^{PAPER_LOG2} fingerprints "
                f"that would be {there:.1f} bits, {there / 64:.2f} (the paper: about half)"
            )

    def designs(self, different):
        queries = min(self.queries, MOST_SEARCHED)
        rows = [(f"{design} tables", {"kind": "block-tables", "design": design}) for design in DESIGNS]
        for code in ("huffman", "elias-fano"):
            rows.append((f"10 tables, {code}", {"kind": "compressed-tables", "design": "10", "code": code}))
        rows.append(("fast", {"kind": "fast"}))
        found = {name: self.measure("search", queries, **flags) for name, flags in rows}
        for name, figures in found.items():
            design = name.split(" ")[0]
            figures["expected_a_probe"] = expected(design, different) if design in DESIGNS else None
        self.agree({name: figures["answer"] for name, figures in found.items()})
        few = min(self.queries, CHECKED_QUERIES)
        for flags in ({"kind": "scan"}, {"kind": "block-tables", "design": "20"}):
            figures = self.measure("search", few, **flags, repeat=1)
            found[f"{flags['kind']}, {few} queries"] = figures
        self.agree({name: each["answer"] for name, each in found.items() if name.endswith("queries")})
        return found

    def agree(self, answers):
        if len(set(answers.values())) > 1:
            self.wrong.append(str(answers))

    def show_designs(self, found):
        print(
            f"\nExample 3.1: {self.base:,} generated fingerprints, {min(self.queries, MOST_SEARCHED):,} queries, "
            "distance 3, one thread, CPU time"
        )
        print(
            f"  {'design':24}{'probes':>8}{'a probe':>12}{'expected':>12}{'paper, 2^34':>14}{'queries/s':>12}"
            f"{'bytes each':>12}"
        )
        for name, figures in found.items():
            if name.endswith("queries"):
                continue
            probes, each = figures["probes_per_query"], figures["expected_a_probe"]
            paper = DESIGNS[name.split(" ")[0]][2] if each is not None else "-"
            print(
                f"  {name:24}{probes:8.2f}{figures['compared_per_query'] / max(probes, 1e-9):12.4g}"
                + (f"{each:12.4g}" if each is not None else f"{'-':>12}")
                + f"{paper:>14}{figures['queries_per_second']:12,.0f}{figures['bytes_per_fingerprint']:12.1f}"
            )

    def batch(self):
        if subprocess.run([self.neardup, "match", "--help"], capture_output=True).returncode:
            say("skipped: the batch (this neardup has no verb match)")
            return None
        names = hamming_search.make_files(
            self.options.build, self.folder, {"base60": self.base, "q": self.queries}, self.scratch
        )
        size, found = os.path.getsize(names["base60"]), {}
        memory = f"{max(64, size // 2 >> 20)}M"
        for threads in (1, 2):
            found[threads] = hamming_search.run_batch(
                self.options.build, names["base60"], names["q"], memory, threads, self.scratch
            )
            say(f"match, {threads} threads: {found[threads]['wall_seconds']:.2f} s")
        return {"file_bytes": size, "memory": memory, "threads": found}

    def show_batch(self, found):
        if not found:
            return
        print(
            f"\nSection 3.3: neardup match, {self.queries:,} queries, a base of {found['file_bytes'] / 1e6:.0f} MB, "
            f"--memory {found['memory']}; fingerprints of the base a second and thread"
        )
        for threads, figures in found["threads"].items():
            searching = figures["search_seconds"] * threads
            print(
                f"  {threads} thread{'s' if threads > 1 else ' '}: {self.base / searching / 1e6:.2f}M while searching "
                f"({figures['search_seconds']:.2f} s, {figures['chunks']} chunks), "
                f"{self.base / figures['wall_seconds'] / threads / 1e6:.2f}M from start to end, "
                f"{self.base / figures['cpu_seconds'] / 1e6:.2f}M a second of CPU time, "
                f"{figures['matches']:,} matches, peak {figures['rss_bytes'] / 1e6:.0f} MB; "
                f"the paper: {PAPER_BATCH / 1e6:.1f}M a mapper"
            )

    def reproduce(self):
        found = {"figure1": self.figure_1()}
        self.show_figure_1(found["figure1"])
        found["figure2"] = self.figure_2()
        self.show_figure_2(found["figure2"])
        found["codes"] = self.codes()
        found["designs"] = self.designs(found["codes"]["huffman"]["fingerprints"])
        self.show_designs(found["designs"])
        self.show_codes(found["codes"])
        found["batch"] = self.batch()
        self.show_batch(found["batch"])
        return found


def expected(design, n):
    """Fingerprints that agree with a query in a table's leading bits, on average over the tables, were n random."""
    blocks, chosen, _ = DESIGNS[design]
    return statistics.mean(n / 2 ** sum(leading) for leading in itertools.combinations(blocks, chosen))


def shown_crossing(crossing):
    return f"{crossing[0]:.1f}, {crossing[1]:.2f}" if crossing else "none in 1..10"


def main():
    options = parse()
    for folder in (options.out, options.cache):
        os.makedirs(folder, exist_ok=True)
    where, start = report.machine(), time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="paper-", dir=options.cache) as scratch:
        paper = Paper(options, scratch)
        print(f"Machine: {where['cpu']}, {where['cores']} cores, load {where['load']:.1f} at the start.\n")
        found = paper.reproduce()
    with open(os.path.join(options.out, "results.json"), "w") as file:
        about = {"machine": where, "sizes": paper.sizes, "documents": paper.documents.described}
        json.dump(about | found | {"wrong": paper.wrong}, file, indent=1)
    print(f"\n{time.perf_counter() - start:.0f} s; figures and results.json are in {options.out}")
    print(
        "Answers: "
        + ("every design gives the same pairs" if not paper.wrong else "DIFFERENT\n  " + "\n  ".join(paper.wrong))
    )
    sys.exit(1 if paper.wrong else 0)


if __name__ == "__main__":
    main()
