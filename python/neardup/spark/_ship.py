"""How the package gets to the executors."""

from __future__ import annotations

import atexit
import pathlib
import shutil
import tempfile
import zipfile
from typing import Any

from pyspark import cloudpickle
from pyspark.sql import DataFrame, SparkSession

from . import _bootstrap

cloudpickle.register_pickle_by_value(_bootstrap)  # type: ignore[no-untyped-call]


def ship(spark: SparkSession) -> None:
    """Send this package to the executors of a session, for clusters where it is not installed.

    Executors need Python of the same version and platform, with numpy and pyarrow, which PySpark's Arrow functions need
    anyway. Call it once per session, before anything else of this module.

    Parameters
    ----------
    spark
        The session.
    """
    package = pathlib.Path(__file__).resolve().parent.parent
    folder = pathlib.Path(tempfile.mkdtemp(prefix="neardup-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    # Extension modules do not import from a zip: Spark unpacks the archive on every executor.
    archive = folder / "neardup.zip"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as out:
        for root in {package, *_extension_folders()}:
            for file in sorted(root.rglob("*")):
                if file.is_file() and "__pycache__" not in file.parts and file.parent.name != "bin":
                    name = f"neardup/{file.relative_to(root)}"
                    if name not in out.namelist():
                        out.write(file, name)
    spark.sparkContext.addArchive(f"{archive}#{_bootstrap.ARCHIVE}")


def _extension_folders() -> set[pathlib.Path]:
    """Return where the compiled part stands, which in a build tree is not beside the Python files."""
    from .. import _core

    return {pathlib.Path(_core.__file__ or "").parent}


def mapped(
    frame: DataFrame,
    task: str,
    schema: str,
    arguments: dict[str, Any] | None = None,
    broadcasts: dict[str, Any] | None = None,
) -> DataFrame:
    """Return what a task of `_tasks` makes of a DataFrame's partitions."""
    return frame.mapInArrow(_bootstrap.executor_task(task, arguments or {}, broadcasts or {}), schema)
