"""What the join benchmarks join: short, long and gram sets shaped like those of Xiao et al. 2008, Figure 2.

Texts are one cleaned record a line (lower case, words with single spaces between them), in random order, so that a
prefix is a random sample. Real records come first choice (`--data`); what is missing to the size is woven out of
their words, or out of invented ones where there is no real data. Everything is seeded and cached.
"""

import array
import bisect
import collections
import csv
import dataclasses
import io
import itertools
import json
import lzma
import os
import random
import re
import tarfile
import time

import text_sources

RECIPE = 1  # part of the names of cached files; raise it when a recipe changes
REAL_SHARE = 0.4  # at most, so that small and large sets are alike: the rest holds the planted copies
WORD = re.compile(r"[^\W_]+")
SYLLABLES = [a + b for a in "b d f g k l m n p r s t v z ch sh".split() for b in "a e i o u ai en ar".split()]


# ---- real records -----------------------------------------------------------------------------------------------


def member(archive, name):
    with tarfile.open(archive, "r:xz") as file:
        return file.extractfile(name).read().decode("utf-8", "replace")


def table(text, separator, *columns):
    for row in csv.DictReader(io.StringIO(text), delimiter=separator):
        yield " ".join(row.get(column) or "" for column in columns)


def real_titles(data):
    """Titles with their authors, artists or actors."""
    tables = {
        "ccer/D4/dblp.csv": ("%", "authors", "title"),
        "ccer/D4/acm.csv": ("%", "authors", "title"),
        "der/cora/cora.csv": ("|", "author", "title"),
        "der/cddb/cddb.csv": (",", "artist", "title"),
        "ccer/D10/imdb.csv": ("|", "title", "starring", "writer"),
        "ccer/D10/dbpedia.csv": ("|", "title", "actor name", "director name"),
    }
    found = {}
    with tarfile.open(os.path.join(data, "er_dev.tar.xz"), "r|xz") as archive:
        for entry in archive:
            name = entry.name.removeprefix("er/jedai/data/")
            if name in tables:
                found[name] = archive.extractfile(entry).read().decode("utf-8", "replace")
    for name, (separator, *columns) in tables.items():
        yield from table(found[name], separator, *columns)


def real_mail(data):
    with lzma.open(os.path.join(data, "reuters_docs.jsonl.xz"), "rt", encoding="utf-8") as file:
        for line in file:
            story = json.loads(line)
            yield story["title"] + " " + story["text"]


def real_references(data):
    """Author, title and abstract, as the paper took them from MEDLINE."""
    smart = ("cacm/cacm.all", "cisi/CISI.ALL", "cran/cran.all.1400", "med/MED.ALL")
    with tarfile.open(os.path.join(data, "ir_classic.tar.xz"), "r|xz") as archive:
        for entry in archive:
            name = entry.name.removeprefix("ir_classic/data/")
            if name not in smart and not re.fullmatch(r"lisa/LISA\d\.\d+", name):
                continue
            text = archive.extractfile(entry).read().decode("utf-8", "replace")
            if name in smart:
                for record in re.split(r"(?m)^\.I .*\n", text)[1:]:
                    fields = re.split(r"(?m)^\.([A-Z])\s*\n", record)
                    yield " ".join(body for kind, body in zip(fields[1::2], fields[2::2]) if kind in "TAW")
            else:
                yield from (re.sub(r"^\s*Document\s+\d+", "", record) for record in re.split(r"\*{20,}", text))


# ---- making up what is missing ----------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class Shape:
    about: str
    real: object
    needs: str  # the file of real data
    sigma: float  # spread of the logarithm of a record's length
    least: int  # words of a real record; shorter ones are left out
    words: float  # words of a made record, on average
    run: int  # a woven record is runs of at most so many words of other records
    copies: float  # share of the records that are copies of another, edited in a few places
    exact: float  # share of those that are not edited at all
    fresh: float  # share of woven words that are new ones: names, numbers, slips


SHAPES = {
    "titles": Shape(
        "titles with authors, artists, actors", real_titles, "er_dev.tar.xz", 0.45, 4, 17, 2, 0.10, 0.3, 0.05
    ),
    "mail": Shape("newswire, as long as mail", real_mail, "reuters_docs.jsonl.xz", 0.8, 30, 270, 3, 0.15, 0.4, 0.01),
    "references": Shape(
        "authors, titles, abstracts", real_references, "ir_classic.tar.xz", 0.5, 60, 240, 3, 0.15, 0.1, 0.01
    ),
}


