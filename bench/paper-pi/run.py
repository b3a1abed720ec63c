#!/usr/bin/env python3
"""The experiments of Pi, Fu, Zou, Guo and Han, "Query-biased Near Duplicate Web Document Detecting", again.

Usage: bench/paper-pi/run.py               some minutes on two cores
       bench/paper-pi/run.py --small       one small collection; seconds
       bench/paper-pi/run.py --full        also 1.6 million generated documents, the paper's number; 3 GB of disk
Prints Table I and what stands behind Figures 4 to 6, the paper's figures beside ours; then what the paper leaves open:
marking in parallel, queries chosen to overlap little, the share of all near-duplicates that queries reach, and what
the first ten results gain. Writes the figures as SVG and everything as results.json. Exit code 1 when a run contradicts
itself or another.
"""

import argparse
import functools
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(FOLDER))

import beyond  # noqa: E402
import clean_scale  # noqa: E402
import corpus  # noqa: E402
import plot  # noqa: E402
import report  # noqa: E402
import sources  # noqa: E402

GROUPS = [(1, 100), (101, 200), (201, 300), (301, 400), (401, 500), (501, 1000), (1001, 2000)]
KS = [3, 2, 1, 0]
RULES = {"distance alone": ["--no-verify"], "verified": []}  # the paper's, and neardup's default
DEPTHS = [1000, 10]  # the paper's; and for few documents a depth that is nearer to its share of the repository
QUERIES = 2_000
CHOOSE_FROM = 20_000  # most frequent queries that coverage chooses from
SMALL = {"originals": 600, "queries": 300, "choose": 1_000}

# [removed, seconds] by group.
PAPER_DOCUMENTS = 1_612_633
PAPER = {
    3: [(31097, 858), (25996, 693), (23393, 676), (23359, 682), (22344, 569), (79463, 3279), (118171, 5536)],
    2: [(28009, 911), (23071, 713), (20672, 677), (20555, 690), (19520, 577), (70784, 3336), (107558, 5783)],
    1: [(24096, 860), (19465, 681), (17490, 670), (17211, 674), (16034, 563), (60012, 3339), (90255, 5919)],
    0: [(20393, 1098), (16155, 757), (14486, 689), (14101, 673), (13044, 574), (50706, 3495), (76722, 6182)],
}


def say(text):
    print(f"[{time.strftime('%H:%M:%S')}] {text}", file=sys.stderr, flush=True)


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--small", action="store_true", help="one small collection, fewer queries")
    parser.add_argument("--full", action="store_true", help="also 1.6 million generated documents")
    parser.add_argument("--repeat", type=int, default=1, help="runs of each figure; the median counts (%(default)s)")
    parser.add_argument(
        "--out", metavar="FOLDER", help="for results.json and the plots (default: paper-pi in the cache)"
    )
    parser.add_argument("--data", default=corpus.default_data(), help="real collections (default: %(default)s)")
    parser.add_argument("--neardup", default=os.path.join(corpus.ROOT, "build", "release", "neardup"), metavar="PATH")
    parser.add_argument("--cache", default=os.path.join(corpus.ROOT, "build", "bench"), help="the data that is made")
    options = parser.parse_args()
    options.cache, options.neardup = os.path.abspath(options.cache), os.path.abspath(options.neardup)
    options.out = options.out or os.path.join(options.cache, "paper-pi")
    if not os.path.exists(options.neardup):
        parser.error(f"{options.neardup} is missing: make build, or --neardup PATH")
    return options


class Run:
    """One run of `neardup clean`: its record, and for each processed query (removed, seconds)."""

    def __init__(self, folder):
        with open(os.path.join(folder, "run.json"), encoding="utf-8") as file:
            self.record = json.load(file)
        with open(os.path.join(folder, "queries.tsv"), encoding="utf-8") as file:
            columns = next(file).rstrip("\n").split("\t")
            rows = [dict(zip(columns, line.rstrip("\n").split("\t"))) for line in file]
        self.removed = [int(row["removed"]) for row in rows]
        self.seconds = [float(row["seconds"]) for row in rows]
        with open(os.path.join(folder, "removed.jsonl"), encoding="utf-8") as file:
            self.pairs = {removed["id"]: removed["kept"] for removed in map(json.loads, file)}

    def group(self, first, last):
        return sum(self.removed[first - 1 : last]), sum(self.seconds[first - 1 : last])

    def after(self, queries):
        return sum(self.removed[:queries])


