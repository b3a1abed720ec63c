#!/usr/bin/env python3
"""Holds `neardup clean` against a plain second reading of what it is to do.

    oracle.py PROGRAM

Simhashes come from `neardup fingerprint` and similar pairs from `neardup pairs`, which have oracles of their own; the
ranking, PageRank, the groups, the policies and both modes are written down here once more, as simply as can be.
"""
import collections
import json
import math
import pathlib
import random
import subprocess
import sys
import tempfile

PROGRAM = sys.argv[1]


def neardup(*arguments):
    subprocess.run([PROGRAM, *map(str, arguments), "--quiet"], check=True)


def make_world(folder, seed):
    """Documents with near-copies and titles, a log, links; ASCII words only, so that folding is lower()."""
    rng = random.Random(seed)
    vocabulary = [f"w{int(rng.paretovariate(0.7)) % 400}" for _ in range(600)]
    documents = []
    for row in range(260):
        if documents and rng.random() < 0.45:
            words = list(rng.choice(documents)["text"].split())
            for _ in range(rng.choice((0, 0, 1, 2))):
                words[rng.randrange(len(words))] = rng.choice(vocabulary)
        else:
            words = [rng.choice(vocabulary) for _ in range(rng.randrange(1, 70))]
        document = {"id": f"d{row}", "text": " ".join(words), "site": rng.choice("abcdef")}
        if rng.random() < 0.4:
            document["title"] = " ".join(rng.choice(vocabulary) for _ in range(4))
        documents.append(document)
    queries = list(dict.fromkeys(" ".join(rng.choice(vocabulary) for _ in range(rng.randrange(1, 5))) for _ in range(70)))
    log = [(query, rng.randrange(1, 30)) for query in queries]
    links = [(rng.choice(documents)["id"], rng.choice(documents)["id"]) for _ in range(500)]
    (folder / "docs.jsonl").write_text("".join(json.dumps(document) + "\n" for document in documents))
    (folder / "log.tsv").write_text("".join(f"{query}\t{count}\n" for query, count in log))
    (folder / "links.tsv").write_text("".join(f"{a}\t{b}\n" for a, b in links))
    return documents, sorted(log, key=lambda entry: -entry[1]), links


def page_rank(documents, links):
    ids = [document["id"] for document in documents]
    out = collections.defaultdict(set)
    for a, b in links:
        if a != b:
            out[a].add(b)
    score = {i: 1 / len(ids) for i in ids}
    for _ in range(400):
        dangling = sum(score[i] for i in ids if not out[i])
        fresh = {i: (0.15 + 0.85 * dangling) / len(ids) for i in ids}
        for i in ids:
            for j in out[i]:
                fresh[j] += 0.85 * score[i] / len(out[i])
        score = fresh
    return [score[i] for i in ids]


class Ranking:
    """BM25; a word of the title counts like two of the text. Scores are in units of 2^-30."""

    def __init__(self, documents, k1=1.2, b=0.75, boost=2):
        self.frequencies = []
        for document in documents:
            counts = collections.Counter(document["text"].split())
            for word in document.get("title", "").split():
                counts[word] += boost
            self.frequencies.append(counts)
        self.lengths = [sum(counts.values()) for counts in self.frequencies]
        self.mean = sum(self.lengths) / len(documents)
        self.with_word = collections.Counter(word for counts in self.frequencies for word in counts)
        self.k1, self.b = k1, b

    def score(self, row, query):
        total = 0
        for word in query.split():
            n = self.with_word[word]
            tf = self.frequencies[row][word]
            if tf:
                idf = math.log(1 + (len(self.lengths) - n + 0.5) / (n + 0.5))
                norm = self.k1 * (1 - self.b + self.b * self.lengths[row] / self.mean)
                total += round(idf * tf * (self.k1 + 1) / (tf + norm) * 2**30)
        return total

    def results(self, query, depth, removed):
        scored = [(-self.score(row, query), row) for row in range(len(self.lengths)) if row not in removed]
        return [row for score, row in sorted(entry for entry in scored if entry[0] < 0)][:depth]


def groups_of(rows, k, bits, similar):
    root = {row: row for row in rows}

    def find(row):
        while root[row] != row:
            row = root[row]
        return row

    for i, a in enumerate(rows):
        for b in rows[i + 1:]:
            if bits[a] is not None and bits[b] is not None and bin(bits[a] ^ bits[b]).count("1") <= k and similar(a, b):
                root[find(b)] = find(a)
    groups = collections.defaultdict(list)
    for row in rows:
        groups[find(row)].append(row)
    return [group for group in groups.values() if len(group) > 1]


