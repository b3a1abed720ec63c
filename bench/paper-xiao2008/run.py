#!/usr/bin/env python3
"""The experiments of Xiao, Wang, Lin and Yu, "Efficient Similarity Joins for Near Duplicate Detection" (2008), again.

Usage: bench/paper-xiao2008/run.py               about 10 minutes on two cores
       bench/paper-xiao2008/run.py --quick       a tenth of the data; under a minute
Prints Table 1, Table 2 and what stands behind Figures 1 and 3, the paper's figures beside ours where it prints any;
writes the figures as SVG and everything as results.json. Exit code 1 when two algorithms disagree about the answer.
"""

import argparse
import json
import math
import os
import statistics
import sys
import tempfile
import time

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(FOLDER))

import corpus  # noqa: E402
import join_runs  # noqa: E402
import join_sets  # noqa: E402
import plot  # noqa: E402
import report  # noqa: E402

ALGORITHMS = ["all-pairs", "ppjoin", "ppjoin+", "signature"]  # the last is ours, the others are the paper's
PAPERS = ALGORITHMS[:3]
THRESHOLDS = ["0.80", "0.85", "0.90", "0.95"]
SHARES = [0.2, 0.4, 0.6, 0.8, 1.0]
GROWTH_THRESHOLD = "0.90"
SIZES = {"titles": 300_000, "titles-3gram": 100_000, "mail": 60_000, "references": 25_000}
QUICK = 10  # --quick has a tenth of the records
PAPER_SETS = {"titles": "DBLP", "titles-3gram": "DBLP-3GRAM", "mail": "ENRON", "references": "TREC-4GRAM"}

PAPER_FIGURE_2 = {
    "titles": (873_524, 14.0, 566_518),
    "titles-3gram": (873_524, 102.5, 113_169),
    "mail": (517_386, 142.4, 1_180_186),
    "references": (348_566, 866.9, 1_701_746),
}
PAPER_TABLE_1 = {
    "0.95": (199_268, 176_971, 32_397),
    "0.90": (1_857_987, 657_200, 36_318),
    "0.80": (16_983_319, 3_303_232, 63_265),
}
PAPER_TABLE_2 = {
    "0.95": (0.38, 0.11, 41.98, 11.76, 1.00),
    "0.90": (0.48, 0.06, 245.03, 43.37, 1.03),
    "0.85": (0.58, 0.04, 926.54, 202.65, 1.03),
    "0.80": (0.57, 0.03, 2467.31, 775.00, 1.05),
}
# How many times faster than All-Pairs at .8, as section 7 puts it: ppjoin, ppjoin+.
PAPER_SPEED_UPS = {
    ("titles", "jaccard"): (2, 2.6),
    ("mail", "jaccard"): (3, 4),
    ("titles-3gram", "jaccard"): (3, 5),
    ("titles", "cosine"): (2, 3),
    ("mail", "cosine"): (1.6, 1.7),
}
# Panels of Figure 3: candidates, time.
PANELS = {
    ("titles", "jaccard"): ("3a", "3d"),
    ("mail", "jaccard"): ("3b", "3e"),
    ("titles-3gram", "jaccard"): ("3c", "3f"),
    ("titles", "cosine"): ("3g", "3i"),
    ("mail", "cosine"): ("3h", "3j"),
}
GROWTH = {("titles", "jaccard"): ("1", "3k"), ("mail", "cosine"): ("1-mail", "3l")}


def say(text):
    print(f"[{time.strftime('%H:%M:%S')}] {text}", file=sys.stderr, flush=True)


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="a tenth of the data")
    parser.add_argument("--records", type=float, default=1, metavar="FACTOR", help="so many times the records")
    parser.add_argument("--repeat", type=int, default=1, help="runs of each figure; the median counts (%(default)s)")
    parser.add_argument(
        "--out", metavar="FOLDER", help="for results.json and the plots (default: paper-xiao2008 in the cache)"
    )
    parser.add_argument("--data", default=corpus.default_data(), help="real collections (default: %(default)s)")
    parser.add_argument("--build", default=os.path.join(corpus.ROOT, "build", "release"), help="where neardup is")
    parser.add_argument("--cache", default=os.path.join(corpus.ROOT, "build", "bench"), help="the data that is made")
    options = parser.parse_args()
    options.out = options.out or os.path.join(options.cache, "paper-xiao2008")
    options.records /= QUICK if options.quick else 1
    return options


