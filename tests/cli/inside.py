#!/usr/bin/env python3
"""Compares containment and ignored features with a slow, plain reading of what they mean.

    inside.py PROGRAM [ROUNDS]

Random collections of few words, so that documents contain each other, repeat, and are shorter than a feature. The oracle
here works on the words themselves: it knows no hashes, no prefixes and no partitions.
"""
import json
import pathlib
import random
import subprocess
import sys
import tempfile
from collections import Counter
from fractions import Fraction


def features(text, n):
    words = text.split()
    return frozenset(tuple(words[i:i + n]) for i in range(max(1, len(words) - n + 1))) if words else frozenset()


def stands_in(inner, outer):
    a, b = inner.split(), outer.split()
    return any(b[i:i + len(a)] == a for i in range(len(b) - len(a) + 1))


class Oracle:
    """One collection, or two (left and right)."""

    def __init__(self, sides, n, measure, threshold, common=None, listed=(), within=False):
        self.n, self.measure, self.threshold = n, measure, Fraction(threshold)
        self.sides = [[self.document(text, site) for text, site in side] for side in sides]
        ignored = set().union(*(features(text, n) for text in listed)) if listed else set()
        first = {}  # distinct sets over all sides, each with the value of its first document
        for side in self.sides:
            for document in side:
                first.setdefault(document["whole"], document["site"] if within else None)
        first.pop(frozenset(), None)
        totals, counts = Counter(first.values()), Counter()
        for whole, group in first.items():
            counts.update((feature, group) for feature in whole)
        for side in self.sides:
            for document in side:
                group = first.get(document["whole"])
                document["set"] = frozenset(f for f in document["whole"] if f not in ignored and not self.is_common(counts[f, group], totals[group], common))

    def document(self, text, site):
        return {"text": text, "site": site, "whole": features(text, self.n)}

    @staticmethod
    def is_common(count, total, common):
        if common is None or count < 2:
            return False
        if common.endswith("%"):
            return count > Fraction(common[:-1]) / 100 * total
        return count > Fraction(common) * total if "." in common else count > int(common)

    def is_short(self, document):
        return len(document["text"].split()) < self.n

    def inside(self, a, b):
        """The features of a that are in b."""
        if self.measure in ("containment", "contained") and a["whole"] != b["whole"] and (self.is_short(a) or self.is_short(b)):
            return 1 if self.is_short(a) and a["set"] and stands_in(a["text"], b["text"]) else 0
        return len(a["set"] & b["set"])

    def score(self, a, b):
        """As a fraction (cosine: squared), or None when the two are not a pair."""
        if not a["whole"] or not b["whole"]:
            return None
        if a["whole"] == b["whole"]:
            return (Fraction(len(a["set"])) if len(a["set"]) >= self.threshold else None) if self.measure == "overlap" else Fraction(1)
        x, y = len(a["set"]), len(b["set"])
        o = max(self.inside(a, b), self.inside(b, a)) if self.measure != "contained" else self.inside(a, b)
        if o == 0 or x == 0 or y == 0:
            return None
        got = {"jaccard": lambda: Fraction(o, x + y - o), "dice": lambda: Fraction(2 * o, x + y), "overlap": lambda: Fraction(o), "cosine": lambda: Fraction(o * o, x * y),
               "containment": lambda: Fraction(o, min(x, y)), "contained": lambda: Fraction(o, x)}[self.measure]()
        return got if got >= (self.threshold ** 2 if self.measure == "cosine" else self.threshold) else None

    def shown(self, score):
        if self.measure == "overlap":
            return str(score)
        return f"{float(score) ** .5 if self.measure == 'cosine' else float(score):.6f}"

    def pairs(self):
        left, right = self.sides[0], self.sides[-1]
        rows = []
        for i, a in enumerate(left):
            for j in range(i + 1 if len(self.sides) == 1 else 0, len(right)):
                score = self.score(a, right[j])
                if score is not None:
                    rows.append((i, j, self.shown(score)))
        return rows

    def may_go(self, removed, kept):
        if self.score(removed, kept) is None:
            return False
        if self.measure != "containment":
            return True
        return removed["whole"] == kept["whole"] or Fraction(self.inside(removed, kept), max(1, len(removed["set"]))) >= self.threshold

    def removed(self, order, kind, rows=None):
        """Row to the kept row, by star or complete with documents in keep order."""
        documents, clusters, out = self.sides[0], [], {}
        for row in order:
            d = documents[row]
            for cluster in clusters:
                near = cluster[:1] if kind == "star" else cluster
                if self.may_go(d, documents[cluster[0]]) and all(self.score(d, documents[m]) is not None for m in near):
                    out[row] = cluster[0]
                    cluster.append(row)
                    break
            else:
                clusters.append([row])
        return out


