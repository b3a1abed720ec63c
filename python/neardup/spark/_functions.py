"""The calls of this module."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Unpack

from pyspark import StorageLevel
from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812

from .._errors import UsageError
from .._options import DEFAULT_FEATURES, Threshold
from ._options import Request, SparkOptions, check_column, request_of
from ._result import Result
from ._search import Search
from ._ship import mapped
from ._units import Source, Units, make_units

_CLUSTERS = ("components", "star")


def deduplicate(
    df: DataFrame,
    text: str | Sequence[str] = "text",
    id: str = "id",
    *,
    order: str | None = None,
    threshold: Threshold | None = None,
    features: str = DEFAULT_FEATURES,
    measure: str = "jaccard",
    finder: str = "auto",
    keep: str = "first",
    clusters: str = "components",
    against: DataFrame | None = None,
    against_text: str | Sequence[str] | None = None,
    against_id: str | None = None,
    against_only: bool = False,
    **options: Unpack[SparkOptions],
) -> Result:
    """Find near-duplicate rows of a DataFrame and keep one of each group.

    Gives the same answer as `neardup.deduplicate` and the command line on the same rows in the same order.

    Parameters
    ----------
    df
        The documents. It is read more than once: it must give the same rows each time.
    text
        The column of the text; several are joined with a newline.
    id
        The column of the id. A repeated id is called ``id#2``, ``id#3``, ...
    order
        The column that says which row comes first, as a DataFrame has no order. Without it rows are ordered by `id`.
    threshold
        Minimum similarity, inclusive (for ``hamming`` the maximum distance); 0.8, and 3 for ``hamming``.
    features, measure
        As in `neardup.deduplicate`; the measure ``edit`` is not available.
    finder
        ``exact`` (what ``auto`` means) finds every pair; ``minhash`` and ``simhash`` may miss some.
    keep
        Which row of a group stays: ``first``, ``last``, ``longest``, ``shortest``, ``max:FIELD``, ``min:FIELD``,
        ``newest:FIELD``, ``oldest:FIELD``, ``prefer:FIELD=VALUE``; several, separated by commas.
    clusters
        ``components`` or ``star``.
    against
        Another DataFrame: near-duplicates of its rows are removed first.
    against_text, against_id
        Its columns, where they have other names.
    against_only
        Keep near-duplicates within `df`.
    **options
        ``target_recall``, ``seed``, ``distance`` (of finders); ``stop_words``, ``stem``, ``numbers``, ... (of texts);
        ``partitions`` (of shuffles; Spark's setting otherwise), ``heavy_limit`` (rows of one key compared in one
        task), ``single_task_edges`` (edges whose components one task finishes).

    Returns
    -------
    Result
        ``kept``, ``removed``, ``pairs``, ``clusters`` and ``bad`` as DataFrames.
    """
    if clusters not in _CLUSTERS:
        if clusters in ("complete", "core"):
            raise UsageError(
                f"clusters={clusters!r} is not available on Spark: use 'components' or 'star', or neardup.deduplicate",
                "clusters",
            )
        raise UsageError(f"unknown clusters {clusters!r}: use components or star", "clusters")
    request = request_of("deduplicate", threshold, features, measure, finder, dict(options))
    source = Source(df, text, id, order, keep)
    source.check()
    other = None
    if against is not None:
        other = Source(against, against_text or text, against_id or id, order if order in against.columns else None)
        other.check()
    elif against_only:
        raise UsageError("against_only needs another DataFrame: against=", "against_only")
    return Result(source, other, request, clusters, against_only)


def clusters(df: DataFrame, text: str | Sequence[str] = "text", id: str = "id", **options: Any) -> DataFrame:
    """Return which rows belong together: cluster (the kept id), id, kept. Takes what `deduplicate` takes."""
    return deduplicate(df, text, id, **options).clusters


def pairs(
    df: DataFrame,
    other: DataFrame | None = None,
    text: str | Sequence[str] = "text",
    id: str = "id",
    *,
    order: str | None = None,
    other_text: str | Sequence[str] | None = None,
    other_id: str | None = None,
    threshold: Threshold | None = None,
    features: str = DEFAULT_FEATURES,
    measure: str = "jaccard",
    finder: str = "auto",
    **options: Unpack[SparkOptions],
) -> DataFrame:
    """Return every similar pair of rows, or of rows of two DataFrames: left, right, score.

    Copies are listed too: n rows with equal features are n (n - 1) / 2 pairs.

    Parameters
    ----------
    df, other
        The documents; with `other` left is a row of `df` and right one of `other`.
    text, id, order, threshold, features, measure, finder, **options
        As in `deduplicate`.
    other_text, other_id
        The columns of `other`, where they have other names.

    Returns
    -------
    DataFrame
        In no particular order.
    """
    request = request_of("pairs", threshold, features, measure, finder, dict(options))
    source = Source(df, text, id, order)
    source.check()
    if other is None:
        return _pairs_within(make_units(source, request), request)
    right = Source(other, other_text or text, other_id or id, order if order in other.columns else None)
    right.check()
    left_units, right_units = make_units(source, request), make_units(right, request)
    found = Search(request, left_units, right_units).pairs()
    return (
        found.join(left_units.rows.select(F.col("unit").alias("a"), F.col("name").alias("left")), "a")
        .join(right_units.rows.select(F.col("unit").alias("b"), F.col("name").alias("right")), "b")
        .select("left", "right", "score")
    )


def _pairs_within(units: Units, request: Request) -> DataFrame:
    rows = units.rows.where("unit is not null").select("unit", F.struct("position", "name").alias("row"))
    found = Search(request, units).pairs()
    similar = (
        found.join(rows.select(F.col("unit").alias("a"), F.col("row").alias("x")), "a")
        .join(rows.select(F.col("unit").alias("b"), F.col("row").alias("y")), "b")
        .select("x", "y", "score")
    )
    left, right = rows.alias("l"), rows.alias("r")
    copies = left.join(right, (F.col("l.unit") == F.col("r.unit")) & (F.col("l.row") < F.col("r.row")))
    if request.measure == "overlap":
        least = int(request.definition["threshold"])
        sizes = units.units.select("unit", (F.octet_length("set") / 8).cast("double").alias("size")).where(
            F.col("size") >= least
        )
        copies = copies.join(sizes.alias("s"), F.col("l.unit") == F.col("s.unit"))
        identity = F.col("s.size")
    else:
        identity = F.lit(0.0 if request.is_distance else 1.0)
    every = similar.unionByName(
        copies.select(F.col("l.row").alias("x"), F.col("r.row").alias("y"), identity.alias("score"))
    )
    return every.select(F.least("x", "y")["name"].alias("left"), F.greatest("x", "y")["name"].alias("right"), "score")


def fingerprints(
    df: DataFrame,
    text: str = "text",
    id: str = "id",
    *,
    features: str = DEFAULT_FEATURES,
    **options: Unpack[SparkOptions],
) -> DataFrame:
    """Return the 64-bit simhash of every row: id, fingerprint (a long; null for a text without features).

    Parameters
    ----------
    df
        The documents.
    text, id
        Their columns.
    features, **options
        As in `deduplicate`.

    Returns
    -------
    DataFrame
        One row for every row of `df`.
    """
    request = request_of("fingerprints", 3, features, "hamming", "auto", dict(options))
    check_column(df, text, "text")
    check_column(df, id, "id")
    chosen = df.select(F.col(id).alias("id"), F.col(text).cast("string").alias("text"))
    kind = chosen.schema["id"].dataType.simpleString()
    return mapped(chosen, "fingerprints", f"id {kind}, fingerprint long", {"definition": request.definition})


def match(
    base: DataFrame,
    queries: DataFrame,
    distance: int = 3,
    *,
    broadcast_limit: int = 1 << 22,
    partitions: int | None = None,
    heavy_limit: int = Request.heavy_limit,
) -> DataFrame:
    """Find for each query the fingerprints of the base that differ from it in at most `distance` bits.

    Few queries are sent to all executors, which look through the base where it is (Manku et al. 2007, section
    3.3). Many meet the base in tables of blocks.

    Parameters
    ----------
    base, queries
        DataFrames with the columns id and fingerprint, as `fingerprints` makes them.
    distance
        The largest distance.
    broadcast_limit
        How many distinct queries are sent to all executors at most.
    partitions, heavy_limit
        As in `deduplicate`.

    Returns
    -------
    DataFrame
        query, id, distance.
    """
    request = request_of(
        "match", distance, DEFAULT_FEATURES, "hamming", "auto", {"partitions": partitions, "heavy_limit": heavy_limit}
    )
    for frame in (base, queries):
        for column in ("id", "fingerprint"):
            check_column(frame, column, column)
    sides = [
        each.where("fingerprint is not null").select("id", F.col("fingerprint").alias("bits"))
        for each in (queries, base)
    ]
    distinct = [each.select("bits").distinct().persist(StorageLevel.DISK_ONLY) for each in sides]
    asked = distinct[0].count()
    if asked <= broadcast_limit:
        found = _broadcast_match(distinct[1], [row[0] for row in distinct[0].toLocalIterator()], distance)
    else:
        units = [
            Units(
                each, each.select(F.col("bits").alias("unit"), _bytes_of("bits").alias("set")), {}, 0, each.count(), 0
            )
            for each in distinct
        ]
        found = Search(request, *units).pairs()
    return (
        found.join(sides[0].select(F.col("bits").alias("a"), F.col("id").alias("query")), "a")
        .join(sides[1].select(F.col("bits").alias("b"), "id"), "b")
        .select("query", "id", F.col("score").cast("int").alias("distance"))
    )


def _bytes_of(column: str) -> Any:
    """Return a long as 8 bytes, the lowest first, as sets have them."""
    return (
        F.reverse_bytes(column)
        if hasattr(F, "reverse_bytes")
        else F.expr(f"unhex(concat_ws('', reverse(regexp_extract_all(lpad(hex({column}), 16, '0'), '(..)'))))")
    )


def _broadcast_match(base: DataFrame, queries: list[int], distance: int) -> DataFrame:
    shared = base.sparkSession.sparkContext.broadcast(queries)
    return mapped(base, "matched", "a long, b long, score double", {"distance": distance}, {"queries": shared})