class Paper:
    def __init__(self, options, scratch):
        self.options, self.scratch, self.wrong, self.runs = options, scratch, [], 0
        self.queries = SMALL["queries"] if options.small else QUERIES
        self.groups = [(first, min(last, self.queries)) for first, last in GROUPS if first <= self.queries]
        self.choose = SMALL["choose"] if options.small else CHOOSE_FROM
        self.rules, self.depths = RULES, DEPTHS
        self.results = {}

    def collections(self):
        names = ["wikipedia", "rfc", "abstracts"]
        missing = [name for name in names if not sources.is_there(name, self.options.data)]
        for name in missing:
            say(f"skipped: {name}: no {', no '.join(sources.NEEDED[name])} in {self.options.data or '--data FOLDER'}")
        names = [name for name in names if name not in missing]
        if self.options.small:
            names = names[-1:]
        limit = SMALL["originals"] if self.options.small else None
        for name in names or ["invented"]:
            yield sources.make(name, self.options.data, self.options.cache, limit, say)

    # ---- running ---------------------------------------------------------------------------------------------------

    def clean(self, collection, *flags, depth, k=3, rule="verified"):
        """Medians over --repeat; what is removed must be the same every time."""
        log, _ = sources.make_log(collection, self.options.data, self.options.cache, say)
        return self.clean_with(
            [collection.path, "--queries", log, *collection.flags], *flags, depth=depth, k=k, rule=rule
        )

    def clean_with(self, inputs, *flags, depth, k, rule):
        folder, runs = os.path.join(self.scratch, "out"), []
        for _ in range(self.options.repeat):
            self.call("clean", *inputs, "--k", str(k), "--depth", str(depth), *RULES[rule], *flags)
            runs.append(Run(folder))
            shutil.rmtree(folder)
        run = runs[0]
        run.seconds = [statistics.median(seconds) for seconds in zip(*(each.seconds for each in runs))]
        what = " ".join([os.path.basename(os.path.dirname(inputs[0])), rule, f"k={k} depth={depth}", *flags])
        say(f"{what}: {run.record['removed']:,} removed, {run.record['seconds']:.1f} s")
        self.expect(all(each.pairs == run.pairs for each in runs), f"{what}: repeated runs remove other documents")
        self.expect(sum(run.removed) == run.record["removed"] == len(run.pairs), f"{what}: counts do not add up")
        self.expect(not run.pairs.keys() & set(run.pairs.values()), f"{what}: a removed document stands for another")
        return run

    def call(self, *arguments):
        self.runs += 1
        command = [self.options.neardup, *arguments, "-o", os.path.join(self.scratch, "out"), "--quiet"]
        done = subprocess.run(command, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        if done.returncode not in (0, 1):
            raise SystemExit(f"{' '.join(command)}\n{done.stderr}")

    def dedup(self, collection, rule):
        """{id: cluster} of everything that is near another, and how many go, by the same definition without queries."""
        flags = ["--features", "words", "--measure", "hamming", "--threshold", "3"] if rule == "distance alone" else []
        self.call("dedup", collection.path, *flags)
        folder = os.path.join(self.scratch, "out")
        with open(os.path.join(folder, "clusters.tsv"), encoding="utf-8") as file:
            next(file)
            rows = [line.rstrip("\n").split("\t") for line in file]
        shutil.rmtree(folder)
        say(f"{collection.name}: dedup, {rule}: {len(rows):,} documents in clusters")
        return {row[1]: row[0] for row in rows}, sum(row[2] == "0" for row in rows)

    def expect(self, holds, message):
        if not holds:
            self.wrong.append(message)

    # ---- Table I and Figures 4 to 6 --------------------------------------------------------------------------------

    def table(self, run_one):
        """{rule: {k: Run}}"""
        return {rule: {k: run_one(k=k, rule=rule) for k in KS} for rule in RULES}

    def show_table(self, name, described, depth, table, true_share=None):
        """`true_share`: tells how many of removed documents really are near what stands for them."""
        print(f"\nTable I: {name}, depth {depth:,}\n  {described}")
        for rule, runs in table.items():
            print(f"  {rule:15}{'removed':^32}{'milliseconds':^44}{'a query, k=3':>15}")
            print(f"  {'queries':15}" + "".join(f"{f'k={k}':>8}" for k in KS) + "".join(f"{f'k={k}':>11}" for k in KS))
            for first, last in [*self.groups, (1, self.queries)]:
                cells = [runs[k].group(first, last) for k in KS]
                label = "all" if (first, last) == (1, self.queries) else f"{first}-{last}"
                print(
                    f"  {label:15}"
                    + "".join(f"{removed:8,}" for removed, _ in cells)
                    + "".join(f"{seconds * 1e3:11,.1f}" for _, seconds in cells)
                    + f"{cells[0][0] / (last - first + 1):15.3f}"
                )
            if true_share:
                shares = (f"{true_share(runs[k].pairs):8.3f}" for k in KS)
                print(f"  {'really near':15}" + "".join(shares))
        self.results[f"{name}, depth {depth}"] = {
            rule: {k: [runs[k].group(*group) for group in self.groups] for k in KS} for rule, runs in table.items()
        }

    def draw(self, name, *arguments, **named):
        plot.line_plot(os.path.join(self.options.out, f"{name}.svg"), *arguments, **named)

    def draw_figures(self, depth, rule, tables, caption):
        """All relative, so that collections of any size stand beside the paper's."""
        caption = [f"depth {depth:,}, {rule}; originals and planted near-copies:", caption]
        places = range(1, len(self.groups) + 1)
        sizes = [last - first + 1 for first, last in self.groups]

        def by_group(removed):
            a_query = [each / size for each, size in zip(removed, sizes)]
            return [(place, each / a_query[0]) for place, each in zip(places, a_query)] if a_query[0] else []

        def by_k(values):
            return [(k, values[k] / values[3]) for k in KS] if values[3] else []

        removed = {"paper": by_group([cell[0] for cell in PAPER[3]])}
        totals = {"paper": by_k({k: sum(cell[0] for cell in PAPER[k]) for k in KS})}
        seconds = {"paper": by_k({k: sum(cell[1] for cell in PAPER[k]) for k in KS})}
        for name, table in tables.items():
            runs = table[rule]
            removed[name] = by_group([runs[3].group(*group)[0] for group in self.groups])
            totals[name] = by_k({k: runs[k].after(self.queries) for k in KS})
            seconds[name] = by_k({k: sum(runs[k].seconds) for k in KS})
        end = f"-depth-{depth}-{rule.replace(' ', '-')}"
        first, last = (f"{group[0]}-{group[1]}" for group in (self.groups[0], self.groups[-1]))
        self.draw(
            "figure-4" + end,
            "4: removed a query, k = 3",
            f"group of queries by frequency, from {first} to {last}",
            "to the first group's",
            removed,
            caption,
            x_ticks=list(places),
        )
        self.draw("figure-5" + end, "5: removed in all", "k", "to k = 3", totals, caption, x_ticks=[0, 1, 2, 3])
        self.draw("figure-6" + end, "6: time", "k", "to k = 3", seconds, caption, x_ticks=[0, 1, 2, 3])

    def show_paper(self):
        print(f"Table I as the paper prints it: {PAPER_DOCUMENTS:,} documents, depth 1,000, seconds")
        print(f"  {'queries':11}" + "".join(f"{f'k={k}':>9}" for k in KS) + "".join(f"{f'k={k}':>9}" for k in KS))
        for place, (first, last) in enumerate(GROUPS):
            cells = [PAPER[k][place] for k in KS]
            print(
                f"  {f'{first}-{last}':11}"
                + "".join(f"{cell[0]:9,}" for cell in cells)
                + "".join(f"{cell[1]:9,}" for cell in cells)
            )
        totals = [[sum(cell[part] for cell in PAPER[k]) for k in KS] for part in (0, 1)]
        print(f"  {'all':11}" + "".join(f"{total:9,}" for row in totals for total in row))

    def reproduce(self):
        collections = list(self.collections())
        tables, truths = {}, {}
        self.show_paper()
        for collection in collections:
            truths[collection.name] = {rule: self.dedup(collection, rule) for rule in RULES}
            for depth in DEPTHS:
                top = ["--top-queries", str(self.queries)]
                table = self.table(functools.partial(self.clean, collection, *top, depth=depth))
                tables[collection.name, depth] = table
                clusters, _ = truths[collection.name]["verified"]
                true_share = functools.partial(collection.true_share, clusters)
                self.show_table(collection.name, collection.described, depth, table, true_share)
        if self.options.full:
            tables["generated", DEPTHS[0]] = self.full()
        for depth in DEPTHS:
            chosen = {name: table for (name, looked), table in tables.items() if looked == depth}
            sizes = ", ".join(f"{each.name} {each.originals:,} + {len(each.planted):,}" for each in collections)
            for rule in RULES:
                self.draw_figures(depth, rule, chosen, sizes)
        beyond.Beyond(self, collections, truths).show(tables)
        print(f"\nLog: {sources.make_log(collections[0], self.options.data, self.options.cache, say)[1]}")

    def full(self):
        path, log, described = clean_scale.make(clean_scale.DOCUMENTS, self.queries, self.options.cache, say)
        inputs = [path, "--queries", log, "--top-queries", str(self.queries)]
        table = self.table(functools.partial(self.clean_with, inputs, depth=DEPTHS[0]))
        self.show_table("generated", described, DEPTHS[0], table)
        return table


def main():
    options = parse()
    os.makedirs(options.out, exist_ok=True)
    os.makedirs(options.cache, exist_ok=True)
    where, start = report.machine(), time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="paper-", dir=options.cache) as scratch:
        paper = Paper(options, scratch)
        print(
            f"Machine: {where['cpu']}, {where['cores']} cores, load {where['load']:.1f} at the start. Times are of "
            "queries.tsv: search and clean-up of each query, added up.\n"
        )
        paper.reproduce()
    with open(os.path.join(options.out, "results.json"), "w") as file:
        json.dump({"machine": where, "results": paper.results, "wrong": paper.wrong}, file, indent=1)
    print(f"\n{paper.runs} runs in {time.perf_counter() - start:.0f} s; figures and results.json are in {options.out}")
    print("Checks: " + ("all hold" if not paper.wrong else "FAILED\n  " + "\n  ".join(paper.wrong)))
    sys.exit(1 if paper.wrong else 0)


if __name__ == "__main__":
    main()
