#!/usr/bin/env python3
"""Does a clean-up of 1.6 million documents stay within its bars?

Usage: bench/clean_scale.py                        1.6 million documents of 1 KB, 2,000 queries; some minutes
       bench/clean_scale.py --documents 20000      a small one
Makes the collection and the log (seeded, cached), runs `neardup clean` on them at depth 1000, and prints seconds, peak
memory and the clean-up step of a query beside the bars. Exit code 1 with --check when a bar is missed.
"""

import argparse
import itertools
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time

import corpus
import report
import text_sources

RECIPE = 2  # part of the names of cached files; raise it when the recipe changes
DOCUMENTS, QUERIES, DEPTH = 1_600_000, 2_000, 1_000
LENGTH = 1_000  # characters of a document, about
COPIES = 0.15  # share of the documents that are near-copies of one before them
WITHIN = 50_000  # a copy's original is among so many documents before it
VOCABULARY = 300_000
BASE = 30_000_000  # characters of the text that documents are woven from
COMMON = 100  # words so frequent that most searches do without them
NATURAL = 0.3  # share of the queries that have such words as often as texts do
BARS = {"seconds": 120, "peak_gb": 4.0, "mean_ms": 1.0}


def vocabulary(rng):
    """Different words, the frequent ones short."""
    syllables = [
        a + b for a in "b c d f g h k l m n p r s t v z ch st tr".split() for b in "a e i o u ai en or".split()
    ]
    words, seen = [], set()
    while len(words) < VOCABULARY:
        word = "".join(rng.choices(syllables, k=1 + (len(words) > 80) + (len(words) > 3_000) + (rng.random() < 0.3)))
        if word not in seen:
            seen.add(word)
            words.append(word)
    return words


def base_text(rng, words, size):
    """Words as often as Zipf has it, in sentences."""
    totals = list(itertools.accumulate(1 / (rank + 2.7) for rank in range(len(words))))
    while size > 0:
        chosen = rng.choices(words, cum_weights=totals, k=10_000)
        sentences = (" ".join(chosen[begin : begin + 16]).capitalize() + "." for begin in range(0, len(chosen), 16))
        text = " ".join(sentences)
        size -= len(text)
        yield text


def write_documents(path, count, weaver, rng):
    copies, recent = 0, []
    encode = json.JSONEncoder(ensure_ascii=False).encode
    with open(path, "w", encoding="utf-8", buffering=1 << 20) as file:
        for row in range(count):
            if recent and rng.random() < COPIES:
                percent = rng.choice((0, 0, 0.7, 1.5, 3, 6))  # of about 150 words: none, one, two, ...
                text = corpus.edited(recent[int(rng.random() * len(recent))], percent, rng, weaver.word)
                copies += 1
            else:
                text = weaver.document(LENGTH)
                if len(recent) < WITHIN:
                    recent.append(text)
                else:
                    recent[int(rng.random() * WITHIN)] = text
            file.write(f'{{"id":{row},"text":{encode(text)}}}\n')
    return copies


def write_log(path, count, words, weaver, rng):
    """query TAB count. One to four words that stand near each other somewhere."""
    common, queries = set(words[:COMMON]), {}
    while len(queries) < count:
        begin = int(rng.random() * (len(weaver.starts) - 20))
        run = weaver.text[weaver.starts[begin] : weaver.starts[begin + 12]].lower().replace(".", "").split()
        if rng.random() >= NATURAL:
            run = [word for word in run if word not in common]
        query = " ".join(run[: rng.choices((1, 2, 3, 4), (30, 35, 25, 10))[0]])
        if query and query not in queries:
            queries[query] = max(1, round(100 * count / (len(queries) + 10)))
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(f"{query}\t{times}\n" for query, times in queries.items())


