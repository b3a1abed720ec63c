#!/usr/bin/env python3
"""Which pairs of pages are similar only because the pages share a template?

    bench/main_text/template.py PROGRAM [FOLDER or ARCHIVE] [--threshold 0.1]

Default: wpcd_html.tar.xz in ../shared/data, 5,462 pages of a schools' Wikipedia. The template is defined by the pages with
all their text: runs of five words that at least a tenth of the pages contain. A pair is made by the template alone if
it reaches the threshold (Jaccard of five-word runs), but not without these runs. Prints both counts for all text and
for the main text.
"""
import argparse
import json
import re
import subprocess
import tempfile
from collections import Counter
from pathlib import Path

WORD = re.compile(r"[^\W_]+")
HERE = Path(__file__).resolve().parent


def runs(text):
    words = WORD.findall(text.casefold())
    return {hash(tuple(words[i:i + 5])) for i in range(max(1, len(words) - 4))} if words else set()


def read(program, pages, scratch, html):
    """Runs of words by id, and the pairs that reach the threshold."""
    texts = Path(scratch) / f"{html}.jsonl"
    subprocess.run([program, "text", pages, "--include", "*.htm*", "--html", html, "-o", texts, "-q"], check=True)
    with open(texts, encoding="utf-8") as lines:
        return {page["id"]: runs(page["text"]) for page in map(json.loads, lines)}


def pairs_of(program, pages, html, threshold):
    done = subprocess.run([program, "pairs", pages, "--include", "*.htm*", "--html", html, "--threshold", str(threshold), "-q"],
                          check=True, stdout=subprocess.PIPE, text=True)
    return [line.split("\t")[:2] for line in done.stdout.splitlines()[1:]]


def jaccard(a, b):
    return len(a & b) / max(1, len(a | b))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("pages", nargs="?", default=str(HERE.parents[2] / "shared/data/wpcd_html.tar.xz"))
    parser.add_argument("--threshold", type=float, default=0.1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        sets = {html: read(options.program, options.pages, scratch, html) for html in ("all", "main")}
    counts = Counter(run for page in sets["all"].values() for run in page)
    template = {run for run, count in counts.items() if count >= len(sets["all"]) / 10}
    print(f"{len(sets['all'])} pages, {len(template)} runs of words in a tenth of them or more")
    for html, pages in sets.items():
        found = pairs_of(options.program, options.pages, html, options.threshold)
        alone = [pair for pair in found
                 if jaccard(pages[pair[0]] - template, pages[pair[1]] - template) < options.threshold]
        share = 100 * len(alone) / len(found) if found else 0
        print(f"--html {html}: {len(found)} pairs >= {options.threshold:g}, {len(alone)} by the template alone ({share:.1f}%)")


main()
