"""Executors that are processes of their own: one dies, one lacks the package, one page comes very often."""

import os
import pathlib
import signal
import subprocess
import sys
import threading

import neardup
import neardup.spark
import pytest
from parity import documents, frame


def executors():
    """Return the process ids of this session's executors."""
    found = []
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            command = (folder / "cmdline").read_bytes()
        except OSError:
            continue
        if b"CoarseGrainedExecutorBackend" in command and b"127.0.0.1" in command and is_ours(int(folder.name)):
            found.append(int(folder.name))
    return found


def is_ours(pid):
    """Whether a process descends from this one."""
    while pid > 1:
        if pid == os.getpid():
            return True
        try:
            pid = int(pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[1])
        except OSError:
            return False
    return False


@pytest.mark.slow
def test_the_answer_survives_the_death_of_an_executor(spark, tmp_path, monkeypatch):
    """The first task that makes candidates waits until an executor has been killed."""
    from neardup.spark import _search

    rows = documents(20, 40)
    data = frame(spark, rows, 4)
    expected = sorted(map(tuple, neardup.spark.deduplicate(data, order="at", threshold=0.6).removed.collect()))

    reached, killed = tmp_path / "reached", tmp_path / "killed"
    os.mkfifo(reached)
    plain = _search.mapped

    def mapped(frame_, task, schema, arguments=None, broadcasts=None):
        made = plain(frame_, task, schema, arguments, broadcasts)
        if task != "entries":
            return made
        paths = str(reached), str(killed)

        def wait(batches):
            if not os.path.exists(paths[1]):  # the first time: say so, and go on once an executor is dead
                with open(paths[0], "w") as out:
                    out.write(str(os.getppid()))
            yield from batches

        return made.mapInArrow(wait, made.schema)

    monkeypatch.setattr(_search, "mapped", mapped)
    victims = []

    def kill():
        with reached.open() as told:
            told.read()
        victims.append(executors()[0])
        killed.touch()
        os.kill(victims[0], signal.SIGKILL)
        while not done.is_set():  # other tasks may have seen the file too early to know
            try:
                os.close(os.open(reached, os.O_RDONLY | os.O_NONBLOCK))
            except OSError:
                break
            done.wait(0.05)

    done = threading.Event()
    killer = threading.Thread(target=kill, daemon=True)
    killer.start()
    result = neardup.spark.deduplicate(data, order="at", threshold=0.6)
    assert sorted(map(tuple, result.removed.collect())) == expected
    done.set()
    killer.join()
    assert victims


def test_copies_of_one_page_collapse_before_they_meet(spark):
    page = " ".join(f"word{i}" for i in range(30))
    data = spark.range(20_000).selectExpr(
        "id", f"case when id % 1000 = 7 then concat('other page number ', id) else '{page}' end as text"
    )
    result = neardup.spark.deduplicate(data)
    assert result.kept.count() == 21
    assert result._all.count == 21


ALONE = """
import sys
sys.path.insert(0, {package!r})
sys.path.insert(0, {tests!r})
from conftest import new_session
spark = new_session("local-cluster[1,1,1024]", **{{"spark.task.maxFailures": "1"}})
import neardup.spark
data = spark.createDataFrame([("a", "one two three four five six"), ("b", "one two three four five six")], "id string, text string")
try:
    neardup.spark.deduplicate(data)
except Exception as failure:
    print("FAILED", "neardup.spark.ship(spark)" in str(failure))
neardup.spark.ship(spark)
print("KEPT", neardup.spark.deduplicate(data).kept.count())
spark.stop()
"""


@pytest.mark.slow
def test_an_executor_without_the_package_says_what_to_do(tmp_path):
    """Only the driver knows where the package is: executors have neither an installation nor a path to it."""
    package = pathlib.Path(neardup.__file__).parent
    if "site-packages" in package.parts:
        pytest.skip("the package is installed where executors find it")
    script = ALONE.format(package=str(package.parent), tests=str(pathlib.Path(__file__).parent))
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, env=environment, cwd=tmp_path, check=False
    )
    assert "FAILED True" in done.stdout, done.stderr[-3000:]
    assert "KEPT 1" in done.stdout, done.stderr[-3000:]
