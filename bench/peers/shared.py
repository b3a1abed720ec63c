"""What every peer does besides finding duplicates: JSON lines in, kept lines out, links on request.

Usage of every peer: with_X.py IN.jsonl KEPT.jsonl [--links FILE] [--limit N] [--recipe NAME]
`--links` writes `row TAB row` for every two documents the tool called duplicates. It is asked for in a run of its own,
never in a timed one.
"""
import argparse
import re

import orjson

WORD = re.compile(r"[^\W_]+")


def arguments(recipes=("grams",)):
    parser = argparse.ArgumentParser()
    parser.add_argument("input")
    parser.add_argument("kept")
    parser.add_argument("--links")
    parser.add_argument("--limit", type=int)
    parser.add_argument("--recipe", choices=recipes, default=recipes[0])
    return parser.parse_args()


def read(options):
    with open(options.input, "rb") as file:
        lines = file.readlines() if options.limit is None else [line for _, line in zip(range(options.limit), file)]
    return lines, [orjson.loads(line)["text"] for line in lines]


def word_grams(text, length=5):
    words = WORD.findall(text.lower())
    if len(words) <= length:
        return [" ".join(words)] if words else []
    return [" ".join(words[i:i + length]) for i in range(len(words) - length + 1)]


def write_kept(options, lines, keep):
    with open(options.kept, "wb") as file:
        file.writelines(line for line, kept in zip(lines, keep) if kept)


def write_links(options, links):
    if options.links:
        with open(options.links, "w") as file:
            file.writelines(f"{a}\t{b}\n" for a, b in links)
