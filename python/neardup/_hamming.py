"""Hamming search: fingerprints that differ from another one in a few bits only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from . import _core
from ._errors import UsageError
from ._options import Options, run_options

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Codes = npt.NDArray[np.uint64]
    Rows = npt.NDArray[np.int64]


class Matches(NamedTuple):
    """Matches as three arrays of one length, by query and row."""

    query: Rows
    row: Rows
    distance: npt.NDArray[np.uint8]


def as_codes(values: Any, name: str = "codes") -> Codes:
    """Return an array of fingerprints: `values` itself when it is a contiguous array of uint64, else a copy."""
    import numpy as np

    array = np.asarray(values)
    if array.dtype != np.uint64:
        if array.dtype.kind not in "iu" and array.size:
            raise UsageError(f"{name} is an array of {array.dtype}, expected uint64", name)
        array = array.view(np.uint64) if array.dtype == np.int64 else array.astype(np.uint64)
    if array.ndim != 1:
        raise UsageError(f"{name} has {array.ndim} dimensions, expected 1", name)
    return np.ascontiguousarray(array)


class HammingIndex:
    """An index over 64-bit fingerprints. Immutable; any number of threads may search it at once.

    Parameters
    ----------
    codes
        Fingerprints, an array of uint64. Not kept, and not copied when it is contiguous. Row i is ``codes[i]``.
    distance
        The distance that the structure is made for. Exact kinds find every match at every distance.
    kind
        ``fast``, ``scan``, ``block-tables``, ``compressed-tables``, ``volatile-bits``; see `hamming_kinds()`.
    memory_bytes
        What the structure may take; None: what its kind does best.
    threads, memory, temp_folder
        What building may use.
    **options
        ``design``, ``code`` and ``header_bits``, for the kinds that have them.

    Examples
    --------
    >>> import numpy as np, neardup
    >>> index = neardup.HammingIndex(np.array([0b0000, 0b0111, 0b1111_0000], dtype=np.uint64))
    >>> query, row, distance = index.search(np.array([0b0001], dtype=np.uint64), distance=3)
    >>> query.tolist(), row.tolist(), distance.tolist()
    ([0, 0], [0, 1], [1, 2])
    >>> index.first(np.array([0b0001, 2**63], dtype=np.uint64), distance=0)
    array([-1, -1])
    """

    def __init__(
        self,
        codes: Any,
        *,
        distance: int = 3,
        kind: str = "fast",
        memory_bytes: int | None = None,
        threads: int | None = None,
        memory: int | str | None = None,
        temp_folder: str | None = None,
        **options: Any,
    ) -> None:
        request: Options = {"kind": kind, "distance": distance, **options}
        if memory_bytes is not None:
            request["memory_bytes"] = memory_bytes
        self._index = _core.build_hamming_index(
            as_codes(codes), request, run_options(threads, memory, temp_folder, False)
        )

    def search(
        self,
        queries: Any,
        distance: int = 3,
        *,
        first: bool = False,
        volatility: npt.NDArray[np.uint8] | None = None,
        target_recall: float | None = None,
        threads: int | None = None,
    ) -> Matches:
        """Find every row within a distance of each query.

        Parameters
        ----------
        queries
            An array of uint64.
        distance
            Largest distance of a match, 0 to 64.
        first
            Only one match for each query: the lowest row, for exact kinds.
        volatility
            For ``volatile-bits``: 64 bytes per query, as `fingerprints` returns them.
        target_recall
            For probabilistic kinds: when to stop looking.
        threads
            How many threads work; None: all cores.

        Returns
        -------
        Matches
            ``query``, ``row`` and ``distance``, ordered by query and row.
        """
        options: Options = {"distance": distance, "first": first}
        if target_recall is not None:
            options["target_recall"] = target_recall
        run = run_options(threads, None, None, False)
        return Matches(*self._index.search(as_codes(queries, "queries"), volatility, options, run))

    def first(self, queries: Any, distance: int = 3, *, threads: int | None = None) -> Rows:
        """Return for each query the lowest row within the distance, or -1.

        Examples
        --------
        >>> import numpy as np, neardup
        >>> index = neardup.HammingIndex(np.array([7, 1, 0], dtype=np.uint64))
        >>> index.first(np.array([0, 2**60 - 1], dtype=np.uint64), distance=1)
        array([ 1, -1])
        """
        import numpy as np

        codes = as_codes(queries, "queries")
        rows = np.full(len(codes), -1, dtype=np.int64)
        found = self.search(codes, distance, first=True, threads=threads)
        rows[found.query] = found.row
        return rows

    @staticmethod
    def self_join(
        codes: Any, distance: int = 3, *, threads: int | None = None, memory: int | str | None = None
    ) -> Matches:
        """Find every pair of rows (query < row) within a distance. Needs no index.

        Examples
        --------
        >>> import numpy as np, neardup
        >>> found = neardup.HammingIndex.self_join(np.array([0, 255, 1], dtype=np.uint64), distance=1)
        >>> found.query.tolist(), found.row.tolist(), found.distance.tolist()
        ([0], [2], [1])
        """
        run = run_options(threads, memory, None, False)
        return Matches(*_core.hamming_self_join(as_codes(codes), distance, run))

    def __len__(self) -> int:
        """Return how many fingerprints there are."""
        return self._index.size

    @property
    def kind(self) -> str:
        """The kind of structure."""
        return self._index.kind

    @property
    def nbytes(self) -> int:
        """How much memory the index takes."""
        return self._index.memory_bytes

    def exact_up_to(self, distance: int) -> bool:
        """Say whether a search finds every match up to this distance."""
        return self._index.exact_up_to(distance)

    def __repr__(self) -> str:
        """Say what was built."""
        return f"HammingIndex({len(self):,} fingerprints, {self._index.describe()}, {self.nbytes:,} bytes)"


def hamming_kinds() -> dict[str, str]:
    """Return the kinds of Hamming index, and what each is.

    >>> "fast" in hamming_kinds()
    True
    """
    return {name: summary for name, summary, _ in _core.hamming_kinds()}
