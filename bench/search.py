#!/usr/bin/env python3
"""The built-in search of `neardup clean` beside Xapian: how good its ranking is, and how fast.

Usage: bench/search.py                                   100,000 documents, 2,000 queries; a few minutes
       bench/search.py --scale small --no-peers --check  10,000 documents; exit 1 when an answer is wrong

Quality: nDCG@10 on four classic collections with judged queries (--data). Speed: one thread each, CPU seconds, documents
and queries in memory. Our time begins with the text; Xapian (its C++ library, a database on disk, no stems, no positions)
is given the words that our folding made of it, so that the words are the same, and only cuts them at spaces.
"""
import argparse
import collections
import json
import math
import os
import random
import shutil
import subprocess
import sys
import tarfile
import tempfile

import bars
import corpus
import report

DOCUMENTS = {"small": 10_000, "full": 100_000}
QUERIES = 2_000
DEPTH = 1_000
K1, B = 1.2, 0.75
FLAGS = [f"k1={K1}", f"b={B}"]
# Of ir_classic.tar.xz: documents, queries, judgements, and where in a line of those the document and the grade stand.
COLLECTIONS = {
    "Cranfield": ("cran/cran.all.1400", "cran/cran.qry", "cran/cranqrel", 1, 2),
    "CISI": ("cisi/CISI.ALL", "cisi/CISI.QRY", "cisi/CISI.REL", 1, None),
    "MED": ("med/MED.ALL", "med/MED.QRY", "med/MED.REL", 2, None),
    "CACM": ("cacm/cacm.all", "cacm/query.text", "cacm/qrels.text", 1, None),
}
QUERY_FILE = "topics.mq.1-10000.txt"  # number:query a line


def run(*command):
    done = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{command[0]} ended with {done.returncode}")
    return done.stdout


def write_lines(path, lines):
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(line + "\n" for line in lines)


# ---- Xapian -----------------------------------------------------------------------------------------------------


def build_xapian(cache, say):
    """The peer's program, or None."""
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "peers", "search_xapian.cpp")
    program = os.path.join(cache, "search_xapian")
    if os.path.exists(program) and os.path.getmtime(program) > os.path.getmtime(source):
        return program
    done = subprocess.run(["g++", "-std=c++17", "-O2", source, "-o", program, "-lxapian"], stderr=subprocess.DEVNULL)
    if done.returncode != 0:
        say("Xapian is left out: its program does not build (apt-get install libxapian-dev)")
        return None
    return program


# ---- quality ----------------------------------------------------------------------------------------------------


def smart_records(text, wanted):
    """(number, fields in `wanted` joined) of a file in SMART's format: .I number, then .X and lines of the field X."""
    records, field = [], ""
    for line in text.splitlines():
        if line.startswith(".I"):
            records.append((int(line[2:]), []))
            field = ""
        elif len(line.rstrip()) == 2 and line[0] == ".":
            field = line[1]
        elif records and field in wanted:
            records[-1][1].append(line)
    return [(number, " ".join(lines)) for number, lines in records]


def judgements(text, place, grade):
    """{number of the query: numbers of the relevant documents}"""
    relevant = collections.defaultdict(set)
    for line in text.splitlines():
        parts = line.split()
        if len(parts) > place and (grade is None or int(parts[grade]) >= 1):
            relevant[int(parts[0])].add(int(parts[place]))
    return relevant


def read_collections(data):
    """{name: (documents, queries, judgements)} of those that are there."""
    path = os.path.join(data or "", "ir_classic.tar.xz")
    if not os.path.exists(path):
        return {}
    wanted = {name for files in COLLECTIONS.values() for name in files[:3]}
    texts = {}
    with tarfile.open(path, "r|xz") as archive:
        for member in archive:
            name = "/".join(member.name.split("/")[-2:])
            if name in wanted:
                texts[name] = archive.extractfile(member).read().decode("latin-1")
    found = {}
    for name, (documents, queries, judged, place, grade) in COLLECTIONS.items():
        asked = smart_records(texts[queries], "WT")
        if name == "Cranfield":  # its judgements count queries from 1, whatever their numbers are
            asked = [(place_in_file, text) for place_in_file, (_, text) in enumerate(asked, 1)]
        found[name] = smart_records(texts[documents], "TW"), asked, judgements(texts[judged], place, grade)
    return found