class Paper:
    def __init__(self, options, scratch):
        self.options, self.scratch = options, scratch
        self.program = os.path.join(options.build, "neardup")
        if not os.path.exists(self.program):
            raise SystemExit(f"{self.program} is missing: make build, or --build FOLDER")
        self.sets, self.rows, self.wrong = {}, [], []
        for name, features in (
            ("titles", "words"),
            ("titles-3gram", "chars:3"),
            ("mail", "words"),
            ("references", "chars:4"),
        ):
            count = max(200, round(SIZES[name] * options.records))
            path, about = join_sets.make_text(
                name.removesuffix("-3gram"), count, options.data, os.path.abspath(options.cache), (features,), say=say
            )
            self.sets[name] = {
                "path": path,
                "features": features,
                "figure2": about["figure2"][features],
                "described": join_sets.described(about, features),
            }

    def run(self, name, measure, threshold, algorithm, limit=None):
        chosen = self.sets[name]
        flags = ["--features", chosen["features"]] if algorithm in ALGORITHMS else ["--no-recall"]
        if limit:
            flags += ["--limit", str(limit)]
        runs = [
            join_runs.pairs(
                self.program,
                [chosen["path"], "--lines"],
                self.scratch,
                *flags,
                algorithm=algorithm,
                measure=measure,
                threshold=threshold,
            )
            for _ in range(self.options.repeat)
        ]
        row = {
            "set": name,
            "measure": measure,
            "threshold": threshold,
            "records": limit or chosen["figure2"]["n"],
            **runs[0],
            "algorithm": algorithm,
            "join_seconds": statistics.median(run["join_seconds"] for run in runs),
        }
        self.rows.append(row)
        say(f"{name} {measure} {threshold} {algorithm}: {row['join_seconds']:.3f} s, {row['candidates']:,} candidates")
        return row

    def agree(self, rows):
        if len({row["answer"] for row in rows}) > 1:
            counts = ", ".join(f"{row['algorithm']} {row['pairs']:,}" for row in rows)
            self.wrong.append(f"{rows[0]['set']} {rows[0]['measure']} {rows[0]['threshold']}: {counts} pairs")

    def compare(self, name, measure):
        """{threshold: {algorithm: row}}"""
        found = {}
        for threshold in THRESHOLDS:
            found[threshold] = {each: self.run(name, measure, threshold, each) for each in ALGORITHMS}
            self.agree(list(found[threshold].values()))
        return found

    def grow(self, name, measure):
        """{records: {algorithm: row}}: the file is in random order, so that its beginning is a random sample."""
        found = {}
        for share in SHARES:
            limit = round(self.sets[name]["figure2"]["n"] * share)
            found[limit] = {each: self.run(name, measure, GROWTH_THRESHOLD, each, limit) for each in ALGORITHMS}
            self.agree(list(found[limit].values()))
        return found

    def shingles(self):
        """{threshold: {qa, qp, sp, precision, recall}}"""
        found = {}
        for threshold in THRESHOLDS:
            rows = {"qa": self.run("references", "jaccard", threshold, "qa")}
            rows["qp"] = self.run("references", "jaccard", threshold, "qp")
            exact = join_runs.read_pairs(self.scratch)
            rows["sp"] = self.run("references", "jaccard", threshold, "sp")
            listed = join_runs.read_pairs(self.scratch)
            self.agree([rows["qa"], rows["qp"]])
            both = len(exact & listed)
            found[threshold] = rows | {
                "precision": both / len(listed) if listed else 1.0,
                "recall": both / len(exact) if exact else 1.0,
            }
        return found

    # ---- what is printed and drawn --------------------------------------------------------------------------------

    def draw(self, figure, title, x_label, y_label, series, name, log=False, x_ticks=None):
        plot.line_plot(
            os.path.join(self.options.out, f"{figure}.svg"),
            title,
            x_label,
            y_label,
            series,
            self.sets[name]["described"].split("; "),
            log,
            x_ticks,
        )

    def show_compared(self, name, measure, found):
        print(f"\nFigures {' and '.join(PANELS[name, measure])}: {name} (the paper's {PAPER_SETS[name]}), {measure}")
        print(f"  {self.sets[name]['described']}")
        print(f"  {'':6}{'candidates':>46}{'':14}{'result':>10}   seconds, one thread")
        print(
            f"  {'t':6}"
            + "".join(f"{each:>15}" for each in ALGORITHMS)
            + f"{'':10}"
            + "".join(f"{each:>11}" for each in ALGORITHMS)
        )
        for threshold, rows in found.items():
            print(
                f"  {threshold:6}"
                + "".join(f"{rows[each]['candidates']:15,}" for each in ALGORITHMS)
                + f"{rows['ppjoin']['distinct_pairs']:10,}"
                + "".join(f"{rows[each]['join_seconds']:11.3f}" for each in ALGORITHMS)
            )
        base = found["0.80"]["all-pairs"]["join_seconds"]
        ours = [base / found["0.80"][each]["join_seconds"] for each in ALGORITHMS[1:]]
        paper = PAPER_SPEED_UPS[name, measure]
        print(
            f"  at .80 times as fast as all-pairs: ppjoin {ours[0]:.1f} (paper {paper[0]}), "
            f"ppjoin+ {ours[1]:.1f} (paper "
            f"{paper[1]}), signature {ours[2]:.1f}"
        )
        row = found["0.80"]["ppjoin"]
        print(f"  at .80 the result is {row['distinct_pairs'] / max(1, row['candidates']):.2%} of ppjoin's candidates")
        candidates, seconds = PANELS[name, measure]
        xs = [float(threshold) for threshold in found]
        series = {each: [(float(t), rows[each]["candidates"]) for t, rows in found.items()] for each in ALGORITHMS}
        series["result"] = [(float(t), rows["ppjoin"]["distinct_pairs"]) for t, rows in found.items()]
        self.draw(
            f"figure-{candidates}",
            f"{candidates}: {name}, {measure}: candidates",
            f"{measure} threshold",
            "pairs",
            series,
            name,
            True,
            xs,
        )
        series = {each: [(float(t), rows[each]["join_seconds"]) for t, rows in found.items()] for each in ALGORITHMS}
        self.draw(
            f"figure-{seconds}",
            f"{seconds}: {name}, {measure}: time",
            f"{measure} threshold",
            "seconds, one thread",
            series,
            name,
            x_ticks=xs,
        )

    def show_table_1(self, found):
        print("\nTable 1: candidates, titles, Jaccard; the paper's DBLP in brackets")
        print(f"  {self.sets['titles']['described']}")
        print(f"  {'t':6}" + "".join(f"{each:>26}" for each in PAPERS) + f"{'signature':>14}")
        for threshold, paper in PAPER_TABLE_1.items():
            rows = found[threshold]
            cells = (f"{rows[each]['candidates']:,} ({figure:,})" for each, figure in zip(PAPERS, paper))
            print(
                f"  {threshold:6}" + "".join(f"{cell:>26}" for cell in cells) + f"{rows['signature']['candidates']:14,}"
            )

    def show_growth(self, name, measure, found):
        candidates, seconds = GROWTH[name, measure]
        print(
            f"\nFigures {candidates} and {seconds}: growth, {name}, {measure} {GROWTH_THRESHOLD}; "
            "the paper plots square roots"
        )
        print(f"  {self.sets[name]['described']}")
        print(
            f"  {'records':>9}"
            + "".join(f"{'sqrt cand. ' + each:>22}" for each in ALGORITHMS)
            + f"{'sqrt result':>13}"
            + "".join(f"{each + ' s':>13}" for each in ALGORITHMS)
        )
        for records, rows in found.items():
            print(
                f"  {records:9,}"
                + "".join(f"{math.sqrt(rows[each]['candidates']):22,.0f}" for each in ALGORITHMS)
                + f"{math.sqrt(rows['ppjoin']['distinct_pairs']):13.0f}"
                + "".join(f"{rows[each]['join_seconds']:13.3f}" for each in ALGORITHMS)
            )
        few, many = min(found), max(found)
        for what in ("candidates", "join_seconds"):
            powers = (
                f"{each} {power(few, many, found[few][each][what], found[many][each][what])}" for each in ALGORITHMS
            )
            print(f"  {what} grow like n to the power of: " + ", ".join(powers))
        series = {each: [(n, math.sqrt(rows[each]["candidates"])) for n, rows in found.items()] for each in ALGORITHMS}
        series["result"] = [(n, math.sqrt(rows["ppjoin"]["distinct_pairs"])) for n, rows in found.items()]
        self.draw(
            f"figure-{candidates}",
            f"{candidates}: {name}, {measure} {GROWTH_THRESHOLD}: candidates",
            "records",
            "square root of pairs",
            series,
            name,
            x_ticks=list(found),
        )
        series = {
            each: [(n, math.sqrt(rows[each]["join_seconds"])) for n, rows in found.items()] for each in ALGORITHMS
        }
        self.draw(
            f"figure-{seconds}",
            f"{seconds}: {name}, {measure} {GROWTH_THRESHOLD}: time",
            "records",
            "square root of seconds",
            series,
            name,
            x_ticks=list(found),
        )

    def show_table_2(self, found):
        print("\nTable 2: sp against qp, 32 min-wise shingles of 4-grams; the paper's figures in brackets")
        print(f"  {self.sets['references']['described']}")
        print(f"  {'t':6}{'precision':>15}{'recall':>15}{'pairs of qp':>13}{'qa s':>18}{'qp s':>18}{'sp s':>16}")
        for threshold in reversed(found):
            row, (precision, recall, *seconds) = found[threshold], PAPER_TABLE_2[threshold]
            times = (
                f"{row[each]['join_seconds']:.3f} ({figure:.2f})" for each, figure in zip(("qa", "qp", "sp"), seconds)
            )
            print(
                f"  {threshold:6}"
                + f"{row['precision']:8.3f} ({precision:.2f})"
                + f"{row['recall']:8.3f} ({recall:.2f})"
                + f"{row['qp']['pairs']:13,}"
                + "".join(f"{cell:>{width}}" for cell, width in zip(times, (18, 18, 16)))
            )
        series = {
            each: [(float(t), row[each]["join_seconds"]) for t, row in found.items()] for each in ("qa", "qp", "sp")
        }
        self.draw(
            "table-2",
            "Table 2: qa, qp and sp: time",
            "jaccard threshold",
            "seconds, one thread",
            series,
            "references",
            True,
            [float(threshold) for threshold in found],
        )

    def show_figure_2(self):
        print("Figure 2: the sets; the paper's in brackets")
        for name, chosen in self.sets.items():
            ours, paper = chosen["figure2"], PAPER_FIGURE_2[name]
            print(
                f"  {name:13} ({PAPER_SETS[name]})  n {ours['n']:,} ({paper[0]:,})  "
                f"avg_len {ours['avg_len']} ({paper[1]})  "
                f"|U| {ours['universe']:,} ({paper[2]:,})"
            )
            print(f"  {'':13} {chosen['described'].split('; ')[1]}")

    def reproduce(self):
        self.show_figure_2()
        for name, measure in PANELS:
            found = self.compare(name, measure)
            if (name, measure) == ("titles", "jaccard"):
                self.show_table_1(found)
            self.show_compared(name, measure, found)
        for name, measure in GROWTH:
            self.show_growth(name, measure, self.grow(name, measure))
        table = self.shingles()
        self.show_table_2(table)
        return {threshold: {"precision": row["precision"], "recall": row["recall"]} for threshold, row in table.items()}


