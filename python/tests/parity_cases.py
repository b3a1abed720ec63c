"""Ten collections and the definitions that every front end has to agree on."""

import random

TEXT = "a new ferry terminal opens on the harbour after the last inspection found no serious faults in it"
GERMAN = "Die Fähre über den Fluß verkehrt im Sommer täglich, außer bei Sturm und Hochwasser"
CJK = "東京都の天気は明日から雨になる見込みです。北京的天气预报说明天有雨。"
THAI = "สวัสดีครับ วันนี้อากาศดีมาก พรุ่งนี้ฝนจะตก"
CODE = """int main() {
  return 0;
}
for (auto x : v) sum += x;
// done
#include <map>
if (a < b) swap(a, b);"""
ENGLISH = TEXT.split()


def edited(rng, pieces, alphabet, edits):
    """Return a copy of a list with a few of its pieces replaced, removed or added."""
    out = list(pieces)
    for _ in range(edits):
        at = rng.randrange(len(out) + 1)
        choice = rng.random()
        if choice < 0.4 and at < len(out):
            out[at] = rng.choice(alphabet)
        elif choice < 0.7 and at < len(out):
            del out[at]
        else:
            out.insert(at, rng.choice(alphabet))
    return out


def families(seed, alphabet, joiner, length, count=60):
    """Return texts of which about a half are edited copies of others."""
    rng = random.Random(seed)
    made = []
    for _ in range(count):
        if made and rng.random() < 0.5:
            made.append(edited(rng, rng.choice(made), alphabet, rng.randint(0, 3)))
        else:
            made.append([rng.choice(alphabet) for _ in range(rng.randint(1, length))])
    return [joiner.join(pieces) for pieces in made]


def records(texts, seed, ids=None):
    """Return records with an id, a text and the fields that keep rules ask for. Absent values are left out."""
    rng = random.Random(seed)
    rows = []
    for place, text in enumerate(texts):
        row = {
            "id": f"d{place}" if ids is None else ids(place),
            "text": text,
            "score": rng.choice([None, "1", "2.5", "10", "many"]),
            "date": rng.choice([None, "2024-01-31", "Fri, 31 Jan 2025 10:00:00 GMT", "soon"]),
            "lang": rng.choice(["en", "de", None]),
        }
        rows.append({name: value for name, value in row.items() if value is not None})
    return rows


MIXED = [*ENGLISH, "Straße", "STRASSE", "ﬁne", "😀", "e\u0301tude", "étude", "مرحبا", "שלום", "1234", "½", "\u200b"]
COLLECTIONS = {
    "english": records(families(1, ENGLISH, " ", 60), 1),
    "german": records(families(2, GERMAN.split(), " ", 40), 2),
    "chinese and japanese": records(families(3, list(CJK), "", 60), 3),
    "thai": records(families(4, list(THAI), "", 60), 4),
    "code": records(families(5, CODE.splitlines(), "\n", 12), 5),
    "mixed scripts": records(families(6, MIXED, " ", 30), 6),
    "short": records(families(7, ENGLISH[:6], " ", 4), 7),
    "without words": records([*families(8, ENGLISH, " ", 20, 20), "", "...", "?!", "\n\n", "…"], 8),
    "copies": records(["the same text again and again in one collection"] * 30 + families(9, ENGLISH, " ", 30, 20), 9),
    "repeated ids": records(families(10, ENGLISH, " ", 30), 10, ids=lambda place: f"r{place % 17}"),
}

DEFINITIONS = {
    "default": {},
    "words": {"features": "words", "threshold": 0.6},
    "shingles of two": {"features": "words:2", "measure": "dice", "threshold": "2/3"},
    "characters": {"features": "chars:3", "measure": "cosine", "threshold": 0.75},
    "bag": {"features": "words", "bag": True, "threshold": 0.5},
    "overlap": {"features": "words", "measure": "overlap", "threshold": 6},
    "edit": {"measure": "edit", "threshold": 4},
    "hamming": {"features": "words", "measure": "hamming", "threshold": 8},
    "star": {"features": "words", "threshold": 0.5, "clusters": "star", "keep": "max:score,last"},
    "complete": {"features": "chars:4", "threshold": 0.5, "clusters": "complete", "keep": "longest"},
    "rules": {"features": "words:2", "threshold": 0.5, "keep": "prefer:lang=en,newest:date,shortest"},
    "minhash": {"finder": "minhash", "features": "words:2", "threshold": 0.6},
    "simhash": {"finder": "simhash", "features": "words", "distance": 8, "threshold": 0.6},
}


def flags(definition):
    """Return the same definition as flags of the command line."""
    out = []
    for name, value in definition.items():
        out += [f"--{name}"] if value is True else [f"--{name}", str(value)]
    return out