def make(documents, queries, cache, say, seed=1):
    """(path of the documents, of the log, what they are)"""
    os.makedirs(cache, exist_ok=True)
    stem = os.path.join(cache, f"clean-{RECIPE}-{documents}-{queries}")
    path, log, about = stem + ".jsonl", stem + ".log.tsv", stem + ".json"
    if not os.path.exists(about):
        start, rng = time.perf_counter(), random.Random(seed)
        say(f"making {path}")
        words = vocabulary(rng)
        weaver = text_sources.Weaver(rng, list(base_text(rng, words, min(BASE, documents * LENGTH))), sample=BASE * 2)
        write_log(log, queries, words, weaver, rng)
        copies = write_documents(path + ".part", documents, weaver, rng)
        os.rename(path + ".part", path)
        with open(about, "w") as file:
            json.dump({"copies": copies}, file)
        say(f"made in {time.perf_counter() - start:.0f} s")
    with open(about) as file:
        copies = json.load(file)["copies"]
    size = os.path.getsize(path)
    return (
        path,
        log,
        (
            f"{documents:,} generated documents, {size / 1e9:.2f} GB, {copies:,} of them near-copies of others; "
            f"{queries:,} generated queries"
        ),
    )


def run(program, path, log, flags, scratch):
    """What measure.py says of the process, the run's record, and rows of queries.tsv."""
    out, result = os.path.join(scratch, "out"), os.path.join(scratch, "measured.json")
    measure = os.path.join(os.path.dirname(os.path.abspath(__file__)), "measure.py")
    command = [program, "clean", path, "--queries", log, "--depth", str(DEPTH), "-o", out, "--quiet", *flags]
    subprocess.run([sys.executable, measure, result, *command], check=True)
    with open(result) as file:
        measured = json.load(file)
    if measured["exit"] not in (0, 1):
        raise SystemExit(f"{' '.join(command)} ended with {measured['exit']}")
    with open(os.path.join(out, "run.json"), encoding="utf-8") as file:
        record = json.load(file)
    with open(os.path.join(out, "queries.tsv"), encoding="utf-8") as file:
        columns = next(file).rstrip("\n").split("\t")
        rows = [dict(zip(columns, line.rstrip("\n").split("\t"))) for line in file]
    shutil.rmtree(out)
    return measured, record, rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=DOCUMENTS)
    parser.add_argument("--queries", type=int, default=QUERIES)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--no-verify", action="store_true", help="the paper's rule: distance alone decides")
    parser.add_argument("--check", action="store_true", help="exit with 1 when a bar is missed")
    parser.add_argument("--neardup", default=os.path.join(corpus.ROOT, "build", "release", "neardup"), metavar="PATH")
    parser.add_argument("--cache", default=os.path.join(corpus.ROOT, "build", "bench"), help="the data that is made")
    options = parser.parse_args()
    options.cache = os.path.abspath(options.cache)
    if not os.path.exists(options.neardup):
        parser.error(f"{options.neardup} is missing: make build, or --neardup PATH")

    path, log, described = make(options.documents, options.queries, options.cache, lambda text: print(text, flush=True))
    where = report.machine()
    flags = ["--threads", str(options.threads), *(["--no-verify"] if options.no_verify else [])]
    with tempfile.TemporaryDirectory(prefix="clean-", dir=options.cache) as scratch:
        measured, record, rows = run(options.neardup, path, log, flags, scratch)

    print(
        f"{described}\n{where['cpu']}, {where['cores']} cores, load {where['load']:.1f} at the start; {' '.join(flags)}"
    )
    results = sum(int(row["results"]) for row in rows) / max(1, len(rows))
    print(
        f"{record['removed']:,} removed; {results:.0f} results looked at a query; "
        f"index {record['index_bytes'] / 1e6:.0f} MB"
    )
    print("  " + ", ".join(f"{stage} {seconds:.1f} s" for stage, seconds in record["stage_seconds"].items()))
    figures = [
        ("seconds", measured["seconds"], f"{measured['cpu_seconds']:.1f} s of CPU time"),
        ("peak_gb", measured["peak_bytes"] / 1e9, ""),
    ]
    step = record.get("clean_step")
    if step:
        figures.append(("mean_ms", step["mean_ms"], f"clean-up step of a query; worst {step['worst_ms']:.3f} ms"))
    else:
        print("  run.json has no clean_step: this build does not time it")
    missed = False
    for name, value, note in figures:
        missed |= value > BARS[name]
        print(
            f"  {name:8}{value:9.3f}   bar {BARS[name]:g}: {value / BARS[name]:.2f} of it"
            f"{'' if value <= BARS[name] else ', MISSED'}{'   ' + note if note else ''}"
        )
    sys.exit(1 if missed and options.check else 0)


if __name__ == "__main__":
    main()
