"""Pages whose main text is known, and how well an extracted text agrees with it."""
import gzip
import json
import re
import tarfile
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path

WORD = re.compile(r"\w+")


@dataclass
class GoldPage:
    name: str
    html: bytes
    gold: str
    held_out: bool = False


def load_aeb(data: Path) -> list[GoldPage]:
    """News pages; every second one, by name, is held out: no rule may be tuned on it."""
    with tarfile.open(data / "aeb.tar.xz") as archive:
        files = {Path(member.name).name: archive.extractfile(member).read()
                 for member in archive if member.isfile()}
    gold = json.loads(files["ground-truth.json"])
    return [GoldPage(name, gzip.decompress(files[name + ".html.gz"]), gold[name]["articleBody"], i % 2 == 1)
            for i, name in enumerate(sorted(gold))]


def load_cleaneval(data: Path) -> list[GoldPage]:
    """Pages of 2006 of all kinds. The gold text begins with a line URL: and marks paragraphs by <p>, <h>, <l>."""
    pages, gold = {}, {}
    with tarfile.open(data / "html_cleaneval_dev.tar.xz") as archive:
        for member in archive:
            path = Path(member.name)
            if not member.isfile() or not path.parent.parent.name.startswith("cleaneval"):
                continue
            name = f"{path.parent.parent.name}/{path.stem}"
            if path.parent.name == "input" and path.suffix == ".html":
                pages[name] = archive.extractfile(member).read()
            elif path.parent.name == "GoldStandard" and path.suffix == ".txt":
                text = archive.extractfile(member).read().decode("utf-8", "replace")
                gold[name] = re.sub(r"<[a-z]+>", " ", re.sub(r"\A\s*URL:.*", "", text), flags=re.I)
    return [GoldPage(name, pages[name], gold[name]) for name in sorted(pages.keys() & gold.keys())]


def shingles(text: str, size: int = 4) -> Counter:
    words = WORD.findall(text)
    return Counter(tuple(words[i:i + size]) for i in range(max(1, len(words) - size + 1)))


def shingle_scores(gold: str, found: str) -> tuple[float, float]:
    """Precision and recall on bags of four-word shingles."""
    a, b = shingles(gold), shingles(found)
    both = sum(min(count, b[key]) for key, count in a.items() if key in b)
    of_gold, of_found = sum(a.values()), sum(b.values())
    if both == of_gold == of_found:
        return 1.0, 1.0
    return both / of_found, both / of_gold


def mean_shingle_f1(pairs: list[tuple[str, str]]) -> tuple[float, float, float]:
    """Precision (of pages with a result), recall, and the F1 of these means."""
    scores = [shingle_scores(gold, found) for gold, found in pairs]
    precisions = [p for (p, _), (_, found) in zip(scores, pairs) if WORD.search(found)]
    p = sum(precisions) / max(1, len(precisions))
    r = sum(r for _, r in scores) / len(scores)
    return p, r, 2 * p * r / (p + r) if p + r else 0.0


def common_subsequence(a: list[str], b: list[str]) -> int:
    """Length of the longest one, by bit parallelism."""
    places = defaultdict(int)
    for i, word in enumerate(a):
        places[word] |= 1 << i
    mask = row = (1 << len(a)) - 1
    for word in b:
        if word in places:
            hit = row & places[word]
            row = ((row + hit) | (row - hit)) & mask
    return len(a) - bin(row).count("1")


def subsequence_f1(gold: str, found: str) -> float:
    a, b = WORD.findall(gold.lower()), WORD.findall(found.lower())
    if not a and not b:
        return 1.0
    return 2 * common_subsequence(a, b) / (len(a) + len(b)) if a and b else 0.0


def mean_subsequence_f1(pairs: list[tuple[str, str]]) -> float:
    return sum(subsequence_f1(gold, found) for gold, found in pairs) / len(pairs)
