#!/usr/bin/env python3
"""Compares `neardup trim` and `neardup decontaminate` with a plain reading of their rules: all windows in a dictionary.

    tests/trim/oracle.py PROGRAM

Checks the words that are left, that every window of the input still stands whole somewhere, that nothing depends on
threads and memory, and that --undo gives the input back byte by byte, in every format that is cut in place.
"""
import collections
import csv
import io
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

PROGRAM = pathlib.Path(sys.argv[1]).resolve()


def words(text):
    return re.findall("[a-z0-9]+", text.lower())


def run(*arguments, expect=0, cwd=None):
    done = subprocess.run([PROGRAM, *arguments], capture_output=True, cwd=cwd)
    if done.returncode != expect:
        raise SystemExit(f"{arguments}: exit code {done.returncode}, expected {expect}\n{done.stderr.decode()}")
    return done.stdout.decode()


def plain_cuts(documents, window, keep_none=False, min_copies=2, edges="keep", old=(), groups=None):
    """The words of each document that are left."""
    places = collections.defaultdict(list)
    every = [(("old", i), w) for i, w in enumerate(old)] + [(i, w) for i, w in enumerate(documents)]
    group = lambda name: groups[name] if groups and not isinstance(name, tuple) else None
    for name, w in every:
        for i in range(len(w) - window + 1):
            places[(group(name), tuple(w[i : i + window]))].append((name, i))
    left = []
    for name, w in every[len(old) :]:
        stays, goes = [False] * len(w), [False] * len(w)
        for i in range(len(w) - window + 1):
            found = places[(group(name), tuple(w[i : i + window]))]
            repeated = len(found) >= min_copies
            if not repeated and edges == "cut":
                continue
            keeps = not repeated or (not keep_none and found[0] == (name, i))
            for k in range(window):
                (stays if keeps else goes)[i + k] = True
        left.append([word for word, s, g in zip(w, stays, goes) if s or not g])
    return left


def windows(w, n):
    return {tuple(w[i : i + n]) for i in range(len(w) - n + 1)}


def is_within(short, long):
    return any(long[i : i + len(short)] == short for i in range(len(long) - len(short) + 1))


def random_texts(rng, count):
    vocabulary = [f"w{i}" for i in range(rng.choice([1, 3, 30, 3000]))]
    shared = [[rng.choice(vocabulary) for _ in range(rng.randint(1, 60))] for _ in range(4)]
    signs = [" ", " ", " ", ", ", ".\n", "\n\n", ' "', '\\ ', "\t", " <b>", "</b> ", " é ", " 😀 "]
    texts = []
    for _ in range(count):
        parts = []
        for _ in range(rng.randint(0, 6)):
            parts += rng.choice(shared) if rng.random() < 0.5 else [rng.choice(vocabulary) for _ in range(rng.randint(1, 20))]
        texts.append("".join(word.capitalize() + rng.choice(signs) for word in parts))
    return texts


def ascii_words(text):
    return words(re.sub("[^\x00-\x7f]", " ", text))


def plain_texts(rng, count):
    """Without tags and characters beyond ASCII, so that every word border may be cut."""
    return [re.sub("[^\x00-\x7f]|</?b>", "", text) for text in random_texts(rng, count)]


def write(path, texts, rng):
    kind = path.suffix
    if kind == ".jsonl":
        lines = []
        for i, text in enumerate(texts):
            record = json.dumps({"id": f"d{i}", "text": text, "x": [i]}, ensure_ascii=rng.random() < 0.5)
            lines.append(record + ("\n\n" if rng.random() < 0.1 else "\n"))
        path.write_text("".join(lines), encoding="utf-8", newline="")
    elif kind == ".csv":
        out = io.StringIO()
        rows = csv.writer(out, lineterminator=rng.choice(["\n", "\r\n"]))
        rows.writerow(["id", "text", "n"])
        for i, text in enumerate(texts):
            rows.writerow([f"d{i}", text, i])
        path.write_text(out.getvalue(), encoding="utf-8", newline="")
    elif kind == ".lines":
        path.write_text("\n".join(text.replace("\n", " ") for text in texts), encoding="utf-8", newline="")
    else:
        path.mkdir()
        for i, text in enumerate(texts):
            (path / f"{i:03}.txt").write_text(text, encoding="utf-8", newline="")


def read(path):
    if path.is_dir():
        return [p.read_text(encoding="utf-8") for p in sorted(path.glob("*.txt"))]
    data = path.read_bytes().decode("utf-8")
    if path.suffix == ".jsonl":
        return [json.loads(line)["text"] for line in data.split("\n") if line.strip()]
    if path.suffix == ".csv":
        return [row["text"] for row in csv.DictReader(io.StringIO(data, newline=""))]
    return data.split("\n")


