"""Tables of every kind give what a list of the same texts gives, and come back as what they were."""

import datetime as dt
import gc
import json
import weakref

import neardup
import pytest
from conftest import FOX, FOXES, write_jsonl

pa = pytest.importorskip("pyarrow")
pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")
datasets = pytest.importorskip("datasets")


class OnlyArrow:
    """What DuckDB, nanoarrow and others offer: nothing but the protocol."""

    def __init__(self, table):
        self.table = table

    def __arrow_c_stream__(self, requested_schema=None):
        return self.table.__arrow_c_stream__(requested_schema)


def reader_of(table):
    return pa.RecordBatchReader.from_batches(table.schema, iter(table.to_batches(max_chunksize=7)))


KINDS = {
    "pandas": lambda table: table.to_pandas(),
    "pandas of objects": lambda table: table.to_pandas().astype({"text": object, "id": object}),
    "pandas of Arrow": lambda table: table.to_pandas(types_mapper=pd.ArrowDtype),
    "polars": pl.from_arrow,
    "polars lazy": lambda table: pl.from_arrow(table).lazy(),
    "table": lambda table: table,
    "chunks": lambda table: pa.Table.from_batches(table.to_batches(max_chunksize=11)),
    "record batch": lambda table: table.combine_chunks().to_batches()[0],
    "reader": reader_of,
    "only arrow": OnlyArrow,
    "dataset": lambda table: datasets.Dataset.from_dict(table.to_pydict()),
    "shuffled dataset": lambda table: datasets.Dataset.from_dict(table.to_pydict()).select(range(table.num_rows)),
    "large strings": lambda table: table.cast(
        pa.schema([("id", pa.large_string()), ("text", pa.large_string()), ("n", pa.int64())])
    ),
    "views": lambda table: table.set_column(1, "text", table["text"].cast(pa.string_view())),
    "dictionary": lambda table: table.set_column(1, "text", table["text"].dictionary_encode()),
}


def rows_of(table):
    """Records of a table of any kind."""
    if isinstance(table, pd.DataFrame):
        return table.to_dict("records")
    if isinstance(table, pl.DataFrame):
        return table.to_dicts()
    if isinstance(table, pa.RecordBatchReader):
        return table.read_all().to_pylist()
    if isinstance(table, datasets.Dataset):
        return list(table)
    return table.to_pylist()


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_table_gives_what_a_list_gives(corpus, kind):
    records = [{"id": f"d{n}", "text": text, "n": n % 5} for n, text in enumerate(corpus)]
    data = KINDS[kind](pa.Table.from_pylist(records))
    expected = neardup.deduplicate(records, keep="max:n", threshold=0.7)
    result = neardup.deduplicate(data, keep="max:n", threshold=0.7)
    assert rows_of(result.kept) == expected.kept
    assert rows_of(result.removed) == expected.removed
    assert [tuple(row.values()) for row in rows_of(result.pairs)] == expected.pairs
    members = [
        (cluster.kept, member, member == cluster.kept) for cluster in expected.clusters for member in cluster.members
    ]
    assert [tuple(row.values()) for row in rows_of(result.clusters)] == members
    decisions = [str(tuple(decision)) for decision in expected.decisions]
    assert [str(tuple(row.values())) for row in rows_of(result.decisions)] == decisions
    types = {"polars lazy": pl.DataFrame, "only arrow": pa.Table}
    assert isinstance(result.kept, types.get(kind, type(data)))


def test_columns_of_texts_come_back_as_columns():
    for column in (pd.Series(FOXES), pl.Series(FOXES), pa.array(FOXES), pa.chunked_array([FOXES[:1], FOXES[1:]])):
        kept = neardup.deduplicate(column).kept
        assert type(kept) is type(column)
        assert [str(text) for text in kept] == FOXES[:2]
    import numpy as np

    assert neardup.deduplicate(np.array(FOXES)).kept.tolist() == FOXES[:2]


def test_kept_rows_of_pandas_keep_their_index_and_types():
    frame = pd.DataFrame({"text": FOXES, "day": pd.to_datetime(["2025-01-01"] * 3)}, index=["x", "y", "z"])
    kept = neardup.deduplicate(frame).kept
    assert kept.index.tolist() == ["x", "y"]
    assert kept.dtypes.equals(frame.dtypes)


def test_dates_and_numbers_decide_who_is_kept():
    days = [dt.datetime(2025, 1, day) for day in (1, 2, 3)]
    table = pa.table({"text": FOXES, "day": days, "score": [0.5, None, 0.25]})
    for data in (table, table.to_pandas(), pl.from_arrow(table), table.to_pylist()):
        assert neardup.deduplicate(data, keep="newest:day").kept_rows.tolist() == [1, 2]
        assert neardup.deduplicate(data, keep="max:score").kept_rows.tolist() == [0, 1]


def test_nulls_and_strangers_are_bad_records():
    texts = [FOX, None, FOX]
    for data in (pa.table({"text": texts}), pd.DataFrame({"text": texts}), pl.DataFrame({"text": texts})):
        result = neardup.deduplicate(data)
        assert result.bad_rows.tolist() == [1]
        assert result.kept_rows.tolist() == [0]
    mixed = neardup.deduplicate(pd.DataFrame({"text": [FOX, 5, float("nan"), b"x", FOX]}))
    assert mixed.bad_rows.tolist() == [1, 2, 3]


