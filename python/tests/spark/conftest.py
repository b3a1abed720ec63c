"""One Spark session for all tests: two executors, each a process of its own."""

import os
import pathlib
import shutil
import sys

import pytest

pytest.importorskip("pyspark")
if shutil.which("java") is None:
    pytest.skip("no Java: tools/setup.sh spark installs it", allow_module_level=True)

QUICK = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"


def new_session(master, **more):
    """Return a session that uses nothing but the loopback interface."""
    from pyspark.sql import SparkSession

    os.environ.update(SPARK_LOCAL_IP="127.0.0.1", PYSPARK_PYTHON=sys.executable)
    settings = {
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.shuffle.partitions": "2",
        "spark.driver.extraJavaOptions": QUICK,
        "spark.executor.extraJavaOptions": QUICK,
        "spark.sql.codegen.wholeStage": "false",
        **more,
    }
    builder = SparkSession.builder.master(master)
    for name, value in settings.items():
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    return spark


@pytest.fixture(scope="session")
def spark():
    import neardup.spark

    session = new_session("local-cluster[2,1,1024]")
    neardup.spark.ship(session)
    yield session
    session.stop()


@pytest.fixture(scope="session")
def program():
    """The command line, to compare with."""
    import neardup

    beside = pathlib.Path(neardup.__file__).parent / "bin" / "neardup"
    found = os.environ.get("NEARDUP_PROGRAM") or (str(beside) if beside.exists() else shutil.which("neardup"))
    if not found:
        pytest.skip("no command line to compare with")
    return found