class Maker:
    """Woven records and edited copies, out of the words of other records."""

    def __init__(self, shape, records, rng):
        self.shape, self.rng = shape, rng
        self.words = [word for record in records for word in record]

    def word(self):
        if self.rng.random() < self.shape.fresh:
            return "".join(self.rng.choices(SYLLABLES, k=3))
        return self.words[int(self.rng.random() * len(self.words))]

    def woven(self):
        length, record, rnd, words = made_length(self.shape, self.rng), [], self.rng.random, self.words
        while len(record) < length:
            begin = int(rnd() * len(words))
            record += words[begin : begin + 1 + int(rnd() * self.shape.run)]
            if rnd() < self.shape.fresh * self.shape.run:
                record[-1] = "".join(self.rng.choices(SYLLABLES, k=3))
        return record[:length]

    def copy(self, record):
        record = list(record)
        if self.rng.random() < self.shape.exact:
            return record
        edits = 1
        while self.rng.random() < 0.62:
            edits += 1
        for _ in range(round(edits * max(1, len(record) / 28))):
            place, kind = int(self.rng.random() * len(record)), self.rng.random()
            if kind < 1 / 3 and len(record) > 3:
                del record[place]
            elif kind < 2 / 3:
                record.insert(place, self.word())
            else:
                record[place] = self.word()
        return record


def clean(text):
    return WORD.findall(text.lower())


def made_length(shape, rng):
    return max(3, round(shape.words * rng.lognormvariate(-shape.sigma**2 / 2, shape.sigma)))


def invented(shape, rng, size):
    words = iter(word for text in text_sources.invented_text(rng, 9 * size) for word in clean(text))
    while record := list(itertools.islice(words, made_length(shape, rng))):
        yield record


def make_records(name, count, data, seed):
    """(records as lists of words, in random order; how many are real)."""
    shape, rng = SHAPES[name], random.Random(seed)
    real = []
    if data and os.path.exists(os.path.join(data, shape.needs)):
        real = [words for words in map(clean, shape.real(data)) if len(words) >= shape.least]
        rng.shuffle(real)
        del real[round(count * REAL_SHARE) :]
    maker = Maker(shape, real or list(invented(shape, rng, 1_500_000)), rng)
    records = list(real)
    while len(records) < count:
        records.append(maker.copy(rng.choice(records)) if records and rng.random() < shape.copies else maker.woven())
    rng.shuffle(records)
    return records, len(real)


# ---- files ------------------------------------------------------------------------------------------------------


def cached(path, make, say):
    """`make(path.part)` returns what it made; that and the file stay."""
    if not os.path.exists(path + ".json"):
        start = time.perf_counter()
        about = make(path + ".part")
        os.rename(path + ".part", path)
        with open(path + ".json", "w") as file:
            json.dump(about, file)
        say(f"made {path} in {time.perf_counter() - start:.0f} s")
    with open(path + ".json") as file:
        return path, json.load(file)


def grams(text, length):
    return {text[i : i + length] for i in range(len(text) - length + 1)} if len(text) > length else {text}


FEATURES = {
    "words": lambda text: set(text.split(" ")),
    "chars:3": lambda text: grams(text, 3),
    "chars:4": lambda text: grams(text, 4),
}


def figure2(path, features):
    """The columns of the paper's Figure 2: records, average number of features, different features."""
    split, total, universe, count = FEATURES[features], 0, set(), 0
    with open(path, encoding="utf-8") as file:
        for line in file:
            record = split(line.rstrip("\n"))
            total += len(record)
            count += 1
            universe |= record
    return {"n": count, "avg_len": round(total / count, 1), "universe": len(universe)}


def make_text(name, count, data, cache, features=("words",), seed=1, say=lambda text: None):
    """A file of one record a line, and what it is: n, real, and Figure 2's columns for each kind of features."""
    source = "real" if data and os.path.exists(os.path.join(data, SHAPES[name].needs)) else "invented"

    def make(path):
        records, real = make_records(name, count, data, seed)
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(" ".join(record) + "\n" for record in records)
        what = SHAPES[name].about if real else "invented words"
        return {
            "name": name,
            "real": real,
            "source": what,
            "seed": seed,
            "figure2": {kind: figure2(path, kind) for kind in features},
        }

    os.makedirs(cache, exist_ok=True)
    kinds = "-".join(kind.replace(":", "") for kind in features)
    return cached(os.path.join(cache, f"join-{name}-{RECIPE}-{source}-{kinds}-{count}-{seed}.txt"), make, say)


