"""What a run decided."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from . import _core
from ._errors import UsageError
from ._names import names_of
from ._options import Options, Threshold, threshold_text
from ._sources import Pair, Source

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from ._explain import Explanation

    Rows = npt.NDArray[np.int64]

Data = TypeVar("Data")

STATUS = ("document", "without_features", "bad", "against", "same_key", "dropped")
_BAD = 2
_OUTPUT = ("output", "resume", "overwrite", "annotate", "save_removed")


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
    """What became of one record. Rows are places counted from 0; -1 stands for none.

    `status` is ``document``, ``without_features`` (nothing to compare; kept), ``bad`` (no document), ``against`` (a
    near-duplicate of a document of the other data), ``same_key`` (a record with the same key was kept, with `same`) or
    ``dropped`` (nothing to compare, with `drop_empty`). `score` is that with the record that stands for it, or with the
    document of the other data; NaN for kept records, and for those that are linked to it only through others.
    """

    row: int
    kept: bool
    representative: int
    status: str
    score: float


class Result(Generic[Data]):
    """What `deduplicate` found. Made by it, never by hand.

    `kept` and `removed` have the type that the data have. `pairs`, `clusters` and `decisions` are tables where the data
    are a table, and lists of named tuples otherwise. Pairs and clusters name records by their ids where there are any,
    else by their places counted from 0; a repeated id gets ``#2``, ``#3``, as on the command line.

    Everything is computed when it is first asked for. `kept`, `removed` and `clusters` come from the one run;
    `pairs`, `decisions` and `explain` need every pair and search once more.
    """

    def __init__(self, source: Source, against: Source | None, options: Options, run: Options) -> None:
        self._source = source
        self._against = against
        self._options = options
        self._run = run
        self._found = self._search(options)

    def _search(self, options: Options) -> _core.DedupResult:
        against = None if self._against is None else self._against.collection
        return _core.deduplicate(self._source.collection, against, options, self._run)

    @cached_property
    def _evidence(self) -> _core.DedupResult:
        """The same run once more, now with every pair."""
        options = {key: value for key, value in self._options.items() if key not in _OUTPUT}
        return self._search({**options, "keep_evidence": True})

    @cached_property
    def report(self) -> dict[str, Any]:
        """Everything about the run: counts, timings, warnings, the definition as it was applied."""
        report: dict[str, Any] = json.loads(self._found.report())
        return report

    @cached_property
    def kept_rows(self) -> Rows:
        """The places of the kept records, ascending."""
        return self._found.clusters.kept_rows()

    @cached_property
    def _representatives(self) -> Rows:
        return self._found.clusters.representatives()

    @cached_property
    def _statuses(self) -> npt.NDArray[np.uint8]:
        return self._found.clusters.statuses()

    @cached_property
    def removed_rows(self) -> Rows:
        """The places of the removed records, ascending. Bad records are neither kept nor removed."""
        import numpy as np

        rows = np.arange(len(self._statuses), dtype=np.int64)
        stands_behind = (self._statuses < _BAD) & (self._representatives != rows)
        removed: Rows = rows[stands_behind | (self._statuses > _BAD)]
        return removed

    @cached_property
    def bad_rows(self) -> Rows:
        """The places of bad records, ascending; ``report["first_bad_records"]`` says what is wrong with the first."""
        import numpy as np

        rows: Rows = np.flatnonzero(self._statuses == _BAD).astype(np.int64)
        return rows

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

    @cached_property
    def _against_names(self) -> Sequence[Any] | None:
        ids = None if self._against is None else self._against.ids()
        return None if ids is None else names_of(ids)

    def _named(self, rows: Rows) -> Any:
        names = self._names
        return rows if names is None else [names[row] for row in rows.tolist()]

    def _name(self, row: int) -> Any:
        return row if self._names is None else self._names[row]

    @cached_property
    def row_pairs(self) -> tuple[Rows, Rows, npt.NDArray[np.float64]]:
        """The pairs as three arrays: places of left and right, and scores."""
        return self._evidence.pairs(self._run)

    @cached_property
    def pairs(self) -> Any:
        """Every similar pair with its exact score, by left and right.

        Documents with equal features are represented by the first of them, and each further one is a pair with that
        one. Looks for all pairs when it is first asked for: `kept` alone needs fewer.
        """
        left, right, score = self.row_pairs
        return self._source.table({"left": self._named(left), "right": self._named(right), "score": score}, Pair)

    @cached_property
    def clusters(self) -> Any:
        """Groups of two records and more, by their first members; members are in input order."""
        members, begins = self._found.clusters.cluster_members()
        kept = self._representatives[members]
        if self._source.is_table:
            columns = {"cluster": self._named(kept), "id": self._named(members), "kept": kept == members}
            return self._source.table(columns, Member)
        names, heads = list(self._named(members)), list(self._named(kept))
        if self._names is None:
            names, heads = members.tolist(), kept.tolist()
        return [
            Cluster(heads[begin], names[begin:end])
            for begin, end in zip(begins[:-1].tolist(), begins[1:].tolist(), strict=True)
        ]

    @cached_property
    def scores(self) -> npt.NDArray[np.float64]:
        """By place: the score with the record that stands for it; NaN where there is none."""
        scores = self._evidence.scores().copy()
        rows, _, against = self._found.against()
        scores[rows] = against
        return scores

    @cached_property
    def decisions(self) -> Any:
        """What became of every record, by place: see `Decision`."""
        import numpy as np

        rows = np.arange(len(self._statuses), dtype=np.int64)
        kept = np.zeros(len(rows), dtype=bool)
        kept[self.kept_rows] = True
        columns = {
            "row": rows,
            "kept": kept,
            "representative": self._representatives,
            "status": [STATUS[status] for status in self._statuses.tolist()],
            "score": self.scores,
        }
        return self._source.table(columns, Decision)

    @cached_property
    def recall(self) -> Recall | None:
        """The finder's recall with its interval: 1 for exact finders, None where it was not measured."""
        measured = self.report.get("recall")
        if measured:
            return Recall(**{name: measured[name] for name in Recall._fields})
        return None if self.report.get("finder") in ("minhash", "simhash") else Recall(1.0, 1.0, 1.0, 0, 0)

    @property
    def warnings(self) -> list[str]:
        """What the user should know about this run."""
        from ._errors import in_python

        return [in_python(message) for message in self.report.get("warnings", ())]

    def rethreshold(self, threshold: Threshold) -> Result[Data]:
        """Return what the same run finds at another threshold, higher or lower.

        >>> import neardup
        >>> texts = ["a b c d e f g h i j k", "a b c d e f g h i j z", "something else"]
        >>> result = neardup.deduplicate(texts, features="words")
        >>> result, result.rethreshold(0.9)
        (Result(2 kept, 1 removed), Result(3 kept, 0 removed))
        """
        options = {key: value for key, value in self._options.items() if key not in _OUTPUT}
        return Result(self._source, self._against, {**options, "threshold": threshold_text(threshold)}, self._run)

    def explain(self, id: Any) -> Explanation:
        """Say why a record was kept or removed: what stands for it, through which pairs, and what differs.

        Parameters
        ----------
        id
            The record's id as `pairs` and `clusters` name it; its place counted from 0 where there are no ids.
        """
        from ._explain import explain

        return explain(self, self._row(id))

    def _row(self, id: Any) -> int:
        if self._names is None:
            if isinstance(id, int) and 0 <= id < len(self._statuses):
                return id
            raise UsageError(f"there is no record {id!r}: records are called 0 to {len(self._statuses) - 1}", "id")
        for row, name in enumerate(self._names):
            if name == id or str(name) == id:
                return row
        raise UsageError(f"there is no record with the id {id!r}", "id")

    def __len__(self) -> int:
        """Return how many records were kept."""
        return len(self.kept_rows)

    def __repr__(self) -> str:
        """Say how many were kept and removed."""
        bad = f", {len(self.bad_rows):,} bad" if len(self.bad_rows) else ""
        return f"Result({len(self.kept_rows):,} kept, {len(self.removed_rows):,} removed{bad})"

    def _repr_html_(self) -> str:
        from ._show import result_html

        return result_html(self)
