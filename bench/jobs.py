"""The commands the benchmark runs, and how one run is measured."""
import dataclasses
import json
import os
import statistics
import subprocess
import sys

BENCH = os.path.dirname(os.path.abspath(__file__))
PEERS = ["gaoya", "rensa", "datasketch"]
PREFIX_DOCUMENTS = 20_000  # for tools that would take hours on the whole corpus


@dataclasses.dataclass
class Job:
    """One row of the table. `command` lacks the output, which stands last."""
    name: str
    label: str
    threads: int
    command: list
    lists_pairs: bool = True
    limit: int | None = None     # looks only at the first documents
    most_repeats: int = 99
    environment: dict = dataclasses.field(default_factory=dict)
    runs: list = dataclasses.field(default_factory=list)
    kept: list | None = None
    quality: dict | None = None

    @property
    def seconds(self):
        return statistics.median(run["seconds"] for run in self.runs)

    @property
    def cpu_seconds(self):
        return statistics.median(run["cpu_seconds"] for run in self.runs)

    @property
    def peak_bytes(self):
        return max(run["peak_bytes"] for run in self.runs)


def make_environment(folder):
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)


def peer_python(cache, say):
    """The Python of a virtual environment that has the peers, by name from the package index."""
    folder = os.path.join(cache, "venv")
    python = os.path.join(folder, "bin", "python")
    imports = [python, "-c", "import datasketch, gaoya, orjson, rensa"]
    if not os.path.exists(python) or subprocess.run(imports, capture_output=True).returncode:
        say("installing the peers: " + " ".join(PEERS))
        try:
            make_environment(folder)
            subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *PEERS, "orjson"],
                           check=True)
        except subprocess.CalledProcessError as error:
            raise SystemExit(f"The peers could not be installed ({error}).\n"
                             "They need python3-venv and a package index; --no-peers runs neardup alone.") from None
    return python


def peer_versions(python):
    code = f"import importlib.metadata as m; print({{n: m.version(n) for n in {PEERS!r}}})"
    return subprocess.run([python, "-c", code], check=True, capture_output=True, text=True).stdout.strip()


def peer_jobs(python, corpus, documents):
    limit = min(documents, PREFIX_DOCUMENTS)

    def script(name, *flags):
        return [python, os.path.join(BENCH, "peers", f"with_{name}.py"), *flags, corpus]

    return [
        Job("gaoya", "gaoya, 5-grams, 20x5 bands", 2, script("gaoya")),
        Job("rensa", "rensa, 5-grams", 1, script("rensa"), lists_pairs=False),
        Job("rensa-readme", "rensa, README recipe (words)", 1, script("rensa", "--recipe", "readme"),
            lists_pairs=False),
        Job("datasketch", f"datasketch, first {limit:,}", 1, script("datasketch", "--limit", str(limit)),
            lists_pairs=False, limit=limit, most_repeats=1),
    ]


def neardup_command(program, corpus, *flags):
    return [program, "dedup", corpus, "--force", "--quiet", *flags, "-o"]


def neardup_jobs(program, corpus, documents, exact_memory, minhash_memory):
    def command(*flags):
        return neardup_command(program, corpus, *flags)

    minhash = ("--finder", "minhash", "--no-recall")
    limit = min(documents, PREFIX_DOCUMENTS)
    return [
        Job("neardup-exact", "neardup exact (the default)", 2, command("--threads", "2")),
        Job("neardup-exact-avx2", "neardup exact, AVX2 only", 2, command("--threads", "2"),
            environment={"NEARDUP_SIMD": "avx2"}),
        Job("neardup-exact-1-thread", "neardup exact", 1, command("--threads", "1")),
        Job("neardup-exact-memory", f"neardup exact, --memory {exact_memory}", 2,
            command("--threads", "2", "--memory", exact_memory)),
        Job("neardup-minhash", "neardup minhash", 2, command(*minhash, "--threads", "2")),
        Job("neardup-minhash-1-thread", "neardup minhash", 1, command(*minhash, "--threads", "1")),
        Job("neardup-minhash-recall", "neardup minhash, recall measured", 2,
            command("--finder", "minhash", "--threads", "2")),
        Job("neardup-minhash-memory", f"neardup minhash, --memory {minhash_memory}", 2,
            command(*minhash, "--threads", "2", "--memory", minhash_memory)),
        Job("neardup-exact-prefix", f"neardup exact, first {limit:,}", 2,
            command("--threads", "2", "--limit", str(limit)), limit=limit),
        Job("neardup-minhash-prefix", f"neardup minhash, first {limit:,}", 2,
            command(*minhash, "--threads", "2", "--limit", str(limit)), limit=limit),
    ]


def measure(command, folder, threads, environment={}):
    """Seconds, CPU seconds and peak memory of one run."""
    result = os.path.join(folder, "measured.json")
    # Every peer's own way to be told how many threads it may use.
    limits = {"RAYON_NUM_THREADS": str(threads), "OMP_NUM_THREADS": str(threads)}
    done = subprocess.run([sys.executable, "-S", os.path.join(BENCH, "measure.py"), result, *command],
                          env={**os.environ, **limits, **environment})
    if done.returncode:
        raise SystemExit(f"could not start: {' '.join(command)}")
    with open(result) as file:
        run = json.load(file)
    if run["exit"]:
        raise SystemExit(f"exit code {run['exit']} from: {' '.join(command)}")
    return run