class Program:
    def __init__(self, path, folder):
        self.path, self.folder = path, folder

    def write(self, name, documents):
        path = self.folder / name
        path.write_text("".join(json.dumps({"id": i, "text": text, "site": site}) + "\n" for i, (text, site) in enumerate(documents)))
        return str(path)

    def run(self, *arguments):
        done = subprocess.run([self.path, *map(str, arguments), "-q"], capture_output=True, text=True, cwd=self.folder)
        if done.returncode != 0:
            raise SystemExit(f"{arguments}: exit code {done.returncode}\n{done.stderr}")
        return done.stdout

    def pairs(self, *arguments):
        rows = [line.split("\t") for line in self.run("pairs", *arguments).splitlines()[1:]]
        return [(int(a), int(b), score) for a, b, score in rows]

    def removed(self, *arguments):
        self.run("dedup", *arguments, "-o", "out", "--force")
        return {int(row["id"]): (int(row["kept"]), row.get("from")) for row in map(json.loads, (self.folder / "out" / "removed.jsonl").read_text().splitlines())}


def collection(draw, size, vocabulary, longest):
    """Documents that are parts of others, edited copies, or new; some of one word, a few of none."""
    documents = []
    for _ in range(size):
        words = [f"w{min(draw.randrange(vocabulary), draw.randrange(vocabulary))}" for _ in range(draw.randrange(longest))]
        if documents and draw.random() < .5:
            words = draw.choice(documents)[0].split()
            begin = draw.randrange(len(words) + 1)
            if draw.random() < .5:
                words = words[begin:begin + draw.randrange(1, longest)]
            elif words:
                words[draw.randrange(len(words))] = "edited"
        documents.append((" ".join(words), draw.choice("xyz")))
    return documents


def check(what, got, want):
    if got != want:
        raise SystemExit(f"{what}\n  got  {got}\n  want {want}")