def described(about, features):
    """One line that says what data a number is about."""
    columns = about["figure2"][features]
    made = columns["n"] - about["real"]
    parts = ([f"{about['real']:,} real ({about['source']})"] if about["real"] else []) + (
        [f"{made:,} generated" + ("" if about["real"] else " of invented words")] if made else []
    )
    return (
        f"{about['name']} as {features}: n {columns['n']:,}, avg_len {columns['avg_len']}, "
        f"|U| {columns['universe']:,}; " + " + ".join(parts)
    )


# ---- sets of integers -------------------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class SetShape:
    about: str
    records: int
    features: str | None = None  # of the text named by `text`
    text: str | None = None


SETS = {
    "short": SetShape("titles, words", 873_000, "words", "titles"),
    "long": SetShape("mail, words", 300_000, "words", "mail"),
    "3-grams": SetShape("titles, 3-grams", 300_000, "chars:3", "titles"),
    "duplicates": SetShape("titles, nine of ten made ones are copies, words", 1_500_000, "words", "copied-titles"),
    "zipf": SetShape("integers, Zipf 0.9 over 20,000", 1_000_000),
    "million": SetShape("titles, words", 1_000_000, "words", "titles-15"),
}
SHAPES["titles-15"] = dataclasses.replace(SHAPES["titles"], words=15.8)  # 15.0 different words on average
SHAPES["copied-titles"] = dataclasses.replace(SHAPES["titles"], copies=0.9, exact=0.5)


def zipf_sets(count, rng, universe=20_000, power=0.9, length=20):
    """Sets of Zipf-distributed integers; one in ten is a copy with some members changed."""
    totals = list(itertools.accumulate((rank + 1) ** -power for rank in range(universe)))
    records = []
    for _ in range(count):
        if records and rng.random() < 0.1:
            record = set(rng.choice(records))
            for member_ in rng.sample(sorted(record), min(len(record) - 1, int(rng.expovariate(0.6)))):
                record.remove(member_)
                record.add(bisect.bisect(totals, rng.random() * totals[-1]))
        else:
            record = set(
                rng.choices(range(universe), cum_weights=totals, k=max(2, round(rng.lognormvariate(0, 0.5) * length)))
            )
        records.append(record)
    return records


def text_sets(path, features):
    numbers, split = {}, FEATURES[features]
    with open(path, encoding="utf-8") as file:
        for line in file:
            yield [numbers.setdefault(feature, len(numbers)) for feature in sorted(split(line.rstrip("\n")))]


def make_sets(name, share, data, cache, seed=1, say=lambda text: None):
    """A .sets file (a line of integers is a record), and what it is. `share` of the set's usual number of records."""
    shape = SETS[name]
    count, text = max(200, round(shape.records * share)), None
    source = "integers"
    if shape.text:
        text, about = make_text(shape.text, count, data, cache, (shape.features,), seed, say)
        source = "real" if about["real"] else "invented"

    def make(path):
        total, universe, number = 0, set(), 0
        with open(path, "w") as file:
            for record in text_sets(text, shape.features) if text else zipf_sets(count, random.Random(seed)):
                file.write(" ".join(map(str, record)) + "\n")
                total += len(record)
                universe.update(record)
                number += 1
        return {
            "name": name,
            "about": shape.about,
            "real": about["real"] if text else 0,
            "n": number,
            "avg_len": round(total / number, 1),
            "universe": len(universe),
        }

    os.makedirs(cache, exist_ok=True)
    return cached(os.path.join(cache, f"join-{name}-{RECIPE}-{source}-{count}-{seed}.sets"), make, say)


def make_binary(sets, say):
    """The same sets as the prototypes read them: by length, rarest token first; 32-bit number, length, tokens."""

    def make(path):
        with open(sets) as file:
            records = [list(map(int, line.split())) for line in file]
        counts = collections.Counter(itertools.chain.from_iterable(records))
        rank = {
            token: place + 1 for place, token in enumerate(sorted(counts, key=lambda token: (counts[token], token)))
        }
        ordered = sorted(
            (sorted(map(rank.__getitem__, record)) for record in records), key=lambda record: (len(record), record)
        )
        with open(path, "wb") as file:
            for number, record in enumerate(ordered):
                array.array("I", [number, len(record), *record]).tofile(file)
        return {"n": len(ordered)}

    return cached(sets.removesuffix(".sets") + ".bin", make, say)[0]
