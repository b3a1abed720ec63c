"""Figures 2, 3, 5 and Table 2: which flips are tried, how many are needed, and what a search costs."""

import math

import models
from printing import table

TARGET = 0.95
MODELS = ["sampled", "calibrated"]  # the paper's flip chances, and those of pairs that are alike
MODES = {"all": 0, "first": 1}
PAPER_RATIOS = {"1": "16/-/3.7", "2": "37/-/13", "3": "347/151/61"}
PAPER_TABLE_2 = {  # seconds for 10M queries turned into queries a second
    ("block-tables 4", "all"): "154K",
    ("block-tables 10", "all"): "189K",
    ("block-tables 4", "first"): "185K",
    ("block-tables 10", "first"): "385K",
    (26, "all"): "765K",
    (25, "all"): "741K",
    (24, "all"): "694K",
    (23, "all"): "694K",
    (22, "all"): "645K",
    (26, "first"): "1.6M",
    (25, "first"): "1.6M",
    (24, "first"): "1.56M",
    (23, "first"): "1.5M",
    (22, "first"): "1.4M",
}
PAPER_DEPTH = 26


def figure_2(paper):
    found = paper.run("volatile_lab", "trees", "-", [])
    print("\nFigure 2: the trees of flip sets, bits numbered from the most volatile, five levels from the root")
    for size, levels in found.items():
        shown = (" ".join(".".join(map(str, each)) for each in level) for level in levels)
        print(f"  h = {size}: " + " | ".join(shown))
    bits = 64
    for size in (2, 3):
        whole = math.comb(bits, size)
        mended, printed = (models.enumerate_sets(size, bits, stop) for stop in (True, False))
        paper.check(mended == (whole, 0), f"trees of {size} bits: {mended} instead of {whole} sets")
        print(
            f"  {whole:,} sets of {size} out of {bits} bits: all reached once; with Algorithm 2's loop as printed "
            f"(its line 9 mended) {printed[0]:,} are reached, {printed[1]:,} times one is reached again"
        )
        found[f"{size} as printed"] = printed
    return found


def figure_3(paper):
    found = {model: paper.lab("attempts", paper.base, paper.queries, model=model) for model in MODELS}
    rows = []
    for size, figures in found["sampled"].items():
        for model in MODELS:
            each, sets = found[model][size], figures["sets"]
            for order in ("own_size", "all_sizes"):
                median, most, nearly, last = each[order]["quantiles"]
                row = [f"h = {size}", model, order.replace("_", " "), f"{each['pairs']:,}", median, most, nearly, last]
                if order == "own_size":
                    ratios = [0.5 * sets / median, 0.8 * sets / most, sets / last]
                    row += ["/".join(f"{ratio:.3g}" for ratio in ratios), PAPER_RATIOS[size]]
                rows.append(row)
        random = [(x, min(1, x / figures["sets"])) for x, _ in figures["own_size"]["curve"]]
        paper.draw(
            f"figure-3-{size}",
            f"3: attempts to find a match at distance {size}",
            "sets of flips tried",
            "share of the matches found",
            {
                "volatility order": figures["own_size"]["curve"],
                "calibrated": found["calibrated"][size]["own_size"]["curve"],
                "random order": random,
            },
            [f"{figures['pairs']:,} pairs"],
            log_x=True,
        )
    table(
        "Figure 3: sets of flips tried until the right one, for pairs at distance exactly h; how many times fewer than "
        "in random order at 50/80/100% recall",
        ["distance", "chances", "sets of", "pairs", "50%", "80%", "95%", "100%", "ratios", "[paper]"],
        [row + [""] * (10 - len(row)) for row in rows],
    )
    return found


def flips_for(ranks, bits, mode):
    return max(1, ranks["bits"][str(bits)][mode]["flips"])


