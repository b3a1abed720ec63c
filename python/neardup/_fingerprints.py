"""Simhashes of documents."""

from __future__ import annotations

from os import PathLike
from typing import TYPE_CHECKING, Any, NamedTuple, Unpack

from . import _core
from ._errors import warn_of
from ._options import (
    DEFAULT_FEATURES,
    FingerprintOptions,
    Progress,
    TextColumn,
    check_names,
    definition_options,
    read_options,
    run_options,
)
from ._sources import source_of

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


class Fingerprints(NamedTuple):
    """Simhashes by row; rows without features have 0 and are not `valid`."""

    codes: npt.NDArray[np.uint64]
    valid: npt.NDArray[np.bool_]
    volatility: npt.NDArray[np.uint8]


def fingerprints_and_more(
    data: Any,
    text: TextColumn = "text",
    id: str | None = None,
    *,
    features: str = DEFAULT_FEATURES,
    volatility: bool = False,
    threads: int | None = None,
    memory: int | str | None = None,
    temp_folder: str | PathLike[str] | None = None,
    progress: Progress = False,
    **options: Unpack[FingerprintOptions],
) -> Fingerprints:
    """Compute the simhash of every document, which rows have one, and how firmly each bit stands.

    Takes what `fingerprints` takes; `volatility` asks for 64 bytes per row, as ``HammingIndex(kind="volatile-bits")``
    wants them of queries.

    >>> import neardup
    >>> codes, valid, _ = neardup.fingerprints_and_more(["one two three", "", "one two three"])
    >>> valid
    array([ True, False,  True])
    """
    import numpy as np

    check_names(options, FingerprintOptions.__optional_keys__, "fingerprints")
    run = run_options(threads, memory, temp_folder, progress)
    request = definition_options(None, features, "hamming", options)
    for name in ("projection", "on_bad_record"):
        if name in options:
            request[name] = options[name]
    request["volatility"] = volatility
    source = source_of(data, read_options(text, id, options), run)
    codes, has, levels, report = _core.fingerprints(source.collection, request, run)
    warn_of(report)
    return Fingerprints(codes, has.view(np.bool_), levels)


def fingerprints(
    data: Any,
    text: TextColumn = "text",
    id: str | None = None,
    *,
    features: str = DEFAULT_FEATURES,
    threads: int | None = None,
    memory: int | str | None = None,
    temp_folder: str | PathLike[str] | None = None,
    progress: Progress = False,
    **options: Unpack[FingerprintOptions],
) -> npt.NDArray[np.uint64]:
    """Return the 64-bit simhash of every document; 0 for one without features.

    Parameters
    ----------
    data, text, id
        As in `deduplicate`.
    features
        What a fingerprint is made of.
    threads, memory, temp_folder, progress
        As in `deduplicate`.
    **options
        ``weights`` (``occurrences``, ``binary``, ``tfidf``), ``projection``, text preprocessing, and how data are read.

    Examples
    --------
    >>> import neardup
    >>> [f"{code:016x}" for code in neardup.fingerprints(["the new ferry terminal will open in May"], features="words")]
    ['deaaf2e999d5c92f']
    """
    return fingerprints_and_more(
        data,
        text,
        id,
        features=features,
        threads=threads,
        memory=memory,
        temp_folder=temp_folder,
        progress=progress,
        **options,
    ).codes


def simhash(text: str, *, features: str = DEFAULT_FEATURES, **options: Unpack[FingerprintOptions]) -> int | None:
    """Return the 64-bit simhash of one text; None when it has no features.

    >>> import neardup
    >>> f"{neardup.simhash('the new ferry terminal will open in May', features='words'):016x}"
    'deaaf2e999d5c92f'
    >>> neardup.simhash("...") is None
    True
    """
    codes, valid, _ = fingerprints_and_more([text], features=features, threads=1, **options)
    return int(codes[0]) if valid[0] else None
