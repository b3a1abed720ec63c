"""From a DataFrame to rows and units."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pyspark.sql import Column, DataFrame, SparkSession, Window
from pyspark.sql import functions as F  # noqa: N812

from .. import _core
from .._errors import UsageError
from ._frames import hold
from ._options import Request, check_column
from ._ship import mapped

_MOST_SALTS = 16


def partitions_of(request: Request, spark: SparkSession) -> int:
    """Return into how many partitions shuffles go."""
    if request.partitions:
        return request.partitions
    return max(int(spark.conf.get("spark.sql.shuffle.partitions") or 200), 1)


@dataclass(frozen=True)
class Source:
    """A DataFrame and where its documents are."""

    frame: DataFrame
    text: str | Sequence[str]
    id: str
    order: str | None
    keep: str = "first"

    def check(self) -> None:
        """Refuse columns that are not there."""
        for name in self.texts:
            check_column(self.frame, name, "text")
        check_column(self.frame, self.id, "id")
        if self.order is not None:
            check_column(self.frame, self.order, "order")
        for name in self.rules.fields():
            check_column(self.frame, name, "keep")

    @property
    def texts(self) -> list[str]:
        """The text columns."""
        return [self.text] if isinstance(self.text, str) else list(self.text)

    @cached_property
    def rules(self) -> Any:
        """The keep rules at work."""
        return _core.ShuffleKeepValues(self.keep)

    @cached_property
    def text_column(self) -> Column:
        """The text; null where there is none."""
        columns = [F.col(name).cast("string") for name in self.texts]
        return (
            columns[0] if len(columns) == 1 else F.when(F.coalesce(*columns).isNotNull(), F.concat_ws("\n", *columns))
        )

    @cached_property
    def is_bad(self) -> Column:
        """Whether a row has no text or no id."""
        return self.text_column.isNull() | F.col(self.id).isNull()

    @cached_property
    def named(self) -> DataFrame:
        """The rows that are documents, with two more columns: `__name`, which differ, and `__position`."""
        frame = self.frame.where(~self.is_bad)
        frame = frame.withColumn("__position", F.col(self.order or self.id))
        frame = frame.withColumn("__name", F.col(self.id).cast("string"))
        if not frame.groupBy("__name").count().where("count > 1").limit(1).count():
            return frame
        return _renamed(frame, self.text_column)


def _renamed(frame: DataFrame, text: Column) -> DataFrame:
    """Give repeats of an id numbers as the command line does: #2, #3, leaving out names that are taken."""
    bases = frame.groupBy("__name").count().where("count > 1").select(F.col("__name").alias("__base"))
    parts = frame.select(
        F.regexp_extract("__name", r"^(.*)#([0-9]+)$", 1).alias("__base"),
        F.regexp_extract("__name", r"^(.*)#([0-9]+)$", 2).alias("number"),
    ).where("number != '' and length(number) < 18")
    taken = (
        parts.join(bases, "__base").groupBy("__base").agg(F.collect_set(F.col("number").cast("long")).alias("__taken"))
    )
    order = Window.partitionBy("__name").orderBy("__position", F.xxhash64(text), F.monotonically_increasing_id())
    numbered = frame.withColumn("__repeat", F.row_number().over(order).cast("long"))
    joined = numbered.join(taken, F.col("__name") == F.col("__base"), "left")
    numbers = F.expr(
        "element_at(array_except(sequence(2L, __repeat + coalesce(size(__taken), 0)), "
        "coalesce(__taken, cast(array() as array<bigint>))), cast(__repeat - 1 as int))"
    )
    name = F.when(F.col("__repeat") == 1, F.col("__name")).otherwise(F.concat("__name", F.lit("#"), numbers))
    return joined.withColumn("__name", name).drop("__repeat", "__base", "__taken")


@dataclass(frozen=True)
class Units:
    """The distinct feature sets of a DataFrame, and its rows."""

    rows: DataFrame  # name, position, unit, v0, ...
    units: DataFrame  # unit, set
    order: dict[int, bytes]  # slices of the counters of features
    order_bits: int
    count: int
    features: int
    held: tuple[DataFrame, ...] = ()  # what the executors keep for it


def counters_bits(keys: float, least: int, most: int) -> int:
    """Return how many counters keep keys apart."""
    return min(max(int(keys).bit_length(), least), most)


def make_units(source: Source, request: Request) -> Units:
    """Read a DataFrame: texts to sets, equal sets to one unit."""
    spark = source.frame.sparkSession
    for salt in range(_MOST_SALTS):
        made = _make_units(source, request, spark, salt)
        if made is not None:
            return made
    raise UsageError("the hash of feature sets collides again and again: too many distinct documents for 64-bit names")


def _make_units(source: Source, request: Request, spark: SparkSession, salt: int) -> Units | None:
    fields = source.rules.fields()
    chosen = source.named.select(
        F.col("__name").alias("name"),
        F.col("__position").alias("position"),
        source.text_column.alias("text"),
        *(F.col(name).cast("string").alias(f"f{i}") for i, name in enumerate(fields)),
    )
    position = chosen.schema["position"].dataType.simpleString()
    values = sum(has_value for _, has_value in source.rules.rules())
    schema = f"name string, position {position}, unit long, check long, set binary" + "".join(
        f", v{i} long" for i in range(values)
    )
    arguments = {"definition": request.definition, "salt": salt, "keep": source.keep, "fields": len(fields)}
    held: list[DataFrame] = []
    rows = hold(mapped(chosen, "rows", schema, arguments), held)
    sizes = rows.agg(F.sum(F.octet_length("set"))).collect()
    bits = counters_bits((sizes[0][0] or 0) / 16, 12, 24) if request.key_kind == "prefix" else 0
    shuffled = (
        rows.where("set is not null").select("unit", "check", "set").repartition(partitions_of(request, spark), "unit")
    )
    made = hold(mapped(shuffled, "distinct_units", "kind int, unit long, set binary", {"order_bits": bits}), held)
    totals = {
        row["kind"]: row
        for row in made.groupBy("kind")
        .agg(F.count("unit").alias("n"), F.sum(F.octet_length("set")).alias("bytes"))
        .collect()
    }
    if 2 in totals:
        for frame in held:
            frame.unpersist()
        return None
    return Units(
        rows.drop("check", "set"),
        made.where("kind = 0").select("unit", "set"),
        collect_slices(made.where("kind = 1").select("unit", "set"), request) if bits else {},
        bits,
        totals[0]["n"] if 0 in totals else 0,
        totals[0]["bytes"] // 8 if 0 in totals else 0,
        tuple(held),
    )


def collect_slices(slices: DataFrame, request: Request) -> dict[int, bytes]:
    """Add up slices of counters on the executors and bring the sums here."""
    partitions = partitions_of(request, slices.sparkSession)
    merged = mapped(slices.repartition(partitions, "unit"), "merged_slices", "unit long, set binary")
    return {row[0]: bytes(row[1]) for row in merged.collect()}


def table_of(slices: dict[int, bytes], bits: int, *others: dict[int, bytes]) -> bytes:
    """Put slices together; those of several DataFrames are added."""
    from ._tasks import SLICE_BYTES

    counters = _core.ShuffleCounters(bits)
    import numpy as np

    for each in (slices, *others):
        table = np.zeros(1 << bits, np.uint8)
        step = min(SLICE_BYTES, len(table))
        for at, data in each.items():
            table[at * step : at * step + step] = np.frombuffer(data, np.uint8)
        counters.merge(table)
    return counters.bytes()