def clean(ranking, log, bits, similar, authority, *, k, depth, marked=False, protected=frozenset(), below=None):
    removed, kept_for, reached, table = set(), {}, {}, []
    for rank, (query, count) in enumerate(log, 1):
        rows = ranking.results(query, depth(rank), () if marked else removed)
        groups = groups_of(rows, k(rank), bits, similar)
        gone = 0
        for place, row in enumerate(rows, 1):
            group = next((group for group in groups if row in group), None)
            if group is None:
                continue
            best = max(group, key=lambda member: (authority[member], -rows.index(member)))
            spared = row == best or row in protected or (below is not None and authority[row] >= below)
            if spared or row in removed:
                continue
            end = best
            while end in kept_for:
                end = kept_for[end]
            if end == row:
                continue
            kept_for[row] = best
            reached[row] = (query, place)
            gone += 1
            if marked:
                removed.add(row)
        if not marked:
            removed.update(kept_for)
        table.append((query, count, len(rows), len(groups), gone))
    ends = {}
    for row in kept_for:
        end = row
        while end in kept_for:
            end = kept_for[end]
        ends[row] = end
    return ends, reached, table


def check(condition, what):
    if not condition:
        sys.exit(f"differs: {what}")


def compare(folder, documents, expected, name):
    ends, reached, table = expected
    out = folder / name
    ids = [document["id"] for document in documents]
    kept = [json.loads(line)["id"] for line in (out / "kept.jsonl").read_text().splitlines()]
    check(kept == [i for row, i in enumerate(ids) if row not in ends], f"{name}: kept documents")
    removed = [json.loads(line) for line in (out / "removed.jsonl").read_text().splitlines()]
    found = {entry["id"]: (entry["kept"], entry["query"], entry["rank"]) for entry in removed}
    check(found == {ids[row]: (ids[end], *reached[row]) for row, end in ends.items()}, f"{name}: removed documents")
    rows = [line.split("\t") for line in (out / "queries.tsv").read_text().splitlines()[1:]]
    written = [(q, int(c), int(r), int(g), int(x)) for q, c, r, g, x, _ in rows]
    check(written == table, f"{name}: queries.tsv: {[pair for pair in zip(written, table) if pair[0] != pair[1]]}")


def run(seed):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        documents, log, links = make_world(folder, seed)
        docs = folder / "docs.jsonl"
        neardup("fingerprint", docs, "--features", "words", "-o", folder / "docs.hex")
        bits = [None if line.startswith("-") else int(line.split("\t")[0], 16)
                for line in (folder / "docs.hex").read_text().splitlines()]
        row_of = {document["id"]: row for row, document in enumerate(documents)}
        neardup("pairs", docs, "--features", "words:5", "--threshold", "0.8", "-o", folder / "pairs.tsv")
        pairs = {frozenset(row_of[i] for i in line.split("\t")[:2])
                 for line in (folder / "pairs.tsv").read_text().splitlines()[1:]}
        authority = page_rank(documents, links)
        ranking = Ranking(documents)
        common = [docs, "--queries", folder / "log.tsv"]
        linked = ["--links", folder / "links.tsv"]

        def similar(a, b):
            return frozenset((a, b)) in pairs

        def always(a, b):
            return True

        def by_rank(rank):
            return 3 if rank <= 10 else 8 if rank <= 30 else 1

        equal = [0] * len(documents)
        protected = {row for row, document in enumerate(documents) if document["site"] == "a"}
        median = sorted(authority)[len(authority) // 2]
        cases = {
            "plain": ([], similar, equal, {"k": lambda r: 3, "depth": lambda r: 1000}),
            "ranked": (linked, similar, authority, {"k": lambda r: 3, "depth": lambda r: 1000}),
            "marked": (["--mode", "marked", *linked], similar, authority, {"k": lambda r: 3, "depth": lambda r: 40, "marked": True}),
            "marked-by-rank": (["--mode", "marked", "--depth", 30], similar, equal, {"k": lambda r: 3, "depth": lambda r: 30, "marked": True}),
            "paper": (["--no-verify", *linked], always, authority, {"k": lambda r: 3, "depth": lambda r: 1000}),
            "shallow": (["--depth", "1-20:25,...:7", "--k", "1-10:3,11-30:8,31-:1"], similar, equal,
                        {"k": by_rank, "depth": lambda r: 25 if r <= 20 else 7}),
            "spared": (["--protect", "site=a", "--authority-below", f"{median:.17g}", *linked], similar, authority,
                       {"k": lambda r: 3, "depth": lambda r: 1000, "protected": protected, "below": median}),
        }
        for case, (flags, judge, scores, options) in cases.items():
            if case == "marked":
                flags = [*flags, "--depth", 40]
            expected = clean(ranking, log, bits, judge, scores, **options)
            check(expected[0] or case == "spared", f"{case}: the oracle itself removes nothing")
            for threads in (1, 2):
                neardup("clean", *common, *flags, "--threads", threads, "-o", folder / case, "--force")
                compare(folder, documents, expected, case)
        scores = [float(line.split("\t")[1]) for line in (folder / "ranked" / "authority.tsv").read_text().splitlines()[1:]]
        check(max(abs(a - b) for a, b in zip(scores, authority)) < 1e-12, "authority.tsv")


for number in range(3):
    run(number)
print("3 worlds, 7 ways to clean each up, 1 and 2 threads: all as they should be")
