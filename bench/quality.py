"""How good is a tool's answer? Judged against the exact definition: word 5-gram sets, Jaccard >= 0.8.

Pairs are pairs of distinct feature sets, each standing for its first document; copies of one set are no pair.
`recall` is the share of the true pairs that the tool listed, `linked` the share whose two documents it at least brought
into one cluster, `precision` the share of the listed pairs that are true.
"""
import collections
import os
import re
import subprocess


class Components:
    def __init__(self, size):
        self.up = list(range(size))

    def find(self, row):
        up = self.up
        while up[row] != row:
            up[row] = up[up[row]]
            row = up[row]
        return row

    def join(self, a, b):
        a, b = self.find(a), self.find(b)
        if a != b:
            self.up[max(a, b)] = min(a, b)


def key(a, b):
    return a << 32 | b if a < b else b << 32 | a


class Truth:
    """All true pairs with their scores, and for each row the first row with the same set (-1: no words)."""

    def __init__(self, path):
        with open(path + ".sets.tsv") as file:
            self.first = [int(line) for line in file]
        self.scores = {}
        with open(path + ".pairs.tsv") as file:
            for line in file:
                left, right, score = line.split()
                self.scores[int(left) << 32 | int(right)] = score
        with open(path + ".planted.tsv") as file:
            self.planted = [line.split() for line in file]

    @staticmethod
    def make(program, path):
        if not os.path.exists(path + ".pairs.tsv"):
            subprocess.run([program, path + ".jsonl", path + ".pairs.part", path + ".sets.tsv"], check=True)
            os.rename(path + ".pairs.part", path + ".pairs.tsv")
        return Truth(path)

    def prefix(self, rows):
        """The truth about the first so many documents: a set's first document is always in the prefix."""
        part = Truth.__new__(Truth)
        part.first, part.planted = self.first[:rows], self.planted[:rows]
        part.scores = {pair: score for pair, score in self.scores.items() if max(pair >> 32, pair & 0xffffffff) < rows}
        return part

    def kept(self):
        """Rows that stay when every true pair and every copy is known: components, keep first."""
        links = [(first, row) for row, first in enumerate(self.first) if first >= 0]
        return kept_rows(len(self.first), links + [(pair >> 32, pair & 0xffffffff) for pair in self.scores])


def kept_rows(rows, links):
    components = Components(rows)
    for a, b in links:
        components.join(a, b)
    return [row for row in range(rows) if components.find(row) == row]


def judge(truth, links, lists_pairs=True):
    """links: (row, row) pairs a tool called duplicates. A tool that only links removed to kept has no listed recall."""
    first, components, listed, pairs_of_wordless = truth.first, Components(len(truth.first)), set(), 0
    for a, b in links:
        components.join(a, b)
        if first[a] < 0 or first[b] < 0:
            pairs_of_wordless += 1
        elif first[a] != first[b]:
            listed.add(key(first[a], first[b]))
    true = max(1, len(truth.scores))
    right = sum(pair in truth.scores for pair in listed)
    linked = sum(components.find(pair >> 32) == components.find(pair & 0xffffffff) for pair in truth.scores)
    claimed = len(listed) + pairs_of_wordless
    return {"recall": right / true if lists_pairs else None, "linked": linked / true,
            "precision": right / claimed if claimed else 1.0, "pairs": claimed,
            "planted": planted_found(truth, components)}


def planted_found(truth, components):
    """Share of the planted copies in one cluster with their original, by percent of words edited."""
    original = {number: row for row, (_, number, percent) in enumerate(truth.planted) if percent == "-"}
    found, count = collections.Counter(), collections.Counter()
    for row, (_, number, percent) in enumerate(truth.planted):
        if percent != "-" and number in original:
            count[percent] += 1
            found[percent] += components.find(row) == components.find(original[number])
    return {percent: found[percent] / count[percent] for percent in sorted(count, key=int)}


def read_links(path):
    with open(path) as file:
        return [tuple(map(int, line.split("\t"))) for line in file]


def read_pairs(path):
    """neardup's pairs.tsv: (left, right, score as printed); the corpora's ids are row numbers."""
    with open(path) as file:
        header = next(file).rstrip("\n")
        if header != "left\tright\tscore":
            raise SystemExit(f"{path}: unexpected header {header!r}")
        rows = (line.rstrip("\n").split("\t") for line in file)
        return [(int(left), int(right), score) for left, right, score in rows]


def wrong_scores(truth, pairs):
    """Pairs whose printed score differs from the exact one, copies included; pairs that are not true are left out."""
    wrong = []
    for left, right, score in pairs:
        same = truth.first[left] == truth.first[right]
        right_score = "1.000000" if same else truth.scores.get(key(truth.first[left], truth.first[right]), score)
        if score != right_score:
            wrong.append((left, right, score, right_score))
    return wrong


ID = re.compile(rb'\{"id": (\d+),')


def read_kept(path):
    with open(path, "rb") as file:
        return [int(ID.match(line).group(1)) for line in file]
