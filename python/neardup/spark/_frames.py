"""DataFrames that stay on the executors' disks while a search uses them."""

from __future__ import annotations

from pyspark import StorageLevel
from pyspark.sql import DataFrame


def hold(frame: DataFrame, held: list[DataFrame]) -> DataFrame:
    """Keep a DataFrame on the executors' disks, and end its plan.

    What is made of the returned DataFrame is planned from there on. Otherwise every step would plan all steps before
    it again, and a DataFrame that is used twice would double the plan. A part that is lost with its executor is
    computed again. `held` gets what has to be unpersisted.
    """
    kept = frame.persist(StorageLevel.DISK_ONLY)
    held.append(kept)
    spark = frame.sparkSession
    rows = kept._jdf.queryExecution().toRdd()
    return DataFrame(spark._jsparkSession.internalCreateDataFrame(rows, kept._jdf.schema(), False), spark)
