"""Figures 2, 3, 5, 7, 8, 9 and Table 2: what is measured on generated fingerprints."""

import math

import models
from printing import table

TARGET = 0.95
MODELS = ["sampled", "calibrated"]  # the paper's flip chances, and those of pairs that are alike
MODES = {"all": 0, "first": 1}
SIZES = 5  # collections of Figures 7 and 8, each twice the one before
MOST_SCALED = 100_000  # queries of Figure 7
FIXED_FLIPS = [1, 5, 10, 20, 40]  # Figure 8
PAPER_RATIOS = {"1": "16/-/3.7", "2": "37/-/13", "3": "347/151/61"}
PAPER_TABLE_2 = {  # seconds for 10M queries turned into queries a second
    ("block-tables 4", "all"): "154K", ("block-tables 10", "all"): "189K",
    ("block-tables 4", "first"): "185K", ("block-tables 10", "first"): "385K",
    (26, "all"): "765K", (25, "all"): "741K", (24, "all"): "694K", (23, "all"): "694K", (22, "all"): "645K",
    (26, "first"): "1.6M", (25, "first"): "1.6M", (24, "first"): "1.56M", (23, "first"): "1.5M", (22, "first"): "1.4M",
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
        print(f"  {whole:,} sets of {size} out of {bits} bits: all reached once; with Algorithm 2's loop as printed "
              f"(its line 9 mended) {printed[0]:,} are reached, {printed[1]:,} times one is reached again")
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
            f"figure-3-{size}", f"3: attempts to find a match at distance {size}", "sets of flips tried",
            "share of the matches found",
            {"volatility order": figures["own_size"]["curve"],
             "calibrated": found["calibrated"][size]["own_size"]["curve"], "random order": random},
            [f"{figures['pairs']:,} pairs"], log_x=True)
    table(
        "Figure 3: sets of flips tried until the right one, for pairs at distance exactly h; how many times fewer than "
        "in random order at 50/80/100% recall",
        ["distance", "chances", "sets of", "pairs", "50%", "80%", "95%", "100%", "ratios", "[paper]"],
        [row + [""] * (10 - len(row)) for row in rows])
    return found


def flips_for(ranks, bits, mode):
    return max(1, ranks["bits"][str(bits)][mode]["flips"])


def figure_5(paper):
    """k(t), and searches with it: {"ranks": by model, "truth": by mode, "searches": {t: by mode}}"""
    bits = list(range(16, paper.depth + 1))
    listed = ",".join(map(str, bits))
    ranks = {model: paper.lab("ranks", paper.base, paper.queries, bits=listed, model=model, target=TARGET)
             for model in MODELS}
    truth = {mode: paper.search(paper.base, paper.queries, kind="fast", first=first, repeat=2)
             for mode, first in MODES.items()}
    searches = {}
    for each in bits:
        searches[each] = {}
        for mode, first in MODES.items():
            flips = flips_for(ranks["sampled"], each, mode)
            figures = paper.search(paper.base, paper.queries, kind="volatile-bits", header_bits=each, flips=flips,
                                   model="sampled", first=first, repeat=2)
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
        ["t", "all s", "all c", "first s", "first c", "unequal s", "unequal c", "ns, all", "ns, first"], rows)
    caption = [f"{paper.base:,} fingerprints, {paper.queries:,} queries"]
    paper.draw("figure-5a", "5(a): flips needed for a recall of .95", "t: header bits", "k(t)",
               {f"{mode}, {model}": [(each, ranks[model]["bits"][str(each)][mode]["flips"]) for each in bits]
                for mode in MODES for model in MODELS}, caption, x_ticks=bits)
    paper.draw("figure-5b", "5(b): time at a recall of .95", "t: header bits", "ns a query",
               {mode: [(each, 1e9 / searches[each][mode]["queries_per_second"]) for each in bits] for mode in MODES},
               caption, x_ticks=bits)
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
            rows.append(row_of(f"volatile-bits t = {bits}", mode, each, each["flips"], there, each["recall"],
                               f"{1 + 2.0 ** (bits - math.log2(paper.base)):.2f}"))
        ours = {"kind": "volatile-bits", "target": TARGET}
        for name, flags, own_places in (("lines", ours, 1), ("lines, sampled", ours | {"model": "sampled"}, 1),
                                        ("lines, fixed k", ours, 1), ("hybrid", {"kind": "hybrid", "target": 0.99}, 2)):
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
        "first as the paper counts, then all that ours takes; the paper's volatile-bits rows by t - d; lines: our layout, "
        f"target {TARGET}, hybrid: target .99",
        ["design", "find", "ns a query", "queries/s", "[paper]", "flips", "probes", "tables", "measured", "recall"], rows)
    return found


