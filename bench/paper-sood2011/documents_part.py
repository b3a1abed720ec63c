"""Figures 1 and 6, Table 1, and recall on real documents: what is measured on texts."""

import json
import math
import os
import subprocess

import models
import texts
from printing import table

SETTINGS = [  # features, weights, norm
    ("words", "tf-idf", "unit"),
    ("words", "tf-idf", "length"),
    ("words", "tf", "unit"),
    ("words:2", "tf", "unit"),
]
COMPARED = [("words", "tf-idf"), ("words:2", "tf")]  # for Figure 6; the paper's weights, and ours
SIMILAR = 0.9
PROJECTIONS = ["signs", "gaussian"]
SCANS = 200  # queries against everything, for the rate of distances
REAL_FEATURES = "words:2"
PAPER_TABLE_1 = {1e6: ("91 days", "34 min"), 64e6: ("1,020 years", "97 days"), 8e9: ("261K years", "68 years")}


def figure_1(paper, lines):
    found = {}
    for features, weights, norm in SETTINGS:
        name = f"{features} {weights} {norm}"
        found[name] = paper.run(
            "cosine_lab", "weights", lines, [1_000_000], features=features, weights=weights, norm=norm
        )
    rows = []
    for name, figures in found.items():
        for projection in PROJECTIONS:
            w, y = figures[projection]["w"], figures[projection]["y"]
            rows.append(
                [
                    name,
                    projection,
                    f"{w['variance']:.4g}",
                    f"{w['within']:.4g}",
                    f"{w['kurtosis']:.2f}",
                    f"{y['kurtosis']:.2f}",
                    f"{y['variance'] / w['variance']:.3f}",
                    f"{y['variance'] / w['within']:.3f}",
                ]
            )
        for letter in "wy":
            draw_figure_1(paper, name, letter, figures)
    table(
        "Figure 1: W, the sums behind the bits, and Y, their differences between documents taken at random; 'within': "
        "variance around each bit's own mean; kurtosis 3 is normal, 6 is Laplace's",
        ["features, weights, norm", "projection", "Var W", "within", "kurt W", "kurt Y", "VarY/VarW", "VarY/within"],
        rows,
    )
    return found


def draw_figure_1(paper, name, letter, figures):
    scale = math.sqrt(2) if letter == "y" else 1
    xs = [each / 10 for each in range(-60, 61)]
    series = {projection: figures[projection][letter]["density"] for projection in PROJECTIONS}
    series["normal"] = [(x, math.exp(-((x / scale) ** 2) / 2) / math.sqrt(2 * math.pi) / scale) for x in xs]
    series["Laplace"] = [(x, math.exp(-math.sqrt(2) * abs(x) / scale) / math.sqrt(2) / scale) for x in xs]
    least = 1e-6
    paper.draw(
        f"figure-1-{letter}-{name.replace(':', '').replace(' ', '-')}",
        f"1: {'W' if letter == 'w' else 'Y'}, {name}",
        "standard deviations of W",
        "density",
        {line: [(x, y) for x, y in points if y > least] for line, points in series.items()},
        [f"{figures['documents']:,} documents"],
        log=True,
    )


