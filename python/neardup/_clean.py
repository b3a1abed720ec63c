"""Query-biased clean-up: what searchers see first is cleaned up first."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, Unpack

from . import _core
from ._errors import warn_of
from ._options import (
    DEFAULT_FEATURES,
    CleanOptions,
    Progress,
    TextColumn,
    Threshold,
    check_names,
    definition_options,
    read_options,
    run_options,
)
from ._sources import source_of

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


class QueryOutcome(NamedTuple):
    """What the clean-up found at one query."""

    query: str
    searches: int
    rank: int
    results: int
    groups: int
    removed: int


class CleanResult(NamedTuple):
    """What `clean` did."""

    kept: Any
    removed: Any
    kept_rows: npt.NDArray[np.int64]
    representatives: npt.NDArray[np.int64]
    outcomes: list[QueryOutcome]
    report: dict[str, Any]

    def __repr__(self) -> str:
        """Say how many were kept and removed."""
        return f"CleanResult({self.report['kept']:,} kept, {self.report['removed']:,} removed)"


def clean(
    data: Any,
    queries: str | os.PathLike[str] | Mapping[str, int] | Iterable[str],
    text: TextColumn = "text",
    id: str | None = None,
    *,
    threshold: Threshold = 0.8,
    features: str = DEFAULT_FEATURES,
    measure: str = "jaccard",
    threads: int | None = None,
    memory: int | str | None = None,
    temp_folder: str | os.PathLike[str] | None = None,
    progress: Progress = False,
    **options: Unpack[CleanOptions],
) -> CleanResult:
    """Remove the near-duplicates that people meet in their search results.

    Parameters
    ----------
    data, text, id
        As in `deduplicate`.
    queries
        The search log: queries with their counts (a dict), queries one by one, or the path of a log.
    threshold, features, measure
        What near-duplicates among the results must meet, as in `deduplicate`.
    threads, memory, temp_folder, progress
        As in `deduplicate`.
    **options
        The options of ``neardup clean`` by their names, such as ``k="3"``, ``depth="100"`` or ``mode="marked"``.

    Examples
    --------
    >>> import neardup
    >>> pages = ["the new ferry terminal opens in may", "the new ferry terminal opens in May!", "snow in the hills"]
    >>> neardup.clean(pages, {"ferry terminal": 10}, features="words")
    CleanResult(2 kept, 1 removed)
    """
    import numpy as np

    check_names(options, CleanOptions.__optional_keys__, "clean")
    run = run_options(threads, memory, temp_folder, progress)
    request = definition_options(threshold, features, measure, options)
    request.update({name: value for name, value in options.items() if name not in request})
    log: list[tuple[str, int]] = []
    if isinstance(queries, str | os.PathLike):
        request["queries"] = os.fspath(queries)
    elif isinstance(queries, Mapping):
        log = list(queries.items())
    else:
        log = [(query, 1) for query in queries]
    source = source_of(data, read_options(text, id, options), run)
    report, outcomes, clusters = _core.clean(source.collection, log, request, run)
    warn_of(report)
    kept, representatives = clusters.kept_rows(), clusters.representatives()
    rows = np.arange(len(representatives))
    removed = rows[(representatives != rows) & (representatives >= 0)]
    return CleanResult(
        source.take(kept),
        source.take(removed),
        kept,
        representatives,
        [QueryOutcome(*each) for each in outcomes],
        json.loads(report),
    )