def check_formats(folder, rng, case):
    name = ["t.jsonl", "t.csv", "t.lines", "texts"][case % 4]
    texts = plain_texts(rng, rng.randint(1, 12))
    path = folder / name
    write(path, texts, rng)
    window = rng.choice([1, 2, 5, 12])
    edges = rng.choice(["keep", "cut"])
    flags = ["--unit", f"spans:{window}", "--edges", edges, "--threads", rng.choice(["1", "3"])]
    if rng.random() < 0.2:
        flags += ["--keep", "none"]
    copies = rng.choice([2, 2, 3])
    flags += ["--min-copies", str(copies)]
    if name == "t.lines":
        flags += ["--lines"]
        texts = read(path)
    run("trim", str(path), "-o", str(folder / "out"), "-q", *flags)
    kept = folder / "out" / ("kept" if path.is_dir() else "kept" + path.suffix)
    found = [words(text) for text in read(kept)]
    source = [words(text) for text in texts]
    expected = plain_cuts(source, window, "none" in flags, copies, edges)
    assert found == expected, (case, name, flags, [(a, b, c) for a, b, c in zip(source, found, expected) if b != c][:1])
    if "none" not in flags:
        there = set().union(*(windows(w, window) for w in found))
        repeated = collections.Counter(tuple(w[i : i + window]) for w in source for i in range(len(w) - window + 1))
        for each, count in repeated.items():
            assert each in there or (edges == "cut" and count < copies), (case, each)
    back = folder / "back"
    run("trim", "--undo", str(folder / "out"), "-o", str(back), "-q")
    if path.is_dir():
        assert [p.read_bytes() for p in sorted(path.iterdir())] == [p.read_bytes() for p in sorted(back.iterdir())], case
    else:
        assert path.read_bytes() == back.read_bytes(), (case, name)


def check_odd_texts(folder, rng, case):
    """Tags, marks and emoji: the result is readable, every window stays, undoing works."""
    texts = random_texts(rng, 8)
    path = folder / "odd.jsonl"
    write(path, texts, rng)
    cut = rng.choice(["word", "sentence", "line"])
    run("trim", str(path), "-o", str(folder / "out"), "-q", "--unit", "spans:4", "--cut", cut, "--threads", "2")
    found = [ascii_words(text) for text in read(folder / "out" / "kept.jsonl")]
    there = set().union(set(), *(windows(w, 4) for w in found))
    # Letters beyond ASCII are words as well: only windows without them are comparable here.
    for text in texts:
        for run_ in re.split("[^\x00-\x7f]", text):
            for each in windows(words(run_), 4):
                assert each in there, (case, cut, each)
    for before, after in zip(texts, read(folder / "out" / "kept.jsonl")):
        assert after.count("<") == after.count(">"), (case, after)
        assert len(after) <= len(before)
    run("trim", "--undo", str(folder / "out"), "-o", str(folder / "back"), "-q")
    assert path.read_bytes() == (folder / "back").read_bytes(), case


def check_sides_and_memory(folder, rng):
    texts = plain_texts(rng, 300)
    old = [words(text) for text in texts[:100]]
    with open(folder / "old.jsonl", "w", encoding="utf-8") as file:
        for i, text in enumerate(texts[:100]):
            file.write(json.dumps({"id": f"o{i}", "text": text, "site": i % 3}) + "\n")
    with open(folder / "new.jsonl", "w", encoding="utf-8") as file:
        for i, text in enumerate(texts[100:]):
            file.write(json.dumps({"id": f"n{i}", "text": text, "site": i % 3}) + "\n")
    new = [words(text) for text in texts[100:]]
    flags = ["-q", "--unit", "spans:6"]
    run("trim", str(folder / "new.jsonl"), "--against", str(folder / "old.jsonl"), "-o", str(folder / "a.jsonl"), *flags)
    assert [words(t) for t in read(folder / "a.jsonl")] == plain_cuts(new, 6, old=old)
    run("trim", str(folder / "new.jsonl"), "--by", "site", "-o", str(folder / "b.jsonl"), *flags)
    assert [words(t) for t in read(folder / "b.jsonl")] == plain_cuts(new, 6, groups={i: i % 3 for i in range(len(new))})
    outputs = []
    for threads, memory in (("1", "1G"), ("4", "1G"), ("2", "64M")):
        run("trim", str(folder / "new.jsonl"), "-o", str(folder / "c"), "--force", "--threads", threads, "--memory", memory, *flags)
        outputs.append([(folder / "c" / name).read_bytes() for name in ("kept.jsonl", "cuts.jsonl", "passages.tsv")])
    assert outputs[0] == outputs[1] == outputs[2]
    # The longest document holds a passage.
    run("trim", str(folder / "new.jsonl"), "--keep", "longest", "-o", str(folder / "l.jsonl"), *flags)
    order = sorted(range(len(new)), key=lambda i: (-len(texts[100 + i]), i))
    expected = plain_cuts([new[i] for i in order], 6)
    assert [words(t) for t in read(folder / "l.jsonl")] == [expected[order.index(i)] for i in range(len(new))]