def figure_6(paper, lines):
    found = {}
    for features, weights in COMPARED:
        found[f"{features} {weights}"] = paper.run(
            "cosine_lab", "pairs", lines, [1_000_000], features=features, weights=weights, threshold=SIMILAR
        )
    for name, figures in found.items():
        curves, rows = {}, []
        for projection in PROJECTIONS:
            each = figures[projection]
            each["curve"] = precision_and_recall(each)
            curves |= {
                f"{projection}, P": [(h, p) for h, p, _ in each["curve"][:21]],
                f"{projection}, R": [(h, r) for h, _, r in each["curve"][:21]],
            }
            rows += [
                [f"{projection}: precision", *(f"{p:.2f}" for _, p, _ in each["curve"][:13])],
                [f"{projection}: recall", *(f"{r:.2f}" for _, _, r in each["curve"][:13])],
                [f"{projection}: E[cos]", *(f"{cosine:.2f}" for _, cosine in mean_cosines(each)[:13])],
            ]
        table(
            f"Figure 6, {name}: all pairs of {figures['documents']:,} documents, {sum(figures['signs']['similar']):,} "
            f"with a cosine of {SIMILAR} or more; by distance h [the paper: crossing at 3; E[cos] .95 at 1, .89 at 3]",
            ["h", *map(str, range(13))],
            rows,
        )
        rows = []
        for low in range(10, 20):
            count = figures["signs"]["in_bin"][low]
            if count:
                cells = (figures[p]["distances"][low] / count for p in PROJECTIONS)
                expected = figures["signs"]["expected"][low] / count
                rows.append([f"{low / 20:.2f}", f"{count:,}", f"{expected:.2f}", *(f"{each:.2f}" for each in cells)])
        table(
            "  mean distance by cosine; 64 angle/pi is what gaussian gives on average over all ways to hash",
            ["cosine from", "pairs", "64 angle/pi", *PROJECTIONS],
            rows,
        )
        suffix = name.replace(":", "").replace(" ", "-")
        paper.draw(
            f"figure-6a-{suffix}",
            f"6(a): simhash against cosine, {name}",
            "distance",
            "P: precision, R: recall",
            curves,
            [f"{figures['documents']:,} documents"],
        )
        paper.draw(
            f"figure-6b-{suffix}",
            f"6(b): mean cosine, {name}",
            "distance",
            "mean cosine",
            {projection: mean_cosines(figures[projection])[:33] for projection in PROJECTIONS},
            [f"{figures['documents']:,} documents"],
        )
    return found


def precision_and_recall(figures):
    """[(h, precision, recall)] of what is within distance h."""
    whole, pairs, similar, curve = sum(figures["similar"]), 0, 0, []
    for distance in range(65):
        pairs += figures["pairs"][distance]
        similar += figures["similar"][distance]
        curve.append((distance, similar / max(1, pairs), similar / max(1, whole)))
    return curve


def mean_cosines(figures):
    return [(h, figures["cosines"][h] / max(1, figures["pairs"][h])) for h in range(65)]


def table_1(paper, compared):
    figures = compared["words tf-idf"]
    scans = paper.search(paper.base, min(paper.queries, SCANS), kind="scan", repeat=2)
    rates = {
        "cosine": figures["merges_per_second"],
        "Hamming": scans["queries_per_second"] * scans["compared_per_query"],
    }
    rows = []
    for n, there in PAPER_TABLE_1.items():
        times = (models.duration(models.all_pairs_seconds(n, rate)) for rate in rates.values())
        cells = [f"{time} [{paper_time}]" for time, paper_time in zip(times, there)]
        rows.append(
            [
                f"{n / 1e6:,.0f}M",
                cells[0],
                f"{n * figures['mean_features'] * 8 / 1e9:.3g} GB",
                cells[1],
                f"{n * 8 / 1e9:.3g} GB",
            ]
        )
    table(
        f"Table 1: all pairs, extrapolated from {rates['cosine'] / 1e6:.2f}M cosines a second "
        f"({figures['mean_features']:.0f} features a document) and {rates['Hamming'] / 1e6:,.0f}M distances "
        "[the paper: 0.07M with 141 features, 268M]",
        ["n", "cosine", "memory", "Hamming", "memory"],
        rows,
    )
    return rates


# ---- recall on real documents ---------------------------------------------------------------------------------------

METHODS = {
    "volatile-bits, all": ["--method", "volatile-bits", "--target-recall", "0.95"],
    "volatile-bits, first": ["--method", "volatile-bits", "--target-recall", "0.95", "--first"],
    "hybrid, all": ["--method", "hybrid", "--target-recall", "0.99"],
}


