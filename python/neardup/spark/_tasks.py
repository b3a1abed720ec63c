"""What executors do with the batches of a partition: one generator per step, whole columns at a time.

Each is a function of its input alone, so that Spark may run it again.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from .. import _core

Batches = Iterator[pa.RecordBatch]
Ragged = tuple[npt.NDArray[np.uint8], npt.NDArray[np.int32]]

SLICE_BYTES = 1 << 16  # of counters: what travels together
_EMPTY = np.zeros(0, np.uint8)
_FLUSH_BYTES = 16 << 20


def ragged(column: pa.Array, kind: pa.DataType | None = None) -> Ragged:
    """Return the bytes and offsets behind a column of strings or binaries; a null is empty."""
    kind = kind or pa.binary()
    if column.type != kind:
        column = column.cast(kind)
    if column.null_count:
        column = pc.fill_null(column, b"" if kind == pa.binary() else "")
    _, offsets, data = column.buffers()
    if offsets is None or len(column) == 0:
        return _EMPTY, np.zeros(1, np.int32)
    ends = np.frombuffer(offsets, np.int32)[column.offset : column.offset + len(column) + 1]
    return (_EMPTY if data is None else np.frombuffer(data, np.uint8)), ends


def binary(
    data: npt.NDArray[Any], offsets: npt.NDArray[np.int32], valid: npt.NDArray[np.bool_] | None = None
) -> pa.Array:
    """Return a column over these bytes; those that are not valid are null."""
    bitmap = None if valid is None else pa.array(valid).buffers()[1]
    return pa.Array.from_buffers(pa.binary(), len(offsets) - 1, [bitmap, pa.py_buffer(offsets), pa.py_buffer(data)])


def words(column: pa.Array) -> npt.NDArray[np.uint64]:
    """Return a column of longs as unsigned numbers over the same memory."""
    return np.ascontiguousarray(column.to_numpy(zero_copy_only=False).astype(np.int64, copy=False)).view(np.uint64)


def longs(values: npt.NDArray[np.uint64]) -> pa.Array:
    """Return unsigned numbers as a column of longs."""
    return pa.array(values.view(np.int64))


def rows(batches: Batches, definition: dict[str, Any], salt: int, keep: str, fields: int) -> Batches:
    """Turn texts into units.

    In: name, position, text, and the fields of keep rules. Out: name, position, unit and check (null without features),
    set (null for a copy within the partition), keep values.
    """
    units = _core.ShuffleUnits(definition, salt)
    values = _core.ShuffleKeepValues(keep)
    for batch in batches:
        for piece in _halved(batch):
            texts = ragged(piece.column(2), pa.string())
            unit, check, features, ends = units.of(*texts)
            has_features = (unit != 0) | (check != 0)
            columns = [
                piece.column(0),
                piece.column(1),
                pa.array(unit.view(np.int64), mask=~has_features),
                pa.array(check.view(np.int64), mask=~has_features),
                binary(features, ends, np.diff(ends) != 0),
            ]
            extra = []
            for at in range(3, 3 + fields):
                column = piece.column(at)
                valid = column.is_valid().to_numpy(zero_copy_only=False).astype(np.uint8)
                extra.append((*ragged(column, pa.string()), valid))
            columns += [pa.array(each) for each in values.of(*texts, extra)]
            names = ["name", "position", "unit", "check", "set", *(f"v{i}" for i in range(len(columns) - 5))]
            yield pa.RecordBatch.from_arrays(columns, names)


def _halved(batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
    """Cut batches whose sets might not fit the offsets of a column: a character makes at most 8 bytes of features."""
    if batch.num_rows > 1 and batch.nbytes > 1 << 27:
        half = batch.num_rows // 2
        yield from _halved(batch.slice(0, half))
        yield from _halved(batch.slice(half))
    else:
        yield batch


def distinct_units(batches: Batches, order_bits: int) -> Batches:
    """Leave one row for every unit, and count features.

    In: unit, check, set. Out: kind 0: unit, set; kind 1: a slice of counters; kind 2: two sets of one name.
    """
    seen = _core.ShuffleDistinct()
    counters = _core.ShuffleCounters(order_bits) if order_bits else None
    for batch in batches:
        state = seen.feed(words(batch.column(0)), words(batch.column(1)))
        if (state == 2).any():
            yield _unit_rows(2, batch.filter(pa.array(state == 2)))
        new = batch.filter(pa.array(state == 1))
        if new.num_rows:
            if counters is not None:
                counters.add_features(*ragged(new.column(2)))
            yield _unit_rows(0, new)
    if counters is not None:
        yield from _slices(counters, 1)


def _unit_rows(kind: int, batch: pa.RecordBatch) -> pa.RecordBatch:
    kinds = pa.array(np.full(batch.num_rows, kind, np.int32))
    return pa.RecordBatch.from_arrays([kinds, batch.column(0), batch.column(2)], ["kind", "unit", "set"])


def _slices(counters: Any, kind: int) -> Batches:
    """Yield the slices in which something was counted."""
    table = np.frombuffer(counters.bytes(), np.uint8)
    step = min(SLICE_BYTES, len(table))
    used = np.flatnonzero(table.reshape(-1, step).any(axis=1))
    per_batch = max(1, (16 << 20) // step)
    for at in range(0, len(used), per_batch):
        chosen = used[at : at + per_batch]
        data = np.ascontiguousarray(table.reshape(-1, step)[chosen]).reshape(-1)
        ends = np.arange(len(chosen) + 1, dtype=np.int32) * np.int32(step)
        kinds = pa.array(np.full(len(chosen), kind, np.int32))
        yield pa.RecordBatch.from_arrays(
            [kinds, pa.array(chosen.astype(np.int64)), binary(data, ends)], ["kind", "unit", "set"]
        )


def merged_slices(batches: Batches) -> Batches:
    """Add up slices of counters. In and out: slice, bytes; every slice of a partition once."""
    sums: dict[int, Any] = {}
    for batch in batches:
        for at, bytes_ in zip(batch.column(0).to_pylist(), batch.column(1), strict=True):
            view = np.frombuffer(bytes_.as_buffer(), np.uint8)
            if at not in sums:
                sums[at] = _core.ShuffleCounters(len(view).bit_length() - 1)
            sums[at].merge(view)
    for at, counters in sums.items():
        yield pa.RecordBatch.from_arrays(
            [pa.array([at], pa.int64()), pa.array([counters.bytes()], pa.binary())], ["unit", "set"]
        )


def counted_keys(batches: Batches, plan: dict[str, Any], bits: int, order: bytes | None) -> Batches:
    """Count the keys of units. In: unit, side, set. Out: slices of counters."""
    maker = _core.ShuffleKeyMaker(plan, _table(order))
    counters = _core.ShuffleCounters(bits)
    for batch in batches:
        maker.count(*ragged(batch.column(2)), counters)
    yield from _slices(counters, 1)


def heavy_keys(batches: Batches, plan: dict[str, Any], order: bytes | None, shared: bytes) -> Batches:
    """Count exactly the keys whose counters are full. In: unit, side, set. Out: key, count."""
    maker = _core.ShuffleKeyMaker(plan, _table(order))
    view = np.frombuffer(shared, np.uint8)
    for batch in batches:
        maker.count_heavy(*ragged(batch.column(2)), view)
    keys, counts = maker.heavy()
    yield pa.RecordBatch.from_arrays([longs(keys), longs(counts)], ["key", "count"])


def entries(
    batches: Batches,
    plan: dict[str, Any],
    heavy: tuple[list[int], list[int]],
    heavy_limit: int,
    order: bytes | None,
    shared: bytes,
) -> Batches:
    """Make the entries of units. In: unit, side, set. Out: part, entries."""
    maker = _core.ShuffleKeyMaker(plan, _table(order))
    view = np.frombuffer(shared, np.uint8)
    maker.set_heavy(np.array(heavy[0], np.int64).view(np.uint64), np.array(heavy[1], np.uint64), heavy_limit)
    flush = max(_FLUSH_BYTES, plan["parts"] << 12)
    for batch in batches:
        for at in range(0, batch.num_rows, 512):
            piece = batch.slice(at, 512)
            sides = piece.column(1).to_numpy(zero_copy_only=False).astype(np.uint8)
            maker.add_entries(words(piece.column(0)), sides, *ragged(piece.column(2)), view)
            if maker.entry_bytes() > flush:
                yield _entry_rows(maker)
    if maker.entry_bytes():
        yield _entry_rows(maker)


def _entry_rows(maker: Any) -> pa.RecordBatch:
    taken = maker.take_entries()
    parts = pa.array([part for part, _ in taken], pa.int32())
    return pa.RecordBatch.from_arrays([parts, pa.array([each for _, each in taken], pa.binary())], ["part", "entries"])


def candidates(batches: Batches, plan: dict[str, Any]) -> Batches:
    """Compare the entries of each key. In: part, entries, by part. Out: a, b."""
    finder = _core.ShuffleCandidates(plan)
    for batch in batches:
        parts = batch.column(0).to_numpy(zero_copy_only=False).astype(np.int32, copy=False)
        yield _pairs(*finder.feed(parts, *ragged(batch.column(1))))
    yield _pairs(*finder.finish())


def _pairs(left: npt.NDArray[np.uint64], right: npt.NDArray[np.uint64]) -> pa.RecordBatch:
    return pa.RecordBatch.from_arrays([longs(left), longs(right)], ["a", "b"])


def filled(batches: Batches, bits: int) -> Batches:
    """Make a filter of units. In: unit. Out: slices of counters."""
    counters = _core.ShuffleCounters(bits)
    for batch in batches:
        values = words(batch.column(0))
        counters.add_features(values.view(np.uint8), np.array([0, values.nbytes], np.int32))
    yield from _slices(counters, 1)


def wanted_units(batches: Batches, wanted: bytes) -> Batches:
    """Leave the units that a filter knows. In and out: unit, side, set."""
    view = np.frombuffer(wanted, np.uint8)
    for batch in batches:
        yield batch.filter(pa.array(_core.shuffle_counted(words(batch.column(0)), view) != 0))


def verified(batches: Batches, definition: dict[str, Any]) -> Batches:
    """Verify pairs. In: place, kind, a, b, set, by place and kind. Out: a, b, score."""
    verifier = _core.ShuffleVerifier(definition)
    for batch in batches:
        kinds = batch.column(1).to_numpy(zero_copy_only=False).astype(np.uint8)
        (left, right), scores = verifier.feed(
            words(batch.column(0)), kinds, words(batch.column(2)), words(batch.column(3)), *ragged(batch.column(4))
        )
        yield pa.RecordBatch.from_arrays([longs(left), longs(right), pa.array(scores)], ["a", "b", "score"])


def contracted(batches: Batches) -> Batches:
    """Reduce the edges of a partition to the components they make. In: a, b. Out: root, unit."""
    left: list[npt.NDArray[np.uint64]] = []
    right: list[npt.NDArray[np.uint64]] = []
    held, most = 0, 1 << 22
    for batch in batches:
        left.append(words(batch.column(0)))
        right.append(words(batch.column(1)))
        held += batch.num_rows
        if held > most:  # a forest has fewer edges than units
            a, b = _core.shuffle_contract(np.concatenate(left), np.concatenate(right))
            left, right, held, most = [a], [b], 0, max(most, len(a))
    if left:
        forest = _pairs(*_core.shuffle_contract(np.concatenate(left), np.concatenate(right)))
        yield forest.rename_columns(["root", "unit"])


def stars(batches: Batches) -> Batches:
    """Make star clusters. In: component, before, after, in keep order. Out: root, unit."""
    builder = _core.ShuffleStars()
    for batch in batches:
        taken = builder.feed(*(words(batch.column(i)) for i in range(3)))
        chosen = batch.filter(pa.array(taken != 0))
        yield pa.RecordBatch.from_arrays([chosen.column(1), chosen.column(2)], ["root", "unit"])


def fingerprints(batches: Batches, definition: dict[str, Any]) -> Batches:
    """Fingerprint texts. In: id, text. Out: id, fingerprint (null without features)."""
    units = _core.ShuffleUnits(definition, 0)
    for batch in batches:
        bits, check, _, _ = units.of(*ragged(batch.column(1), pa.string()))
        yield pa.RecordBatch.from_arrays(
            [batch.column(0), pa.array(bits.view(np.int64), mask=check == 0)], ["id", "fingerprint"]
        )


def matched(batches: Batches, distance: int, queries: list[int]) -> Batches:
    """Look for the fingerprints of a partition among all queries. In: bits. Out: a (query), b, score."""
    index = _core.ShuffleMatcher(np.array(queries, np.int64).view(np.uint64), distance)
    for batch in batches:
        left, right, distances = index.search(words(batch.column(0)))
        yield pa.RecordBatch.from_arrays([longs(left), longs(right), pa.array(distances)], ["a", "b", "score"])


def _table(order: bytes | None) -> npt.NDArray[np.uint8] | None:
    return None if order is None else np.frombuffer(order, np.uint8)