def check_min_left(folder, rng, case):
    texts = plain_texts(rng, 12)
    write(folder / "m.jsonl", texts, rng)
    for what in ("remove", "empty"):
        run("trim", str(folder / "m.jsonl"), "-o", str(folder / what), "-q", "--unit", "spans:5", "--min-left", "0.6", "--short", what)
        there = set().union(set(), *(windows(words(t), 5) for t in read(folder / what / "kept.jsonl")))
        counts = collections.Counter(w for t in texts for i in range(len(words(t)) - 4) for w in [tuple(words(t)[i : i + 5])])
        for each, count in counts.items():
            assert count < 2 or each in there, (case, what, each)
        run("trim", "--undo", str(folder / what), "-o", str(folder / (what + ".back")), "-q")
        assert (folder / "m.jsonl").read_bytes() == (folder / (what + ".back")).read_bytes()


def check_decontaminate(folder, rng, case):
    vocabulary = [f"w{i}" for i in range(rng.choice([20, 2000]))]
    items = [[rng.choice(vocabulary) for _ in range(rng.randint(1, 40))] for _ in range(20)]
    train = []
    for i in range(30):
        text = [rng.choice(vocabulary) for _ in range(rng.randint(0, 80))]
        if rng.random() < 0.6:
            planted = list(rng.choice(items))
            for _ in range(rng.randint(0, 3)):
                planted[rng.randrange(len(planted))] = "edited"
            at = rng.randint(0, len(text))
            text[at:at] = planted
        train.append(text)
    window, share = rng.choice([(13, "0.5"), (4, "0.3"), (5, "1")])
    with open(folder / "train.jsonl", "w", encoding="utf-8") as file:
        for i, text in enumerate(train):
            file.write(json.dumps({"id": f"t{i}", "text": "".join(w + rng.choice([" ", ", ", "\n"]) for w in text)}) + "\n")
    with open(folder / "evals.jsonl", "w", encoding="utf-8") as file:
        for i, item in enumerate(items):
            file.write(json.dumps({"id": f"e{i}", "question": " ".join(item)}) + "\n")
    run("decontaminate", str(folder / "train.jsonl"), "--against", str(folder / "evals.jsonl"), "--eval-text", "question",
        "-o", str(folder / "clean"), "-q", "--window", str(window), "--min-share", share, "--threads", "2")
    expected = set()
    for i, text in enumerate(train):
        for k, item in enumerate(items):
            if len(item) < 8:
                continue
            n = min(window, len(item))
            own = windows(item, n)
            if len(own & windows(text, n)) >= float(share) * len(own) - 1e-9:
                expected.add((f"t{i}", f"e{k}"))
    lines = (folder / "clean" / "hits.jsonl").read_text().splitlines()
    found = {(hit["id"], hit["eval"]) for hit in map(json.loads, lines)}
    assert found == expected, (case, window, share, found ^ expected)
    hit = {name for name, _ in expected}
    kept = [json.loads(line)["id"] for line in (folder / "clean" / "kept.jsonl").read_text().splitlines()]
    assert kept == [f"t{i}" for i in range(len(train)) if f"t{i}" not in hit]


def main():
    rng = random.Random(7)
    for case in range(40):
        with tempfile.TemporaryDirectory() as folder:
            check_formats(pathlib.Path(folder), rng, case)
    for case in range(8):
        with tempfile.TemporaryDirectory() as folder:
            check_odd_texts(pathlib.Path(folder), rng, case)
        with tempfile.TemporaryDirectory() as folder:
            check_min_left(pathlib.Path(folder), rng, case)
        with tempfile.TemporaryDirectory() as folder:
            check_decontaminate(pathlib.Path(folder), rng, case)
    with tempfile.TemporaryDirectory() as folder:
        check_sides_and_memory(pathlib.Path(folder), rng)
    print("trim and decontaminate agree with the plain rules")


main()
