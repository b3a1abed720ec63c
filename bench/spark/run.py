#!/usr/bin/env python3
"""Measures neardup.spark on two local executors beside the command line and Spark ML's MinHashLSH.

    bench/spark/run.py [--sizes 10000,100000,1000000] [--rival 10000] [--folder DIR] [--program build/release/neardup]

Every run is a process of its own. Of each it prints wall time, CPU seconds of all its processes, bytes shuffled (from Spark's
event log), the largest resident sizes of executors and Python workers, pairs and kept documents. The last table is per document:
what docs/scale.md reckons with. Results go to FOLDER/results.json too.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent


def session(log, **more):
    os.environ.update(SPARK_LOCAL_IP="127.0.0.1", PYSPARK_PYTHON=sys.executable)
    from pyspark.sql import SparkSession

    log.mkdir(parents=True, exist_ok=True)
    settings = {
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.eventLog.enabled": "true",
        "spark.eventLog.dir": log.as_uri(),
        "spark.eventLog.compress": "false",
        **more,
    }
    builder = SparkSession.builder.master("local-cluster[2,1,1024]")
    for name, value in settings.items():
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    return spark


def processes():
    """Return (pid, parent, CPU seconds with dead children, peak resident bytes, command) of every process."""
    ticks, found = os.sysconf("SC_CLK_TCK"), []
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            stat = (folder / "stat").read_text().rsplit(")", 1)[1].split()
            status = (folder / "status").read_text()
            command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        peak = next((int(line.split()[1]) << 10 for line in status.splitlines() if line.startswith("VmHWM")), 0)
        found.append((int(folder.name), int(stat[1]), sum(map(int, stat[11:15])) / ticks, peak, command))
    return found


def descendants():
    every = processes()
    known = {os.getpid()}
    while True:
        more = {pid for pid, parent, *_ in every if parent in known} - known
        if not more:
            return [each for each in every if each[0] in known]
        known |= more


def of_event_log(log):
    """Return what the tasks of a run shuffled, spilled and computed."""
    sums = {"shuffle_bytes": 0, "jvm_cpu_s": 0.0, "spilled_bytes": 0, "tasks": 0, "failed_tasks": 0}
    for file in log.rglob("*"):
        if not file.is_file():
            continue
        for line in file.open(errors="replace"):
            if '"SparkListenerTaskEnd"' not in line:
                continue
            event = json.loads(line)
            metrics = event.get("Task Metrics") or {}
            sums["tasks"] += 1
            sums["failed_tasks"] += event["Task End Reason"]["Reason"] != "Success"
            sums["shuffle_bytes"] += metrics.get("Shuffle Write Metrics", {}).get("Shuffle Bytes Written", 0)
            sums["jvm_cpu_s"] += metrics.get("Executor CPU Time", 0) / 1e9
            sums["spilled_bytes"] += metrics.get("Disk Bytes Spilled", 0)
    return sums


def measured(log, spark, work):
    begin = time.monotonic()
    found = work()
    wall = time.monotonic() - begin
    every = descendants()
    peaks = {
        "executor_peak_bytes": max((each[3] for each in every if "CoarseGrainedExecutorBackend" in each[4]), default=0),
        "worker_peak_bytes": max((each[3] for each in every if "pyspark.daemon" in each[4]), default=0),
    }
    cpu = sum(each[2] for each in every)
    spark.stop()
    return {"wall_s": wall, "cpu_s": cpu, **peaks, **of_event_log(log), **found}


def run_ours(corpus, log, finder):
    import neardup.spark

    partitions = max(4, corpus.stat().st_size // (64 << 20))
    spark = session(log, **{"spark.sql.shuffle.partitions": str(partitions)})
    neardup.spark.ship(spark)

    def work():
        pages = spark.read.parquet(str(corpus)).repartition(partitions, "at")
        result = neardup.spark.deduplicate(pages, order="at", finder=finder)
        kept = result.kept.count()
        return {"kept": kept, "unit_pairs": result._pairs.count()}

    return measured(log, spark, work)


def run_rival(corpus, log, tables):
    """Spark ML as its guide shows it: 5-grams hashed to 2^20 places, min-wise hashes, a join by distance 0.2."""
    spark = session(log, **{"spark.sql.shuffle.partitions": "4"})
    from pyspark.ml import Pipeline
    from pyspark.ml.feature import HashingTF, MinHashLSH, NGram, RegexTokenizer
    from pyspark.sql import functions as F  # noqa: N812

    def work():
        pages = spark.read.parquet(str(corpus)).repartition(4, "at")
        stages = [
            RegexTokenizer(inputCol="text", outputCol="words", pattern="[a-z0-9]+", gaps=False),
            NGram(n=5, inputCol="words", outputCol="grams"),
            HashingTF(inputCol="grams", outputCol="features", binary=True, numFeatures=1 << 20),
        ]
        made = Pipeline(stages=stages).fit(pages).transform(pages).select("id", "at", "features").where(F.size("grams") > 0).cache()
        model = MinHashLSH(inputCol="features", outputCol="hashes", numHashTables=tables, seed=1).fit(made)
        joined = model.approxSimilarityJoin(made, made, 0.2, "distance").where("datasetA.at < datasetB.at")
        return {"document_pairs": joined.count()}

    return measured(log, spark, work)


def run_pairs(corpus, log):
    """Every pair of documents, as the rival lists them: what its recall is a share of."""
    import neardup.spark

    spark = session(log, **{"spark.sql.shuffle.partitions": "4"})
    neardup.spark.ship(spark)
    return measured(
        log,
        spark,
        lambda: {"document_pairs": neardup.spark.pairs(spark.read.parquet(str(corpus)).repartition(4, "at"), order="at").count()},
    )


def run_program(program, corpus):
    out = corpus.with_suffix(".kept.jsonl")
    begin, before = time.monotonic(), os.times()
    done = subprocess.run(
        [program, "dedup", str(corpus), "-o", str(out), "--force", "--json", "--threads", "2"], check=True, capture_output=True, text=True
    )
    after = os.times()
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    report = json.loads(done.stdout or "{}")
    return {"wall_s": time.monotonic() - begin, "cpu_s": cpu, "kept": report.get("kept")}


def in_a_process(*arguments):
    """Run one measurement in a process of its own and return what it prints."""
    done = subprocess.run([sys.executable, __file__, "--one", *map(str, arguments)], check=True, stdout=subprocess.PIPE, text=True)
    return json.loads(done.stdout.strip().splitlines()[-1])


def one(kind, corpus, log, *more):
    work = {"ours": run_ours, "rival": run_rival, "pairs": run_pairs}[kind]
    print(json.dumps(work(pathlib.Path(corpus), pathlib.Path(log), *(int(m) if m.isdigit() else m for m in more))))


def show(title, result):
    words = "  ".join(f"{key} {value:,.1f}" if isinstance(value, float) else f"{key} {value:,}" for key, value in result.items() if value is not None)
    print(f"{title:28} {words}", flush=True)


def main():
    if sys.argv[1:2] == ["--one"]:
        return one(*sys.argv[2:])
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--sizes", default="10000,100000,1000000")
    options.add_argument("--rival", default="10000")
    options.add_argument("--tables", default="10", help="hash tables of the rival")
    options.add_argument("--folder", default="build/bench-spark")
    options.add_argument("--program", default="build/release/neardup")
    options.add_argument("--finder", default="exact")
    given = options.parse_args()
    folder = pathlib.Path(given.folder).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    results = {}
    for size in map(int, given.sizes.split(",")):
        if not (folder / f"{size}.parquet").exists():
            subprocess.run([sys.executable, HERE / "corpus.py", str(size), folder], check=True)
        results[f"program {size}"] = run_program(given.program, folder / f"{size}.jsonl")
        show(f"program {size:,}", results[f"program {size}"])
        ours = in_a_process("ours", folder / f"{size}.parquet", folder / f"log-{size}-{os.getpid()}", given.finder)
        results[f"spark {size}"] = ours
        show(f"spark {size:,}", ours)
        assert ours["kept"] == results[f"program {size}"]["kept"], "Spark keeps other documents than the command line"
    for size in map(int, filter(None, given.rival.split(","))):
        if not (folder / f"{size}.parquet").exists():
            subprocess.run([sys.executable, HERE / "corpus.py", str(size), folder], check=True)
        for kind, more in (("pairs", ()), ("rival", (given.tables,))):
            result = in_a_process(kind, folder / f"{size}.parquet", folder / f"log-{kind}-{size}-{os.getpid()}", *more)
            results[f"{kind} {size}"] = result
            show(f"{kind} {size:,}", result)
    (folder / "results.json").write_text(json.dumps(results, indent=1))
    print("\nper document:")
    for name, result in results.items():
        if name.startswith("spark"):
            n = int(name.split()[1])
            print(f"{n:>10,}  CPU {result['cpu_s'] / n * 1e6:,.0f} us  shuffled {result['shuffle_bytes'] / n:,.0f} bytes")
    return None


if __name__ == "__main__":
    main()
