"""Near-duplicates in Spark DataFrames: the same answer as on one machine, on as many as there are.

>>> from neardup.spark import deduplicate                                                   # doctest: +SKIP
>>> pages = spark.read.parquet("pages")                                                     # doctest: +SKIP
>>> deduplicate(pages, text="text", id="url").kept.write.parquet("kept")                    # doctest: +SKIP

docs/spark.md shows it, docs/scale.md says what it costs.
"""

from ._functions import clusters, deduplicate, fingerprints, match, pairs
from ._ml import DeduplicationModel, Deduplicator
from ._result import Result
from ._ship import ship

__all__ = [
    "DeduplicationModel",
    "Deduplicator",
    "Result",
    "clusters",
    "deduplicate",
    "fingerprints",
    "match",
    "pairs",
    "ship",
]
