"""Figures 7, 8 and 9: how the cost of searching grows, measured and as the paper models it."""

import math

import models
from flips_part import MODES, TARGET, flips_for
from printing import table

SIZES = 5  # collections of Figures 7 and 8, each twice the one before
MOST_SCALED = 100_000  # queries of Figure 7
FIXED_FLIPS = [1, 5, 10, 20, 40]  # Figure 8
BATCHES = ["4 tables", "volatile, all", "volatile, first"]


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
            for name, flags in (
                (f"4 tables, {mode}", {"kind": "block-tables", "design": "4"}),
                (f"10 tables, {mode}", {"kind": "block-tables", "design": "10"}),
                (
                    f"volatile, {mode}",
                    {"kind": "volatile-bits", "header_bits": bits, "flips": flips, "model": "sampled"},
                ),
            ):
                figures = paper.search(n, queries, first=first, repeat=2, **flags)
                found[n]["ns"][name] = 1e9 / figures["queries_per_second"]
    show_constants(found)
    names = list(next(iter(found.values()))["ns"])
    rows = []
    for n, each in found.items():
        constants, bits = models.Constants(each["constants"]), header_for(n)
        flips = flips_for(each["ranks"], bits, "all")
        modelled = [models.tables_lookup(design, n, constants) for design in ("4", "10")]
        modelled += [
            models.flips_lookup(flips, bits, n, constants, read) for read in (constants.dependent, constants.overlapped)
        ]
        each["model"] = dict(zip(("4 tables", "10 tables", "volatile, waiting", "volatile, overlapped"), modelled))
        rows.append(
            [f"{n:,}", flips, *(f"{each['ns'][name]:,.0f}" for name in names), *(f"{value:,.0f}" for value in modelled)]
        )
    table(
        f"Figure 7: ns a query as n grows, {queries:,} queries, t = d, recall {TARGET}; then models (14) and (19) with "
        "the constants above (reads that wait for each other, and reads that overlap)",
        ["n", "k", *names, "(14) 4", "(14) 10", "(19) wait", "(19) overlap"],
        rows,
    )
    for design, letter in (("4", "a"), ("10", "b")):
        series = {
            name: [(n, each["ns"][name]) for n, each in found.items()]
            for name in names
            if name.startswith((f"{design} ", "volatile"))
        }
        paper.draw(
            f"figure-7{letter}",
            f"7({letter}): {design} tables and volatile bits, t = d",
            "n",
            "ns a query",
            series,
            [f"recall of volatile bits {TARGET}"],
            log_x=True,
        )
    return found


def show_constants(found):
    names = {
        "random_read": "delta_R",
        "overlapped_read": "overlapped",
        "compare": "delta_L",
        "permute": "delta_P",
        "heap": "delta_V",
        "sort": "delta_S",
    }
    table(
        "Constants, ns: a read that waits for the one before, one that does not; comparing, permuting one fingerprint; "
        "a flip set and a level of its heap; sorting one and a level",
        ["n", *names.values()],
        [[f"{n:,}", *(f"{each['constants'][name]:.3g}" for name in names)] for n, each in found.items()],
    )


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
    table(
        "Figure 8: recall after k flips as n grows, t = d [the paper at 60M: first, k = 5: .90; all, k = 10: .93]",
        ["n", "t", *(f"{mode} {flips}" for mode in MODES for flips in FIXED_FLIPS)],
        rows,
    )
    paper.draw(
        "figure-8", "8: recall after k flips, t = d", "n", "recall", series, [f"{paper.queries:,} queries"], log_x=True
    )
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
            rows.append(
                [
                    f"{count:,}",
                    *(f"{figures[name]['rate']:,.0f}" for name in BATCHES),
                    *(f"{figures[name]['search rate']:,.0f}" for name in BATCHES),
                    *(f"{value:,.0f}" for value in figures["model"].values()),
                ]
            )
        fixed = f"n = {paper.base:,}" if place == "by m" else f"m = {m:,}"
        table(
            f"Figure 9, {place[-1]} varies, {fixed}: queries a second in batches of m, of everything and of searching; "
            "models (17) and (23) [the paper at n = 60M, m = 10M: tables 55K, all 373K, first 727K]",
            [place[-1], *BATCHES, *(f"s: {name}" for name in BATCHES), "(17)", "(23) wait", "(23) overlap"],
            rows,
        )
        paper.draw(
            f"figure-9{'a' if place == 'by m' else 'b'}",
            f"9: batches, {place[-1]} varies",
            place[-1],
            "queries a second",
            {name: [(count, figures[name]["rate"]) for count, figures in each.items()] for name in BATCHES},
            [fixed],
            log=True,
            log_x=True,
        )
    return found


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


def reproduce(paper, known):
    """`known` is what Figure 5 found."""
    scaled = figure_7(paper)
    return {"figure7": scaled, "figure8": figure_8(paper, scaled), "figure9": figure_9(paper, known)}
