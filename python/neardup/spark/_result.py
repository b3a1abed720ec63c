"""What a run on Spark decided."""

from __future__ import annotations

from functools import cached_property

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F  # noqa: N812

from ._components import components
from ._frames import hold
from ._options import Request
from ._search import Search
from ._ship import mapped
from ._units import Source, Units, make_units


class Result:
    """What `deduplicate` found, as DataFrames. Made by it, never by hand.

    Rows have no order of their own: sort by the order column where it matters. Intermediate results stay on the
    executors' disks until `unpersist` is called.
    """

    def __init__(
        self, source: Source, against: Source | None, request: Request, clusters: str, against_only: bool
    ) -> None:
        self._source = source
        self._request = request
        self._clusters = clusters
        self._against_only = against_only
        self._all = make_units(source, request)
        self._other = None if against is None else make_units(against, request)
        self._held = [*self._all.held, *(self._other.held if self._other else ())]

    def _hold(self, frame: DataFrame) -> DataFrame:
        return hold(frame, self._held)

    def _search(self, *units: Units) -> DataFrame:
        search = Search(self._request, *units)
        pairs = self._hold(search.pairs())
        self._held += search.held
        return pairs

    # ---- the other collection

    @cached_property
    def _set_aside(self) -> DataFrame | None:
        """Units with a partner in the other collection: unit, score, kept (the best partner's first row)."""
        if self._other is None:
            return None
        pairs = self._search(self._all, self._other)
        firsts = (
            self._other.rows.where("unit is not null")
            .groupBy(F.col("unit").alias("b"))
            .agg(F.min(F.struct("position", "name")).alias("other"))
        )
        badness = F.col("score") if self._request.is_distance else -F.col("score")
        best = (
            pairs.join(firsts, "b")
            .groupBy(F.col("a").alias("unit"))
            .agg(
                F.min(F.struct(badness.alias("badness"), F.col("other.position"), F.col("other.name"), "score")).alias(
                    "best"
                )
            )
        )
        return self._hold(best.select("unit", "best.score", F.col("best.name").alias("kept")))

    @cached_property
    def _rows(self) -> DataFrame:
        """The rows that take part: documents with features and without a partner elsewhere."""
        rows = self._all.rows.where("unit is not null")
        if self._set_aside is not None:
            rows = rows.join(self._set_aside.select("unit"), "unit", "left_anti")
        if self._request.measure == "overlap":  # small sets do not even match their copies
            least = int(self._request.definition["threshold"])
            sizes = self._all.units.where(F.octet_length("set") >= 8 * least).select("unit")
            rows = rows.join(sizes, "unit", "left_semi")
        return rows

    @cached_property
    def _units(self) -> Units:
        if self._set_aside is None:
            return self._all
        left = self._hold(self._all.units.join(self._set_aside.select("unit"), "unit", "left_anti"))
        return Units(self._rows, left, self._all.order, self._all.order_bits, self._all.count, self._all.features)

    # ---- pairs of units

    @cached_property
    def _pairs(self) -> DataFrame:
        """All pairs of units: a, b, score."""
        if self._against_only:
            return self._source.frame.sparkSession.createDataFrame([], "a long, b long, score double")
        return self._search(self._units)

    # ---- keep rules

    @cached_property
    def _rules(self) -> list[tuple[str, bool]]:
        rules: list[tuple[str, bool]] = []
        for name, has_value in self._source.rules.rules():
            rules.append((name, has_value))
            if not has_value:  # first and last leave nothing to decide
                return rules
        return [*rules, ("first", False)]

    @property
    def _values(self) -> list[str]:
        return [f"v{i}" for i in range(len(self._rules) - 1)]

    @property
    def _preference(self) -> Column:
        """What is least for the row to keep; with `last` what is greatest."""
        if self._rules[-1][0] == "last":
            return F.struct(*self._values, "position", "name")
        return F.struct(*(F.bitwise_not(F.col(each)).alias(each) for each in self._values), "position", "name")

    def _best(self, column: str | Column) -> Column:
        return F.max(column) if self._rules[-1][0] == "last" else F.min(column)

    # ---- clusters

    @cached_property
    def _grouped(self) -> DataFrame:
        """For every unit: its preferred row, its first row, how many rows it has."""
        grouped = (
            self._rows.withColumn("preference", self._preference)
            .groupBy("unit")
            .agg(
                self._best("preference").alias("best"),
                F.min(F.struct("position", "name")).alias("first"),
                F.count("name").alias("rows"),
            )
        )
        return self._hold(grouped)

    @cached_property
    def _roots(self) -> DataFrame:
        """Root and unit, for units that belong to another one's cluster."""
        connected = components(self._pairs, self._request, self._held)
        if self._clusters == "components":
            return self._hold(connected)
        roots = self._hold(connected.select(F.col("root").alias("component"), "unit"))
        best = self._grouped.select("unit", "best")
        edges = (
            self._pairs.select("a", "b")
            .join(best.select(F.col("unit").alias("a"), F.col("best").alias("best_a")), "a")
            .join(best.select(F.col("unit").alias("b"), F.col("best").alias("best_b")), "b")
            .join(roots.select(F.col("unit").alias("a"), F.col("component").alias("known")), "a", "left")
            .withColumn("component", F.coalesce("known", "a"))
        )
        a_first = (
            F.col("best_a") > F.col("best_b") if self._rules[-1][0] == "last" else F.col("best_a") < F.col("best_b")
        )
        ordered = edges.select(
            "component",
            F.when(a_first, F.col("a")).otherwise(F.col("b")).alias("before"),
            F.when(a_first, F.col("b")).otherwise(F.col("a")).alias("after"),
            F.when(a_first, F.col("best_a")).otherwise(F.col("best_b")).alias("p"),
            F.when(a_first, F.col("best_b")).otherwise(F.col("best_a")).alias("q"),
        ).repartition("component")
        last = self._rules[-1][0] == "last"
        keys = [F.col("p").desc(), F.col("q").desc()] if last else [F.col("p"), F.col("q")]
        taken = mapped(
            ordered.sortWithinPartitions("component", *keys).select("component", "before", "after"),
            "stars",
            "root long, unit long",
        )
        return self._hold(taken)

    @cached_property
    def _kept_of_unit(self) -> DataFrame:
        """For every unit of a cluster of two rows and more: kept_unit, kept (struct), and which cluster."""
        grouped = self._grouped.join(self._roots, "unit", "left").withColumn("root", F.coalesce("root", "unit"))
        chosen = F.struct("best", "unit")
        leaders = (
            grouped.groupBy("root")
            .agg(self._best(chosen).alias("leader"), F.sum("rows").alias("rows"))
            .where("rows > 1")
            .select("root", F.col("leader.best").alias("kept"), F.col("leader.unit").alias("kept_unit"))
        )
        return grouped.select("unit", "root").join(leaders, "root").select("unit", "kept", "kept_unit")

    @cached_property
    def _members(self) -> DataFrame:
        """The rows of clusters of two rows and more."""
        return self._hold(self._rows.join(self._kept_of_unit, "unit"))

    # ---- what users see

    @cached_property
    def clusters(self) -> DataFrame:
        """Clusters of two rows and more: cluster (the kept id), id, kept."""
        return self._members.select(
            F.col("kept.name").alias("cluster"),
            F.col("name").alias("id"),
            (F.col("name") == F.col("kept.name")).alias("kept"),
        )

    @cached_property
    def removed(self) -> DataFrame:
        """The removed rows: id, kept (the id that stands for it), score, rule, cluster, from.

        score is null where the two are linked only through others; from is ``against`` for near-duplicates of the other
        collection, else null.
        """
        members = self._members.where(F.col("name") != F.col("kept.name"))
        scores = self._pairs.select(F.col("a").alias("unit"), F.col("b").alias("kept_unit"), "score").unionByName(
            self._pairs.select(F.col("b").alias("unit"), F.col("a").alias("kept_unit"), "score")
        )
        scored = members.join(scores, ["unit", "kept_unit"], "left")
        score = F.when(F.col("unit") == F.col("kept_unit"), self._identity).otherwise(F.col("score"))
        if self._request.measure == "overlap":
            sizes = self._all.units.select("unit", F.octet_length("set").alias("bytes"))
            scored = scored.join(sizes, "unit")
        found = scored.select(
            F.col("name").alias("id"),
            F.col("kept.name").alias("kept"),
            score.alias("score"),
            self._rule.alias("rule"),
            F.col("kept.name").alias("cluster"),
            F.lit(None).cast("string").alias("from"),
        )
        if self._set_aside is None:
            return found
        aside = self._all.rows.join(self._set_aside, "unit").select(
            F.col("name").alias("id"),
            "kept",
            "score",
            F.lit("against").alias("rule"),
            F.col("kept").alias("cluster"),
            F.lit("against").alias("from"),
        )
        return aside.unionByName(found)

    @property
    def _identity(self) -> Column:
        """The score of two copies."""
        if self._request.measure == "overlap":
            return (F.col("bytes") / 8).cast("double")
        return F.lit(0.0 if self._request.is_distance else 1.0)

    @property
    def _rule(self) -> Column:
        """The first rule that tells the kept row and this one apart."""
        last = self._rules[-1][0] == "last"
        rule: Column = F.lit(self._rules[-1][0])
        for each, (name, _) in reversed(list(zip(self._values, self._rules, strict=False))):
            kept = F.col(f"kept.{each}") if last else F.bitwise_not(F.col(f"kept.{each}"))
            rule = F.when(F.col(each) != kept, F.lit(name)).otherwise(rule)
        return rule

    @cached_property
    def pairs(self) -> DataFrame:
        """Every similar pair: left, right, score; left comes first in order.

        Documents with equal features are represented by the first of them, and each further one is a pair with it.
        """
        firsts = self._grouped.select("unit", "first")
        named = (
            self._pairs.join(firsts.select(F.col("unit").alias("a"), F.col("first").alias("x")), "a")
            .join(firsts.select(F.col("unit").alias("b"), F.col("first").alias("y")), "b")
            .select(F.least("x", "y")["name"].alias("left"), F.greatest("x", "y")["name"].alias("right"), "score")
        )
        copies = self._rows.join(self._grouped.where("rows > 1").select("unit", "first"), "unit").where(
            "name != first.name"
        )
        if self._request.measure == "overlap":
            copies = copies.join(self._all.units.select("unit", F.octet_length("set").alias("bytes")), "unit")
        return named.unionByName(
            copies.select(
                F.col("first.name").alias("left"), F.col("name").alias("right"), self._identity.alias("score")
            )
        )

    @cached_property
    def kept(self) -> DataFrame:
        """The rows that stay, with all their columns. Rows without a text or an id are not among them: see `bad`."""
        gone = self._members.where(F.col("name") != F.col("kept.name")).select("name")
        if self._set_aside is not None:
            gone = gone.unionByName(
                self._all.rows.join(self._set_aside.select("unit"), "unit", "left_semi").select("name")
            )
        named = self._source.named
        kept = named.join(gone.withColumnRenamed("name", "__name"), "__name", "left_anti")
        return kept.select(*self._source.frame.columns)

    @cached_property
    def bad(self) -> DataFrame:
        """The rows that are no documents, because they have no text or no id."""
        return self._source.frame.where(self._source.is_bad)

    def unpersist(self) -> None:
        """Give back what the executors hold for this result. What is asked for afterwards is computed anew."""
        for frame in self._held:
            frame.unpersist()