def one_round(draw, program):
    documents, others = collection(draw, draw.randrange(4, 40), draw.choice((3, 8, 40)), draw.choice((4, 12, 30))), collection(draw, 12, 8, 12)
    n = draw.choice((1, 2, 3, 5))
    measure = draw.choice(("containment", "containment", "jaccard", "dice", "cosine", "overlap"))
    threshold = draw.choice(("1", "2", "4")) if measure == "overlap" else draw.choice(("0.1", "0.5", "0.75", "0.8", "1"))
    flags = ["--features", f"words:{n}", "--measure", measure, "--threshold", threshold, "--threads", draw.choice((1, 2, 4))]
    settings = {}
    if draw.random() < .7:
        settings["common"] = draw.choice(("1", "2", "5", "0.5", "0.25", "40%", "12.5%"))
        flags += ["--ignore-common", settings["common"]]
        if draw.random() < .4:
            settings["within"] = True
            flags += ["--within", "site"]
    if draw.random() < .3:
        settings["listed"] = [draw.choice(documents)[0]]
        (program.folder / "listed.txt").write_text(settings["listed"][0] + "\n")
        if settings["listed"][0]:
            flags += ["--ignore", "listed.txt"]
    own, other = program.write("own.jsonl", documents), program.write("other.jsonl", others)
    memory = draw.choice(([], ["--memory", "32M"]))
    what = f"{flags} {memory} {documents}"
    oracle = Oracle([documents], n, measure, threshold, **settings)
    want = oracle.pairs()
    check(what, program.pairs(own, *flags, *memory), want)
    check(what, program.pairs(own, *flags, "--algorithm", draw.choice(("brute-force", "containment", "ppjoin"))), want)
    both = Oracle([documents, others], n, measure, threshold, **settings)
    check(f"against {others} {what}", program.pairs(own, "--against", other, *flags), both.pairs())
    if measure == "containment":
        directed = ["contained" if flag == "containment" else flag for flag in flags]
        check(f"contained {what} {others}", program.pairs(own, "--against", other, *directed), Oracle([documents, others], n, "contained", threshold, **settings).pairs())

    if measure == "overlap":
        return  # copies below the threshold are in no cluster: whole_runs_test has them
    keep = draw.choice(("first", "longest", "shortest,last"))
    length = {row: len(text) for row, (text, _) in enumerate(documents)}
    order = sorted(length, key={"first": lambda r: r, "longest": lambda r: (-length[r], r), "shortest,last": lambda r: (length[r], -r)}[keep])
    kind = draw.choice(("star", "complete"))
    resume = draw.choice(([], ["--resume"]))
    got = program.removed(own, *flags, "--keep", keep, "--clusters", kind, *memory, *resume)
    check(f"dedup {keep} {kind} {what}", {row: kept for row, (kept, _) in got.items()}, oracle.removed(order, kind))
    if measure in ("jaccard", "dice"):
        sketched = program.removed(own, *flags, "--keep", keep, "--clusters", "star", "--finder", "simhash", "--distance", "64")
        check(f"simhash {keep} {what}", {row: kept for row, (kept, _) in sketched.items()}, oracle.removed(order, "star"))
    if measure == "containment":
        for row, (kept, _) in got.items():
            assert both.n == n and oracle.may_go(oracle.sides[0][row], oracle.sides[0][kept]), what

    got = program.removed(own, "--against", other, *flags, "--keep", keep, "--clusters", "star")
    against = {row for row, document in enumerate(both.sides[0]) if any(both.may_go(document, kept) for kept in both.sides[1])}
    check(f"dedup against {others} {what}", {row for row, (_, origin) in got.items() if origin == "against"}, against)
    check(f"dedup with the rest {others} {what}", {row: kept for row, (kept, origin) in got.items() if origin is None},
          both.removed([row for row in order if row not in against], "star"))


def loses_nothing(draw, program):
    """dedup --measure containment --keep longest --threshold 1 removes only what stands elsewhere, run by run."""
    documents = collection(draw, 60, 12, 40)
    own = program.write("own.jsonl", documents)
    got = program.removed(own, "--features", "words:3", "--measure", "containment", "--threshold", "1", "--keep", "longest")
    kept = {row for row in range(len(documents))} - set(got)
    for row, (by, _) in got.items():
        words = documents[row][0].split()
        assert by in kept
        for i in range(max(1, len(words) - 2)):
            assert stands_in(" ".join(words[i:i + 3]), documents[by][0]), (documents[row], documents[by])
    left = [documents[row] for row in sorted(kept)]
    again = program.removed(program.write("left.jsonl", left), "--features", "words:3", "--measure", "containment", "--threshold", "1", "--keep", "longest")
    check(f"nothing is left to remove {documents}", again, {})


def main():
    program, rounds = str(pathlib.Path(sys.argv[1]).resolve()), int(sys.argv[2]) if len(sys.argv) > 2 else 25
    for seed in range(rounds):
        with tempfile.TemporaryDirectory() as folder:
            draw = random.Random(seed)
            one_round(draw, Program(program, pathlib.Path(folder)))
            if seed % 5 == 0:
                loses_nothing(draw, Program(program, pathlib.Path(folder)))
    print(f"{rounds} rounds agree with the oracle")


if __name__ == "__main__":
    main()
