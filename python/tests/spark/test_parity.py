"""Spark, the command line and brute force give the same answer."""

import json
import random
import subprocess

import neardup.spark
import pytest
from parity import command_line, documents, frame, on_spark, printed, table, write_jsonl
from parity_cases import COLLECTIONS, DEFINITIONS, flags

CASES = {
    "exact": ({}, []),
    "rules": (
        {"features": "words:2", "threshold": 0.5, "keep": "prefer:lang=en,newest:date,longest"},
        ["--features", "words:2", "--threshold", "0.5", "--keep", "prefer:lang=en,newest:date,longest"],
    ),
    "star": (
        {"features": "words", "threshold": 0.6, "measure": "cosine", "clusters": "star", "keep": "max:score,last"},
        [
            "--features",
            "words",
            "--threshold",
            "0.6",
            "--measure",
            "cosine",
            "--clusters",
            "star",
            "--keep",
            "max:score,last",
        ],
    ),
    "overlap": (
        {"features": "words", "measure": "overlap", "threshold": 12},
        ["--features", "words", "--measure", "overlap", "--threshold", "12"],
    ),
    "hamming": (
        {"features": "words", "measure": "hamming", "threshold": 9},
        ["--features", "words", "--measure", "hamming", "--threshold", "9"],
    ),
    "minhash": ({"finder": "minhash", "threshold": 0.6}, ["--finder", "minhash", "--threshold", "0.6"]),
    "simhash": (
        {"finder": "simhash", "distance": 8, "threshold": 0.6},
        ["--finder", "simhash", "--distance", "8", "--threshold", "0.6"],
    ),
}
QUICK = ("exact", "hamming")


@pytest.mark.parametrize("case", [c if c in QUICK else pytest.param(c, marks=pytest.mark.slow) for c in CASES])
def test_same_answer_as_the_command_line(spark, program, tmp_path, case):
    keywords, flags = CASES[case]
    rows = documents(7, 40)
    result = neardup.spark.deduplicate(frame(spark, rows), order="at", **keywords)
    assert on_spark(result) == command_line(program, tmp_path, rows, *flags)


NOT_ON_SPARK = ("edit", "complete")


@pytest.mark.slow
@pytest.mark.parametrize("definition", [name for name in DEFINITIONS if name not in NOT_ON_SPARK])
@pytest.mark.parametrize("collection", COLLECTIONS)
def test_same_answer_for_every_collection_and_definition(spark, program, tmp_path, collection, definition):
    options = DEFINITIONS[definition]
    empty = dict.fromkeys(("score", "date", "lang"))
    rows = [{**empty, **record, "at": place} for place, record in enumerate(COLLECTIONS[collection])]
    result = neardup.spark.deduplicate(frame(spark, rows), order="at", **options)
    assert on_spark(result) == command_line(program, tmp_path, rows, *flags(options))


@pytest.mark.parametrize("definition", NOT_ON_SPARK)
def test_what_spark_does_not_do_is_refused(spark, definition):
    with pytest.raises(neardup.UsageError):
        neardup.spark.deduplicate(frame(spark, documents(1, 1)), **DEFINITIONS[definition])


@pytest.mark.slow
def test_same_answer_against_another_collection(spark, program, tmp_path):
    rows = documents(8, 40)
    other = [{**row, "id": f"o{i}"} for i, row in enumerate(rows[::5])]
    result = neardup.spark.deduplicate(frame(spark, rows), order="at", against=frame(spark, other), threshold=0.6)
    assert on_spark(result) == command_line(program, tmp_path, rows, "--threshold", "0.6", against=other)


def test_pairs_across_two_frames(spark, program, tmp_path):
    left, right = documents(9, 25), documents(9, 15)
    write_jsonl(tmp_path / "a.jsonl", left)
    write_jsonl(tmp_path / "b.jsonl", right)
    command = [
        program,
        "pairs",
        tmp_path / "a.jsonl",
        "--against",
        tmp_path / "b.jsonl",
        "-o",
        tmp_path / "p.tsv",
        "--features",
        "words:2",
    ]
    subprocess.run(command, check=True, capture_output=True)
    found = neardup.spark.pairs(frame(spark, left), frame(spark, right), order="at", features="words:2").collect()
    assert sorted((r.left, r.right, printed(r.score)) for r in found) == sorted(
        (a, b, printed(float(s))) for a, b, s in table(tmp_path / "p.tsv")
    )


