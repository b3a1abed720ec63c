#!/usr/bin/env python3
"""Is what `neardup advise` says true? Compares its estimates with real runs, and prints tables for docs/algorithms/advise.md.

    bench/advise.py PROGRAM DATA [NAME...]            time, memory and removals of nine collections at 0.8
    bench/advise.py PROGRAM DATA --match              F1 of the settings that it prints for pairs of tables
    bench/advise.py PROGRAM DATA --sampled [NAME...]  removals estimated from a quarter of the text

DATA is the folder with reuters_docs.jsonl.xz, rfc_dev_docs.jsonl.xz, bible_versions.tar.xz and others. Times are CPU seconds (user and
system), so that other work on the machine matters little. Ratios are estimate / run.
"""
import csv
import json
import os
import pathlib
import random
import shlex
import subprocess
import sys
import tempfile

RUNS = int(os.environ.get("RUNS", "3"))  # of each finder; the median counts
TABLES = "er_dev.tar.xz"
ER = "er/jedai/data/ccer"
COLLECTIONS = {  # name: (file, member or None, arguments)
    "spdx": ("spdx.tar.xz", "spdx/licenses.jsonl.gz", ["--text", "licenseText"]),
    "reuters": ("reuters_docs.jsonl.xz", None, []),
    "planted": ("reuters_docs.jsonl.xz", None, []),  # stories with edited copies, made below
    "dblp": (TABLES, f"{ER}/D4/dblp.csv", ["--delimiter", "%", "--text", "title,authors"]),
    "imdb": (TABLES, f"{ER}/D10/imdb.csv", ["--delimiter", "|", "--text", "title"]),
    "bible": ("bible_versions.tar.xz", "bible_versions/verses.tsv.gz", ["--no-header", "--text", "3", "--id", "1"]),
    "npm names": ("npm_names_1m.txt.gz", None, ["--lines"]),
    "wpcd pages": ("wpcd_html.tar.xz", "", []),
    "rfc": ("rfc_dev_docs.jsonl.xz", None, []),
}
MATCHES = {  # name: (folder, left, right, delimiter, left text, right text)
    "Abt x Buy": ("D2", "abt", "buy", "|", "name", "name"),
    "Amazon x Google": ("D3", "amazon", "gp", "#", "title", "title"),
    "DBLP x ACM": ("D4", "dblp", "acm", "%", "title,authors", "title,authors"),
    "IMDB x DBpedia": ("D10", "imdb", "dbpedia", "|", "title", "title"),
}


def unpack(data, scratch, name):
    file, member, _ = COLLECTIONS[name]
    if name == "planted":
        return plant(unpack(data, scratch, "reuters"), scratch / "planted.jsonl")
    if member is None:
        target = scratch / file.removesuffix(".xz")
        if not target.exists():
            if file.endswith(".xz"):
                with open(target, "wb") as out:
                    subprocess.run(["xz", "-dc", str(data / file)], stdout=out, check=True)
            else:
                target.symlink_to((data / file).resolve())
        return target
    folder = scratch / file.split(".")[0]
    if not folder.exists():
        folder.mkdir()
        subprocess.run(["tar", "xf", str(data / file), "-C", str(folder)], check=True)
    return folder / member


def plant(source, target):
    """Stories of more than 60 words, a quarter of them with copies in which 0 to 5% of the words are others."""
    if target.exists():
        return target
    draw = random.Random(7)
    with open(source) as lines:
        stories = [text for text in (json.loads(line)["text"] for line in lines) if len(text.split()) > 60]
    vocabulary = [word for text in stories[:2000] for word in text.split()]
    out = []
    for text in stories:
        out.append(text)
        if draw.random() < 0.25:
            for _ in range(min(40, int(draw.paretovariate(1.2)))):
                edited = draw.choice([0, 0.005, 0.01, 0.02, 0.05])
                out.append(" ".join(draw.choice(vocabulary) if draw.random() < edited else word for word in text.split()))
    draw.shuffle(out)
    with open(target, "w") as file:
        file.writelines(json.dumps({"id": i, "text": text}) + "\n" for i, text in enumerate(out))
    return target


