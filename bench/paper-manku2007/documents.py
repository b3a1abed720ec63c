"""What Figure 1 is drawn from: real documents with planted near-copies, and which pairs of them are near-duplicates.

Truth is known without a person looking: a copy remembers the share of its words that was edited, and pairs that nobody
planted (stories sent twice, versions of one text) are judged by the Jaccard similarity of their word 5-grams.
"""

import dataclasses
import json
import os
import random
import re

import corpus
import join_runs
import join_sets
import text_sources

RECIPE = 1  # part of the names of cached files; raise it when the recipe changes
PIECE = 3_000  # characters of a document, at most about half as many again
COPIED = 0.3  # share of the originals that have copies: 2.2 on average
SMALLEST_EDIT, LARGEST_EDIT = 0.2, 40.0  # percent of the words; every doubling is as likely as every other
LEAST_JACCARD = 0.5  # pairs below are not listed


@dataclasses.dataclass(frozen=True)
class Judgement:
    """Which pairs are true: of one original with so few edits between them, or so many 5-grams in common."""

    name: str
    edits: float  # percent of the words, of both copies together
    jaccard: float


JUDGEMENTS = [Judgement("strict", 2, 0.9), Judgement("usual", 5, 0.8), Judgement("lenient", 10, 0.5)]


def edited(text, percent, rng, weaver):
    """Two copies in three have words changed here and there, the third has one foreign block, as a page has an ad."""
    if rng.random() < 2 / 3:
        return corpus.edited(text, percent, rng, weaver.word)
    starts = [match.start() for match in re.finditer(r"\S+", text)] or [0]
    block = " ".join(weaver.word() for _ in range(max(1, round(len(starts) * percent / 100))))
    place = rng.choice(starts)
    return f"{text[:place]}{block} {text[place:]}"


def copies_of(original, rng, weaver):
    """(percent edited, text) of one to eight copies, most often one or two."""
    count = 1
    while count < 8 and rng.random() < 0.55:
        count += 1
    for _ in range(count):
        percent = SMALLEST_EDIT * (LARGEST_EDIT / SMALLEST_EDIT) ** rng.random()
        yield percent, edited(original, percent, rng, weaver)


def write(path, count, data, seed):
    rng = random.Random(seed)
    natural, source = text_sources.natural_documents(data, PIECE, count * PIECE)
    originals = rng.sample(natural, min(len(natural), count))
    weaver = text_sources.Weaver(rng, natural)
    documents = []
    for number, text in enumerate(originals):
        documents.append((number, 0.0, text))
        if rng.random() < COPIED:
            documents += [(number, percent, copy) for percent, copy in copies_of(text, rng, weaver)]
    rng.shuffle(documents)
    with open(path, "w", encoding="utf-8") as file:
        for row, (_, _, text) in enumerate(documents):
            file.write(json.dumps({"id": row, "text": text}, ensure_ascii=False) + "\n")
    return {
        "source": source,
        "originals": len(originals),
        "copies": len(documents) - len(originals),
        "planted": [(number, percent) for number, percent, _ in documents],
    }


class Documents:
    def __init__(self, count, data, cache, program, scratch, say):
        source = "real" if text_sources.has_real_data(data) else "machine"
        name = os.path.join(cache, f"manku-{RECIPE}-{source}-{count}.jsonl")
        self.path, about = join_sets.cached(name, lambda path: write(path, count, data, seed=1), say)
        self.program, self.scratch, self.say = program, scratch, say
        self.source, self.originals, self.copies = about["source"], about["originals"], about["copies"]
        self.planted = about["planted"]
        self.jaccard = dict(self.pairs("--features", "words:5", measure="jaccard", threshold=LEAST_JACCARD))
        say(f"{len(self.jaccard):,} pairs with a Jaccard similarity of {LEAST_JACCARD} or more")

    @property
    def described(self):
        return (
            f"{self.originals:,} documents of {self.source} text, {self.copies:,} planted copies with "
            f"{SMALLEST_EDIT:g} to {LARGEST_EDIT:g}% of their words edited"
        )

    def pairs(self, *flags, measure, threshold):
        """(left, right), score; left < right."""
        join_runs.pairs(
            self.program, [self.path], self.scratch, *flags, measure=measure, threshold=threshold, threads=2
        )
        with open(os.path.join(self.scratch, "pairs.tsv"), encoding="utf-8") as file:
            next(file)
            for line in file:
                left, right, score = line.split("\t")[:3]
                left, right = int(left), int(right)
                yield (min(left, right), max(left, right)), float(score)

    def samples(self, features, weights, distances, shares, most, rng):
        """{share: Samples} of the pairs at these distances, all against all, among a share of the originals."""
        flags = ("--features", features, "--weights", weights)
        found = {share: Samples(distances, most, rng) for share in shares}
        for pair, distance in self.pairs(*flags, measure="hamming", threshold=max(distances)):
            latest = max(self.planted[row][0] for row in pair)
            for share, samples in found.items():
                if latest < share * self.originals:  # originals are numbered in random order
                    samples.offer(int(distance), pair)
        return found

    def true(self, pair, judgement):
        (left, left_edits), (right, right_edits) = (self.planted[row] for row in pair)
        if left == right and left_edits + right_edits <= judgement.edits:
            return True
        return self.jaccard.get(pair, 0) >= judgement.jaccard


class Samples:
    """Random pairs of each distance, while only as many are kept as are wanted."""

    def __init__(self, distances, most, rng):
        self.most, self.rng = most, rng
        self.seen = dict.fromkeys(distances, 0)
        self.kept = {distance: [] for distance in distances}

    def offer(self, distance, pair):
        if distance not in self.seen:
            return
        self.seen[distance] += 1
        if len(self.kept[distance]) < self.most:
            self.kept[distance].append(pair)
        elif (place := int(self.rng.random() * self.seen[distance])) < self.most:
            self.kept[distance][place] = pair

    def equal(self):
        """As the paper did: equally many of every distance, so many as the rarest distance has."""
        size = min(map(len, self.kept.values()))
        return {distance: self.rng.sample(pairs, size) for distance, pairs in self.kept.items()}


def precision_and_recall(samples, is_true):
    """[(k, precision, recall)] where everything within distance k is reported."""
    true = {distance: sum(map(is_true, pairs)) for distance, pairs in samples.items()}
    whole, found, reported, curve = sum(true.values()), 0, 0, []
    for distance in sorted(samples):
        found += true[distance]
        reported += len(samples[distance])
        curve.append((distance, found / max(1, reported), found / max(1, whole)))
    return curve


def crossing(curve):
    """(k, value) where recall catches up with precision, between whole numbers by straight lines; None if nowhere.

    Below distance 1 nothing is sampled: recall begins at nothing there, and precision as at distance 1.
    """
    curve = [(0, curve[0][1], 0.0), *curve]
    for (k, precision, recall), (_, next_precision, next_recall) in zip(curve, curve[1:]):
        gap, next_gap = precision - recall, next_precision - next_recall
        if gap >= 0 >= next_gap and gap != next_gap:
            share = gap / (gap - next_gap)
            return k + share, precision + share * (next_precision - precision)
    return None

