"""Which units are connected."""

from __future__ import annotations

from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812

from ._frames import hold
from ._options import Request
from ._ship import mapped
from ._units import partitions_of

_FOREST = "root long, unit long"
_MOST_ROUNDS = 100


def components(edges: DataFrame, request: Request, held: list[DataFrame]) -> DataFrame:
    """Return root and unit for every unit that is connected to a smaller one; the smallest of a component is the root.

    Each partition first reduces its own edges to a forest. What is left is finished by one task where it fits, else
    in rounds (large-star and small-star: Kiveris et al. 2014), each of which ends on disk.
    """
    forest = hold(mapped(edges.select("a", "b"), "contracted", _FOREST), held)
    if forest.count() <= request.single_task_edges:
        return mapped(forest.coalesce(1), "contracted", _FOREST)
    return _in_rounds(forest, request, held)


def _in_rounds(forest: DataFrame, request: Request, held: list[DataFrame]) -> DataFrame:
    partitions = partitions_of(request, forest.sparkSession)
    edges = forest.select(F.greatest("root", "unit").alias("u"), F.least("root", "unit").alias("v"))
    total: tuple[int, int] | None = None
    for _ in range(_MOST_ROUNDS):
        edges = _settled(_small_star(_large_star(edges, partitions), partitions), held)
        sums = edges.agg(F.count("u"), F.sum(F.hash("u", "v").cast("long"))).first()
        now = (sums[0] or 0, sums[1] or 0) if sums else (0, 0)
        if now == total:
            return edges.select(F.col("v").alias("root"), F.col("u").alias("unit"))
        total = now
    raise RuntimeError(f"components did not settle in {_MOST_ROUNDS} rounds")


def _settled(edges: DataFrame, held: list[DataFrame]) -> DataFrame:
    """End a round: in the checkpoint folder where the session has one, else on the executors' disks."""
    if edges.sparkSession.sparkContext.getCheckpointDir() is not None:
        return edges.checkpoint()
    return hold(edges, held)


def _large_star(edges: DataFrame, partitions: int) -> DataFrame:
    """Connect every larger neighbour of a unit to the smallest of all its neighbours and itself."""
    both = edges.select("u", "v").unionByName(edges.select(F.col("v").alias("u"), F.col("u").alias("v")))
    least = both.groupBy("u").agg(F.min("v").alias("m")).withColumn("m", F.least("m", "u"))
    return (
        both.join(least, "u")
        .where("v > u")
        .select(F.col("v").alias("u"), F.col("m").alias("v"))
        .repartition(partitions, "u")
        .distinct()
    )


def _small_star(edges: DataFrame, partitions: int) -> DataFrame:
    """Connect every smaller neighbour of a unit, and the unit, to the smallest of them."""
    directed = edges.where("u > v")
    least = directed.groupBy("u").agg(F.min("v").alias("m"))
    moved = directed.join(least, "u").where("v != m").select(F.col("v").alias("u"), F.col("m").alias("v"))
    kept = least.select("u", F.col("m").alias("v"))
    return moved.unionByName(kept).repartition(partitions, "u").distinct()
