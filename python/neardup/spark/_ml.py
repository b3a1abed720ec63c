"""Deduplication as a stage of a Spark ML pipeline."""

from __future__ import annotations

from typing import Any

from pyspark import keyword_only
from pyspark.ml import Estimator, Model
from pyspark.ml.param import Param, Params, TypeConverters
from pyspark.ml.util import DefaultParamsReadable, DefaultParamsWritable
from pyspark.sql import DataFrame

from ._functions import deduplicate


class _Columns(Params):
    """The parameters that an estimator and its model share."""

    text: Param[str] = Param(Params._dummy(), "text", "the column of the text", TypeConverters.toString)
    id: Param[str] = Param(Params._dummy(), "id", "the column of the id", TypeConverters.toString)
    order: Param[str] = Param(
        Params._dummy(), "order", "the column that says what comes first", TypeConverters.toString
    )
    threshold: Param[str] = Param(Params._dummy(), "threshold", "minimum similarity", str)
    features: Param[str] = Param(Params._dummy(), "features", "what is compared", TypeConverters.toString)
    measure: Param[str] = Param(Params._dummy(), "measure", "how it is compared", TypeConverters.toString)
    finder: Param[str] = Param(Params._dummy(), "finder", "how pairs are found", TypeConverters.toString)
    keep: Param[str] = Param(Params._dummy(), "keep", "which row of a group stays", TypeConverters.toString)
    clusters: Param[str] = Param(Params._dummy(), "clusters", "components or star", TypeConverters.toString)

    def _given(self) -> dict[str, Any]:
        return {param.name: self.getOrDefault(param) for param in self.params if self.isDefined(param)}


class Deduplicator(
    Estimator["DeduplicationModel"], _Columns, DefaultParamsReadable["Deduplicator"], DefaultParamsWritable
):
    """Keeps one row of each near-duplicate group. Parameters are those of `deduplicate`.

    `fit` remembers the rows that it is given as reference. The model's `transform` removes near-duplicates of them, and
    then near-duplicates within what it transforms. `fit_transform` is `deduplicate` itself.
    """

    @keyword_only
    def __init__(self, **given: Any) -> None:
        super().__init__()
        self._set(**given)

    @keyword_only
    def setParams(self, **given: Any) -> Deduplicator:  # noqa: N802
        """Set parameters."""
        return self._set(**given)

    def _fit(self, dataset: DataFrame) -> DeduplicationModel:
        return DeduplicationModel(dataset)._set(**self._given())

    def fit_transform(self, dataset: DataFrame) -> DataFrame:
        """Return the rows of a DataFrame that stay."""
        return deduplicate(dataset, **self._given()).kept


class DeduplicationModel(Model, _Columns):
    """Removes near-duplicates of the rows that it was fitted to, and then among the rest."""

    def __init__(self, reference: DataFrame) -> None:
        super().__init__()
        self._reference = reference

    def _transform(self, dataset: DataFrame) -> DataFrame:
        return deduplicate(dataset, against=self._reference, **self._given()).kept
