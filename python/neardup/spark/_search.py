"""From units to verified pairs of units."""

from __future__ import annotations

from typing import Any

from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812

from .. import _core
from ._frames import hold
from ._options import Request
from ._ship import mapped
from ._units import Units, collect_slices, counters_bits, partitions_of, table_of

_PART_BYTES = 32 << 20
_ENTRY_WORDS = 4
_PAIRS = "a long, b long"


class Search:
    """One search: within one collection of units, or across two.

    Parameters
    ----------
    request
        What is looked for.
    units
        One collection, or two: then left units are of the first.
    """

    def __init__(self, request: Request, *units: Units) -> None:
        self.held: list[DataFrame] = []  # what the executors keep for it
        self._request = request
        self._spark = units[0].units.sparkSession
        self._partitions = partitions_of(request, self._spark)
        self._across = len(units) > 1
        both = [each.units.select("unit", F.lit(side).alias("side"), "set") for side, each in enumerate(units)]
        self._units = both[0] if len(both) == 1 else both[0].unionByName(both[1])
        self._count = sum(each.count for each in units)
        self._features = sum(each.features for each in units)
        self._plan = self._make_plan()
        self._order = self._broadcast_order(units)

    def _make_plan(self) -> dict[str, Any]:
        request = self._request
        average = self._features / max(self._count, 1)
        blocks = request.key_kind == "blocks"
        words = 1 if blocks else _core.shuffle_suitable_words(request.definition, average)
        plan: dict[str, Any] = {
            **request.definition,
            **request.finding,
            "key_kind": request.key_kind,
            "words": words,
            "units": self._count,
            "across": self._across,
        }
        self._keys = self._count * _core.shuffle_keys_per_unit(plan, average)
        size = self._keys * (_ENTRY_WORDS + words) * 8
        plan["parts"] = int(min(max(4 * self._partitions, size // _PART_BYTES), 1 << 16))
        return plan

    def _broadcast_order(self, units: tuple[Units, ...]) -> Any:
        if self._request.key_kind != "prefix":
            return None
        bits = max(each.order_bits for each in units)
        same = [each.order for each in units if each.order_bits == bits]  # others count too little to matter
        return self._spark.sparkContext.broadcast(table_of(same[0], bits, *same[1:]))

    def _broadcasts(self, **more: Any) -> dict[str, Any]:
        given = {} if self._order is None else {"order": self._order}
        return {**given, **more}

    def _arguments(self, **more: Any) -> dict[str, Any]:
        return {"plan": self._plan, **({"order": None} if self._order is None else {}), **more}

    def candidates(self) -> DataFrame:
        """Return pairs of units that may meet the definition, each once: a, b."""
        bits = counters_bits(2 * self._keys, 12, 27)
        counted = mapped(
            self._units,
            "counted_keys",
            "kind int, unit long, set binary",
            self._arguments(bits=bits),
            self._broadcasts(),
        )
        table = table_of(collect_slices(counted.select("unit", "set"), self._request), bits)
        shared = self._spark.sparkContext.broadcast(table)
        heavy = self._heavy(table, shared)
        made = mapped(
            self._units,
            "entries",
            "part int, entries binary",
            self._arguments(heavy=heavy, heavy_limit=self._request.heavy_limit),
            self._broadcasts(shared=shared),
        )
        met = made.repartition(self._partitions, "part").sortWithinPartitions("part")
        found = mapped(met, "candidates", _PAIRS, {"plan": self._plan})
        return found if self._request.key_kind == "blocks" else found.distinct()

    def _heavy(self, table: bytes, shared: Any) -> tuple[list[int], list[int]]:
        """Count exactly the keys that may be too common to meet in one place."""
        if self._request.heavy_limit >= self._count or (self._request.heavy_limit >= 255 and 255 not in table):
            return [], []
        counted = mapped(
            self._units, "heavy_keys", "key long, count long", self._arguments(), self._broadcasts(shared=shared)
        )
        heavy = (
            counted.groupBy("key").agg(F.sum("count").alias("count")).where(F.col("count") > self._request.heavy_limit)
        )
        rows = heavy.collect()
        return [row["key"] for row in rows], [row["count"] for row in rows]

    def pairs(self) -> DataFrame:
        """Return every pair of units that meets the definition (and that the finder found): a, b, score."""
        found = self.candidates()
        if self._request.is_distance:
            return found.withColumn("score", F.bit_count(F.col("a").bitwiseXOR(F.col("b"))).cast("double"))
        return self._verified(hold(found, self.held))

    def _verified(self, found: DataFrame) -> DataFrame:
        """Bring the sets of pairs together.

        Every pair goes to a place, and every set once to each place that needs it. A unit's place is the smallest unit
        it has a pair with, so that the pairs of a group of similar units go to one place.
        """
        if self._across:
            nearest = found.groupBy("b").agg(F.min("a").alias("place"))
            placed = found.join(nearest, "b").select("place", "a", "b")
        else:
            both = found.select(F.col("a").alias("u"), F.col("b").alias("v")).unionByName(
                found.select(F.col("b").alias("u"), F.col("a").alias("v"))
            )
            nearest = (
                both.groupBy("u")
                .agg(F.min("v").alias("v"))
                .select(F.col("u").alias("a"), F.least("u", "v").alias("place"))
            )
            placed = found.join(nearest, "a").select("place", "a", "b")
        placed = hold(placed, self.held)
        right = 1 if self._across else 0
        needs = (
            placed.select("place", F.col("a").alias("unit"), F.lit(0).alias("side"))
            .unionByName(placed.select("place", F.col("b").alias("unit"), F.lit(right).alias("side")))
            .distinct()
        )
        sets = (
            self._wanted(placed)
            .join(needs, ["unit", "side"])
            .select(
                "place", F.col("side").alias("kind"), F.col("unit").alias("a"), F.lit(0).cast("long").alias("b"), "set"
            )
        )
        pairs = placed.select("place", F.lit(2).alias("kind"), "a", "b", F.lit(None).cast("binary").alias("set"))
        together = sets.unionByName(pairs).repartition(self._partitions, "place").sortWithinPartitions("place", "kind")
        definition = {**self._request.definition, "across": self._across}
        return mapped(together, "verified", f"{_PAIRS}, score double", {"definition": definition})

    def _wanted(self, placed: DataFrame) -> DataFrame:
        """Leave out, before anything moves, the sets that are in no pair."""
        units = placed.select(F.col("a").alias("unit")).unionByName(placed.select(F.col("b").alias("unit")))
        bits = counters_bits(8 * min(self._count, placed.count() * 2), 12, 27)
        slices = mapped(units, "filled", "kind int, unit long, set binary", {"bits": bits})
        table = table_of(collect_slices(slices.select("unit", "set"), self._request), bits)
        wanted = self._spark.sparkContext.broadcast(table)
        return mapped(self._units, "wanted_units", "unit long, side int, set binary", {}, {"wanted": wanted})