def figure_5(paper):
    """k(t), and searches with it: {"ranks": by model, "truth": by mode, "searches": {t: by mode}}"""
    bits = list(range(16, paper.depth + 1))
    listed = ",".join(map(str, bits))
    ranks = {
        model: paper.lab("ranks", paper.base, paper.queries, bits=listed, model=model, target=TARGET)
        for model in MODELS
    }
    truth = {
        mode: paper.search(paper.base, paper.queries, kind="fast", first=first, repeat=2)
        for mode, first in MODES.items()
    }
    searches = {}
    for each in bits:
        searches[each] = {}
        for mode, first in MODES.items():
            flips = flips_for(ranks["sampled"], each, mode)
            figures = paper.search(
                paper.base,
                paper.queries,
                kind="volatile-bits",
                header_bits=each,
                flips=flips,
                model="sampled",
                first=first,
                repeat=2,
            )
            searches[each][mode] = figures | {"flips": flips, "recall": recall(paper, figures, truth[mode])}
    rows = []
    for each in bits:
        row = [each]
        for mode in (*MODES, "unequal"):
            row += [ranks[model]["bits"][str(each)][mode]["flips"] for model in MODELS]
        row += [f"{1e9 / searches[each][mode]['queries_per_second']:.0f}" for mode in MODES]
        rows.append(row)
    table(
        f"Figure 5: flips k(t) for a recall of {TARGET} in a header of t bits; s: chances sampled, c: calibrated; "
        "'unequal' leaves out pairs at distance 0; [the paper at 16 and 26: all 6 and 23, first 3 and 15]",
        ["t", "all s", "all c", "first s", "first c", "unequal s", "unequal c", "ns, all", "ns, first"],
        rows,
    )
    caption = [f"{paper.base:,} fingerprints, {paper.queries:,} queries"]
    paper.draw(
        "figure-5a",
        "5(a): flips needed for a recall of .95",
        "t: header bits",
        "k(t)",
        {
            f"{mode}, {model}": [(each, ranks[model]["bits"][str(each)][mode]["flips"]) for each in bits]
            for mode in MODES
            for model in MODELS
        },
        caption,
        x_ticks=bits,
    )
    paper.draw(
        "figure-5b",
        "5(b): time at a recall of .95",
        "t: header bits",
        "ns a query",
        {mode: [(each, 1e9 / searches[each][mode]["queries_per_second"]) for each in bits] for mode in MODES},
        caption,
        x_ticks=bits,
    )
    return {"ranks": ranks, "truth": truth, "searches": searches}


def recall(paper, figures, truth):
    paper.check(figures["matches"] <= truth["matches"], f"{figures['description']} finds more than there is")
    return figures["matches"] / max(1, truth["matches"])


def table_2(paper, known):
    found, rows = {}, []
    for mode, first in MODES.items():
        truth = known["truth"][mode]
        for design in models.BLOCKS:
            name = f"block-tables {design}"
            figures = paper.search(paper.base, paper.queries, kind="block-tables", design=design, first=first, repeat=2)
            paper.check(figures["answer"] == truth["answer"], f"{name}, {mode}: not the matches of fast")
            found[f"{name}, {mode}"] = figures | {"recall": 1.0}
            rows.append(row_of(name, mode, figures, "-", PAPER_TABLE_2.get((name, mode), ""), 1, design))
        for bits, figures in reversed(known["searches"].items()):
            each = figures[mode]
            there = PAPER_TABLE_2.get((bits - paper.depth + PAPER_DEPTH, mode), "")
            rows.append(
                row_of(
                    f"volatile-bits t = {bits}",
                    mode,
                    each,
                    each["flips"],
                    there,
                    each["recall"],
                    f"{1 + 2.0 ** (bits - math.log2(paper.base)):.2f}",
                )
            )
        ours = {"kind": "volatile-bits", "target": TARGET}
        for name, flags, own_places in (
            ("lines", ours, 1),
            ("lines, sampled", ours | {"model": "sampled"}, 1),
            ("lines, fixed k", ours, 1),
            ("hybrid", {"kind": "hybrid", "target": 0.99}, 2),
        ):
            if name == "lines, fixed k":  # as many places as where a limit stops, but the same for every query
                places = found[f"lines, {mode}"]["probes_per_query"] - 1
                flags = flags | {"flips": max(1, round(places))}
            figures = paper.search(paper.base, paper.queries, first=first, repeat=2, **flags)
            figures["recall"] = recall(paper, figures, truth)
            found[f"{name}, {mode}"] = figures
            flips = f"{figures['probes_per_query'] - own_places:.1f}"
            rows.append(row_of(name, mode, figures, flips, "", figures["recall"], "-"))
        rows.append(row_of("fast", mode, truth, "-", "", 1, "-"))
    table(
        f"Table 2: {paper.base:,} fingerprints, {paper.queries:,} queries; tables: in units of 8 bytes a fingerprint, "
        "first as the paper counts, then all that ours takes; the paper's volatile-bits rows by t - d; lines: our "
        f"layout, target {TARGET}; hybrid: target .99",
        ["design", "find", "ns a query", "queries/s", "[paper]", "flips", "probes", "tables", "measured", "recall"],
        rows,
    )
    return found


def row_of(name, mode, figures, flips, paper_rate, found, tables):
    rate = figures["queries_per_second"]
    return [
        name,
        mode,
        f"{1e9 / rate:,.0f}",
        f"{rate:,.0f}",
        paper_rate and f"[{paper_rate}]",
        flips,
        f"{figures['probes_per_query']:.1f}",
        tables,
        f"{figures['bytes_per_fingerprint'] / 8:.2f}",
        f"{found:.4f}",
    ]


def reproduce(paper):
    found = {"figure2": figure_2(paper), "figure3": figure_3(paper), "figure5": figure_5(paper)}
    return found | {"table2": table_2(paper, found["figure5"])}
