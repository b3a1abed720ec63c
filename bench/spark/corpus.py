#!/usr/bin/env python3
"""Writes a corpus of synthetic documents, the same for the same size: NAME.jsonl for the command line, NAME.parquet for Spark.

    bench/spark/corpus.py DOCUMENTS FOLDER

Seven of ten documents are new, of 20 to 140 words drawn by Zipf's law from 50,000, and one in twenty ends with the same 30 words
of boilerplate. Two of ten are a copy of an earlier document with up to a tenth of its words changed, one of twenty is an exact
copy, and the rest are pages of one template.
"""
import json
import pathlib
import sys

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq


def documents(count, seed=1):
    rng = np.random.default_rng(seed)
    words = np.array([f"w{i:x}" for i in range(50_000)], dtype=object)
    cumulative = np.cumsum(1 / np.arange(10, 50_010))
    cumulative /= cumulative[-1]

    def drawn(size):
        return np.searchsorted(cumulative, rng.random(size)).astype(np.int32)

    boilerplate, template = drawn(30), drawn(60)
    recent = []
    for at in range(count):
        kind = rng.random()
        if kind < 0.2 and recent:
            ids = recent[rng.integers(len(recent))].copy()
            edits = rng.integers(0, max(1, len(ids) // 10) + 1)
            ids[rng.integers(0, len(ids), edits)] = drawn(edits)
        elif kind < 0.25 and recent:
            ids = recent[rng.integers(len(recent))]
        elif kind < 0.26:
            ids = np.concatenate([template, drawn(20)])
        else:
            ids = drawn(rng.integers(20, 141))
            if kind < 0.3:
                ids = np.concatenate([ids, boilerplate])
            if len(recent) < 20_000:
                recent.append(ids)
            else:
                recent[rng.integers(20_000)] = ids
        yield f"d{at}", " ".join(words[ids])


def main():
    count, folder = int(sys.argv[1]), pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    schema = pa.schema([("id", pa.string()), ("at", pa.int64()), ("text", pa.string())])
    rows, done = [], 0
    with (folder / f"{count}.jsonl").open("w") as lines, pq.ParquetWriter(folder / f"{count}.parquet", schema) as parquet:
        for name, text in documents(count):
            lines.write(json.dumps({"id": name, "text": text}) + "\n")
            rows.append((name, done, text))
            done += 1
            if len(rows) == 20_000 or done == count:
                ids, at, texts = zip(*rows, strict=True)
                parquet.write_table(pa.table([ids, at, texts], schema=schema))
                rows = []


if __name__ == "__main__":
    main()