def match(paper, base, queries, *flags):
    """The run's --stats, with how many matches are unequal and each matched query's least distance."""
    stats, target = (os.path.join(paper.scratch, name) for name in ("stats.json", "pairs.tsv"))
    subprocess.run(
        [
            paper.programs["neardup"],
            "match",
            base,
            queries,
            *flags,
            "--threads",
            "1",
            "--stats",
            stats,
            "--force",
            "--quiet",
            "-o",
            target,
        ],
        check=True,
    )
    with open(stats) as file:
        found = json.load(file)
    unequal, least = 0, {}
    with open(target, encoding="utf-8") as file:
        next(file)
        for line in file:
            query, _, distance = line.rstrip("\n").split("\t")[:3]
            unequal += distance != "0"
            least[query] = min(int(distance), least.get(query, 64))
    return found | {"unequal": unequal}, least


def real_documents(paper):
    found = {}
    for name, sources in texts.halves(
        paper.options.data, paper.options.cache, paper.options.records, paper.say
    ).items():
        paths = []
        for source, role in zip(sources, ("base", "queries")):
            paths.append(os.path.join(paper.scratch, f"{role}.fps"))
            subprocess.run(
                [
                    paper.programs["neardup"],
                    "fingerprint",
                    source,
                    "--features",
                    REAL_FEATURES,
                    "--quiet",
                    "--force",
                    "-o",
                    paths[-1],
                ],
                check=True,
            )
        truth, least = match(paper, *paths)
        firsts = match(paper, *paths, "--first")[0]["matches"]
        hard = {query for query, distance in least.items() if distance > 0}  # no equal fingerprint to be found
        paper.check(firsts == len(least), f"{name}: fast --first answers {firsts} queries of {len(least)}")
        found[name] = {"truth": truth, "answered": len(least), "hard": len(hard), "methods": {}}
        for method, flags in METHODS.items():
            figures, answered = match(paper, *paths, *flags)
            first = "--first" in flags
            whole = len(least) if first else truth["matches"]
            paper.check(figures["matches"] <= whole, f"{name}: {method} finds more than there is")
            figures["recall"] = figures["matches"] / max(1, whole)
            figures["unequal_recall"] = None if first else figures["unequal"] / max(1, truth["unequal"])
            figures["hard_recall"] = len(hard & answered.keys()) / max(1, len(hard))
            found[name]["methods"][method] = figures
        paper.say(f"{name}: " + ", ".join(f"{m} {each['recall']:.4f}" for m, each in found[name]["methods"].items()))
    show_real(found)
    return found


def show_real(found):
    rows = []
    for name, figures in found.items():
        truth = figures["truth"]
        for method, each in figures["methods"].items():
            rows.append(
                [
                    name,
                    f"{truth['queries']:,}",
                    f"{truth['matches']:,}",
                    f"{truth['unequal']:,}",
                    f"{figures['hard']:,}",
                    method,
                    f"{each['recall']:.4f}",
                    "-" if each["unequal_recall"] is None else f"{each['unequal_recall']:.4f}",
                    f"{each['hard_recall']:.4f}",
                    f"{each['probes'] / max(1, each['queries']):.1f}",
                ]
            )
    table(
        f"Recall on real documents, simhash of {REAL_FEATURES}, target .95 (hybrid .99), against `fast`; 'unequal' are "
        "pairs at distance 1 to 3, 'hard' are queries that have such matches only",
        ["documents", "queries", "matches", "unequal", "hard", "method", "recall", "of unequal", "of hard", "probes"],
        rows,
    )


def reproduce(paper):
    lines, about = texts.as_lines(
        paper.sizes["documents"], paper.options.data, paper.options.cache, paper.scratch, paper.say
    )
    print(f"\n{about}")
    compared = figure_6(paper, lines)
    return {
        "documents": about,
        "figure1": figure_1(paper, lines),
        "figure6": compared,
        "table1": table_1(paper, compared),
        "real": real_documents(paper),
    }
