"""Where the benchmark's text comes from: a folder of real collections, else the text every Debian machine has.

Every function yields long texts; `pieces` cuts them into documents. Nothing is read beyond what is asked for, so a
small corpus does not unpack a large archive.
"""
import glob
import gzip
import html
import io
import itertools
import json
import lzma
import os
import random
import re
import tarfile

TAGS = re.compile(r"(?is)<(script|style).*?</\1>|<!--.*?-->|<[^>]+>")
BLOCK_ENDS = re.compile(r"(?i)</(?:p|div|h\d|li|tr|table)>|<br[^>]*>")

MACHINE_TEXT = ["/usr/share/common-licenses/*", "/usr/share/doc/*/copyright", "/usr/share/doc/*/README*",
                "/usr/share/doc/*/*.txt*", "/usr/share/doc/*/changelog*.gz", "/usr/share/man/man*/*.gz",
                "/usr/share/perl/**/*.p[mo]d*", "/usr/lib/python3*/**/*.py"]
MACHINE_TEXT_LIMIT = 60_000_000


def json_lines(path):
    with lzma.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)["text"]


def verses(path, per_text=25):
    with tarfile.open(path, "r|xz") as archive:
        for member in archive:
            if member.name.endswith("verses.tsv.gz"):
                with gzip.open(io.BytesIO(archive.extractfile(member).read()), "rt", encoding="utf-8") as file:
                    lines = (line.rstrip("\n").split("\t")[2] for line in file)
                    while chapter := list(itertools.islice(lines, per_text)):
                        yield "\n".join(chapter)


def web_pages(path):
    with tarfile.open(path, "r|xz") as archive:
        for member in archive:
            if member.isfile() and member.name.endswith(".htm"):
                page = archive.extractfile(member).read().decode("utf-8", "replace")
                text = html.unescape(TAGS.sub(" ", BLOCK_ENDS.sub("\n", page)))
                yield re.sub(r"\s*\n\s*", "\n", re.sub(r"[ \t\r\f]+", " ", text)).strip()


REAL_DATA = [("reuters_docs.jsonl.xz", json_lines), ("bible_versions.tar.xz", verses), ("wpcd_html.tar.xz", web_pages),
             ("rfc_dev_docs.jsonl.xz", json_lines)]


def machine_texts():
    """The machine's own documentation, in the order of its paths, repeated paths once."""
    seen, size = set(), 0
    for pattern in MACHINE_TEXT:
        for path in sorted(glob.glob(pattern, recursive=True)):
            real = os.path.realpath(path)
            if real in seen or not os.path.isfile(real):
                continue
            seen.add(real)
            try:
                with (gzip.open if real.endswith(".gz") else open)(real, "rb") as file:
                    text = file.read(1_000_000).decode("utf-8", "replace")
            except (OSError, EOFError):
                continue
            if text.count("\ufffd") > 5 or "\0" in text:
                continue
            size += len(text)
            yield text
            if size > MACHINE_TEXT_LIMIT:
                return


def invented_text(rng, size):
    """Words of random syllables, as often as words are in a language (Zipf). For machines without documentation."""
    syllables = [a + b for a in "b c d f g k l m n p r s t v st tr".split() for b in "a e i o u an er in or".split()]
    words = ["".join(rng.choices(syllables, k=1 + rank % 3)) for rank in range(40_000)]
    totals = list(itertools.accumulate(1 / (rank + 2.7) for rank in range(len(words))))
    while size > 0:
        sentences = (" ".join(rng.choices(words, cum_weights=totals, k=rng.randint(5, 25))) for _ in range(40))
        text = ". ".join(sentence.capitalize() for sentence in sentences) + "."
        size -= len(text)
        yield text


def pieces(texts, length):
    """Documents of about `length` characters, cut at a paragraph or line end where there is one."""
    for text in texts:
        for page in text.split("\f"):
            page = page.strip("\n")
            while len(page) > length * 3 // 2:
                cut = max(page.rfind("\n\n", length // 2, length), page.rfind("\n", length // 2, length)) + 1 or length
                yield page[:cut]
                page = page[cut:]
            if len(page) > 150:
                yield page


class Weaver:
    """Makes new text out of old: short runs of words from random places, so that phrases recur and sentences do not."""

    def __init__(self, rng, documents, sample=20_000_000):
        share = min(1, sample / max(1, sum(map(len, documents))))
        chosen = rng.sample(documents, max(1, round(share * len(documents))))
        self.rng = rng
        self.text = "\n".join(chosen)
        self.starts = [match.start() for match in re.finditer(r"\S+", self.text)]

    def document(self, length):
        parts, size, text, starts, rnd = [], 0, self.text, self.starts, self.rng.random
        last = len(starts) - 12
        while size < length:
            begin = int(rnd() * last)
            part = text[starts[begin]:starts[begin + 3 + int(rnd() * 8)]]
            parts.append(part)
            size += len(part)
        return "".join(parts)

    def word(self):
        begin = int(self.rng.random() * (len(self.starts) - 1))
        return self.text[self.starts[begin]:self.starts[begin + 1]].rstrip()


def has_real_data(folder):
    return bool(folder) and all(os.path.exists(os.path.join(folder, name)) for name, _ in REAL_DATA)


def natural_documents(folder, length, budget):
    """(documents, name of the source): up to `budget` characters, each source its share."""
    rng = random.Random(11)
    if has_real_data(folder):
        sources, name = [pieces(read(os.path.join(folder, file)), length) for file, read in REAL_DATA], "real"
    else:
        sources, name = [pieces(machine_texts(), length)], "machine"
    documents, left = [], budget
    for place, source in enumerate(sources):
        share = left // (len(sources) - place)  # what a small source leaves goes to the later ones
        for text in source:
            if share <= 0:
                break
            documents.append(text)
            share -= len(text)
            left -= len(text)
    if budget - left < min(budget, 2_000_000):
        documents += pieces(invented_text(rng, 4_000_000), length)
        name = "invented"
    return documents, name
