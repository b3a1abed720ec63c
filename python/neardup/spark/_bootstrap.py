"""What an executor runs first: finds this package there, or says what to do.

Functions of this file travel whole (cloudpickle pickles them by value), because an executor that lacks the package
could not even unpickle a reference to one of its functions. So the file imports nothing of the package.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

ARCHIVE = "neardup-package"


def executor_task(
    task: str, arguments: dict[str, Any], broadcasts: dict[str, Any]
) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """Return a function for mapInArrow that runs a task of `neardup.spark._tasks` on an executor."""
    archive = ARCHIVE

    def run(batches: Iterator[Any]) -> Iterator[Any]:
        import importlib
        import pathlib
        import sys

        try:
            tasks = importlib.import_module("neardup.spark._tasks")
        except ImportError as missing:
            from pyspark import SparkFiles

            shipped = pathlib.Path(SparkFiles.getRootDirectory()) / archive
            if shipped.is_dir() and str(shipped) not in sys.path:
                sys.path.insert(0, str(shipped))
                for name in [each for each in sys.modules if each == "neardup" or each.startswith("neardup.")]:
                    del sys.modules[name]
                importlib.invalidate_caches()
            try:
                tasks = importlib.import_module("neardup.spark._tasks")
            except ImportError:
                raise RuntimeError(
                    "an executor cannot import the package neardup "
                    f"({missing}). Ship it with neardup.spark.ship(spark) before the call, or install the wheel in the "
                    "Python environment of the executors (spark-submit --archives environment.tar.gz#environment with "
                    "PYSPARK_PYTHON=./environment/bin/python)"
                ) from missing
        values = {name: broadcast.value for name, broadcast in broadcasts.items()}
        made: Iterator[Any] = getattr(tasks, task)(batches, **arguments, **values)
        return made

    return run
