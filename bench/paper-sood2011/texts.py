"""Documents behind the figures about cosines, and real ones to match."""

import dataclasses
import itertools
import json
import os
import random
import re
import typing

import documents as planted  # of paper-manku2007
import join_sets
import text_sources

RECIPE = 1  # part of the names of cached files; raise it when a recipe changes
REUTERS, RFC, BIBLE = "reuters_docs.jsonl.xz", "rfc_dev_docs.jsonl.xz", "bible_versions.tar.xz"
COPIED = 0.3  # share of a base that has an edited copy among the queries


def as_lines(count, data, cache, scratch, say):
    """(path of a file with a document a line, what they are): the collection of paper-manku2007, copies planted."""
    source = "real" if text_sources.has_real_data(data) else "machine"
    name = os.path.join(cache, f"manku-{planted.RECIPE}-{source}-{count}.jsonl")
    path, about = join_sets.cached(name, lambda target: planted.write(target, count, data, seed=1), say)
    lines = os.path.join(scratch, "documents.txt")
    with open(path, encoding="utf-8") as file, open(lines, "w", encoding="utf-8") as target:
        for line in file:
            target.write(" ".join(json.loads(line)["text"].split()) + "\n")
    return lines, (
        f"{about['originals']:,} documents of {about['source']} text and {about['copies']:,} planted copies with "
        f"{planted.SMALLEST_EDIT:g} to {planted.LARGEST_EDIT:g}% of their words edited"
    )


@dataclasses.dataclass(frozen=True)
class Source:
    name: str
    texts: typing.Iterator[str]
    most: int  # documents, from the beginning
    copies: bool  # whether edited copies are planted; verses come in seven versions of their own


def sources(data):
    if not text_sources.has_real_data(data):
        return [Source("machine", text_sources.pieces(text_sources.machine_texts(), planted.PIECE), 20_000, True)]
    stories, rfcs = (text_sources.json_lines(os.path.join(data, name)) for name in (REUTERS, RFC))
    verses = text_sources.verses(os.path.join(data, BIBLE), per_text=1)
    return [
        Source("Reuters stories", stories, 21_578, True),
        Source("RFC pages", text_sources.pieces(rfcs, 2_000), 40_000, True),
        Source("Bible verses", verses, 217_675, False),
    ]


def write_halves(base, queries, source, most, seed):
    """Half of the documents as base; the other half, and edited copies of some of the base, as queries."""
    rng = random.Random(seed)
    texts = [text for text in itertools.islice(source.texts, most) if re.search(r"\w", text)]
    rng.shuffle(texts)
    half = len(texts) // 2
    weaver = text_sources.Weaver(rng, texts)
    asked = texts[half:]
    for text in texts[:half] if source.copies else []:
        if rng.random() < COPIED:
            percent = planted.SMALLEST_EDIT * (planted.LARGEST_EDIT / planted.SMALLEST_EDIT) ** rng.random()
            asked.append(planted.edited(text, percent, rng, weaver))
    for path, some in ((base, texts[:half]), (queries, asked)):
        with open(path + ".part", "w", encoding="utf-8") as file:
            for row, text in enumerate(some):
                file.write(json.dumps({"id": row, "text": text}, ensure_ascii=False) + "\n")
        os.rename(path + ".part", path)


def halves(data, cache, share, say):
    """{name of a source: (path of the base, path of the queries)}"""
    found = {}
    for source in sources(data):
        most = max(400, round(source.most * min(1, share)))
        stem = os.path.join(cache, f"sood-{RECIPE}-{source.name.split()[0].lower()}-{most}")
        paths = (stem + "-base.jsonl", stem + "-queries.jsonl")
        if not all(map(os.path.exists, paths)):
            say(f"{source.name}: making {os.path.basename(stem)}")
            write_halves(*paths, source, most, seed=1)
        found[source.name] = paths
    return found