def row_of(name, mode, figures, flips, paper_rate, found, tables):
    rate = figures["queries_per_second"]
    return [name, mode, f"{1e9 / rate:,.0f}", f"{rate:,.0f}", paper_rate and f"[{paper_rate}]", flips,
            f"{figures['probes_per_query']:.1f}", tables, f"{figures['bytes_per_fingerprint'] / 8:.2f}", f"{found:.4f}"]


def sizes(paper):
    return [n for n in (paper.base >> step for step in reversed(range(SIZES))) if n >= 5_000]


def header_for(n):
    return max(16, min(26, round(math.log2(n))))


def figure_7(paper):
    """{n: {"constants", "ranks", "ns": by design and mode}}; Figure 8 is drawn from the same ranks."""
    found = {}
    queries = min(paper.queries, MOST_SCALED)
    for n in sizes(paper):
        bits = header_for(n)
        ranks = paper.lab("ranks", n, paper.queries, bits=bits, model="sampled", target=TARGET)
        found[n] = {"ranks": ranks, "ns": {}, "constants": paper.lab("constants", n, min(paper.queries, 20_000))}
        for mode, first in MODES.items():
            flips = flips_for(ranks, bits, mode)
            for name, flags in ((f"4 tables, {mode}", {"kind": "block-tables", "design": "4"}),
                                (f"10 tables, {mode}", {"kind": "block-tables", "design": "10"}),
                                (f"volatile, {mode}", {"kind": "volatile-bits", "header_bits": bits, "flips": flips,
                                                       "model": "sampled"})):
                figures = paper.search(n, queries, first=first, repeat=2, **flags)
                found[n]["ns"][name] = 1e9 / figures["queries_per_second"]
    show_constants(found)
    names = list(next(iter(found.values()))["ns"])
    rows = []
    for n, each in found.items():
        constants, bits = models.Constants(each["constants"]), header_for(n)
        flips = flips_for(each["ranks"], bits, "all")
        modelled = [models.tables_lookup(design, n, constants) for design in ("4", "10")]
        modelled += [models.flips_lookup(flips, bits, n, constants, read)
                     for read in (constants.dependent, constants.overlapped)]
        each["model"] = dict(zip(("4 tables", "10 tables", "volatile, waiting", "volatile, overlapped"), modelled))
        rows.append([f"{n:,}", flips, *(f"{each['ns'][name]:,.0f}" for name in names),
                     *(f"{value:,.0f}" for value in modelled)])
    table(
        f"Figure 7: ns a query as n grows, {queries:,} queries, t = d, recall {TARGET}; then models (14) and (19) with "
        "the constants above (reads that wait for each other, and reads that overlap)",
        ["n", "k", *names, "(14) 4", "(14) 10", "(19) wait", "(19) overlap"], rows)
    for design, letter in (("4", "a"), ("10", "b")):
        series = {name: [(n, each["ns"][name]) for n, each in found.items()]
                  for name in names if name.startswith((f"{design} ", "volatile"))}
        paper.draw(f"figure-7{letter}", f"7({letter}): {design} tables and volatile bits, t = d", "n", "ns a query", series,
                   [f"recall of volatile bits {TARGET}"], log_x=True)
    return found


def show_constants(found):
    names = {"random_read": "delta_R", "overlapped_read": "overlapped", "compare": "delta_L", "permute": "delta_P",
             "heap": "delta_V", "sort": "delta_S"}
    table("Constants, ns: a read that waits for the one before, one that does not; comparing, permuting one fingerprint; "
          "a flip set and a level of its heap; sorting one and a level",
          ["n", *names.values()],
          [[f"{n:,}", *(f"{each['constants'][name]:.3g}" for name in names)] for n, each in found.items()])