def power(few, many, small, large):
    return f"{math.log(large / small) / math.log(many / few):.2f}" if small > 0 and large > 0 else "-"


def main():
    options = parse()
    os.makedirs(options.out, exist_ok=True)
    os.makedirs(options.cache, exist_ok=True)
    where, start = report.machine(), time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="paper-", dir=options.cache) as scratch:
        paper = Paper(options, scratch)
        print(
            f"Machine: {where['cpu']}, {where['cores']} cores, load {where['load']:.1f} at the start. "
            "One thread, seconds from "
            "ordered sets in memory to scored pairs in memory; candidates and results are pairs of distinct records.\n"
        )
        table_2 = paper.reproduce()
    with open(os.path.join(options.out, "results.json"), "w") as file:
        json.dump(
            {"machine": where, "sets": paper.sets, "runs": paper.rows, "table2": table_2, "wrong": paper.wrong},
            file,
            indent=1,
        )
    print(
        f"\n{len(paper.rows)} joins in {time.perf_counter() - start:.0f} s; "
        f"figures and results.json are in {options.out}"
    )
    print(
        "Answers: "
        + ("every algorithm gives the same pairs" if not paper.wrong else "DIFFERENT\n  " + "\n  ".join(paper.wrong))
    )
    sys.exit(1 if paper.wrong else 0)


if __name__ == "__main__":
    main()
