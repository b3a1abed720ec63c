"""What tests share. They run against the package of a build tree: PYTHONPATH=build/check/python pytest."""

import json
import pathlib
import random
import re
import subprocess

import neardup
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(neardup.__file__).parent / "bin" / "neardup"

FOX = "the quick brown fox jumps over the lazy dog near the river"
FOXES = [FOX, "something else", "The quick, brown fox jumps over the lazy dog near the river bank"]


@pytest.fixture(scope="session")
def corpus():
    """A few hundred texts, some of them edited copies of others, with letters beyond ASCII."""
    return make_corpus(300, seed=1)


def make_corpus(count, seed, words_per_text=40):
    rng = random.Random(seed)
    vocabulary = [f"w{number}" for number in range(400)] + ["Straße", "naïve", "日本", "Ωmega", "ﬁne"]
    texts = []
    for _ in range(count):
        if texts and rng.random() < 0.4:
            words = rng.choice(texts).split()
            for _ in range(rng.randint(0, 3)):
                words[rng.randrange(len(words))] = rng.choice(vocabulary)
            texts.append(" ".join(words))
        else:
            texts.append(" ".join(rng.choice(vocabulary) for _ in range(rng.randint(5, words_per_text))))
    return texts


def shingles(text, length=5):
    """Word shingles, for the brute force that tests compare with. Right for corpora whose words are plain."""
    words = re.findall(r"[a-z0-9ßïωﬁ日本]+", text.lower())
    split = []
    for word in words:
        split += re.findall(r"[日本]|[^日本]+", word)
    if not split:
        return frozenset()
    if len(split) < length:
        return frozenset([tuple(split)])
    return frozenset(tuple(split[at : at + length]) for at in range(len(split) - length + 1))


def brute_force_pairs(texts, threshold, length=5):
    """All pairs with a Jaccard similarity of at least num/den, compared in integers."""
    sets = [shingles(text, length) for text in texts]
    num, den = threshold.numerator, threshold.denominator
    found = []
    for right in range(len(sets)):
        for left in range(right):
            overlap = len(sets[left] & sets[right])
            union = len(sets[left]) + len(sets[right]) - overlap
            if overlap and overlap * den >= num * union:
                found.append((left, right, overlap / union))
    return sorted(found)


def write_jsonl(path, records):
    path.write_text("".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records), encoding="utf-8")
    return path


def run_program(*arguments):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, check=False)