def figure_8(paper, scaled):
    rows, series = [], {}
    for n, each in scaled.items():
        figures = each["ranks"]["bits"][str(header_for(n))]
        rows.append([f"{n:,}", header_for(n)])
        for mode in MODES:
            for flips in FIXED_FLIPS:
                share = figures[mode]["recall"][flips]
                rows[-1].append(f"{share:.3f}")
                if flips in (5, 10):
                    series.setdefault(f"{mode}, k = {flips}", []).append((n, share))
    table("Figure 8: recall after k flips as n grows, t = d [the paper at 60M: first with k = 5 .90, all with k = 10 .93]",
          ["n", "t", *(f"{mode} {flips}" for mode in MODES for flips in FIXED_FLIPS)], rows)
    paper.draw("figure-8", "8: recall after k flips, t = d", "n", "recall", series, [f"{paper.queries:,} queries"],
               log_x=True)
    return rows


def figure_9(paper, known):
    """{"by m": {m: figures}, "by n": {n: figures}}"""
    found = {"by m": {}, "by n": {}}
    smallest = max(500, paper.queries // 16)
    for step in range(5):
        m = min(paper.queries, smallest << step)
        found["by m"][m] = batches(paper, m, paper.base, known)
    m = max(500, paper.queries // 4)
    for n in sizes(paper)[-4:]:
        found["by n"][n] = batches(paper, m, n, known)
    for place, each in found.items():
        rows = []
        for count, figures in each.items():
            rows.append([f"{count:,}", *(f"{figures[name]['rate']:,.0f}" for name in BATCHES),
                         *(f"{figures[name]['search rate']:,.0f}" for name in BATCHES),
                         *(f"{value:,.0f}" for value in figures["model"].values())])
        fixed = f"n = {paper.base:,}" if place == "by m" else f"m = {m:,}"
        table(f"Figure 9, {place[-1]} varies, {fixed}: queries a second in batches of m; of everything, of searching alone; "
              "models (17) and (23) [the paper at n = 60M, m = 10M: tables 55K, all 373K, first 727K]",
              [place[-1], *BATCHES, *(f"s: {name}" for name in BATCHES), "(17)", "(23) wait", "(23) overlap"], rows)
        paper.draw(f"figure-9{'a' if place == 'by m' else 'b'}", f"9: batches, {place[-1]} varies", place[-1],
                   "queries a second", {name: [(count, figures[name]["rate"]) for count, figures in each.items()]
                                        for name in BATCHES}, [fixed], log=True, log_x=True)
    return found


BATCHES = ["4 tables", "volatile, all", "volatile, first"]


def batches(paper, m, n, known):
    bits = max(16, min(paper.depth, int(math.log2(m))))
    found = {"4 tables": paper.lab("batch", n, m, method="block-tables")}
    for mode, first in MODES.items():
        flips = flips_for(known["ranks"]["sampled"], bits, mode)
        found[f"volatile, {mode}"] = paper.lab("batch", n, m, method="volatile-bits", flips=flips, first=first)
    for name in BATCHES:
        figures = found[name]
        figures["rate"] = m / (figures["build_seconds"] + figures["search_seconds"])
        figures["search rate"] = m / figures["search_seconds"]
    found["volatile, all"]["recall"] = found["volatile, all"]["matches"] / max(1, found["4 tables"]["matches"])
    constants = models.Constants(paper.lab("constants", m, min(m, 20_000)))
    flips = flips_for(known["ranks"]["sampled"], bits, "all")
    found["model"] = {"(17)": m / models.tables_batch(m, n, constants)}
    for name, read in (("waiting", constants.dependent), ("overlapped", constants.overlapped)):
        found["model"][f"(23), {name}"] = m / models.flips_batch(m, n, flips, bits, constants, read)
    return found


def reproduce(paper):
    found = {"figure2": figure_2(paper), "figure3": figure_3(paper), "figure5": figure_5(paper)}
    found["table2"] = table_2(paper, found["figure5"])
    found["figure7"] = figure_7(paper)
    found["figure8"] = figure_8(paper, found["figure7"])
    found["figure9"] = figure_9(paper, found["figure5"])
    return found