@pytest.mark.slow
def test_repeated_ids_are_numbered_as_on_the_command_line(spark, program, tmp_path):
    rows = documents(10, 20)
    for i, row in enumerate(rows):
        row["id"] = ["a", "b", "a#2", f"c{i}"][i % 4] if i < 40 else row["id"]
    result = neardup.spark.deduplicate(frame(spark, rows), order="at", threshold=0.6)
    expected = command_line(program, tmp_path, rows, "--threshold", "0.6")
    got = on_spark(result)
    assert got["pairs"] == expected["pairs"]
    assert got["removed"] == expected["removed"]
    assert got["kept"] == expected["kept"]


@pytest.mark.slow
def test_components_in_rounds_are_those_of_one_task(spark):
    rows = documents(11, 40)
    data = frame(spark, rows)
    one = neardup.spark.clusters(data, order="at", features="words", threshold=0.3)
    rounds = neardup.spark.clusters(data, order="at", features="words", threshold=0.3, single_task_edges=0)
    assert sorted(map(tuple, rounds.collect())) == sorted(map(tuple, one.collect()))


@pytest.mark.slow
def test_keys_that_many_share_are_split_without_losing_a_pair(spark):
    rng = random.Random(3)
    words = [f"w{i}" for i in range(14)]
    rows = [(i, " ".join(rng.sample(words, 9))) for i in range(600)]
    data = spark.createDataFrame(rows, "id long, text string").repartition(3, "id")
    whole = neardup.spark.pairs(data, features="words", threshold=0.8)
    split = neardup.spark.pairs(data, features="words", threshold=0.8, heavy_limit=40)
    expected = sorted(map(tuple, whole.collect()))
    sets = {i: frozenset(text.split()) for i, text in rows}
    by_hand = [(a, b) for a in sets for b in sets if a < b and len(sets[a] & sets[b]) * 9 >= 4 * 18]
    assert sorted((int(a), int(b)) for a, b, _ in expected) == sorted(by_hand)
    assert sorted(map(tuple, split.collect())) == expected


def test_match_finds_what_comparing_all_finds(spark):
    rng = random.Random(4)
    codes = [rng.getrandbits(64) - (1 << 63) for _ in range(300)]
    near = [code ^ (1 << rng.randrange(62)) ^ (1 << rng.randrange(62)) for code in codes[:100]]
    base = spark.createDataFrame([(f"b{i}", code) for i, code in enumerate(codes)], "id string, fingerprint long")
    queries = spark.createDataFrame([(f"q{i}", code) for i, code in enumerate(near)], "id string, fingerprint long")
    expected = sorted(
        (f"q{i}", f"b{j}", distance)
        for i, q in enumerate(near)
        for j, b in enumerate(codes)
        if (distance := ((q ^ b) & (2**64 - 1)).bit_count()) <= 3
    )
    for limit in (1 << 22, 0):  # sent to all executors, and through tables of blocks
        found = neardup.spark.match(base, queries, 3, broadcast_limit=limit)
        assert sorted(map(tuple, found.collect())) == expected


def test_fingerprints_are_those_of_the_command_line(spark, program, tmp_path):
    rows = documents(12, 10)
    write_jsonl(tmp_path / "in.jsonl", rows)
    done = subprocess.run(
        [program, "fingerprint", tmp_path / "in.jsonl", "-o", "-"], check=True, capture_output=True, text=True
    )
    expected = dict(reversed(line.split("\t")) for line in done.stdout.splitlines())
    found = neardup.spark.fingerprints(frame(spark, rows)).collect()
    assert {r.id: "-" if r.fingerprint is None else f"{r.fingerprint & (2**64 - 1):016x}" for r in found} == expected


def test_reads_and_writes_parquet(spark, tmp_path):
    rows = documents(13, 10)
    frame(spark, rows).write.parquet(str(tmp_path / "in"))
    data = spark.read.parquet(str(tmp_path / "in"))
    result = neardup.spark.deduplicate(data, order="at", threshold=0.6)
    result.kept.write.parquet(str(tmp_path / "kept"))
    kept = spark.read.parquet(str(tmp_path / "kept"))
    assert kept.columns == data.columns
    assert kept.count() + result.removed.count() == len(rows)
    assert json.loads(kept.limit(1).toJSON().first())["id"].startswith("d")
