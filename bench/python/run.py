#!/usr/bin/env python3
"""The Python package beside the command line, and beside other packages that are called from Python.

Usage: bench/python/run.py                     all rows, 1 GB
       bench/python/run.py --scale small       20 MB: the same rows in a minute
       bench/python/run.py --only arrow,list   some rows

| row | what is timed | bar |
|---|---|---|
| arrow | deduplicate(table) beside the command line's reading and finding | <= 1.1x |
| list | deduplicate(list of str) beside the same | <= 1.3x |
| peers | the same list through gaoya, rensa and datasketch | >= 4x the fastest |
| hamming | HammingIndex.search on NumPy arrays beside FAISS's IndexBinaryMultiHash | >= 20x at <= 45 bytes per fingerprint |
| interrupt | Ctrl-C in the middle of a call | <= 0.1 s |
| import | `import neardup` | <= 0.15 s |

Every row runs in processes of its own, in turn with what it is compared with; the medians of --repeat runs are compared.
Both wall time and CPU seconds of all threads together are printed; CPU seconds decide, as they mean the same when other work shares
the machine. Answers that must be equal are compared first.
The package is that of the release build (cmake --preset release -DNEARDUP_PYTHON=ON); peers come from the package index.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import time

BENCH = pathlib.Path(__file__).resolve().parent
ROOT = BENCH.parents[1]
sys.path.insert(0, str(BENCH.parent))

import jobs  # noqa: E402

import corpus  # noqa: E402

ROWS = ("arrow", "list", "peers", "hamming", "interrupt", "import")
PEER_DOCUMENTS = {"small": 10_000, "full": 200_000}
DATASKETCH_DOCUMENTS = 20_000
FINGERPRINTS = {"small": (1_000_000, 100_000), "full": (20_000_000, 200_000)}


def say(text):
    print(f"[{time.strftime('%H:%M:%S')}] {text}", file=sys.stderr, flush=True)


class Bench:
    def __init__(self, options):
        self.options = options
        self.program = str(pathlib.Path(options.build) / "neardup")
        self.package = str(pathlib.Path(options.build) / "python")
        path, self.about = corpus.make(options.scale, options.data, options.cache, say=say)
        self.corpus = path + ".jsonl"
        self.failed = False

    def run_job(self, python, name, *arguments, package=True):
        """Run a job of jobs in this folder and return what it printed."""
        environment = {**os.environ, "PYTHONPATH": self.package} if package else dict(os.environ)
        command = [python, str(BENCH / "job.py"), name, *map(str, arguments)]
        run = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
        if run.returncode:
            raise SystemExit(f"{' '.join(command)} failed:\n{run.stderr}")
        return json.loads(run.stdout.splitlines()[-1])

    def in_turn(self, ours, theirs):
        """Alternate two jobs and return the medians of their figures."""
        runs = [], []
        for _ in range(self.options.repeat):
            for job, found in zip((ours, theirs), runs, strict=True):
                found.append(job())
        return tuple(
            {key: statistics.median(run[key] for run in found) for key in ("seconds", "cpu")}
            | {key: found[0][key] for key in found[0] if key not in ("seconds", "cpu")}
            for found in runs
        )

    def bar(self, text, value, kept):
        self.failed = self.failed or not kept
        print(f"{'kept  ' if kept else 'MISSED'}  {text}: {value}", flush=True)

    def command_line(self):
        """Reading and finding by the command line, as it reports them itself."""
        before = os.times()
        run = subprocess.run(
            [self.program, "dedup", self.corpus, "--json", "--quiet"], capture_output=True, text=True, check=True
        )
        after = os.times()
        report = json.loads(run.stdout)
        stages = report["stage_seconds"]
        cpu = after.children_user + after.children_system - before.children_user - before.children_system
        return {"seconds": sum(stages.values()) - stages.get("write", 0), "cpu": cpu, "kept": report["kept"]}

    def beside_command_line(self, name, most):
        say(f"{name} beside the command line")
        ours, theirs = self.in_turn(lambda: self.run_job(sys.executable, name, self.corpus), self.command_line)
        if ours["kept"] != theirs["kept"]:
            raise SystemExit(f"{name} keeps {ours['kept']} documents, the command line {theirs['kept']}")
        ratio, cpu = ours["seconds"] / theirs["seconds"], ours["cpu"] / theirs["cpu"]
        figures = f"{ratio:.2f}x ({ours['seconds']:.2f} s and {theirs['seconds']:.2f} s); CPU {cpu:.2f}x ({ours['cpu']:.2f} s and {theirs['cpu']:.2f} s)"
        self.bar(
            f"deduplicate() of {'an Arrow table' if name == 'arrow' else 'a list of str'}, at most {most}x the command line",
            figures,
            cpu <= most,
        )

    def peers(self):
        python = jobs.peer_python(self.options.cache, say)
        documents = PEER_DOCUMENTS[self.options.scale]
        best = None
        for peer in ("gaoya", "rensa", "datasketch"):
            count = min(documents, DATASKETCH_DOCUMENTS) if peer == "datasketch" else documents
            say(f"{peer} on {count:,} texts")
            ours, theirs = self.in_turn(
                lambda count=count: self.run_job(sys.executable, "list", self.corpus, count),
                lambda peer=peer, count=count: self.run_job(python, peer, self.corpus, count, package=False),
            )
            ratio, cpu = theirs["seconds"] / ours["seconds"], theirs["cpu"] / ours["cpu"]
            print(
                f"        {peer}: {ratio:.1f}x the time of neardup, CPU {cpu:.1f}x; kept {theirs['kept']:,} and {ours['kept']:,} of {count:,}"
            )
            best = min(best or (cpu, ratio, peer), (cpu, ratio, peer))
        self.bar(
            "the fastest peer on the same list, at least 4x the time",
            f"CPU {best[0]:.1f}x, wall {best[1]:.1f}x ({best[2]})",
            best[0] >= 4,
        )

    def hamming(self):
        python = faiss_python(self.options.cache)
        base, queries = FINGERPRINTS[self.options.scale]
        say(f"Hamming search: {queries:,} queries in {base:,} fingerprints")
        ours, theirs = self.in_turn(
            lambda: self.run_job(sys.executable, "hamming", base, queries),
            lambda: self.run_job(python, "faiss", base, queries, package=False),
        )
        if ours["matches"] < theirs["matches"]:
            raise SystemExit(f"FAISS finds {theirs['matches']} matches, neardup {ours['matches']}")
        ratio, size = theirs["cpu"] / ours["cpu"], ours["bytes"] / base
        figures = f"{ratio:.1f}x ({queries / ours['cpu']:,.0f} and {queries / theirs['cpu']:,.0f} queries per CPU second), {size:.1f} bytes"
        self.bar(
            "HammingIndex.search beside FAISS, at least 20x at 45 bytes at most", figures, ratio >= 20 and size <= 45
        )

    def interrupt(self):
        seconds = statistics.median(
            self.run_job(sys.executable, "interrupt")["seconds"] for _ in range(self.options.repeat)
        )
        self.bar("Ctrl-C ends a call within 0.1 s", f"{seconds:.3f} s", seconds <= 0.1)

    def imports(self):
        runs = [self.run_job(sys.executable, "import") for _ in range(max(5, self.options.repeat))]
        seconds, cpu = (statistics.median(run[key] for run in runs) for key in ("seconds", "cpu"))
        self.bar("import neardup within 0.15 s", f"{seconds:.3f} s, CPU {cpu:.3f} s", cpu <= 0.15)


def faiss_python(cache):
    folder = pathlib.Path(cache) / "venv-faiss"
    python = folder / "bin" / "python"
    if not python.exists():
        say("installing faiss-cpu")
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
        subprocess.run(
            [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "faiss-cpu"], check=True
        )
    return str(python)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scale", choices=["small", "full"], default="full")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--only", default=",".join(ROWS))
    parser.add_argument("--data", default=corpus.default_data())
    parser.add_argument("--build", default=str(ROOT / "build" / "release"))
    parser.add_argument("--cache", default=str(ROOT / "build" / "bench"))
    options = parser.parse_args()
    bench = Bench(options)
    rows = options.only.split(",")
    if unknown := set(rows) - set(ROWS):
        parser.error(f"there is no row {', '.join(sorted(unknown))}: {', '.join(ROWS)}")
    print(f"{bench.about['documents']:,} documents, {bench.about['bytes'] / 1e6:,.0f} MB, {os.cpu_count()} cores")
    if "arrow" in rows:
        bench.beside_command_line("arrow", 1.1)
    if "list" in rows:
        bench.beside_command_line("list", 1.3)
    for name, row in (
        ("peers", bench.peers),
        ("hamming", bench.hamming),
        ("interrupt", bench.interrupt),
        ("import", bench.imports),
    ):
        if name in rows:
            row()
    return 1 if bench.failed else 0


if __name__ == "__main__":
    sys.exit(main())
