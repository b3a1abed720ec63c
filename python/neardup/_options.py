"""How keyword arguments become what the library takes."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any, TypedDict

from ._errors import UsageError

Threshold = float | int | str | Fraction | Decimal
Options = dict[str, Any]
TextColumn = str | Sequence[str]
Progress = bool | Callable[[str, int, int, str], object]

DEFAULT_FEATURES = "words:5"


class DefinitionOptions(TypedDict, total=False):
    """What counts as a near-duplicate, besides features, measure and threshold."""

    bag: bool
    strip: str | Sequence[str]
    stop_words: str | Sequence[str]
    stem: str
    min_word: int
    numbers: str
    weights: str
    field_weights: Sequence[int]
    length_ratio: Threshold
    as_is: bool
    hash_seed: int


class ReadOptions(TypedDict, total=False):
    """How data are read. Most apply only to files."""

    html: str
    limit: int
    sample: float
    seed: int
    on_bad_record: str
    format: str
    encoding: str
    delimiter: str
    quote: str
    has_header: bool
    max_record_bytes: int
    include: str | Sequence[str]
    exclude: str | Sequence[str]
    files_from: str


class DedupOptions(DefinitionOptions, ReadOptions, total=False):
    """The further options of `deduplicate`."""

    against_text: str | Sequence[str]
    against_id: str
    against_only: bool
    drop_empty: bool
    same: str | Sequence[str]
    same_only: bool
    url_rules: str
    require: str | Sequence[str]
    by: str
    copies: int
    count: bool
    collect: str | Sequence[str]
    collect_limit: int
    target_recall: float
    distance: int
    measure_recall: bool
    links: str
    authority_field: str
    authority_scores: str
    damping: float
    output: str
    overwrite: bool
    annotate: bool
    save_removed: bool
    resume: bool
    ignore_common: int | float | str
    within: str


class PairsOptions(DefinitionOptions, ReadOptions, total=False):
    """The further options of `pairs`."""

    b_text: str | Sequence[str]
    b_id: str
    algorithm: str
    max_pairs: int
    top: int
    one_to_one: bool
    order: str
    measure_recall: bool
    ignore_common: int | float | str
    within: str


class FingerprintOptions(DefinitionOptions, ReadOptions, total=False):
    """The further options of `fingerprints`."""

    projection: str


class CompareOptions(DefinitionOptions, total=False):
    """The further options of `compare`."""

    features_shown: int


class CleanOptions(DefinitionOptions, ReadOptions, total=False):
    """The further options of `clean`."""

    queries_format: str
    query_field: str
    count_field: str
    query_id_field: str
    min_count: int
    top_queries: int
    results: str
    k1: float
    b: float
    title_boost: int
    links: str
    authority_field: str
    authority_scores: str
    damping: float
    verify: bool
    k: str
    k_by_results: str
    depth: str
    min_results: int
    authority_below: float
    protect: str | Sequence[str]
    mode: str
    select: str
    budget_queries: int
    output: str
    overwrite: bool


# What most functions name in their signatures, so that a mistyped one arrives among the further options.
_NAMED = (
    *("text", "id", "threshold", "features", "measure", "finder"),
    *("keep", "against", "clusters", "threads", "memory", "progress"),
)


def check_names(given: Mapping[str, object], allowed: Iterable[str], function: str) -> None:
    """Refuse keywords that do not exist, as Python does, and say which one was meant.

    >>> check_names({"treshold": 0.9}, ["bag"], "deduplicate")
    Traceback (most recent call last):
    TypeError: deduplicate() got an unexpected keyword argument 'treshold'; did you mean threshold=?
    """
    names = sorted(allowed)
    for name in given:
        if name not in names:
            near = difflib.get_close_matches(name, [*_NAMED, *names], 1)
            hint = f"; did you mean {near[0]}=?" if near else ""
            raise TypeError(f"{function}() got an unexpected keyword argument {name!r}{hint}")


_KEEP_FIELD = re.compile(r"(?:^|,)\s*(?:max|min|newest|oldest|prefer|authority):([^=,]+)")


def keep_fields(keep: str) -> list[str]:
    """Return the fields that keep rules ask for.

    >>> keep_fields("longest,max:score,prefer:lang=en")
    ['score', 'lang']
    """
    return _KEEP_FIELD.findall(keep)


_NEAR = re.compile(r"^(.+?):(?:jaccard|cosine|dice|overlap|edit|hamming):")


def condition_fields(options: Mapping[str, object]) -> list[str]:
    """Return the fields that `same`, `require` and `by` ask for.

    >>> condition_fields({"same": "url:link,doi", "require": ["lang", "title:edit:2"], "by": "site"})
    ['link', 'doi', 'lang', 'title', 'site']
    """

    def texts(name: str) -> list[str]:
        value = options.get(name) or []
        return [value] if isinstance(value, str) else [str(each) for each in value]  # type: ignore[attr-defined]

    fields = []
    for key in [part for value in texts("same") for part in value.split(",")]:
        kind, colon, field = key.partition(":")
        if colon and kind in ("url", "field"):
            fields.append(field)
        elif key not in ("text", "bytes"):
            fields.append(key)
    for condition in texts("require"):
        near = _NEAR.match(condition)
        fields.append(near[1] if near else condition)
    return fields + texts("by")


def check_fields(wanted: Sequence[str], names: Sequence[str] | None) -> None:
    """Refuse keep rules for fields that no record has, and say which one was meant."""
    if names is None:
        return
    for name in wanted:
        if name not in names and name.partition(".")[0] not in names:
            near = difflib.get_close_matches(name, names, 1)
            hint = f': did you mean "{near[0]}"?' if near else ""
            raise UsageError(f'keep asks for the field "{name}", which no record has{hint}', "keep")


def threshold_text(value: Threshold, option: str = "threshold") -> str:
    """Return an exact threshold in the library's words. A float means its shortest decimal form.

    >>> threshold_text(0.8), threshold_text(Fraction(2, 3)), threshold_text(1e-05), threshold_text("4/5")
    ('0.8', '2/3', '0.00001', '4/5')
    """
    if isinstance(value, bool):
        raise UsageError(f"{option} is {value}, expected a number", option)
    if isinstance(value, str | int):
        return str(value)
    if isinstance(value, Fraction):
        return f"{value.numerator}/{value.denominator}"
    if isinstance(value, Decimal):
        exact = value
    elif isinstance(value, float):
        exact = Decimal(repr(float(value)))
    elif hasattr(value, "item"):  # NumPy's numbers: float32(0.8) means 0.8 too
        return threshold_text(str(value), option)
    else:
        raise UsageError(f"{option} is {value!r}, expected a number", option)
    if not exact.is_finite():
        raise UsageError(f"{option} is {value}, expected a finite number", option)
    return f"{exact:f}"


_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}
_SIZE = re.compile(r"\s*([0-9]+(?:\.[0-9]+)?)\s*([KMGT]?)(?:i?B)?\s*", re.IGNORECASE)


def memory_bytes(value: int | str) -> int:
    """Return a number of bytes, from a number or from words such as ``"384M"`` and ``"2 GB"``.

    >>> memory_bytes("2G"), memory_bytes("1.5 MiB"), memory_bytes(1000)
    (2147483648, 1572864, 1000)
    """
    if isinstance(value, int) and not isinstance(value, bool) and value > 0:
        return value
    match = _SIZE.fullmatch(value) if isinstance(value, str) else None
    size = int(float(match[1]) * _UNITS[match[2].upper()]) if match else 0
    if size < 1:
        raise UsageError(f"memory is {value!r}, expected a number of bytes or a size such as '384M' or '2G'", "memory")
    return size


def run_options(
    threads: int | None,
    memory: int | str | None,
    temp_folder: object,
    progress: Progress,
) -> Options:
    """Collect how a call runs."""
    run: Options = {}
    if threads is not None:
        run["threads"] = threads
    if memory is not None:
        run["memory"] = memory_bytes(memory)
    if temp_folder is not None:
        run["temp_folder"] = str(temp_folder)
    if callable(progress):
        run["progress"] = progress
    elif progress:
        from ._progress import Bar

        run["progress"] = Bar()
    return run


def definition_options(threshold: Threshold | None, features: str, measure: str, more: Mapping[str, object]) -> Options:
    """Collect what counts as a near-duplicate."""
    options: Options = {"measure": measure}
    if threshold is not None:
        options["threshold"] = threshold_text(threshold)
    if features != DEFAULT_FEATURES:
        if measure == "edit":
            raise UsageError("measure='edit' compares strings, not features: leave features out", "features")
        options["features"] = features
    for name in DefinitionOptions.__optional_keys__:
        if name in more:
            options[name] = more[name]
    if "length_ratio" in options:
        options["length_ratio"] = threshold_text(options["length_ratio"], "length_ratio")
    return options


def read_options(text: str | Sequence[str] | None, id: str | None, more: Mapping[str, object]) -> Options:
    """Collect how data are read. The column ``text`` is the default and need not be there."""
    options: Options = {name: more[name] for name in ReadOptions.__optional_keys__ if name in more}
    options.pop("on_bad_record", None)
    if text is not None and text != "text":
        options["text_fields"] = text
    if id is not None:
        options["id_field"] = id
    return options
