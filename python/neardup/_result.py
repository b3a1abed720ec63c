"""What a run decided."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from . import _core
from ._sources import Pair, Source

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

Data = TypeVar("Data")

_STATUS = ("document", "without_features", "bad", "against")


class Recall(NamedTuple):
    """The share of true pairs that a finder produced, measured on a sample of the data."""

    value: float
    low: float
    high: float
    documents: int
    pairs: int


class Cluster(NamedTuple):
    """Documents that belong together: ids where there are any, else places counted from 0."""

    kept: Any
    members: list[Any]


class Member(NamedTuple):
    """A document of a cluster, as a row of a table."""

    cluster: Any
    id: Any
    kept: bool


class Decision(NamedTuple):
    """What became of one record: rows are places counted from 0."""

    row: int
    kept: bool
    representative: int | None
    status: str
    score: float | None


class Result(Generic[Data]):
    """What `deduplicate` found. Made by it, never by hand.

    `kept` and `removed` have the type that the data have. `pairs`, `clusters` and `decisions` are tables where the data
    are a table, and lists of named tuples otherwise; they speak of the records' ids where there are any, else of their
    places counted from 0.
    """

    def __init__(self, source: Source, against: Source | None, options: dict[str, Any], run: dict[str, Any]) -> None:
        self._source = source
        self._against = against
        self._options = options
        self._run = run
        self._found = self._search(options)

    def _search(self, options: dict[str, Any]) -> _core.DedupResult:
        against = None if self._against is None else self._against.collection
        return _core.deduplicate(self._source.collection, against, options, self._run)

    @cached_property
    def _evidence(self) -> _core.DedupResult:
        """The same run once more, now with every pair."""
        if self._options.get("keep_evidence"):
            return self._found
        options = {key: value for key, value in self._options.items() if key not in ("output", "resume", "overwrite")}
        return self._search({**options, "keep_evidence": True})

    @cached_property
    def report(self) -> dict[str, Any]:
        """Everything about the run: counts, timings, the definition as it was applied."""
        report: dict[str, Any] = json.loads(self._found.report())
        return report

    @cached_property
    def kept_rows(self) -> npt.NDArray[np.int64]:
        """The places of the kept records, ascending."""
        return self._found.kept_rows()

    @cached_property
    def removed_rows(self) -> npt.NDArray[np.int64]:
        """The places of the removed records, ascending. Bad records are neither kept nor removed."""
        import numpy as np

        status, representative = self._found.statuses(), self._found.representatives()
        rows = np.arange(len(status), dtype=np.int64)
        return rows[(status == 3) | ((status < 2) & (representative != rows))]

    @cached_property
    def kept(self) -> Data:
        """The records that stay, in their order and in the type that the data have."""
        kept: Data = self._source.take(self.kept_rows)
        return kept

    @cached_property
    def removed(self) -> Data:
        """The records that another one stands for, in their order and in the type that the data have."""
        removed: Data = self._source.take(self.removed_rows)
        return removed

    @cached_property
    def _names(self) -> Sequence[Any] | None:
        """What records are called; None: by their places."""
        ids = self._source.ids()
        return None if ids is None else names_of(ids)

    def _named(self, rows: npt.NDArray[np.int64]) -> Any:
        names = self._names
        return rows if names is None else [names[row] for row in rows.tolist()]

    @cached_property
    def pairs(self) -> Any:
        """Every similar pair with its exact score, by left and right.

        Documents with equal features are represented by the first of them, and each further one is a pair with that
        one. Looks for all pairs when it is first asked for: `kept` alone needs fewer.
        """
        left, right, score = self._evidence.pairs(self._run)
        return self._source.table(
            {"left": self._named(left), "right": self._named(right), "score": score}, Pair
        )

    @cached_property
    def clusters(self) -> Any:
        """Groups of two records and more, by their first members; members are in input order."""
        members, begins = self._found.cluster_members()
        representative = self._found.representatives()
        if self._source.is_table:
            kept = representative[members]
            columns = {"cluster": self._named(kept), "id": self._named(members), "kept": kept == members}
            return self._source.table(columns, Member)
        names = list(self._named(members))
        return [
            Cluster(list(self._named(representative[members[begin : begin + 1]]))[0], names[begin:end])
            for begin, end in zip(begins[:-1].tolist(), begins[1:].tolist(), strict=True)
        ]

    @cached_property
    def recall(self) -> Recall | None:
        """The finder's recall with its interval; None when it was not measured. Exact finders have 1."""
        finder = self.report.get("finder", {})
        measured = finder.get("recall") if isinstance(finder, dict) else None
        if measured:
            return Recall(**{name: measured[name] for name in Recall._fields})
        return Recall(1.0, 1.0, 1.0, 0, 0) if finder else None

    def __repr__(self) -> str:
        """Say how many were kept and removed."""
        return f"Result({len(self.kept_rows):,} kept, {len(self.removed_rows):,} removed)"


def names_of(ids: Sequence[Any]) -> Sequence[Any]:
    """Return what records with these ids are called: a repeated id gets ``#2``, ``#3``, as on the command line.

    >>> names_of([1, 2, None]), names_of(["a", "b", "a", "a#2"])
    ([1, 2, 2], ['a', 'b', 'a#3', 'a#2'])
    """
    texts = ["" if each is None else str(each) for each in ids]
    counts: dict[str, int] = {}
    taken = {text for text in texts if text}
    if len(taken) == len(texts):
        return ids
    names: list[Any] = []
    for row, text in enumerate(texts):
        if not text:
            names.append(row)
        elif text not in counts:
            counts[text] = 1
            names.append(ids[row])
        else:
            number = counts[text] + 1
            while f"{text}#{number}" in taken:
                number += 1
            counts[text] = number
            taken.add(f"{text}#{number}")
            names.append(f"{text}#{number}")
    return names
