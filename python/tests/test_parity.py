"""The command line and every kind of data in Python give the same answer: kept ids, pairs, clusters, scores."""

import json
import warnings

import neardup
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from conftest import run_program, write_jsonl
from parity_cases import COLLECTIONS, DEFINITIONS, flags

FIELDS = ("id", "text", "score", "date", "lang")
INTEGER_SCORES = ("overlap", "edit", "hamming")


def columns(records):
    return {name: [record.get(name) for record in records] for name in FIELDS}


FORMS = {
    "dicts": list,
    "iterator": iter,
    "pandas": lambda records: pd.DataFrame(columns(records)),
    "polars": lambda records: pl.DataFrame(columns(records)),
    "arrow": lambda records: pa.table(columns(records)),
    "reader": lambda records: pa.table(columns(records)).to_reader(max_chunksize=7),
}


def rows_of(table):
    """Return a result's table, of whatever type, as tuples."""
    if isinstance(table, pa.RecordBatchReader):
        table = table.read_all()
    if isinstance(table, pa.Table):
        return [tuple(row.values()) for row in table.to_pylist()]
    if isinstance(table, pl.DataFrame):
        return table.rows()
    if isinstance(table, pd.DataFrame):
        return [tuple(row) for row in table.itertuples(index=False)]
    return [tuple(row) for row in table]


def kept_texts(kept):
    if isinstance(kept, pa.RecordBatchReader):
        kept = kept.read_all()
    if isinstance(kept, pa.Table):
        return kept.column("text").to_pylist()
    if isinstance(kept, pd.DataFrame | pl.DataFrame):
        return list(kept["text"])
    return [record["text"] for record in kept]


def clusters_of(result):
    found = []
    for row in rows_of(result.clusters):
        if isinstance(row[1], list):
            found += [(row[0], member, int(member == row[0])) for member in row[1]]
        else:
            found.append((row[0], row[1], int(row[2])))
    return found


def lines(path):
    return [tuple(line.split("\t")) for line in path.read_text(encoding="utf-8").splitlines()[1:]]


@pytest.mark.parametrize("definition", DEFINITIONS)
@pytest.mark.parametrize("collection", COLLECTIONS)
def test_every_form_of_data_gives_the_answer_of_the_command_line(collection, definition, tmp_path):
    records, options = COLLECTIONS[collection], DEFINITIONS[definition]
    file, out = write_jsonl(tmp_path / "in.jsonl", records), tmp_path / "out"
    run = run_program("dedup", file, "-o", out, "--quiet", *flags(options))
    assert run.returncode in (0, 1), run.stderr
    kept = [json.loads(line)["text"] for line in (out / "kept.jsonl").read_text(encoding="utf-8").splitlines()]
    removed = [json.loads(line) for line in (out / "removed.jsonl").read_text(encoding="utf-8").splitlines()]
    digits = 0 if options.get("measure") in INTEGER_SCORES else 6
    data = {form: make(records) for form, make in FORMS.items()} | {"file": str(file)}
    for form, given in data.items():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", neardup.NeardupWarning)  # of repeated ids, and rules that decide little
            result = neardup.deduplicate(given, **options)
        assert kept_texts(result.kept) == kept, form
        pairs = [(left, right, f"{score:.{digits}f}") for left, right, score in rows_of(result.pairs)]
        assert pairs == lines(out / "pairs.tsv"), form
        members = [(cluster, member, str(kept)) for cluster, member, kept in clusters_of(result)]
        assert members == lines(out / "clusters.tsv"), form
        scores = [None if score != score else round(score, 6) for score in result.scores[result.removed_rows].tolist()]
        assert scores == [None if row["score"] is None else row["score"] for row in removed], form