def measured(command):
    """(standard output, CPU seconds, peak bytes) of a command."""
    # Through time(1): a child that Python forks begins with Python's own peak.
    process = subprocess.run(["/usr/bin/time", "-f", "%U %S %M", *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if process.returncode not in (0, 1):
        raise SystemExit(f"failed: {shlex.join(map(str, command))}\n{process.stderr.decode()}")
    user, system, kilobytes = map(float, process.stderr.decode().splitlines()[-1].split())
    return process.stdout, user + system, kilobytes * 1024


def costs(program, data, scratch, names):
    print("| collection | documents | finder | CPU s: estimate / run | ratio | MB: estimate / run | ratio | removed: estimate / run | ratio | CPU s of advise |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for name in names:
        path, arguments = unpack(data, scratch, name), COLLECTIONS[name][2]
        output, own, _ = measured([program, "advise", path, *arguments, "-t", "0.8", "--json", "-q"])
        advice = json.loads(output)
        removed = next(o["removed"]["value"] for o in advice["outcomes"] if o["threshold"] == "0.8")
        for cost in advice["finders"]:
            command = [program, "dedup", path, *arguments, "--features", advice["definition"]["features"], "--finder", cost["finder"], "--json", "-q"]
            runs = sorted((measured(command) for _ in range(RUNS)), key=lambda run: run[1])
            output, cpu, peak = runs[RUNS // 2]
            truth = json.loads(output)["removed"]
            exact = cost["finder"] == "exact"
            print(f"| {name} | {advice['documents']:,} | {cost['finder']} | {cost['cpu_seconds']:.2f} / {cpu:.2f} | {cost['cpu_seconds'] / cpu:.2f} "
                  f"| {cost['memory_bytes'] / 1e6:.0f} / {peak / 1e6:.0f} | {cost['memory_bytes'] / peak:.2f} "
                  f"| {f'{removed:,.0f} / {truth:,}' if exact else ''} | {f'{removed / max(1, truth):.2f}' if exact else ''} | {f'{own:.2f}' if exact else ''} |", flush=True)


def sampled(program, data, scratch, names):
    print("| collection | examined | removed at 0.8: estimate (interval) | run | ratio |\n|---|---|---|---|---|")
    for name in names:
        path, arguments = unpack(data, scratch, name), COLLECTIONS[name][2]
        whole = json.loads(measured([program, "advise", path, *arguments, "-t", "0.8", "--json", "-q"])[0])
        text = int(whole["text_bytes"])
        advice = json.loads(measured([program, "advise", path, *arguments, "--features", whole["definition"]["features"], "-t", "0.8",
                                      "--examine", str(max(1, text // 4)), "--json", "-q"])[0])
        truth = json.loads(measured([program, "dedup", path, *arguments, "--features", whole["definition"]["features"], "--json", "-q"])[0])["removed"]
        removed = next(o["removed"] for o in advice["outcomes"] if o["threshold"] == "0.8")
        print(f"| {name} | {100 * advice['examined_share']:.0f}% | {removed['value']:,.0f} ({removed['low']:,.0f} to {removed['high']:,.0f}) "
              f"| {truth:,} | {removed['value'] / max(1, truth):.2f} |", flush=True)


def match(program, data, scratch):
    unpack(data, scratch, "dblp")
    print("| tables | features | threshold | expected F1 | F1 | precision | recall |\n|---|---|---|---|---|---|---|")
    for name, (folder, left, right, delimiter, left_text, right_text) in MATCHES.items():
        base = scratch / TABLES.split(".")[0] / ER / folder
        arguments = [base / f"{left}.csv", "--delimiter", delimiter, "--text", left_text, "--against", base / f"{right}.csv", "--against-text", right_text]
        advice = json.loads(measured([program, "advise", *arguments, "--json", "-q"])[0])
        command = shlex.split(advice["command"])
        matches = scratch / "matches.csv"
        measured([program, *command[1:-1], matches, "--force", "-q"])
        with open(matches, newline="") as file:
            found = {(row["left"], row["right"]) for row in csv.DictReader(file)}
        with open(base / "gt.csv") as file:
            truth = {tuple(line.strip().split(delimiter)) for line in list(file)[1:]}
        good = len(found & truth)
        print(f"| {name} | {advice['definition']['features']} | {advice['threshold']['suggested']} | {advice['matching']['expected_f1']:.2f} "
              f"| {2 * good / (len(found) + len(truth)):.3f} | {good / max(1, len(found)):.3f} | {good / len(truth):.3f} |", flush=True)


def main():
    if len(sys.argv) < 3:
        print(__doc__.strip())
        return 2
    program, data, rest = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve(), sys.argv[3:]
    names = [word for word in rest if not word.startswith("--")] or list(COLLECTIONS)
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        if "--match" in rest:
            match(program, data, scratch)
        elif "--sampled" in rest:
            sampled(program, data, scratch, names)
        else:
            costs(program, data, scratch, names)
    return 0


if __name__ == "__main__":
    sys.exit(main())
