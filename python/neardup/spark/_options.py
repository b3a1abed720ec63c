"""What the calls of this module can be asked for."""

from __future__ import annotations

import difflib
from dataclasses import dataclass, field
from typing import Any, TypedDict

from pyspark.sql import DataFrame

from .. import _core
from .._errors import UsageError
from .._options import DEFAULT_FEATURES, Threshold, check_names, definition_options


class SparkOptions(TypedDict, total=False):
    """The further options of this module's calls."""

    bag: bool
    strip: str | list[str]
    stop_words: str | list[str]
    stem: str
    min_word: int
    numbers: str
    weights: str
    hash_seed: int
    target_recall: float
    distance: int
    seed: int
    partitions: int
    heavy_limit: int
    single_task_edges: int


FINDERS = ("auto", "exact", "minhash", "simhash")
MEASURES = ("jaccard", "cosine", "dice", "overlap", "hamming")
_NOT_HERE = ("field_weights", "length_ratio", "as_is", "html", "authority_field", "links")


@dataclass(frozen=True)
class Request:
    """A definition, a finder, and how the work is cut up."""

    definition: dict[str, Any]  # as the library takes it
    measure: str
    key_kind: str  # prefix, bands or blocks
    finding: dict[str, Any] = field(default_factory=dict)
    partitions: int | None = None
    heavy_limit: int = 20_000  # units of one key that are compared in one place
    single_task_edges: int = 20_000_000  # of components: what one task finishes

    @property
    def is_distance(self) -> bool:
        """Whether smaller scores are better."""
        return self.measure == "hamming"


def request_of(
    function: str,
    threshold: Threshold | None,
    features: str,
    measure: str,
    finder: str,
    options: dict[str, Any],
) -> Request:
    """Check what was asked for; raises UsageError before Spark does anything."""
    for name in _NOT_HERE:
        if name in options:
            raise UsageError(f"{name}= is not available on Spark: use neardup.{function} on one machine", name)
    check_names(options, SparkOptions.__annotations__, function)
    if measure not in MEASURES:
        if measure == "edit":
            raise UsageError("measure='edit' is not available on Spark: use neardup.pairs on one machine", "measure")
        raise UsageError(f"unknown measure {measure!r}{_near(measure, MEASURES)}", "measure")
    if finder not in FINDERS:
        raise UsageError(f"unknown finder {finder!r}{_near(finder, FINDERS)}", "finder")
    if options.get("weights") == "tfidf":
        raise UsageError("weights='tfidf' counts the whole collection first and is not available on Spark", "weights")
    if threshold is None:
        threshold = 3 if measure == "hamming" else 0.8
    definition = definition_options(threshold, features, measure, options)
    definition.setdefault("features", DEFAULT_FEATURES)
    _core.shuffle_validate(definition)
    kinds = {"auto": "prefix", "exact": "prefix", "minhash": "bands", "simhash": "blocks"}
    kind = "blocks" if measure == "hamming" else kinds[finder]
    if measure == "hamming" and finder == "minhash":
        raise UsageError("finder='minhash' serves jaccard, dice and cosine, not hamming", "finder")
    finding: dict[str, Any] = {name: options[name] for name in ("target_recall", "distance", "seed") if name in options}
    request = Request(
        definition,
        measure,
        kind,
        finding,
        options.get("partitions"),
        int(options.get("heavy_limit", Request.heavy_limit)),
        int(options.get("single_task_edges", Request.single_task_edges)),
    )
    _core.ShuffleKeyMaker({**definition, **finding, "key_kind": kind}, None)  # refuses what the finder does not serve
    return request


def _near(word: str, known: tuple[str, ...]) -> str:
    near = difflib.get_close_matches(word, known, 1)
    return f"; did you mean {near[0]!r}?" if near else f": use {', '.join(known)}"


def check_column(frame: DataFrame, name: str, option: str) -> None:
    """Refuse a column that is not there."""
    if name in frame.columns:
        return
    top = name.split(".")[0]
    if top in frame.columns and "." in name:
        return
    near = difflib.get_close_matches(name, frame.columns, 1)
    hint = f"; did you mean {near[0]!r}?" if near else f"; there are {', '.join(map(repr, frame.columns))}"
    raise UsageError(f"the DataFrame has no column {name!r} ({option}=){hint}", option)
