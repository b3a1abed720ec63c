"""Every similar pair of some data, or between two."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import Any, Unpack

from . import _core
from ._errors import warn_of
from ._names import names_of
from ._options import (
    DEFAULT_FEATURES,
    PairsOptions,
    Progress,
    TextColumn,
    Threshold,
    check_names,
    definition_options,
    read_options,
    run_options,
)
from ._sources import Pair, Source, source_of

_OWN = ("algorithm", "max_pairs", "top", "one_to_one", "order", "measure_recall", "on_bad_record")


def pairs(
    a: Any,
    b: Any = None,
    text: TextColumn = "text",
    id: str | None = None,
    *,
    threshold: Threshold = 0.8,
    features: str = DEFAULT_FEATURES,
    measure: str = "jaccard",
    threads: int | None = None,
    memory: int | str | None = None,
    temp_folder: str | PathLike[str] | None = None,
    progress: Progress = False,
    **options: Unpack[PairsOptions],
) -> Any:
    """List every similar pair with its exact score: within `a`, or with one side in `a` and the other in `b`.

    Parameters
    ----------
    a, b
        Data of any type that `deduplicate` takes.
    text, id
        The columns of text and id; ``b_text=`` and ``b_id=`` name those of `b` where they differ.
    threshold, features, measure
        The definition, as in `deduplicate`.
    threads, memory, temp_folder, progress
        As in `deduplicate`.
    **options
        ``top=3`` (only the best for each left record), ``one_to_one=True`` (each record in one pair at most),
        ``order="score"``, ``max_pairs=1000``, ``algorithm="ppjoin+"``, and those of the definition.

    Returns
    -------
    list of Pair, or a table where `a` is one
        ``left``, ``right`` and ``score``: ids where there are any, else places counted from 0.

    Examples
    --------
    >>> import neardup
    >>> neardup.pairs(["colour", "color", "valour"], measure="edit", threshold=2)
    [Pair(left=0, right=1, score=1.0), Pair(left=0, right=2, score=2.0)]
    >>> neardup.pairs(["Main St 1", "Elm Rd 7"], ["Elm Road 7", "main st 1"], measure="edit", threshold=2)
    [Pair(left=0, right=1, score=0.0), Pair(left=1, right=0, score=2.0)]
    """
    check_names(options, PairsOptions.__optional_keys__, "pairs")
    run = run_options(threads, memory, temp_folder, progress)
    request = definition_options(threshold, features, measure, options)
    request.update({name: options[name] for name in _OWN if name in options})  # type: ignore[literal-required]
    left = source_of(a, read_options(text, id, options), run)
    right = None
    if b is not None:
        reading = read_options(options.get("b_text", text), options.get("b_id", id), options)
        right = source_of(b, reading, run, "b")
    (left_rows, right_rows, scores), report = _core.pairs(
        left.collection, None if right is None else right.collection, request, run
    )
    warn_of(report)
    columns = {"left": _named(left, left_rows), "right": _named(right or left, right_rows), "score": scores}
    return left.table(columns, Pair)


def _named(source: Source, rows: Any) -> Sequence[Any]:
    ids = source.ids()
    if ids is None:
        named: Sequence[Any] = rows
        return named
    names = names_of(ids)
    return [names[row] for row in rows.tolist()]
