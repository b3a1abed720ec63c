"""Single steps, for systems that do their own bookkeeping: features, sketches, verification, clusters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Unpack

from . import _core
from ._errors import UsageError
from ._options import (
    DEFAULT_FEATURES,
    DefinitionOptions,
    Options,
    Threshold,
    check_names,
    definition_options,
    run_options,
)

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Rows = npt.NDArray[np.int64]

_FEATURES = (*DefinitionOptions.__optional_keys__, "projection")


class Lists(NamedTuple):
    """Lists of numbers, one after another: list i is ``values[offsets[i]:offsets[i + 1]]``."""

    values: Any
    offsets: npt.NDArray[np.int32]


class Features:
    """What a definition makes of documents: the same numbers as in every other call, on every machine.

    Every method takes a list of str (or of collections of ints) and returns NumPy arrays, or takes an Arrow array, a
    record batch or a table and returns an Arrow array. Nothing loops in Python, and the interpreter's lock is released.

    Parameters
    ----------
    features, measure, threshold
        The definition, as in `deduplicate`. The threshold matters only for `bands`.
    text
        The column of texts in record batches and tables; not needed when there is only one column.
    target_recall
        For `bands`: the chance to find a pair exactly at the threshold.
    bands, band_rows
        For `bands`: how many, and how many hashes in each, instead of `target_recall`.
    minhash_size
        For `minhash`: how many hashes; as many as `bands` needs by default.
    seed
        Of the min-wise hashes.
    **options
        Further parts of the definition, as in `deduplicate`.

    Examples
    --------
    >>> import neardup
    >>> features = neardup.Features("words:2")
    >>> features.tokens("The quick, brown fox")
    ['the', 'quick', 'brown', 'fox']
    >>> sets = features.sets(["a b c d", "a b", ""])
    >>> sets.offsets
    array([0, 3, 4, 4], dtype=int32)
    >>> features.bands_shape
    (15, 7)
    """

    def __init__(
        self,
        features: str = DEFAULT_FEATURES,
        *,
        measure: str = "jaccard",
        threshold: Threshold | None = None,
        text: str | None = None,
        target_recall: float | None = None,
        bands: int | None = None,
        band_rows: int | None = None,
        minhash_size: int | None = None,
        seed: int | None = None,
        **options: Any,
    ) -> None:
        check_names(options, _FEATURES, "Features")
        request = definition_options(threshold, features, measure, options)
        self._text = text
        if (bands is None) != (band_rows is None):
            raise UsageError("bands and band_rows go together", "bands")
        if bands is not None:
            request.update(bands=bands, band_rows=band_rows)
        elif measure in ("jaccard", "dice", "cosine"):
            request["target_recall"] = 0.97 if target_recall is None else target_recall
        for name, value in (("minhash_size", minhash_size), ("seed", seed), ("projection", options.get("projection"))):
            if value is not None:
                request[name] = value
        self._request = request
        self._features = _core.Features(request)

    @property
    def bands_shape(self) -> tuple[int, int] | None:
        """How many bands there are, and how many hashes each has."""
        return self._features.bands_shape

    @property
    def minhash_size(self) -> int:
        """How many hashes a min-wise sketch has."""
        return self._features.minhash_size

    @staticmethod
    def tokens(text: str) -> list[str]:
        """Return the words of a text, folded, in order."""
        return _core.words(text)

    def sets(self, documents: Any) -> Any:
        """Return the feature set of each document: 64-bit hashes, ascending, each once. Nulls give nulls."""
        return self._run("sets", documents)

    def occurrences(self, documents: Any) -> Any:
        """Return the features of each document as often as they occur, in no order."""
        return self._run("occurrences", documents)

    def simhash(self, documents: Any) -> Any:
        """Return the simhash of each document; null (in NumPy 0) for one without features."""
        return self._run("simhash", documents)

    def minhash(self, documents: Any) -> Any:
        """Return `minhash_size` min-wise hashes of each document, 32 bits each; null for one without features."""
        return self._run("minhash", documents)

    def bands(self, documents: Any) -> Any:
        """Return the keys of all bands of each document: documents with a key in common are candidates."""
        return self._run("bands", documents)

    def lengths(self, documents: Any) -> Any:
        """Return the length of each text in code points."""
        return self._run("lengths", documents)

    def strings(self, documents: Any) -> list[str | None]:
        """Return what ``edit`` compares: the folded text of each document."""
        handle, _ = self._documents(documents)
        return self._features.strings(handle, {})

    def _documents(self, documents: Any) -> tuple[_core.Documents, bool]:
        """Return the documents, and whether they came from Arrow."""
        options: Options = {} if self._text is None else {"text_fields": [self._text]}
        if isinstance(documents, list | tuple):
            return _core.documents_of_items(tuple(documents), options), False
        if hasattr(documents, "__arrow_c_stream__") or hasattr(documents, "__arrow_c_array__"):
            table = _table_of(documents)
            return _core.documents_of_arrow(_opener(table), options, 0), True
        raise TypeError(f"expected a list of str or an Arrow array, not a {type(documents).__name__}")

    def _run(self, what: str, documents: Any) -> Any:
        handle, is_arrow = self._documents(documents)
        column = getattr(self._features, what)(handle, {})
        if is_arrow:
            import pyarrow as pa

            return pa.array(column)
        return column.values if what in ("simhash", "lengths") else Lists(column.values, column.offsets)


def _table_of(documents: Any) -> Any:
    """Return Arrow data as an object whose stream has struct arrays."""
    import pyarrow as pa

    if isinstance(documents, pa.Table | pa.RecordBatch):
        return documents
    if isinstance(documents, pa.Array | pa.ChunkedArray):
        return pa.table({"text": documents})
    array = pa.chunked_array(documents) if hasattr(documents, "__arrow_c_stream__") else pa.array(documents)
    if pa.types.is_struct(array.type):
        return pa.table(documents)
    return pa.table({"text": array})


def _opener(table: Any) -> Any:
    def open_stream(columns: list[str]) -> Any:
        return (table.select(columns) if columns else table).__arrow_c_stream__()

    return open_stream


class Verifier:
    """Do these documents meet the definition, and with which score? In integers, so that nothing is rounded.

    Parameters
    ----------
    features, measure, threshold
        The definition, as in `deduplicate`.
    **options
        Further parts of the definition.

    Examples
    --------
    >>> import neardup
    >>> sets = neardup.Features("words").sets(["a b c d", "a b c e", "x y"])
    >>> neardup.Verifier("words", threshold=0.6).scores(sets, [0, 0], [1, 2])
    array([0.6, nan])
    """

    def __init__(
        self,
        features: str = DEFAULT_FEATURES,
        *,
        measure: str = "jaccard",
        threshold: Threshold = 0.8,
        **options: Unpack[DefinitionOptions],
    ) -> None:
        check_names(options, DefinitionOptions.__optional_keys__, "Verifier")
        self._verifier = _core.Verifier(definition_options(threshold, features, measure, options))

    def scores(self, sets: Any, left: Any, right: Any) -> npt.NDArray[np.float64]:
        """Return the score of each pair of sets (places in `sets`) that meets the definition; NaN for the others."""
        import numpy as np

        values, offsets = _lists_of(sets)
        a, b = (np.ascontiguousarray(each, dtype=np.int64) for each in (left, right))
        return self._verifier.verify_sets(values, offsets, a, b, {})

    def distances(self, left: Any, right: Any) -> npt.NDArray[np.float64]:
        """Return the distance of each pair of fingerprints within the threshold; NaN for the others."""
        from ._hamming import as_codes

        return self._verifier.verify_codes(as_codes(left, "left"), as_codes(right, "right"))

    def edits(self, left: str, right: str) -> float | None:
        """Return the edit distance of two strings within the threshold, else None."""
        return self._verifier.verify_strings(left, right)

    def identity_score(self, set_size: int) -> float | None:
        """Return the score of two equal sets of this size, when they meet the definition at all."""
        return self._verifier.identity_score(set_size)

    def min_overlap(self, x: int, y: int) -> int:
        """Return how many features sets of these sizes must share."""
        return self._verifier.min_overlap(x, y)

    def min_sizes(self, sizes: Any) -> npt.NDArray[np.uint64]:
        """Return the least size that a partner of a set of each size can have."""
        return self._verifier.min_size(_sizes(sizes))

    def max_sizes(self, sizes: Any) -> npt.NDArray[np.uint64]:
        """Return the largest size that a partner of a set of each size can have."""
        return self._verifier.max_size(_sizes(sizes))

    def prefix_sizes(self, sizes: Any) -> npt.NDArray[np.uint64]:
        """Return how many of its first features, in an order common to all, a set shares one of with any partner."""
        return self._verifier.prefix_size(_sizes(sizes))


def _sizes(sizes: Any) -> npt.NDArray[np.uint64]:
    from ._hamming import as_codes

    return as_codes(sizes, "sizes")


def _lists_of(sets: Any) -> tuple[Any, Any]:
    """Return values and offsets of lists, from `Lists` or from an Arrow list array."""
    import numpy as np

    if isinstance(sets, tuple):
        values, offsets = sets
        return np.ascontiguousarray(values, dtype=np.uint64), np.ascontiguousarray(offsets, dtype=np.int32)
    if hasattr(sets, "combine_chunks"):
        sets = sets.combine_chunks()
    return (
        np.ascontiguousarray(sets.values.to_numpy(zero_copy_only=False)).view(np.uint64),
        np.ascontiguousarray(sets.offsets.to_numpy(zero_copy_only=False), dtype=np.int32),
    )


def join_sets(
    sets: Any,
    *,
    threshold: Threshold = 0.8,
    measure: str = "jaccard",
    algorithm: str = "auto",
    threads: int | None = None,
    memory: int | str | None = None,
) -> tuple[Rows, Rows, npt.NDArray[np.float64]]:
    """Find every similar pair of sets of integers: two arrays of places (left < right) and one of scores.

    >>> import neardup
    >>> left, right, score = neardup.join_sets(neardup.Features("words").sets(["a b c d", "a b c e"]), threshold=0.6)
    >>> left.tolist(), right.tolist(), score.tolist()
    ([0], [1], [0.6])
    """
    import numpy as np

    values, offsets = _lists_of(sets)
    request = definition_options(threshold, DEFAULT_FEATURES, measure, {})
    request["algorithm"] = algorithm
    ends = offsets[1:].astype(np.uint64)
    return _core.join_sets(values, ends, request, run_options(threads, memory, None, False))


def clusters_of_pairs(
    rows: int, left: Any, right: Any, *, kind: str = "components", ranks: Any = None, scores: Any = None
) -> npt.NDArray[np.int64]:
    """Make clusters of pairs and return, for each row, the row that stands for it.

    Parameters
    ----------
    rows
        How many rows there are.
    left, right
        The pairs, as two arrays of rows, in any order.
    kind
        ``components``, ``star``, ``complete`` or ``core``.
    ranks
        For each row a number: smaller ones are preferred. None: earlier rows are.
    scores
        For ``core``: a score for each pair, larger is stronger; weak pairs are cut first. None: all are equal.

    Examples
    --------
    >>> import neardup
    >>> neardup.clusters_of_pairs(5, [0, 1], [1, 2]).tolist()
    [0, 0, 0, 3, 4]
    >>> neardup.clusters_of_pairs(3, [0, 1], [1, 2], ranks=[2, 1, 0]).tolist()
    [2, 2, 2]
    >>> neardup.clusters_of_pairs(4, [0, 1, 2], [1, 2, 3], kind="core", scores=[0.9, 0.8, 0.9]).tolist()
    [0, 0, 2, 2]
    """
    import numpy as np

    from ._hamming import as_codes

    a, b = (np.ascontiguousarray(each, dtype=np.int64) for each in (left, right))
    order = None if ranks is None else as_codes(ranks, "ranks")
    weights = None if scores is None else np.ascontiguousarray(scores, dtype=np.float64)
    return _core.clusters_of_pairs(rows, a, b, kind, order, weights, {}).representatives()
