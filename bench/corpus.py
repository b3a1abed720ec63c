"""Makes the benchmark's corpora: natural text with planted near-copies at known edit rates. Seeded.

Usage: corpus.py [--scale small|full|growth] [--data FOLDER] [--cache FOLDER]
Beside X.jsonl ({"id": row, "text": ...} a line) stands X.planted.tsv (row, number of the original, percent of words
edited; the original itself has `-`) and X.json (what it is).
"""
import argparse
import dataclasses
import json
import os
import random
import re
import time

import text_sources

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
RECIPE = 1  # part of the names of cached files; raise it when the recipe changes
EDIT_PERCENT = [0, 1, 5, 10]
EDIT_WEIGHTS = [1, 3, 3, 3]


@dataclasses.dataclass(frozen=True)
class Scale:
    documents: int
    piece: int      # characters of a natural document, about
    natural: int    # characters of natural text at most
    woven: float    # mean of the logarithm of a woven document's length
    block: int      # copies stand within so many documents of their original, so that a prefix has them in proportion


SCALES = {
    "small": Scale(documents=10_000, piece=3_000, natural=12_000_000, woven=7.6, block=10_000),
    "full": Scale(documents=400_000, piece=3_500, natural=600_000_000, woven=7.55, block=400_000),
    "growth": Scale(documents=1_000_000, piece=1_000, natural=450_000_000, woven=6.75, block=20_000),
}
COPIES = 1 / 3  # share of the documents that are planted copies


def edited(text, percent, rng, word):
    """`percent` of the words replaced (60 of 100 edits), removed (20) or followed by a new one (20)."""
    spans = [match.span() for match in re.finditer(r"\S+", text)]
    if not percent or not spans:
        return text
    parts, done = [], 0
    for place in sorted(rng.sample(range(len(spans)), max(1, round(len(spans) * percent / 100)))):
        begin, end = spans[place]
        kind = rng.random()
        parts += [text[done:begin], word() if kind < 0.6 else "" if kind < 0.8 else text[begin:end] + " " + word()]
        done = end
    return "".join(parts) + text[done:]


def copies_of(original, number, rng, word):
    """A group of one to eight copies, most of them small."""
    count = 1
    while count < 8 and rng.random() < 0.55:
        count += 1
    for percent in rng.choices(EDIT_PERCENT, EDIT_WEIGHTS, k=count):
        yield number, str(percent), edited(original, percent, rng, word)


def blocks(scale, originals, weaver, rng):
    """Blocks of (number of the original, edit percent or "-", text), shuffled within. An original of None is woven."""
    block, chance = [], COPIES / (1 - COPIES) / 2.2  # a group has 2.2 copies on average
    for number, text in enumerate(originals):
        if text is None:
            text = weaver.document(min(12_000, max(400, rng.lognormvariate(scale.woven, 0.6))))
        block.append((number, "-", text))
        if rng.random() < chance:
            block += copies_of(text, number, rng, weaver.word)
        if len(block) >= scale.block or number + 1 == len(originals):
            rng.shuffle(block)
            yield block
            block = []


def write(path, scale, data, seed):
    rng = random.Random(seed)
    natural, source = text_sources.natural_documents(data, scale.piece, scale.natural)
    weaver = text_sources.Weaver(rng, natural)
    wanted = round(scale.documents * (1 - COPIES))
    originals = rng.sample(natural, min(len(natural), wanted))
    woven = wanted - len(originals)
    originals += [None] * woven
    rng.shuffle(originals)
    row = 0
    encode = json.JSONEncoder(ensure_ascii=False).encode
    with open(path + ".part", "w", encoding="utf-8") as corpus, open(path + ".planted.tsv", "w") as planted:
        for block in blocks(scale, originals, weaver, rng):
            for number, percent, text in block:
                corpus.write(f'{{"id": {row}, "text": {encode(text)}}}\n')
                planted.write(f"{row}\t{number}\t{percent}\n")
                row += 1
    about = {"documents": row, "bytes": os.path.getsize(path + ".part"), "source": source, "seed": seed,
             "natural": wanted - woven, "woven": woven, "copies": row - wanted}
    with open(path + ".json", "w") as file:
        json.dump(about, file)
    os.rename(path + ".part", path + ".jsonl")


def default_data():
    folder = os.path.join(os.path.dirname(ROOT), "shared", "data")
    return folder if text_sources.has_real_data(folder) else None


def make(scale, data=None, cache=os.path.join(ROOT, "build", "bench"), seed=1, say=lambda text: None):
    """The path of the corpus without its extension, and what it is. Made once, then taken from the cache."""
    os.makedirs(cache, exist_ok=True)
    source = "real" if text_sources.has_real_data(data) else "machine"
    path = os.path.join(cache, f"{scale}-{RECIPE}-{source}-{seed}")
    if not os.path.exists(path + ".jsonl"):
        start = time.perf_counter()
        say(f"making the {scale} corpus")
        write(path, SCALES[scale], data, seed)
        say(f"made {path}.jsonl in {time.perf_counter() - start:.0f} s")
    with open(path + ".json") as file:
        return path, json.load(file)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scale", choices=SCALES, default="small")
    parser.add_argument("--data", default=default_data(), help="folder of real collections (default: %(default)s)")
    parser.add_argument("--cache", default=os.path.join(ROOT, "build", "bench"))
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    path, about = make(options.scale, options.data, options.cache, options.seed, print)
    print(path + ".jsonl", about)


if __name__ == "__main__":
    main()