def test_empty_tables_are_no_error():
    table = pa.table({"text": pa.array([], pa.string())})
    for data in (
        table,
        table.to_pandas(),
        pl.from_arrow(table),
        reader_of(table),
        table.to_batches(),
        pd.DataFrame({"text": []}),
    ):
        assert len(rows_of(neardup.deduplicate(data).kept) if not isinstance(data, list) else []) == 0


@pytest.mark.parametrize("kind", ["pandas", "polars", "table", "dataset", "reader"])
def test_a_column_that_is_not_there_is_named_with_the_one_that_was_meant(kind):
    data = KINDS[kind](pa.table({"id": ["1"], "text": [FOX], "n": [1]}))
    with pytest.raises(neardup.UsageError, match=r"did you mean .*text"):
        neardup.deduplicate(data, text="txt")
    with pytest.raises(neardup.UsageError, match="nn"):
        neardup.deduplicate(KINDS[kind](pa.table({"id": ["1"], "text": [FOX], "n": [1]})), keep="max:nn")


def test_a_column_of_numbers_is_no_text():
    for data in (pa.table({"text": [1, 2]}), pl.DataFrame({"text": [1.5, 2.5]}), pd.DataFrame({"text": [1, 2]})):
        with pytest.raises(neardup.Error, match="text"):
            neardup.deduplicate(data)


def test_a_stream_that_fails_midway_raises_what_it_raised():
    schema = pa.schema([("text", pa.string())])

    def batches():
        yield pa.record_batch({"text": [FOX]})
        raise RuntimeError("the disk went away")

    with pytest.raises(RuntimeError, match="the disk went away"):
        neardup.deduplicate(pa.RecordBatchReader.from_batches(schema, batches()))


def test_a_stream_that_fails_when_it_is_read_again_is_an_input_error():
    calls = []

    def open_stream(columns):
        calls.append(columns)
        if len(calls) > 2:
            raise ValueError("no third time")
        return pa.table({"text": FOXES}).__arrow_c_stream__()

    collection = neardup._core.collection_of(neardup._core.documents_of_arrow(open_stream, {}, 0), {})

    def twice():
        for _ in range(2):
            neardup._core.deduplicate(collection, None, {"keep_evidence": True}, {})

    with pytest.raises(ValueError, match="no third time"):
        twice()


def test_a_reader_can_be_read_only_once():
    reader = reader_of(pa.table({"text": FOXES}))
    result = neardup.deduplicate(reader)
    assert result.kept.read_all().num_rows == 2
    assert len(result.pairs) == 1


def test_a_dict_of_splits_asks_for_a_split():
    splits = datasets.DatasetDict({"train": datasets.Dataset.from_dict({"text": FOXES})})
    with pytest.raises(neardup.UsageError, match="'train'"):
        neardup.deduplicate(splits)
    assert len(neardup.deduplicate(splits["train"]).kept) == 2


def test_an_iterable_dataset_is_spooled():
    stream = datasets.Dataset.from_dict({"text": FOXES}).to_iterable_dataset()
    assert [record["text"] for record in neardup.deduplicate(stream).kept] == FOXES[:2]


def test_against_may_be_of_another_type(tmp_path):
    file = write_jsonl(tmp_path / "old.jsonl", [{"id": "old", "text": FOX}])
    result = neardup.deduplicate(pd.DataFrame({"text": FOXES}), against=file)
    assert result.kept["text"].tolist() == ["something else"]
    assert result.explain(0).kept == "old"


def test_pairs_between_two_tables_name_the_ids_of_each():
    a = pd.DataFrame({"name": ["Main Street 1", "Elm Road 7"], "key": [10, 11]})
    b = pl.DataFrame({"label": ["elm road 7", "Oak Lane 3"], "nr": ["x", "y"]})
    found = neardup.pairs(a, b, text="name", id="key", b_text="label", b_id="nr", measure="edit", threshold=1)
    assert found.to_dict("records") == [{"left": 11, "right": "x", "score": 0.0}]


def test_nested_columns_and_lists_of_tokens():
    nested = pa.table({"doc": [{"body": text} for text in FOXES]})
    assert neardup.deduplicate(nested, text="doc.body").kept_rows.tolist() == [0, 1]
    tokens = pa.table({"tokens": [[1, 2, 3, 4], [1, 2, 3, 4, 5], [7]]})
    assert neardup.deduplicate(tokens, text="tokens").pairs.to_pylist() == [{"left": 0, "right": 1, "score": 0.8}]


def test_pandas_without_pyarrow_is_read_as_records(monkeypatch):
    import builtins

    original = builtins.__import__

    def without_pyarrow(name, *rest, **more):
        if name == "pyarrow":
            raise ImportError(name)
        return original(name, *rest, **more)

    frame = pd.DataFrame({"text": FOXES, "n": [1, 2, 3]})
    monkeypatch.setattr(builtins, "__import__", without_pyarrow)
    assert neardup.deduplicate(frame, keep="max:n").kept_rows.tolist() == [1, 2]


def test_nothing_keeps_data_alive_once_the_result_is_gone():
    for data in (FOXES, pa.table({"text": FOXES}), pd.DataFrame({"text": FOXES}), iter(FOXES)):
        result = neardup.deduplicate(data)
        assert len(result.pairs) == 1
        source = weakref.ref(result._source)
        del result
        gc.collect()
        assert source() is None


def test_reports_are_json(corpus):
    assert json.dumps(neardup.deduplicate(pa.table({"text": corpus})).report)
