#!/usr/bin/env python3
"""What each step of neardup.spark costs an executor's Python worker, and what it sends on: the same code, without Spark.

    bench/spark/steps.py [--bits N] FOLDER DOCUMENTS...

FOLDER has DOCUMENTS.parquet (corpus.py). Prints, for each size and step, CPU microseconds and bytes sent per document. These are
the figures that docs/scale.md reckons with; --bits limits counters to 2^N, which shows what 10^9 documents cost, where they are full.
Spark's own costs (moving, sorting, serialising) come on top and are in run.py.
"""
import pathlib
import sys
import time

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from neardup import _core
from neardup.spark import _tasks
from neardup.spark._units import counters_bits

DEFINITION = {"measure": "jaccard", "threshold": "0.8", "features": "words:5"}


class Steps:
    def __init__(self, documents):
        self.documents = documents
        self.lines = []

    def run(self, name, batches, sent=lambda batch: batch.nbytes):
        begin = time.process_time()
        made = [batch for batch in batches if batch.num_rows]
        cpu = time.process_time() - begin
        self.lines.append((name, cpu / self.documents * 1e6, sum(map(sent, made)) / self.documents))
        return made


def table_of(batches, bits):
    table = np.zeros(1 << bits, np.uint8)
    step = min(_tasks.SLICE_BYTES, len(table))
    for batch in batches:
        for at, data in zip(batch.column(1).to_pylist(), batch.column(2), strict=True):
            table[at * step : at * step + step] = np.frombuffer(data.as_buffer(), np.uint8)
    return table.tobytes()


def chosen(batches, kind, columns):
    return [batch.filter(pa.array(batch.column(0).to_numpy() == kind)).select(columns) for batch in batches]


def measure(corpus, documents, most_bits):
    steps = Steps(documents)
    source = pq.ParquetFile(corpus)
    texts = (
        pa.RecordBatch.from_arrays([b.column(0), b.column(1), b.column(2)], ["name", "position", "text"])
        for b in source.iter_batches(10_000)
    )
    rows = steps.run("text to sets", _tasks.rows(texts, DEFINITION, 0, "first", 0), lambda b: b.column("set").nbytes)
    sets = [batch.filter(batch.column("set").is_valid()).select(["unit", "check", "set"]) for batch in rows]
    bits = counters_bits(sum(batch.column(2).nbytes for batch in sets) / 16, 12, min(24, most_bits))
    made = steps.run("units, order", _tasks.distinct_units(iter(sets), bits), lambda _: 0)
    order = table_of(chosen(made, 1, ["kind", "unit", "set"]), bits)
    kept = chosen(made, 0, ["unit", "set"])
    units = [
        pa.RecordBatch.from_arrays([b.column(0), pa.array(np.zeros(b.num_rows, np.int32)), b.column(1)], ["unit", "side", "set"])
        for b in kept
        if b.num_rows
    ]
    count, features = sum(b.num_rows for b in units), sum(b.column(2).nbytes for b in units) / 8
    plan = {**DEFINITION, "key_kind": "prefix", "words": _core.shuffle_suitable_words(DEFINITION, features / count), "parts": 64}
    keys = count * _core.shuffle_keys_per_unit(plan, features / count)
    shared_bits = counters_bits(2 * keys, 12, min(27, most_bits))
    shared = table_of(steps.run("counting keys", _tasks.counted_keys(iter(units), plan, shared_bits, order), lambda _: 0), shared_bits)
    entries = steps.run("entries", _tasks.entries(iter(units), plan, ([], []), 20_000, order, shared))
    whole = pa.Table.from_batches(entries).sort_by("part").to_batches() if entries else []
    found = steps.run("candidates", _tasks.candidates(iter(whole), plan))
    pairs = {(a, b) for batch in found for a, b in zip(*(c.to_pylist() for c in batch.columns), strict=True)}
    wanted = {unit for pair in pairs for unit in pair}
    place = pa.table({"place": [0] * len(pairs), "kind": [2] * len(pairs), "a": [a for a, _ in pairs], "b": [b for _, b in pairs]})
    sent = [b.filter(pa.array([u in wanted for u in b.column(0).to_pylist()])) for b in units]
    together = [
        pa.RecordBatch.from_arrays(
            [pa.array(np.zeros(b.num_rows, np.int64)), pa.array(np.zeros(b.num_rows, np.int32)), b.column(0), b.column(0), b.column(2)],
            ["place", "kind", "a", "b", "set"],
        )
        for b in sent
    ]
    together += [
        pa.RecordBatch.from_arrays([*b.columns, pa.nulls(b.num_rows, pa.binary())], ["place", "kind", "a", "b", "set"])
        for b in place.to_batches()
    ]
    steps.lines.append(("sets of candidates", 0.0, sum(b.column(4).nbytes for b in together) / documents))
    verified = steps.run("verifying", _tasks.verified(iter(together), DEFINITION))
    print(
        f"\n{documents:,} documents, {count:,} units, {features / count:.0f} features each, {len(pairs):,} candidates, "
        f"{sum(b.num_rows for b in verified):,} pairs; counters 2^{bits} and 2^{shared_bits}"
    )
    for name, cpu, size in steps.lines:
        print(f"  {name:20} {cpu:8.1f} us {size:10.1f} bytes")
    print(f"  {'all':20} {sum(s[1] for s in steps.lines):8.1f} us {sum(s[2] for s in steps.lines):10.1f} bytes", flush=True)


def main():
    given = sys.argv[1:]
    most_bits = 27
    if given[0] == "--bits":
        most_bits, given = int(given[1]), given[2:]
    for each in given[1:]:
        measure(pathlib.Path(given[0]) / f"{each}.parquet", int(each), most_bits)


if __name__ == "__main__":
    main()
