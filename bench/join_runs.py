"""One run of `neardup pairs`, and what it says about itself."""

import hashlib
import json
import os

import jobs as job_table


def pairs(
    program, source, folder, *flags, algorithm="auto", measure="jaccard", threshold="0.8", threads=1, kernels=None
):
    """The run's --stats, with `wall_seconds`, `cpu_seconds` and `rss_bytes` of the process and a hash of its answer.

    `source` is what stands before the flags: an input, and how it is read.
    """
    target, stats = os.path.join(folder, "pairs.tsv"), os.path.join(folder, "stats.json")
    command = [
        program,
        "pairs",
        *source,
        *flags,
        "--measure",
        measure,
        "--threshold",
        str(threshold),
        "--algorithm",
        algorithm,
        "--threads",
        str(threads),
        "--stats",
        stats,
        "--force",
        "--quiet",
        "-o",
        target,
    ]
    run = job_table.measure(command, folder, threads, {"NEARDUP_SIMD": kernels} if kernels else {})
    with open(stats) as file:
        result = json.load(file)
    with open(target, "rb") as file:
        result["answer"] = hashlib.file_digest(file, "sha256").hexdigest()
    return result | {"wall_seconds": run["seconds"], "cpu_seconds": run["cpu_seconds"], "rss_bytes": run["peak_bytes"]}


def read_pairs(folder):
    """The pairs of the latest run in the folder, as (left, right)."""
    with open(os.path.join(folder, "pairs.tsv"), encoding="utf-8") as file:
        next(file)
        return {tuple(line.split("\t", 2)[:2]) for line in file}