def ndcg(run_file, documents, queries, relevant, depth=10):
    """The mean over queries that have relevant documents."""
    ranked = collections.defaultdict(list)
    with open(run_file) as file:
        for line in file:
            query, document, _ = line.split("\t")
            ranked[int(query)].append(documents[int(document)][0])
    total = judged = 0
    for place, (number, _) in enumerate(queries):
        if not relevant[number]:
            continue
        judged += 1
        gain = sum(1 / math.log2(i + 2) for i, each in enumerate(ranked[place][:depth]) if each in relevant[number])
        total += gain / sum(1 / math.log2(i + 2) for i in range(min(depth, len(relevant[number]))))
    return total / judged


def quality(options, folder, xapian, found, say):
    collected = read_collections(options.data)
    if not collected:
        say("no ir_classic.tar.xz (--data): the ranking is not judged")
    figures = {}
    for name, (documents, queries, relevant) in collected.items():
        paths = {what: os.path.join(folder, what) for what in
                 ("documents.jsonl", "queries.txt", "documents.words", "queries.words", "ours.run", "xapian.run", "db")}
        write_lines(paths["documents.jsonl"], (json.dumps({"text": text}) for _, text in documents))
        write_lines(paths["queries.txt"], (text for _, text in queries))
        run(options.search, "rank", paths["documents.jsonl"], paths["queries.txt"], paths["ours.run"], *FLAGS)
        figures[name] = {"documents": len(documents), "queries": len(queries),
                         "ours": ndcg(paths["ours.run"], documents, queries, relevant)}
        if xapian:
            run(options.search, "words", paths["documents.jsonl"], paths["documents.words"])
            run(options.search, "fold", paths["queries.txt"], paths["queries.words"])
            run(xapian, "rank", paths["documents.words"], paths["queries.words"], paths["db"], paths["xapian.run"],
                *FLAGS)
            figures[name]["xapian"] = ndcg(paths["xapian.run"], documents, queries, relevant)
            shutil.rmtree(paths["db"])
            gain = figures[name]["ours"] - figures[name]["xapian"]
            found.bar(f"{name}: nDCG@10 at least Xapian's less 0.01", f"{gain:+.4f}", gain >= -0.01)
    return figures


# ---- speed ------------------------------------------------------------------------------------------------------


def make_queries(data, documents, path):
    """Real ones, else short runs of words from the documents; what they are."""
    archive_path = os.path.join(data or "", "queries.tar.xz")
    if os.path.exists(archive_path):
        with tarfile.open(archive_path, "r|xz") as archive:
            for member in archive:
                if member.name.endswith(QUERY_FILE):
                    lines = archive.extractfile(member).read().decode("utf-8", "replace").splitlines()[:QUERIES]
                    write_lines(path, (line.split(":", 1)[1] for line in lines))
                    return f"the first of {QUERY_FILE}"
    rng = random.Random(5)
    with open(documents, encoding="utf-8") as file:
        texts = [json.loads(line)["text"].split() for line, _ in zip(file, range(DOCUMENTS["small"]))]
    queries = []
    while len(queries) < QUERIES:
        text = rng.choice(texts)
        begin = rng.randrange(max(1, len(text) - 5))
        queries.append(" ".join(text[begin:begin + rng.randint(1, 5)]))
    write_lines(path, queries)
    return "runs of words from the documents"


def speed(options, folder, xapian, found, failures, say):
    path, about = corpus.make(options.scale, options.data or None, os.path.abspath(options.cache), say=say)
    documents, queries = path + ".jsonl", os.path.join(folder, "queries.txt")
    figures = {"queries_are": make_queries(options.data, documents, queries), "source": about["source"]}
    limit = f"limit={DOCUMENTS[options.scale]}"
    asked = [limit, f"depth={DEPTH}", f"repeat={options.repeat}", *FLAGS]
    ours = {threads: json.loads(run(options.search, "speed", documents, queries, *asked, f"threads={threads}"))
            for threads in (1, 2)}
    figures["ours"], figures["2 threads"] = ours[1], ours[2]
    if ours[1]["answer"] != ours[2]["answer"]:
        failures.append("one thread and two give different results")
    if xapian:
        words, query_words = os.path.join(folder, "documents.words"), os.path.join(folder, "queries.words")
        run(options.search, "words", documents, words, limit)
        run(options.search, "fold", queries, query_words)
        figures["xapian"] = json.loads(run(xapian, "speed", words, query_words, os.path.join(folder, "db"), *asked[1:]))
        if figures["xapian"]["hits"] != ours[1]["hits"]:
            failures.append(f"{ours[1]['hits']:,} results, Xapian has {figures['xapian']['hits']:,}")
    speed_bars(found, figures)
    return figures


