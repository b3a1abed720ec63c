"""`deduplicate`: one of each near-duplicate group."""

from __future__ import annotations

from collections.abc import Iterator
from os import PathLike
from typing import Any, TypeVar, Unpack, overload

from ._errors import warn_of
from ._options import (
    DEFAULT_FEATURES,
    DedupOptions,
    Progress,
    TextColumn,
    Threshold,
    check_fields,
    check_names,
    condition_fields,
    definition_options,
    keep_fields,
    read_options,
    run_options,
)
from ._result import Result
from ._sources import Records, source_of

Data = TypeVar("Data")

_AGAINST = ("against_text", "against_id")


@overload
def deduplicate(
    data: str | PathLike[str] | list[PathLike[str]] | Iterator[Any],
    text: TextColumn = ...,
    id: str | None = ...,
    *,
    threshold: Threshold = ...,
    features: str = ...,
    measure: str = ...,
    finder: str = ...,
    keep: str = ...,
    against: Any = ...,
    clusters: str | None = ...,
    threads: int | None = ...,
    memory: int | str | None = ...,
    temp_folder: str | PathLike[str] | None = ...,
    progress: Progress = ...,
    **options: Unpack[DedupOptions],
) -> Result[Records]: ...


@overload
def deduplicate(
    data: Data,
    text: TextColumn = ...,
    id: str | None = ...,
    *,
    threshold: Threshold = ...,
    features: str = ...,
    measure: str = ...,
    finder: str = ...,
    keep: str = ...,
    against: Any = ...,
    clusters: str | None = ...,
    threads: int | None = ...,
    memory: int | str | None = ...,
    temp_folder: str | PathLike[str] | None = ...,
    progress: Progress = ...,
    **options: Unpack[DedupOptions],
) -> Result[Data]: ...


def deduplicate(
    data: Any,
    text: TextColumn = "text",
    id: str | None = None,
    *,
    threshold: Threshold = 0.8,
    features: str = DEFAULT_FEATURES,
    measure: str = "jaccard",
    finder: str = "auto",
    keep: str = "first",
    against: Any = None,
    clusters: str | None = None,
    threads: int | None = None,
    memory: int | str | None = None,
    temp_folder: str | PathLike[str] | None = None,
    progress: Progress = False,
    **options: Unpack[DedupOptions],
) -> Result[Any]:
    """Find near-duplicate documents and keep one of each group.

    Parameters
    ----------
    data
        Texts or records: a list of str or of dicts, a pandas or polars table, a pyarrow Table or RecordBatchReader, a
        Hugging Face Dataset, anything that speaks Arrow, an iterator, or files. **A list of str is a list of texts; a
        single str, a path object and a list of path objects name files, folders or globs.**
    text
        The column of the text; several are joined with a newline. ``a.b`` reaches into dicts and structs.
    id
        The column of the id. Without it a column ``id`` is used where there is one, and records are called by their
        places otherwise. When it is given, a record without an id is a bad record.
    threshold
        Minimum similarity, inclusive (for ``edit`` and ``hamming`` the maximum distance). Exact: a float means its
        shortest decimal form, so that 0.8 is 4/5; str (``"2/3"``), Fraction and Decimal are understood too.
    features
        ``words:5`` (runs of five words), ``words``, ``chars:3``, ...
    measure
        ``jaccard``, ``cosine``, ``dice``, ``overlap``, ``edit`` or ``hamming``.
    finder
        How pairs are looked for: ``exact`` finds every pair and is what ``auto`` means; ``minhash`` and ``simhash`` may
        miss some and measure their recall.
    keep
        Which record of a group stays: ``first``, ``last``, ``longest``, ``shortest``, ``max:FIELD``, ``min:FIELD``,
        ``newest:FIELD``, ``oldest:FIELD``, ``prefer:FIELD=VALUE``, ``authority``; several, separated by commas.
        ``none`` removes whole groups.
    against
        Other data, of any type: their near-duplicates are removed from `data` first.
    clusters
        ``components`` (connected by pairs), ``star`` (all similar to the kept one), ``complete`` (all similar to each
        other) or ``core`` (components, cut where a single pair connects two groups of two or more). Default:
        components; star for ``measure="containment"``, which refuses components and core.
    threads, memory, temp_folder
        What the call may use: all cores, half of the memory and the system's temporary folder by default. `memory` is a
        number of bytes or a size such as ``"2G"``.
    progress
        True shows progress (by tqdm where it is installed); or a function of (stage, done, total, unit).
    **options
        The options of the command line by their names, such as ``target_recall=0.99`` or ``stop_words="en"``; see
        docs/python.md.

    Returns
    -------
    Result
        What was kept, removed and found, in the type that came in.

    Examples
    --------
    >>> import neardup
    >>> texts = [
    ...     "the quick brown fox jumps over the lazy dog near the river",
    ...     "something else",
    ...     "The quick, brown fox jumps over the lazy dog near the river bank",
    ... ]
    >>> result = neardup.deduplicate(texts)
    >>> result
    Result(2 kept, 1 removed)
    >>> result.kept
    ['the quick brown fox jumps over the lazy dog near the river', 'something else']
    >>> result.pairs
    [Pair(left=0, right=2, score=0.8888888888888888)]
    """
    check_names(options, DedupOptions.__optional_keys__, "deduplicate")
    run = run_options(threads, memory, temp_folder, progress)
    request = definition_options(threshold, features, measure, options)
    request.update(finder=finder, keep=keep)
    if clusters is not None:
        request["clusters"] = clusters
    used = {*request, *_AGAINST}
    request.update({name: value for name, value in options.items() if name not in used})
    source = source_of(data, read_options(text, id, options), run)
    fields = keep_fields(keep)
    conditions = condition_fields(options)
    if fields or conditions:
        source.fields = (*fields, *(name for name in dict.fromkeys(conditions) if name not in fields))
    if fields:
        check_fields(fields, source.field_names())
    other = None
    if against is not None:
        reading = read_options(options.get("against_text", text), options.get("against_id", id), options)
        other = source_of(against, reading, run, "against")
        if conditions:
            other.fields = tuple(dict.fromkeys(conditions))
    result: Result[Any] = Result(source, other, request, run)
    warn_of(result.report)
    return result