def speed_bars(found, figures):
    ours, two = figures["ours"], figures["2 threads"]
    if theirs := figures.get("xapian"):
        ratio = (theirs["index_cpu"] + theirs["queries_cpu"]) / (ours["index_cpu"] + ours["queries_cpu"])
        found.at_least(10, ratio, "index and queries: at least 10x Xapian, one thread, CPU time")
        found.at_least(2, theirs["queries_cpu"] / ours["queries_cpu"], "queries alone: at least 2x Xapian")
    gain = (ours["index_wall"] + ours["queries_wall"]) / (two["index_wall"] + two["queries_wall"])
    index_gain = ours["index_wall"] / two["index_wall"]
    cores = (two["index_cpu"] + two["queries_cpu"]) / (two["index_wall"] + two["queries_wall"])
    found.at_least(1.7, gain, f"2 threads at least 1.7x one, by the clock (index alone {index_gain:.2f}x; the two had "
                              f"{cores:.2f} cores to themselves: near 2, or the figure means nothing)")
    bytes_each = (ours["index_bytes"] - 8 * ours["documents"]) / max(1, ours["postings"])
    found.bar("at most 2.5 bytes a posting", f"{bytes_each:.2f}", bytes_each <= 2.5)


# ---- what is printed --------------------------------------------------------------------------------------------


def print_all(result, full):
    where = result["machine"]
    print(f"Machine: {where['cpu']}, {where['cores']} cores, load {where['load']:.1f} at the start. k1 {K1}, b {B}.")
    if result["quality"]:
        print(f"\n{'nDCG@10':12}{'documents':>10}{'queries':>9}{'ours':>9}{'Xapian':>9}")
    for name, each in result["quality"].items():
        beside = f"{each['xapian']:9.4f}" if "xapian" in each else f"{'-':>9}"
        print(f"{name:12}{each['documents']:10,}{each['queries']:9,}{each['ours']:9.4f}{beside}")
    figures = result["speed"]
    ours = figures["ours"]
    print(f"\n{ours['documents']:,} documents of {ours['bytes'] / 1e6:.0f} MB ({figures['source']} text), "
          f"{ours['queries']:,} queries ({figures['queries_are']}), depth {DEPTH}")
    print(f"{'':24}{'index s':>9}{'queries s':>11}   ")
    for name, each in (("ours", ours), (f"Xapian {figures.get('xapian', {}).get('version')}", figures.get("xapian"))):
        if each:
            print(f"{name:24}{each['index_cpu']:9.2f}{each['queries_cpu']:11.3f}   CPU seconds, one thread")
    for name in ("ours", "2 threads"):
        each = figures[name]
        print(f"{name:24}{each['index_wall']:9.2f}{each['queries_wall']:11.3f}   by the clock")
    print(f"{ours['terms']:,} terms, {ours['postings']:,} postings, {ours['index_bytes'] / 1e6:.1f} MB; "
          f"building added {ours['build_bytes'] / 1e6:.0f} MB")
    report.print_bars(result["bars"], full)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scale", choices=list(DOCUMENTS), default="full")
    parser.add_argument("--repeat", type=int, default=3, help="the fastest of so many runs counts (default: %(default)s)")
    parser.add_argument("--no-peers", action="store_true", help="leave Xapian out")
    parser.add_argument("--check", action="store_true", help="exit 1 when an answer is wrong; one run of each")
    parser.add_argument("--json", help="where all figures go")
    parser.add_argument("--data", default=corpus.default_data(), help="real collections (default: %(default)s)")
    parser.add_argument("--build", default=os.path.join(corpus.ROOT, "build", "release"), help="where the programs are")
    parser.add_argument("--cache", default=os.path.join(corpus.ROOT, "build", "bench"), help="corpora")
    options = parser.parse_args()
    options.search = os.path.join(options.build, "bench", "search")
    if options.check:
        options.repeat = 1
    os.makedirs(options.cache, exist_ok=True)

    def say(text):
        print(text, file=sys.stderr)

    result, failures, found = {"machine": report.machine()}, [], bars.Found()
    xapian = None if options.no_peers else build_xapian(os.path.abspath(options.cache), say)
    with tempfile.TemporaryDirectory(dir=options.cache) as folder:
        result["quality"] = quality(options, folder, xapian, found, say)
        result["speed"] = speed(options, folder, xapian, found, failures, say)
    result["bars"] = found
    print_all(result, options.scale == "full")
    for failure in failures:
        print("wrong: " + failure)
    if options.json:
        with open(options.json, "w") as file:
            json.dump({**result, "bars": [vars(bar) for bar in found]}, file, indent=1)
    sys.exit(1 if options.check and failures else 0)


if __name__ == "__main__":
    main()
